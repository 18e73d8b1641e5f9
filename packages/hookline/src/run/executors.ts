import type { Handler, HandlerType } from '../config/hook.ts'
import { runCommand } from './command.ts'
import { runFunction } from './function.ts'
import type { RunRequest } from './request.ts'
import type { BackgroundRun, Run } from './run.ts'

type Executors = {
  readonly [Type in HandlerType]?: (
    handler: Extract<Handler, { type: Type }>,
    request: RunRequest,
  ) => Promise<Run | BackgroundRun>
}

/** How each hook type runs. A type that is missing here cannot, and its hooks are labelled so. */
const EXECUTORS = { command: runCommand, function: runFunction } satisfies Executors

/** The hook types that can run. */
export const RUNNABLE: ReadonlySet<HandlerType> = new Set<HandlerType>(
  Object.keys(EXECUTORS) as (keyof typeof EXECUTORS)[],
)

/** Runs a hook of any type. Never rejects. */
export function execute(handler: Handler, request: RunRequest): Promise<Run | BackgroundRun> {
  if (handler.type === 'command') return EXECUTORS.command(handler, request)
  if (handler.type === 'function') return EXECUTORS.function(handler, request)
  throw new TypeError(`${handler.type} hooks cannot run, and planning has to say so`)
}
