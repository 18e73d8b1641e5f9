import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { signalGroup, spawnGroup } from '../../process/spawn-group.ts'
import { isGuarding } from '../answer/answer.ts'
import type { Bridge } from '../bridge.ts'
import type { InstalledEntry } from './entry.ts'
import { type HostPlace, isPlugin, isProgram, listEventFiles, readInstalledEntries } from './installed.ts'
import { findProbeAnswer, writeProbe } from './probe.ts'

/** Observation of an entry that was started as its agent starts it, with a probe in place of an event. */
export interface EntryTrial extends InstalledEntry {
  readonly saw: Sight
  /** Last words of the entry on stderr, where Hookline did not answer. */
  readonly words: string
}

/**
 * `answer`: Hookline answered, in this version. `refusal`: it did not, and the agent refuses the call. `nothing`: it did not, and
 * the agent goes on. `silence`: the entry did not end in time.
 */
export type Sight =
  | { readonly is: 'answer'; readonly version: string }
  | { readonly is: 'refusal' | 'nothing'; readonly code: number | null }
  | { readonly is: 'silence' }

/** The PATH of a program that was started from a desktop, without a shell of the user. */
export const DESKTOP_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** Time for an answer to a probe: before a call the user would wait as long. */
const TRIAL_TIMEOUT_MS = 5_000
/** Time for the rest of the output of an entry that has ended: what it started may keep its pipes open. */
const OUTPUT_TIMEOUT_MS = 500
const MAX_TRIALS_AT_ONCE = 4
const MAX_OUTPUT_CHARACTERS = 64 * 1024

/** The trials of a command: a few at a time, and a program that gave no answer in time is not started again. */
export interface Trials {
  readonly run: (program: string, start: () => Promise<TrialOutput>) => Promise<TrialOutput>
}

/** Opens the trials of a command; `onStep` hears how many of them are over. */
export function openTrials(onStep: (done: number, all: number) => void = () => {}): Trials {
  const waiting: (() => void)[] = []
  const silent = new Set<string>()
  const count = { running: 0, done: 0, all: 0 }
  const run: Trials['run'] = async (program, start) => {
    count.all++
    onStep(count.done, count.all)
    if (count.running === MAX_TRIALS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else count.running++
    const output = silent.has(program) ? NO_ANSWER : await start()
    if (output.isLate) silent.add(program)
    const next = waiting.shift()
    if (next === undefined) count.running--
    else next()
    onStep(++count.done, count.all)
    return output
  }
  return { run }
}

/**
 * Starts the entries before a call in an agent's files as the agent would, and says what was seen. No hook runs: an entry gets a
 * probe, which names no event. Nothing is tried on Windows, whose shells differ. Never rejects.
 */
export async function tryEntries(
  place: HostPlace,
  env: NodeJS.ProcessEnv,
  trials: Trials = openTrials(),
): Promise<EntryTrial[]> {
  if (process.platform === 'win32') return []
  const entries = (await readInstalledEntries(place)).filter(({ event }) => isGuarding(place.bridge, event))
  return Promise.all(entries.map((entry) => tryEntry(place, entry, { env, trials })))
}

async function tryEntry(
  place: HostPlace,
  entry: InstalledEntry,
  { env, trials }: { readonly env: NodeJS.ProcessEnv; readonly trials: Trials },
): Promise<EntryTrial> {
  const nonce = randomUUID()
  const { program } = entry
  const shell = place.bridge.install.shell === 'login' ? env.SHELL : '' // a profile of the user may not end either
  const { stdout, stderr, code, isLate } = await trials.run(
    `${shell} ${program} ${isAbsolute(program) ? '' : env.PATH}`,
    () =>
      runOnce(startLine(place, entry, env), {
        ...{ cwd: place.project, input: writeProbe(nonce) },
        env: { ...env, HOME: place.home, NODE_DISABLE_COMPILE_CACHE: '1', HOOKLINE_RESIDENT: 'off' }, // a look writes nothing, and starts nothing that stays
      }),
  )
  const version = findProbeAnswer(`${stdout}\n${stderr}`, nonce)
  const words = stderr.trim().split('\n').at(-1) ?? ''
  if (version !== null) return { ...entry, words: '', saw: { is: 'answer', version } }
  if (isLate) return { ...entry, words, saw: { is: 'silence' } }
  return { ...entry, words, saw: { is: isRefused(place, entry, { stdout, code }) ? 'refusal' : 'nothing', code } }
}

/** True if an agent refuses the call by what an entry did that Hookline did not answer. */
function isRefused(
  place: HostPlace,
  entry: InstalledEntry,
  { stdout, code }: Pick<TrialOutput, 'stdout' | 'code'>,
): boolean {
  const { shape, missing } = place.bridge.install
  if (isProgram(place)) return stdout.includes('"cancel":true')
  if (isPlugin(place.bridge)) return entry.ifMissing === 'refuse' || (code !== 127 && code !== 0)
  if (shape === 'cursor' && entry.ifMissing === 'refuse') return true // failClosed, also where nothing is said
  return code === 2 || (missing === 'refuses' && code !== 0)
}

/** The program and arguments by which an agent starts an entry. */
function startLine(
  place: HostPlace,
  { command, event }: InstalledEntry,
  env: NodeJS.ProcessEnv,
): [string, ...string[]] {
  if (isProgram(place)) return [listEventFiles(place).find((one) => one.event === event)?.file ?? '']
  const { shell } = place.bridge.install
  if (shell === 'login') return [env.SHELL || '/bin/sh', '-lc', command]
  return [shell === 'bash' ? 'bash' : '/bin/sh', '-c', command]
}

interface TrialOutput {
  readonly stdout: string
  readonly stderr: string
  /** Null where a signal ended it, or it could not be started. */
  readonly code: number | null
  readonly isLate: boolean
}

const NO_ANSWER: TrialOutput = { stdout: '', stderr: '', code: null, isLate: true }

interface Run {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string
}

function runOnce([file, ...args]: [string, ...string[]], { cwd, env, input }: Run): Promise<TrialOutput> {
  return new Promise((resolve) => {
    const output = { stdout: '', stderr: '' }
    try {
      const child = spawnGroup(file, args, { cwd, env })
      const end = (code: number | null, { fault = '', isLate = false } = {}): void => {
        for (const timer of timers) clearTimeout(timer)
        for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
        resolve({ ...output, stderr: `${output.stderr}${fault}`, code, isLate })
      }
      const giveUp = (code: number | null, isLate: boolean): void => {
        if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
        end(code, { isLate })
      }
      const timers = [setTimeout(() => giveUp(null, true), TRIAL_TIMEOUT_MS)]
      for (const name of ['stdout', 'stderr'] as const)
        child[name]?.setEncoding('utf8').on('data', (text: string) => {
          output[name] = `${output[name]}${text}`.slice(-MAX_OUTPUT_CHARACTERS)
        })
      child.on('error', (error) => end(127, { fault: error.message }))
      child.on('exit', (code) => timers.push(setTimeout(() => giveUp(code, false), OUTPUT_TIMEOUT_MS)))
      child.on('close', (code) => end(code))
      child.stdin?.on('error', () => {}) // an entry may end without reading
      child.stdin?.end(input)
    } catch (error) {
      resolve({ ...output, stderr: String(error), code: null, isLate: false }) // no descriptor is left
    }
  })
}

/** A sentence about the entries of a scope that were tried. */
export interface TrialNote {
  readonly text: string
  /** Hookline was not reached: guards are open, or every call is refused. */
  readonly isFault: boolean
  /** Calls are made that guards were not asked about. */
  readonly isOpen: boolean
}

/** Tries the entries of a scope, with this environment and as a program that was started from a desktop, and says what was seen. */
export async function describeTrials(
  place: HostPlace,
  env: NodeJS.ProcessEnv,
  trials: Trials = openTrials(),
): Promise<TrialNote[]> {
  if (process.platform === 'win32') return [{ text: NOT_ON_WINDOWS, isFault: false, isOpen: false }]
  const [here, desktop] = await Promise.all(
    [env, { ...env, PATH: DESKTOP_PATH }].map((one) => tryEntries(place, one, trials)),
  )
  const [first] = here ?? []
  if (first === undefined) return []
  const faults = here?.filter(({ saw }) => saw.is !== 'answer') ?? []
  if (faults.length > 0) return faults.slice(0, 1).map((one) => noteTrial(place, one, ''))
  const fromDesktop = desktop?.find(({ saw }) => saw.is !== 'answer')
  return [
    noteTrial(place, first, ''),
    ...(fromDesktop === undefined ? [] : [noteTrial(place, fromDesktop, ', started from a desktop')]),
  ]
}

const NOT_ON_WINDOWS =
  'Entries are not tried on Windows, and cannot say there what becomes of a call where hookline is missing.'

function noteTrial({ bridge, scope }: HostPlace, trial: EntryTrial, how: string): TrialNote {
  return {
    text: `${scope}${how}: ${describeTrial(bridge, trial)}.`,
    isFault: trial.saw.is !== 'answer',
    isOpen: trial.saw.is === 'nothing' || trial.saw.is === 'silence',
  }
}

/** Says in a sentence what was seen of an entry. */
export function describeTrial({ title }: Bridge, { saw, words, program }: EntryTrial): string {
  const because = words === '' ? '' : ` (${words})`
  if (saw.is === 'answer') return `started as ${title} does, hookline ${saw.version} answers`
  if (saw.is === 'silence')
    return `started as ${title} does, ${program} did not answer within ${TRIAL_TIMEOUT_MS / 1000} s: ${title} waits for it before every guarded call, and may go on without it`
  if (saw.is === 'refusal') return `${program} does not answer${because}: ${title} refuses every guarded call`
  return `${program} does not answer${because}: ${title} goes on, and every guard is open`
}
