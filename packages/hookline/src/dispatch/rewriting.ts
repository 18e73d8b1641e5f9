import type { Decision } from '../protocol/record/record.ts'
import { restoreUntouched } from '../text/written-json.ts'
import type { Stage } from './pipe.ts'

/**
 * Cares for events of which hooks may rewrite the input or replace the output: what they did not touch stays as it was written,
 * and of an output that was replaced only the replacement is written down.
 */
export const rewriting: Stage = {
  decision: (_session, { row: { rewrites, replaces }, input }, decision) => {
    const { updatedInput, updatedToolOutput } = decision
    if (updatedInput === null && updatedToolOutput === null) return decision
    const restored =
      updatedInput === null || rewrites === null ? updatedInput : restoreUntouched(input[rewrites], updatedInput)
    return {
      ...decision,
      updatedInput: restored as Decision['updatedInput'], // of the same shape
      updatedToolOutput: replaces === null ? updatedToolOutput : restoreUntouched(input[replaces], updatedToolOutput),
    }
  },
  record: (_session, { row: { replaces } }, { record, input }) => {
    const { updatedToolOutput } = record.decision
    if (replaces === null || updatedToolOutput === null) return { record, input }
    return { record, input: { ...input, [replaces]: updatedToolOutput } }
  },
}
