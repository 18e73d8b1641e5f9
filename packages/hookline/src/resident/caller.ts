import { readFileSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'

/** Process that an agent started to ask hooks, as the system describes it; nothing of it is the caller's word. */
export interface Caller {
  readonly pid: number
  /** Process whose number this is: another may have it later. */
  readonly began: string
  /** Words after the launcher. */
  readonly args: readonly string[]
  /** Shell text of the entry that the agent runs, where a shell reads the launcher; null: the launcher is a program of its own. */
  readonly entry: string | null
  /** True if what is written to stdout goes somewhere, and stderr can be written to: plugins of agents leave it unread. */
  readonly isHeard: boolean
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** Namespaces in which a process sees other files, processes, users or networks than the resident does. */
const NAMESPACES = ['mnt', 'pid', 'user', 'net', 'ipc', 'uts', 'cgroup', 'time']

/** Facts of a process that the hooks it starts inherit, or that say that it is held in a sandbox. */
const INHERITED =
  /^(?:Umask|Uid|Gid|Groups|CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp|Seccomp_filters|Cpus_allowed_list):.*$/gm

/**
 * Variables that the engine reads of its own process, whatever a caller has: a caller whose values differ would get other
 * answers than from a process of its own. The tests compare this with the source.
 */
export const OWN_VARIABLES = [
  'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP',
  'CLAUDE_CONFIG_DIR',
  'HOME',
  'HOOKLINE_LAUNCHER',
  'HOOKLINE_TRUST',
  'HOOKLINE_WARM',
  'TMPDIR',
] as const

/** Variables that change what Node does, or every program of the system: a process of its own would heed those of its caller. */
const HEEDED_BY_NODE = /^(?:NODE_.*|LD_.*|OPENSSL_CONF|SSL_CERT_(?:FILE|DIR)|UV_.*|TZ|LANG|LC_ALL)$/

/** Names of the launcher's own variables: a caller that has one of them would hand on what the launcher puts there. */
const OF_THE_LAUNCHER = /^hookline_/

/** Changes that a shell makes to the environment that it hands on; one that is not here is not known to make none. */
const SHELLS: Readonly<Record<string, (env: NodeJS.ProcessEnv, cwd: string) => NodeJS.ProcessEnv>> = {
  dash: withFolder,
  busybox: withFolder,
  bash: ({ _, SHLVL = '', OLDPWD = '', ...env }, cwd) => ({
    ...withFolder(env, cwd),
    SHLVL: /^\d{1,3}$/.test(SHLVL) ? SHLVL : '0',
    ...(statSync(OLDPWD || '/nowhere', { throwIfNoEntry: false })?.isDirectory() ? { OLDPWD } : {}),
  }),
}

/** Ways in which clients are started. */
export interface Launching {
  /** Path of the launcher. */
  readonly launcher: string
  /** Reads the words of a call from the shell text of an entry; null for one that is not ours. */
  readonly readEntry: (text: string) => readonly string[] | null
}

/** Character in the place of bytes that are not UTF-8: a shell hands on the bytes. */
const NO_TEXT = '\ufffd'

/** A name that every shell takes for one of a variable: of others, some shells lose them. */
const NAME = /^[A-Za-z_]\w*$/

/** Caller whose outputs nobody has looked at: those of a shell are not its own while it starts a program. */
export type SeenCaller = Omit<Caller, 'isHeard'>

/**
 * Describes the process that waits at a wire. A sentence where it has to go the cold way: it is not the one that waits there,
 * is not in the same place as this process, or would hand other things on to hooks.
 */
export function readCaller(pid: number, wire: string, { launcher, readEntry }: Launching): SeenCaller | string {
  try {
    const stat = readStat(pid)
    const began = stat[START_TIME] ?? ''
    if (!isHoldingPipe(wire, pid)) return 'it does not wait for the answer itself'
    const other = findDifference(pid, stat)
    if (other !== null) return other
    const shell = basename(readlinkSync(`/proc/${pid}/exe`))
    const [script = '', ...words] = readShellWords(pid, shell)
    const entry = script === '-c' && words.length === 1 ? (words[0] ?? null) : null
    const args = entry === null ? words : readEntry(entry)
    if (args === null || (entry === null && script !== launcher)) return 'it was not started by the launcher'
    const { given, otherVariable } = readGivenEnvironment(pid)
    if (otherVariable !== undefined) return `it has another ${otherVariable}`
    const change = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (change === undefined) return `nobody knows how ${shell} hands variables on`
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    if (!isSameFile(statSync(cwd, { throwIfNoEntry: false }), statSync(`/proc/${pid}/cwd/`)))
      return 'its folder is gone'
    const env = change(given, cwd)
    return began === readStartTime(pid) ? { pid, began, args, entry, env, cwd } : 'it has ended'
  } catch {
    return 'it cannot be looked at'
  }
}

/** Looks at the outputs of a caller that waits for its answer; false also where it has ended. */
export function hasReader({ pid }: SeenCaller, bell: string): boolean {
  try {
    const rung = statSync(bell)
    return !isNowhere(pid, rung) && isOpen(pid, rung)
  } catch {
    return false
  }
}

/** Options of bash that change nothing about a text which it is given to run: Copilot starts hooks with both. */
const IDLE_OPTIONS: ReadonlySet<string> = new Set(['--norc', '--noprofile'])

/** Reads the words behind the name of a shell, which in `busybox sh` is two words. */
function readShellWords(pid: number, shell: string): readonly string[] {
  const [name = '', ...words] = readWords(`/proc/${pid}/cmdline`)
  if (shell === 'busybox' && basename(name) === 'busybox') return words.slice(1)
  const from = shell === 'bash' ? words.findIndex((word) => !IDLE_OPTIONS.has(word)) : 0
  return words.slice(Math.max(from, 0))
}

/** Environment that the system has for a process. */
interface GivenEnvironment {
  readonly given: NodeJS.ProcessEnv
  /** Variable by which a process of its own would answer otherwise than this one; undefined: there is none. */
  readonly otherVariable: string | undefined
}

/** Environments by their text: calls of an agent have the same one, and to take it apart takes longer than to read it. */
const environments = new Map<string, GivenEnvironment>()
const MAX_ENVIRONMENTS_KEPT = 8

function readGivenEnvironment(pid: number): GivenEnvironment {
  const text = readFileSync(`/proc/${pid}/environ`, 'utf8')
  const known = environments.get(text)
  if (known !== undefined) return known
  const given: NodeJS.ProcessEnv = Object.fromEntries(splitWords(text).map(splitVariable))
  const environment = { given, otherVariable: findOtherVariable(given) }
  if (environments.size >= MAX_ENVIRONMENTS_KEPT) environments.clear()
  environments.set(text, environment)
  return environment
}

/** Finds a variable by which a process of its own would answer otherwise than this one. */
function findOtherVariable(env: NodeJS.ProcessEnv): string | undefined {
  const heeded = [...Object.keys(env), ...Object.keys(process.env)].filter((name) => HEEDED_BY_NODE.test(name))
  return (
    [...OWN_VARIABLES, ...heeded].find((name) => (env[name] || undefined) !== (process.env[name] || undefined)) ??
    Object.keys(env).find((name) => OF_THE_LAUNCHER.test(name) || !NAME.test(name) || env[name]?.includes(NO_TEXT))
  )
}

/** Names the folder as a shell does: as it was told to, if that is where it is. */
function withFolder(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  const isKept = env.PWD !== undefined && env.PWD !== cwd && isPathOfFolder(env.PWD, cwd)
  return { ...env, PWD: isKept ? env.PWD : cwd }
}

/** True if a path leads to a folder: a shell keeps it then as the name of where it is. */
function isPathOfFolder(path: string, folder: string): boolean {
  const [one, other] = [path, folder].map((each) => statSync(each, { throwIfNoEntry: false }))
  return path.startsWith('/') && isSameFile(one, other)
}

/** Says why this process may serve nobody; null: it may. One that is held in a sandbox could let others out of theirs. */
export function findOwnDoubt(): string | null {
  try {
    const status = readFileSync('/proc/self/status', 'latin1')
    return /^NoNewPrivs:\s*0$/m.test(status) ? null : 'it runs in a sandbox'
  } catch {
    return 'the system does not say which process asks'
  }
}

/** Ticks since the boot at which a process began: with its number, that is one process alone. Throws where there is none. */
export function readStartTime(pid: number | 'self'): string {
  return readStat(pid)[START_TIME] ?? ''
}

/** True if the process that began then still runs: one that its parent has not asked about since it ended does not. */
export function isRunning(pid: number, began: string | undefined): boolean {
  try {
    const stat = readStat(pid)
    return stat[START_TIME] === began && !/^[ZX]/.test(stat[STATE] ?? '')
  } catch {
    return false // there is no such process
  }
}

/** True if a signal holds a process: it answers nobody until another one lets it go on. */
export function isStopped(pid: number): boolean {
  try {
    return /^[Tt]/.test(readStat(pid)[STATE] ?? '')
  } catch {
    return false // there is no such process
  }
}

/** Places of facts in a process's line, counted from behind its name. */
const STATE = 0
const NICE = 16
const START_TIME = 19

function readStat(pid: number | 'self'): readonly string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8') // the encoding that Node reads in one step
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** Descriptor by which a client waits at its wire. */
const WIRE = 3

/** True if a process waits at a pipe: nobody else can do so in its place. */
function isHoldingPipe(path: string, pid: number): boolean {
  return isSameFile(statSync(path), statSync(`/proc/${pid}/fd/${WIRE}`, { throwIfNoEntry: false }))
}

/** Says what hooks of a process would inherit that those of this one do not, or see otherwise; null: nothing. */
function findDifference(pid: number, stat: readonly string[]): string | null {
  ownView ??= describeView('self')
  const view = describeView(pid)
  const at = ownView.findIndex((value, index) => value !== view[index])
  if (at >= 0) return `it has another ${NAMESPACES[at] === undefined ? 'root folder' : `${NAMESPACES[at]} namespace`}`
  for (const [name, what] of [
    ['cgroup', 'control group'],
    ['limits', 'limit'],
  ])
    if (readFact('self', name) !== readFact(pid, name)) return `it has another ${what}`
  const inherited = readInherited(pid)
  const line = readInherited('self').find((own, index) => own !== inherited[index])
  if (line !== undefined) return `it has another ${line.slice(0, line.indexOf(':'))}`
  return stat[NICE] === readStat('self')[NICE] ? null : 'it has another priority'
}

const readFact = (pid: number | 'self', name = ''): string => readFileSync(`/proc/${pid}/${name}`, 'utf8')

const readInherited = (pid: number | 'self'): readonly string[] => readFact(pid, 'status').match(INHERITED) ?? []

/** The view that this process has: nothing but itself can change it, and it never does. */
let ownView: readonly string[] | undefined

/** Lists what a process sees of the system: its namespaces, and its root folder. */
function describeView(pid: number | 'self'): readonly string[] {
  const base = `/proc/${pid}`
  const { dev, ino } = statSync(`${base}/root/`)
  return [...NAMESPACES.map((name) => readNamespace(`${base}/ns/${name}`)), `${dev} ${ino}`]
}

function readNamespace(path: string): string {
  try {
    return readlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '' // an older system has no such namespace, for either
    throw error
  }
}

/** Looks at an output of a shell that has just rung the bell by it, until it is itself again. */
const MAX_LOOKS = 20

/** True if a shell has its stderr open. Where the bell is there, it opens that just now, and the number was free. */
function isOpen(pid: number, bell: Stats): boolean {
  const target = statSync(`/proc/${pid}/fd/2`, { throwIfNoEntry: false })
  return target !== undefined && !isSameFile(target, bell)
}

/** True if what is written to stdout reaches no one: the cold way says so in its own words. */
function isNowhere(pid: number, bell: Stats): boolean {
  let isThere = true
  for (let look = 0; look < MAX_LOOKS; look++) {
    const target = statSync(`/proc/${pid}/fd/1`, { throwIfNoEntry: false })
    isThere = target !== undefined
    if (target !== undefined && !isSameFile(target, bell))
      return target.isCharacterDevice() && target.rdev === statSync('/dev/null').rdev
  }
  return !isThere // else on its way to where it was: of that nothing speaks against it
}

const isSameFile = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.ino === other?.ino && one.dev === other.dev

const readWords = (path: string): string[] => splitWords(readFileSync(path, 'utf8'))

const splitWords = (text: string): string[] => text.split('\0').slice(0, -1)

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
