import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findLauncherPath, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { findMeetingPlace, type MeetingPlace } from '../../src/resident/place.ts'
import { findServing, type ResidentFigures, readLastFigures } from '../../src/resident/serve.ts'
import { program } from '../support/command.ts'
import { processesWith, until } from '../support/processes.ts'
import { put, type World } from '../support/project.ts'

/** A home in which agents call hooks, with the process that serves them. */
export interface ServedHome {
  readonly world: World
  readonly home: string
  readonly project: string
  readonly launcher: string
  readonly place: MeetingPlace
}

/** How a call of an agent ended. */
export interface CallEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** An event of Codex before a call of Bash. */
export function bashEvent(command: string, more: object = {}): string {
  return JSON.stringify({
    ...{ session_id: 's1', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } },
    ...{ tool_use_id: 't1', turn_id: 'u1', model: 'm', permission_mode: 'default', transcript_path: null, ...more },
  })
}

/** Seconds for which a client waits until its call is taken: as long as for users, or until a busy machine comes to it. */
export type Patience = 'usual' | 'long'

interface HomeOptions {
  readonly patience?: Patience
  /** True for a home with a program of its own, which a test may replace. */
  readonly isCopied?: boolean
}

/** Path of the program of a home that has its own. */
export const findCopy = ({ root }: World): string => join(root, 'hookline.js')

/** A home with these hooks of the user and a launcher; nothing serves there yet. */
export async function makeHome(
  hooks: object | ((world: World) => object),
  { patience = 'long', isCopied = false }: HomeOptions = {},
): Promise<ServedHome> {
  const root = mkdtempSync(join(tmpdir(), 'hookline-resident-'))
  const home = join(root, 'home')
  const project = join(root, 'project')
  const world: World = { root, project, home, managed: join(root, 'managed.json') }
  mkdirSync(home)
  await put(world, 'home/.claude/settings.json', { hooks: typeof hooks === 'function' ? hooks(world) : hooks })
  await put(world, 'project/.git/HEAD', '')
  if (isCopied) await put(world, 'hookline.js', `require(${JSON.stringify(program)})`)
  const served = await prepareHome(world, { patience, ...(isCopied ? { script: findCopy(world) } : {}) })
  onTestFinished(async () => {
    await until('all that was started for this home has ended', () => endAll(home) === 0)
    rmSync(root, { recursive: true, force: true })
  })
  return served
}

/** Writes a launcher into the home of a world; nothing serves there yet. */
export async function prepareHome(
  world: World,
  { patience, script = program }: { readonly patience: Patience; readonly script?: string },
): Promise<ServedHome> {
  const { home, project } = world
  await writeLauncher(home, { node: process.execPath, script })
  const launcher = findLauncherPath(home)
  if (patience === 'long') makePatient(launcher)
  return { world, home, project, launcher, place: findMeetingPlace(home) }
}

/** Lets the clients of a launcher wait for long: they are served also where this machine is slow. */
function makePatient(launcher: string): void {
  const text = readFileSync(launcher, 'utf8')
  const patient = text.replace(/hookline_wind_clock 0\.25$/m, 'hookline_wind_clock 4')
  if (patient === text) throw new Error('the launcher waits in another way')
  writeFileSync(launcher, patient)
}

/** The same once a process serves: the first call starts it, and goes the cold way itself. */
export async function makeServedHome(...given: Parameters<typeof makeHome>): Promise<ServedHome> {
  const served = await makeHome(...given)
  call(served, '{"hookline_probe":"first"}')
  await until('a process serves', () => findServing(served.place) !== null)
  return served
}

export interface CallOptions {
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Program that runs the launcher, and words before it. */
  readonly through?: readonly string[]
  /** Words that are run in place of the launcher. */
  readonly line?: readonly string[]
  /** Hears what comes on stdout. */
  readonly heard?: (text: string) => void
}

const CALL = ['bridge', 'run', 'codex', 'PreToolUse']

function toLine({ launcher, project, home }: ServedHome, options: CallOptions) {
  const { args = CALL, env = {}, cwd = project, through = [] } = options
  const [file = launcher, ...words] = options.line ?? [...through, launcher, ...args]
  return { file, words, place: { cwd, env: { PATH: process.env.PATH, HOME: home, ...env } } }
}

/** Calls hooks as an agent does, by whichever way is taken. */
export function call(served: ServedHome, input: string | Buffer, options: CallOptions = {}): CallEnd {
  const { file, words, place } = toLine(served, options)
  const { status, stdout, stderr } = spawnSync(file, words, { ...place, input, encoding: 'utf8', timeout: 60_000 })
  return { code: status, stdout, stderr }
}

/** The same while this process goes on. */
export function startCall(served: ServedHome, input: string, options: CallOptions = {}): Promise<CallEnd> {
  const { file, words, place } = toLine(served, options)
  return new Promise((resolve) => {
    const child = spawn(file, words, { ...place, timeout: 60_000 })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text
        if (name === 'stdout') options.heard?.(text)
      })
    child.on('close', (code) => resolve({ code, ...said }))
    child.stdin.on('error', () => {}).end(input)
  })
}

/** The same the cold way, whatever serves. */
export function callCold(served: ServedHome, input: string | Buffer, options: CallOptions = {}): CallEnd {
  return call(served, input, { ...options, env: { ...options.env, HOOKLINE_RESIDENT: 'off' } })
}

/** Figures of the process that served last; null: there are none yet. */
export const readFigures = ({ place }: ServedHome): ResidentFigures | null => readLastFigures(place)

interface Ways {
  readonly served?: number
  readonly alone?: number
  readonly withdrawn?: number
  readonly declined?: number
}

/** Sees which way calls took: how many were answered, ran by themselves, were taken back, and were sent the cold way. */
export async function expectWays(home: ServedHome, ways: Ways): Promise<void> {
  const expected = { served: 0, alone: 0, withdrawn: 0, declined: 0, ...ways }
  const read = () => {
    const { served = 0, alone = 0, withdrawn = 0, declined = {} } = readFigures(home) ?? {}
    const count = Object.values(declined).reduce((sum, one) => sum + one, 0)
    return { served, alone, withdrawn, declined: count === expected.declined ? count : declined } // with the reasons, where it is another number
  }
  await expect.poll(read, { timeout: 30_000 }).toEqual(expected) // written after the answer
}

/** Ends every process that was started for a home, also a resident that is just starting; how many there were. */
export function endAll(home: string): number {
  const pids = processesWith(`HOME=${home}`, { residents: true })
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended by itself
    }
  }
  return pids.length
}
