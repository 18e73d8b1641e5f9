import type { Handler, HandlerType } from '../config/hook.ts'
import type { ModelPorts } from '../run/ports.ts'
import type { JudgeRequest } from '../run/request.ts'
import type { BackgroundRun, Run } from '../run/run.ts'
import { runAgent } from './agent.ts'
import { runCommand } from './command.ts'
import { runFunction } from './function.ts'
import { runPrompt } from './prompt.ts'

/** The hook types that can run with what the host lends. */
export function runnableTypes({ askModel, runAgent: agent }: ModelPorts): ReadonlySet<HandlerType> {
  const lent: Readonly<Record<HandlerType, boolean>> = {
    command: true,
    function: true,
    prompt: askModel !== undefined,
    agent: agent !== undefined,
  }
  const types = Object.keys(lent) as HandlerType[] // the keys of a record over them
  return new Set(types.filter((type) => lent[type]))
}

/** Runs a hook of any type. Never rejects. */
export function execute(handler: Handler, request: JudgeRequest): Promise<Run | BackgroundRun> {
  switch (handler.type) {
    case 'command':
      return runCommand(handler, request)
    case 'function':
      return runFunction(handler, request)
    case 'prompt':
      return runPrompt(handler, request)
    case 'agent':
      return runAgent(handler, request)
  }
}
