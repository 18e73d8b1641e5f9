import type { SpokenAnswer } from './model-answer.ts'
import type { ModelScriptFunction } from './model-server.ts'

/**
 * A script for whole agents, which ask for titles beside their turn and ask again after an error: the step is told by the
 * results of tools in the request, so that nothing is counted here. A step without calls is the last one; past the end, and
 * where no tools may be called, the model says `beside`.
 */
export function makeScriptBySteps(
  steps: readonly SpokenAnswer[],
  beside: SpokenAnswer = { text: 'Done.' },
): ModelScriptFunction {
  return ({ tools, toolResults }) => {
    if (tools.length === 0) return beside
    let results = toolResults
    for (const step of steps) {
      const calls = step.tools?.length ?? 0
      if (calls === 0 || results < calls) return step
      results -= calls
    }
    return beside
  }
}
