import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem } from '../../config/problem.ts'
import { findEnabledPlugins } from '../../engine/enabled-plugins.ts'
import { openEngine } from '../../engine/engine.ts'
import type { Engine } from '../../engine/engine-interface.ts'
import type { EngineOptions, KeptEngineOptions } from '../../engine/options.ts'
import { HooklineError } from '../../files/error.ts'
import { makeTempFolder } from '../../files/temp-folder.ts'
import { indentText } from '../view/layout.ts'
import { openTerminal, type Terminal } from '../view/terminal.ts'
import { type EngineFlags, toEngineOptions } from './flags.ts'
import { provideModels } from './models.ts'
import { tell } from './print.ts'
import { makeSessionId } from './quick-start.ts'

/** Opens an engine as the flags say, and closes it when the command is done: nothing is started for a next event. */
export async function withEngine(
  flags: EngineFlags,
  act: (engine: Engine) => Promise<number>,
  { isShortLived = false }: Pick<KeptEngineOptions, 'isShortLived'> = {},
): Promise<number> {
  const engine = await openCommandEngine(flags, { isShortLived })
  try {
    return await act(engine)
  } finally {
    await engine.close()
  }
}

/** Opens an engine as the flags say; the caller closes it. */
export async function openCommandEngine(
  flags: EngineFlags,
  more: Pick<KeptEngineOptions, 'isShortLived'> = {},
): Promise<Engine> {
  const options = await withEnabledPlugins(fillDriverDefaults(toEngineOptions(flags)))
  return openEngine({ ...options, ...provideModels(flags), ...more, warm: 'off' })
}

/** The options with the plugins that Claude Code would load here. Where it is unknown which, the user is told, and none is read. */
export async function withEnabledPlugins<Options extends EngineOptions>(options: Options): Promise<Options> {
  try {
    return { ...options, ...(await findEnabledPlugins(options)) }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    if (error.message.includes('plugins')) tell(`${error.message}.\n`) // of a policy that cannot be read the engine tells
    return options
  }
}

/** Opens the place that a command writes to. */
export function openCommandTerminal(flags: EngineFlags): Terminal {
  return openTerminal(process.stdout, process.env, { color: flags['no-color'] !== true })
}

/** Tells what is wrong in the files, on stderr: data and talk do not mix. That a folder is not trusted stands in the record. */
export function tellProblems(engine: Engine): void {
  const problems = engine.problems.filter(({ rule }) => rule !== 'untrusted')
  if (problems.length === 0) return
  const { width } = openTerminal(process.stderr, process.env)
  for (const problem of problems) {
    const line = formatProblem(problem)
    tell(`${process.stderr.isTTY ? indentText(line, '', width) : line}\n`) // programs read whole lines
  }
}

/** Tells a user who works below a project that its settings are not read here. */
export async function tellProjectAbove(engine: Engine, flags: EngineFlags): Promise<void> {
  if (engine.hooks.some(({ scope }) => scope === 'project' || scope === 'local')) return
  const { describeProjectAbove } = await import('../../config/stray-files.ts') // few calls need this
  const above = await describeProjectAbove(toEngineOptions(flags))
  if (above !== null) tell(`${above.because} Fix: ${above.fix}\n`)
}

/** Fills in what a host would say that is not there: a session and a permission mode. */
export function fillDriverDefaults(options: EngineOptions): EngineOptions {
  return { ...options, sessionId: makeSessionId(), permissionMode: 'default' }
}

/**
 * Does something while there is an empty transcript for hooks to find; null where no file can be made: then events name
 * none.
 */
export async function withTranscript<Result>(
  sessionId: string | undefined,
  act: (path: string | null) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTempFolder('session').catch(() => null) // a full disk, or a temp folder that is closed to us
  if (folder === null) return act(null)
  const path = join(folder.path, `${sessionId}.jsonl`)
  try {
    writeFileSync(path, '', { mode: 0o600 })
    return await act(path)
  } finally {
    await folder.remove()
  }
}
