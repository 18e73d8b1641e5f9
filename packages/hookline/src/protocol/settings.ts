import * as z from 'zod'
import { groupSchema, handlerSchemas } from './handlers.ts'
import { DEFAULT_PROFILE } from './profiles.ts'
import type { CheckedSetting } from './setting-keys.ts'

const specialCommand = z.looseObject({ type: z.literal('command'), command: z.string() })

/** The settings beside the hooks whose values the engine checks: those that `setting-keys.ts` says. */
export const settingsSchemas = {
  disableAllHooks: z.boolean(),
  allowManagedHooksOnly: z.boolean(),
  strictPluginOnlyCustomization: z.union([z.boolean(), z.array(z.string())]),
  statusLine: specialCommand.extend({ padding: z.number().optional() }),
  fileSuggestion: specialCommand,
  allowedHttpHookUrls: z.array(z.string()),
  httpHookAllowedEnvVars: z.array(z.string()),
} satisfies Readonly<Record<CheckedSetting, z.ZodType>>

/** Hooks that are their group too. */
const flatSchemas = Object.entries(handlerSchemas)
  .filter(([type]) => DEFAULT_PROFILE.hookTypes[type]?.flat)
  .map(([, schema]) => schema.omit({ type: true }).extend({ matcher: z.string().optional() }))

/** The schema of a settings file, for editors; other tools' settings stand beside ours. */
export function settingsSchema(eventNames: readonly string[]): z.ZodObject {
  const groups = z.array(z.union([groupSchema, ...flatSchemas])).optional()
  return z.looseObject({
    hooks: z.strictObject(Object.fromEntries(eventNames.map((name) => [name, groups]))).optional(),
    ...Object.fromEntries(Object.entries(settingsSchemas).map(([key, schema]) => [key, schema.optional()])),
  })
}
