import type { FilledPorts } from '../run/ports.ts'
import { makeModelAsker } from './ask-model.ts'
import type { ModelOptions } from './options.ts'
import { makeAgentRunner } from './run-agent.ts'

/**
 * Opens what an engine needs for prompt and agent hooks, filled by the AI SDK. Loads its packages when a hook asks for the
 * first time; a model that is not configured is an error of that hook, not of this call.
 */
export function openModels(options: ModelOptions = {}): FilledPorts {
  return { askModel: makeModelAsker(options), runAgent: makeAgentRunner(options) }
}
