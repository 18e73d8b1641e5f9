import * as z from 'zod'
import { DEFAULT_PROFILE } from '../profiles.ts'
import type { AnswerRules, CommonField } from '../rules.ts'

/** The schema of the fields that every hook may answer with, whatever the event. */
export function makeCommonAnswerSchema(
  { commonFields, decisionWords, stopReasonTo }: AnswerRules = DEFAULT_PROFILE.rules.answers,
): z.ZodObject {
  const fields = {
    continue: z.boolean().optional().describe('false halts the agent; outranks every block'),
    stopReason: z.string().optional().describe(HALTED[stopReasonTo]),
    suppressOutput: z.boolean().optional().describe("hides this hook's own stdout from the verbose view"),
    systemMessage: z.string().optional().describe('a warning to the user'),
    decision: z.enum(decisionWords).optional().describe('block objects; see the event'),
    reason: z.string().optional().describe('why, for the reader of the objection'),
    async: z.boolean().optional().describe('true on the first line sends the hook to the background'),
    additionalContext: z.string().optional().describe('text for the model, where the event takes it'),
    asyncTimeout: z.number().optional().describe('milliseconds a background hook may take'),
    terminalSequence: z.string().optional().describe('a title, notification or bell for the terminal'),
  } satisfies Record<CommonField, z.ZodType>
  const known = Object.entries(fields).flatMap(([field, schema]) => {
    const standing = commonFields[field as CommonField] // a key of the table itself
    if (standing === 'unknown') return []
    return [[field, standing === 'accepted' ? schema.describe('accepted, and without effect') : schema]]
  })
  return z.looseObject(Object.fromEntries(known))
}

const HALTED: Readonly<Record<AnswerRules['stopReasonTo'], string>> = {
  host: 'why it halted, for the user alone',
  model: 'why it halted, for the user and the model',
}

/** The schema of what one event's hooks may answer under `hookSpecificOutput`. */
export function makeSpecificAnswerSchema(name: string, fields: z.ZodObject): z.ZodObject {
  return z.looseObject({ hookEventName: z.literal(name) }).extend(fields.shape)
}

/** The schema of a whole answer to one event. */
export function makeAnswerSchema(name: string, fields: z.ZodObject, rules?: AnswerRules): z.ZodObject {
  return makeCommonAnswerSchema(rules).extend({ hookSpecificOutput: makeSpecificAnswerSchema(name, fields).optional() })
}
