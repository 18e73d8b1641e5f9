import * as z from 'zod'
import { recordSchema } from './record.ts'

const { decision, hooks } = recordSchema.shape
const texts = z.array(z.string())
const byPath = z.record(z.string(), z.string())

const expected = z.strictObject({
  decision: decision
    .partial()
    .optional()
    .describe('what the host acts on; keys that are left out may be anything, also inside objects'),
  hooks: z
    .record(z.string(), z.union([z.string(), hooks.element.partial()]))
    .optional()
    .describe('by id or by a part of the command: the verdict, or fields of the line in the record'),
  texts: z
    .strictObject({ model: texts.optional(), user: texts.optional(), verbose: texts.optional() })
    .optional()
    .describe('parts of the messages to each reader; an empty list: there is none'),
  context: texts.optional().describe('parts of what is added for the model; an empty list: nothing is'),
})

const answerSchema = z.strictObject({
  when: z.string().optional().describe('a part of what the model is asked; left out: whatever it is'),
  answer: z.unknown().describe('what it says; anything but a text is written as JSON'),
})

const hookCase = z.strictObject({
  name: z.string(),
  event: z.string().describe('the name of the event'),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('its fields, with $CLAUDE_PROJECT_DIR for the project; left out: those of the example of the event'),
  files: byPath.optional().describe('files of the project to write before, by path'),
  env: byPath.optional().describe('variables that hooks get besides the usual ones'),
  models: z.array(answerSchema).optional().describe('what the model says to hooks that it decides'),
  expect: expected.optional().describe('what is to come out; hookline test --update writes what does'),
})

/** The published shape of a file of cases for `hookline test`. */
export const hookTestSchema = z.strictObject({ $schema: z.string().optional(), cases: z.array(hookCase) })

/** A file of cases. */
export type HookTest = z.infer<typeof hookTestSchema>
/** One event, what is set up for it, and what is expected of its hooks. */
export type HookCase = z.infer<typeof hookCase>
/** Expectations of an event's record. */
export type ExpectedRecord = z.infer<typeof expected>
