import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Bridge } from '../../../bridges/bridge.ts'
import { signalGroup, spawnGroup } from '../../../process/spawn-group.ts'
import { isObject } from '../../../text/json.ts'
import type { TrialOutcome } from './trial.ts'

/** Words that take away the network but loopback, and with the last process every other one. */
const ALONE = ['-rnpf', '--kill-child', '--mount-proc', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/** Milliseconds beyond those of the client's own run, for its start and its version. */
const MARGIN_MS = 60_000
const CHECK_TIMEOUT_MS = 10_000

/**
 * Starts an agent's program in a home of its own, without the user's keys and without a network, against a scripted model and one
 * guard, and says what was seen. Where that cannot be had, nothing is started.
 */
export async function probeClient({ name, title, recipe }: Bridge, client: string | undefined): Promise<TrialOutcome> {
  if (recipe === null) return makeUntried(`${title} needs the servers of its vendor, or a person in front of it.`)
  const program = client === undefined ? findProgram(recipe.programs) : resolve(client)
  if (program === null) return makeUntried(`${recipe.programs.join(', ')} is not on the PATH. Name it: --client PATH.`)
  if (!isExecutable(program)) return makeUntried(`${program} cannot be executed.`)
  if ((await runAlone(['true'], CHECK_TIMEOUT_MS)).code !== 0)
    return makeUntried('the network cannot be taken away here (unshare -rn needs Linux and user namespaces).')
  const call = [process.execPath, process.argv[1] ?? '', 'bridge', 'probe', name, '--client', program]
  const { code, stdout, stderr } = await runAlone(call, recipe.seconds * 1000 + MARGIN_MS)
  return readOutcome(stdout) ?? makeUntried(`the trial ended with ${code ?? 'a signal'}. ${stderr.trim().slice(-200)}`)
}

const makeUntried = (why: string): TrialOutcome => ({ saw: 'nothing', why })

/** Says in a sentence what was seen of a client. */
export function describeOutcome({ title, seen }: Bridge, outcome: TrialOutcome): string {
  if (outcome.saw === 'nothing') return `cannot be tried: ${outcome.why}`
  const which = outcome.version === null ? title : `${title} ${outcome.version}`
  const other =
    outcome.version === null || outcome.version === seen.version ? '' : ` These tables were made for ${seen.version}.`
  return `${SIGHTS[outcome.saw].replace('CLIENT', which)}${other}`
}

const SIGHTS: Readonly<Record<Exclude<TrialOutcome['saw'], 'nothing'>, string>> = {
  'asked-and-refused': 'asked and refused: CLIENT asked the guard and made no call, in a home of its own.',
  'asked-and-made': 'ASKED, AND NOT REFUSED: CLIENT asked the guard and made the call all the same.',
  'not-asked': 'NOT ASKED: CLIENT made the call without asking the guard.',
}

function findProgram(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return places.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return /\.[cm]?js$/.test(file) && isReadable(file)
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false // the file is not there
  }
}

interface ProbeEnd {
  /** Null: a signal, or it could not be started. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command where there is no network but loopback. At its end, or at the limit, nothing of it is left. Rejects where no process can be started. */
function runAlone(words: readonly string[], limitMs: number): Promise<ProbeEnd> {
  return new Promise((settle) => {
    const output = { stdout: '', stderr: '' }
    const child = spawnGroup('unshare', [...ALONE, ...words], { env: process.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = setTimeout(() => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    }, limitMs)
    const end = (code: number | null): void => {
      clearTimeout(timer)
      settle({ code, ...output })
    }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
      })
    child.on('error', () => end(null))
    child.on('close', end)
  })
}

function readOutcome(text: string): TrialOutcome | null {
  try {
    const outcome: unknown = JSON.parse(text)
    return isObject(outcome) && typeof outcome.saw === 'string' ? (outcome as TrialOutcome) : null // our own command wrote it
  } catch {
    return null // the answer was cut off
  }
}
