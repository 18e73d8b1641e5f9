import * as z from 'zod'
import { groupSchema, handlerSchemas } from './handlers.ts'

const specialCommand = z.looseObject({ type: z.literal('command'), command: z.string() })

/** Settings of a file besides its hooks that the engine reads. */
export const settingsSchemas = {
  disableAllHooks: z.boolean(),
  allowManagedHooksOnly: z.boolean(),
  statusLine: specialCommand.extend({ padding: z.number().optional() }),
  fileSuggestion: specialCommand,
}

/** The schema of a settings file, for editors; other tools' settings stand beside ours. */
export function settingsSchema(eventNames: readonly string[]): z.ZodObject {
  const flat = handlerSchemas.command.omit({ type: true }).extend({ matcher: z.string().optional() })
  const groups = z.array(z.union([groupSchema, flat])).optional()
  return z.looseObject({
    hooks: z.strictObject(Object.fromEntries(eventNames.map((name) => [name, groups]))).optional(),
    ...Object.fromEntries(Object.entries(settingsSchemas).map(([key, schema]) => [key, schema.optional()])),
  })
}
