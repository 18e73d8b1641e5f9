import type * as z from 'zod'
import { HooklineError } from '../files/error.ts'
import { answerSchema } from './answer.ts'
import type { Check } from './check.ts'
import { unreadFields } from './define-events.ts'
import type { EventDefinition } from './event-definition.ts'
import type { EventFacts, EventRow } from './event-row.ts'
import { inputSchema } from './input.ts'
import { type Profile, profileOf } from './profile.ts'
import { DEFAULT_PROFILE } from './profiles.ts'

/** Makes a profile of one's own out of event definitions. What is not said is as in the default profile. */
export function compileProfile(
  name: string,
  definitions: Record<string, EventDefinition>,
  {
    rules = DEFAULT_PROFILE.rules,
    hookTypes = DEFAULT_PROFILE.hookTypes,
  }: Partial<Pick<Profile, 'rules' | 'hookTypes'>> = {},
): Profile {
  for (const [event, definition] of Object.entries(definitions)) {
    const [unread] = unreadFields(definition)
    if (unread === undefined) continue
    throw new HooklineError(
      `${name}: nothing reads the field "${unread}" of answers to ${event}. Declare an effect that it asks for, or take it out of the answer.`,
    )
  }
  const rows = Object.entries(definitions).map(([event, definition]) => ({
    ...factsOf(definition),
    name: event,
    answerFields: answerFieldsOf(definition),
    ...permissionWordsOf(definition),
    inputFields: Object.keys(definition.input.shape),
    checkInput: checkOf(inputSchema(event, definition.input, rules)),
    checkAnswer: checkOf(answerSchema(event, definition.answer, rules.answers)),
  }))
  return profileOf({ name, rules, hookTypes }, rows)
}

/** A definition without its schemas. */
export function factsOf({ input: _input, answer: _answer, ...facts }: EventDefinition): EventFacts {
  return facts
}

/** The names of the fields that count under `hookSpecificOutput`. */
export function answerFieldsOf({ answer }: EventDefinition): string[] {
  return Object.keys(answer.shape)
}

/** What `permissionDecision` may be, where the event has it and its schema lists the words. */
function permissionWordsOf({ answer }: EventDefinition): Pick<EventRow, 'permissionWords'> {
  const field = answer.shape.permissionDecision as z.ZodOptional<Partial<z.ZodEnum> & z.ZodType> | undefined
  const words = field?.unwrap().options
  return words ? { permissionWords: words.map(String) } : {}
}

function checkOf(schema: z.ZodType): Check {
  return (value) => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return []
    return parsed.error.issues.map((issue) => ({
      path: issue.path.map(String),
      message: `does not fit: ${issue.message}`,
      ...(issue.code === 'invalid_type' ? { kind: issue.expected } : {}),
    }))
  }
}
