import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import type { Bridge, ClientRecipe } from '../../../bridges/bridge.ts'
import { withBridge, writeEdit } from '../../../bridges/install/install.ts'
import type { HostPlace } from '../../../bridges/install/installed.ts'
import { type FilledRecipe, fillRecipe } from '../../../bridges/install/recipe.ts'
import { findBridge } from '../../../bridges/list.ts'
import { makeFolders } from '../../../files/folders.ts'
import { makeTempFolder } from '../../../files/temp-folder.ts'
import { signalGroup, spawnGroup } from '../../../process/spawn-group.ts'
import { quoteForShell } from '../../../text/quote.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { printJson } from '../../start/print.ts'
import { BRIDGE_FLAGS } from './bridged.ts'

/**
 * Observation of a client that wanted to make one guarded call: it asked and made no call, it asked and made the call, it did not
 * ask and made the call; or nothing could be seen.
 */
export type TrialOutcome =
  | { readonly saw: 'asked-and-refused' | 'asked-and-made' | 'not-asked'; readonly version: string | null }
  | { readonly saw: 'nothing'; readonly why: string }

const FLAGS = { ...BRIDGE_FLAGS, client: { type: 'string' } } as const

/** Runs `hookline bridge probe`, which `status --probe` starts where there is no network: one run of a client, told as JSON. */
export async function probe(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridge = await loadBridge(agent, toEngineOptions(values).home)
  if (values.client === undefined || bridge.recipe === null)
    throw new UsageError('It takes the name of an agent that can be tried, and --client PATH.')
  if (Object.keys(networkInterfaces()).some((name) => name !== 'lo'))
    throw new UsageError(
      `There is a network here. Run "hookline bridge status ${bridge.name} --probe", which takes it away.`,
    )
  printJson(await tryClient(bridge, bridge.recipe, values.client))
  return 0
}

/** Lets a client make one call that a guard refuses, in folders of its own that are gone afterwards. */
async function tryClient(bridge: Bridge, recipe: ClientRecipe, program: string): Promise<TrialOutcome> {
  const { makeScriptBySteps, startModelServer } = await import('../../../testing/index.ts') // nothing else needs a model that is none
  const folder = await makeTempFolder('probe')
  const place = {
    bridge,
    scope: 'user',
    project: join(folder.path, 'project'),
    home: join(folder.path, 'home'),
    env: {},
  } as const
  const [asked, made] = [join(folder.path, 'asked'), join(place.project, 'made')]
  const values = {
    project: place.project,
    model: recipe.model,
    prompt: 'Do as scripted.',
    command: `touch ${quoteForShell(made)}`,
  }
  const { shell } = fillRecipe(recipe, { ...values, url: '' })
  const server = await startModelServer(makeScriptBySteps([{ tools: [shell] }, { text: 'Done.' }]), {
    otherPaths: 'empty',
  })
  try {
    const filled = fillRecipe(recipe, { ...values, url: server.url })
    await furnishTrial(place, filled, asked)
    const env = { ...makeTrialEnvironment(folder.path), ...filled.env }
    const line = makeTrialProgramLine(program)
    const { output: told } = await runClient(line, ['--version'], { place, env, seconds: VERSION_SECONDS })
    const { output, isLate } = await runClient(line, filled.args, { place, env, seconds: recipe.seconds })
    const version = /\d+\.\d+\.\d+(?:-\w+(?:\.\w+)*)?/.exec(told)?.[0] ?? null
    if (existsSync(asked)) return { saw: existsSync(made) ? 'asked-and-made' : 'asked-and-refused', version }
    if (existsSync(made)) return { saw: 'not-asked', version }
    return { saw: 'nothing', why: explainSilence({ output, isLate, requests: server.requests.length }, recipe) }
  } finally {
    await server.close()
    await folder.remove()
  }
}

const VERSION_SECONDS = 30
const MAX_OUTPUT_CHARACTERS = 20_000

/** Writes the client's own files, a guard for every command, our program and the entries that call it. */
async function furnishTrial(place: HostPlace, { files }: FilledRecipe, asked: string): Promise<void> {
  const { home, project } = place
  const launcher = join(home, '.hookline/bin/hookline')
  const guard = `cat >/dev/null; touch ${quoteForShell(asked)}; echo 'refused by the guard of the probe' >&2; exit 2`
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: guard }] }] }
  const call = [process.execPath, process.argv[1] ?? ''].map(quoteForShell).join(' ')
  const own =
    findBridge(place.bridge.name) === null
      ? { [`.hookline/agents/${place.bridge.name}.json`]: JSON.stringify(place.bridge) }
      : {}
  const texts = {
    ...files,
    ...own,
    '.claude/settings.json': JSON.stringify({ hooks }),
    '.hookline/bin/hookline': `#!/bin/sh\nexec ${call} "$@"\n`,
  }
  for (const folder of [project, join(dirname(home), 'tmp')]) makeFolders(folder)
  for (const [path, text] of Object.entries(texts)) {
    makeFolders(dirname(join(home, path)), { mode: 0o700 })
    await writeFile(join(home, path), text)
  }
  await chmod(launcher, 0o700)
  const style = { program: launcher, ifMissing: 'refuse', attended: false } as const
  for (const edit of await withBridge(place, style)) await writeEdit(edit, place)
}

/** Variables of a client: of the user's own only the PATH, by which its interpreter is found. */
function makeTrialEnvironment(root: string): Record<string, string> {
  return {
    PATH: `${join(root, 'home/.hookline/bin')}:${process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'}`,
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_UPDATE_NOTIFIER: '1',
  }
}

/** A script is run by this Node, everything else by itself. */
function makeTrialProgramLine(program: string): readonly [string, ...string[]] {
  return /\.[cm]?js$/.test(program) ? [process.execPath, program] : [program]
}

interface ClientRun {
  readonly place: HostPlace
  readonly env: NodeJS.ProcessEnv
  readonly seconds: number
}

/** Runs a program to its end or to its limit; what it started in its group ends with it. Rejects where no process can be started. */
function runClient(
  [file, ...before]: readonly [string, ...string[]],
  args: readonly string[],
  { place, env, seconds }: ClientRun,
): Promise<{ readonly output: string; readonly isLate: boolean }> {
  return new Promise((resolve) => {
    let output = ''
    let isLate = false
    const child = spawnGroup(file, [...before, ...args], { cwd: place.project, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const endGroup = (): void => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    }
    const timer = setTimeout(() => {
      isLate = true
      endGroup()
    }, seconds * 1000)
    const end = (more = ''): void => {
      clearTimeout(timer)
      endGroup()
      resolve({ output: `${output}${more}`, isLate })
    }
    for (const pipe of [child.stdout, child.stderr])
      pipe?.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(-MAX_OUTPUT_CHARACTERS)
      })
    child.on('error', (error) => end(error.message))
    child.on('exit', () => end())
  })
}

interface Silence {
  readonly output: string
  readonly isLate: boolean
  readonly requests: number
}

function explainSilence({ output, isLate, requests }: Silence, { seconds }: ClientRecipe): string {
  const words = output.trim().split('\n').at(-1)?.trim() ?? ''
  const last = words === '' ? '' : ` Its last words: ${words.slice(0, 200)}`
  if (requests === 0) return `it asked no model${isLate ? ` in ${seconds} seconds` : ''}.${last}`
  return `it did not make the call that the model asked for${isLate ? ` in ${seconds} seconds` : ''}.${last}`
}
