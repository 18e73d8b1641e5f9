import { createInterface } from 'node:readline'
import { openEngine } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/open-engine.ts'
import type { Activation } from '../../../engine/register.ts'
import { HooklineError } from '../../../files/error.ts'
import {
  CLOSING_FLAGS,
  CLOSING_USAGE,
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  engineOptions,
  MODEL_FLAGS,
  MODEL_USAGE,
  readArguments,
  refusePositionals,
  SOURCE_FLAGS,
  SOURCE_USAGE,
  UsageError,
} from '../../start/flags.ts'
import { providedModels, tellMissingModel } from '../../start/models.ts'
import { driverDefaults, tellProblems, withTranscript } from '../../start/opening.ts'
import { outliveReader, printJson } from '../../start/print.ts'

export const usage = `hookline session [flags]

Drives one session over stdin and stdout: each input line is an event as JSON,
each output line its record, in order. Missing common fields are filled in.
Which events there are, and what decisions can ask for, is up to --profile.
End of input ends the session and what still runs; it fires no event.

  {"hook_event_name":"SessionStart","source":"startup"}
  {"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}

Control lines:
  {"control":"drain"}                            wait for background hooks
  {"control":"activate","component":"FILE"}      a skill, agent or slash command
  {"control":"deactivate","component":"FILE"}    (both take an "agent" id; the first
                                                 "openedBy":"user", by default "model")
  {"control":"env"}                              what env files add or change
  {"control":"changes"}                          edits on disk, for review
  {"control":"accept"}                           take them over

  --live-settings          edits of user and managed settings count at once
${MODEL_USAGE}${CLOSING_USAGE}${SOURCE_USAGE}${ENGINE_USAGE}
Exit codes: 0 at the end of input; 1 a mistake in the call, unreadable policy, or
records that could not be written; 130 interrupted; 3 a fault of Hookline.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...MODEL_FLAGS,
  ...CLOSING_FLAGS,
  ...SOURCE_FLAGS,
  'live-settings': { type: 'boolean' },
} as const

/** Runs `hookline session`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const options = { ...driverDefaults(engineOptions(values)), ...providedModels(values) }
  return withTranscript(options.sessionId, async (path) =>
    drive(await openEngine({ ...options, ...(path === null ? {} : { transcriptPath: path }) }), values),
  )
}

/** Answers line after line, until there are no more. */
async function drive(engine: Engine, values: EngineFlags): Promise<number> {
  tellProblems(engine)
  tellMissingModel(engine, values)
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const interrupted = new AbortController()
  const interrupt = (): void => {
    interrupted.abort()
    lines.close()
  }
  let unheard = false
  outliveReader(() => {
    unheard = true // the host does not learn what its events led to
    lines.close()
  })
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    for await (const line of lines) if (line.trim() !== '') printJson(await answerTo(line, engine, interrupted.signal))
  } finally {
    const undelivered = await engine.close()
    if (undelivered.length > 0) printJson({ undelivered })
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
  if (interrupted.signal.aborted) return 130
  return unheard ? 1 : 0
}

async function answerTo(line: string, engine: Engine, signal: AbortSignal): Promise<object> {
  try {
    const sent = JSON.parse(line)
    if (typeof sent?.control === 'string') return await obey(sent, engine)
    return await engine.dispatch(sent, { signal })
  } catch (error) {
    if (error instanceof HooklineError || error instanceof UsageError) return { error: error.message }
    if (error instanceof SyntaxError) return { error: `This line is not JSON: ${error.message}.` }
    throw error
  }
}

interface ControlLine {
  readonly control: string
  readonly component?: unknown
  readonly agent?: unknown
  readonly openedBy?: unknown
}

const CONTROLS: Readonly<Record<string, (line: ControlLine, engine: Engine) => Promise<object>>> = {
  drain: async (_line, engine) => ({ delivered: await engine.drain() }),
  activate: async (line, engine) => ({ active: await engine.activate(componentIn(line), activationIn(line)) }),
  deactivate: async (line, engine) => ({ active: engine.deactivate(componentIn(line), loopIn(line)) }),
  env: async (_line, engine) => ({ env: await engine.environment() }),
  changes: async (_line, engine) => ({ changes: await engine.changes() }),
  accept: async (_line, engine) => ({ accepted: await engine.accept() }),
}

async function obey(line: ControlLine, engine: Engine): Promise<object> {
  const control = Object.hasOwn(CONTROLS, line.control) ? CONTROLS[line.control] : undefined
  if (!control)
    throw new UsageError(`"${line.control}" is not a control. Controls: ${Object.keys(CONTROLS).join(', ')}.`)
  return control(line, engine)
}

function componentIn({ control, component }: ControlLine): string {
  if (typeof component === 'string') return component
  throw new UsageError(`"${control}" needs a "component", the path of its markdown file.`)
}

function activationIn(line: ControlLine): Activation {
  const { openedBy } = line
  if (openedBy === undefined) return loopIn(line)
  if (openedBy === 'user' || openedBy === 'model') return { ...loopIn(line), openedBy }
  throw new UsageError(`"openedBy" is "user" or "model", not ${JSON.stringify(openedBy)}.`)
}

const loopIn = ({ agent }: ControlLine): { agent?: string } => (typeof agent === 'string' ? { agent } : {})
