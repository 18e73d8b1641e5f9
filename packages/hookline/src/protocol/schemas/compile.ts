import type * as z from 'zod'
import { HooklineError } from '../../files/error.ts'
import type { Check } from '../check.ts'
import type { EventFacts, EventRow } from '../event-row.ts'
import { makeProfile, type Profile } from '../profile.ts'
import { DEFAULT_PROFILE } from '../profiles.ts'
import { makeAnswerSchema } from './answer.ts'
import { listUnreadFields } from './define-events.ts'
import type { EventDefinition } from './event-definition.ts'
import { makeInputSchema } from './input.ts'

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
    const [unread] = listUnreadFields(definition)
    if (unread === undefined) continue
    throw new HooklineError(
      `${name}: nothing reads the field "${unread}" of answers to ${event}. Declare an effect that it asks for, or take it out of the answer.`,
    )
  }
  const rows = Object.entries(definitions).map(([event, definition]) => ({
    ...omitSchemas(definition),
    name: event,
    answerFields: listAnswerFields(definition),
    ...readPermissionWords(definition),
    inputFields: Object.keys(definition.input.shape),
    checkInput: toCheck(makeInputSchema(event, definition.input, rules)),
    checkAnswer: toCheck(makeAnswerSchema(event, definition.answer, rules.answers)),
  }))
  return makeProfile({ name, rules, hookTypes }, rows)
}

/** A definition without its schemas. */
export function omitSchemas({ input: _input, answer: _answer, ...facts }: EventDefinition): EventFacts {
  return facts
}

/** The names of the fields that count under `hookSpecificOutput`. */
export function listAnswerFields({ answer }: EventDefinition): string[] {
  return Object.keys(answer.shape)
}

/** Reads the words of `permissionDecision`, where the event has it and its schema lists them. */
function readPermissionWords({ answer }: EventDefinition): Pick<EventRow, 'permissionWords'> {
  const field = answer.shape.permissionDecision as z.ZodOptional<Partial<z.ZodEnum> & z.ZodType> | undefined
  const words = field?.unwrap().options
  return words ? { permissionWords: words.map(String) } : {}
}

function toCheck(schema: z.ZodType): Check {
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
