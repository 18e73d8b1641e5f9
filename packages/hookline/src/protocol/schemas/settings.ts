import * as z from 'zod'
import type { HookTypes } from '../hook-type.ts'
import type { Profile } from '../profile.ts'
import { DEFAULT_PROFILE, PROFILE_NAMES } from '../profiles.ts'
import type { CheckedSetting } from '../setting-keys.ts'
import { makeGroupSchema, makeHandlerSchemas } from './handlers.ts'

const specialCommand = z.looseObject({ type: z.literal('command'), command: z.string() })

/** The settings beside the hooks whose values the engine checks: those that `setting-keys.ts` says. */
export const settingsSchemas = {
  hookline: z.looseObject({ profile: z.enum(PROFILE_NAMES).optional(), tools: z.array(z.string()).optional() }),
  disableAllHooks: z.boolean(),
  allowManagedHooksOnly: z.boolean(),
  strictPluginOnlyCustomization: z.union([z.boolean(), z.array(z.string())]),
  statusLine: specialCommand.extend({ padding: z.number().optional() }),
  fileSuggestion: specialCommand,
  allowedHttpHookUrls: z.array(z.string()),
  httpHookAllowedEnvVars: z.array(z.string()),
} satisfies Readonly<Record<CheckedSetting, z.ZodType>>

/** The schema of a settings file, for editors; other tools' settings stand beside ours. */
export function makeSettingsSchema(
  eventNames: readonly string[],
  { hookTypes, rules }: Pick<Profile, 'hookTypes' | 'rules'> = DEFAULT_PROFILE,
): z.ZodObject {
  const handlers = makeHandlerSchemas(hookTypes)
  const flat = rules.flatHooks === 'read' ? makeFlatSchemas(handlers, hookTypes) : []
  const groups = z.array(z.union([makeGroupSchema(handlers), ...flat])).optional()
  return z.looseObject({
    hooks: z.strictObject(Object.fromEntries(eventNames.map((name) => [name, groups]))).optional(),
    ...Object.fromEntries(Object.entries(settingsSchemas).map(([key, schema]) => [key, schema.optional()])),
  })
}

/** Hooks that are their group too. */
function makeFlatSchemas(handlers: Readonly<Record<string, z.ZodObject>>, hookTypes: HookTypes): z.ZodObject[] {
  return Object.entries(handlers)
    .filter(([type]) => hookTypes[type]?.flat)
    .map(([, schema]) => schema.omit({ type: true }).extend({ matcher: z.string().optional() }))
}
