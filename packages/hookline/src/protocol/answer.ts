import * as z from 'zod'

/** Fields that every hook may answer with, whatever the event. */
export const commonAnswer = z.looseObject({
  continue: z.boolean().optional().describe('false halts the agent; outranks every block'),
  stopReason: z.string().optional().describe('why it halted, for the user alone'),
  suppressOutput: z.boolean().optional().describe("hides this hook's own stdout from the verbose view"),
  systemMessage: z.string().optional().describe('a warning to the user'),
  decision: z.enum(['approve', 'block', 'allow', 'deny']).optional().describe('block objects; see the event'),
  reason: z.string().optional().describe('why, for whoever reads the objection'),
  async: z.boolean().optional().describe('true on the first line sends the hook to the background'),
  additionalContext: z.string().optional().describe('text for the model, where the event takes it'),
  asyncTimeout: z.number().optional().describe('milliseconds a background hook may take'),
})

/** The schema of what one event's hooks may answer under `hookSpecificOutput`. */
export function specificAnswer(name: string, fields: z.ZodObject): z.ZodObject {
  return z.looseObject({ hookEventName: z.literal(name) }).extend(fields.shape)
}

/** The schema of a whole answer to one event. */
export function answerSchema(name: string, fields: z.ZodObject): z.ZodObject {
  return commonAnswer.extend({ hookSpecificOutput: specificAnswer(name, fields).optional() })
}
