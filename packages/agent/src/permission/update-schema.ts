import { BEHAVIORS } from 'hookline/rules'
import * as z from 'zod'
import { PERMISSION_MODES } from './modes.ts'

/** Where an update is kept: in memory, or in a settings file too. */
export const DESTINATIONS = ['session', 'localSettings', 'projectSettings', 'userSettings'] as const

/** Where an update is kept. */
export type Destination = (typeof DESTINATIONS)[number]

const destination = z.enum(DESTINATIONS)
const rule = z.object({ toolName: z.string().min(1), ruleContent: z.string().optional() })
const changesRules = { rules: z.array(rule), behavior: z.enum(BEHAVIORS), destination }
const changesDirectories = { directories: z.array(z.string().min(1)), destination }

/** A change to the permissions, as suggestions, dialogs and hooks carry it. */
export const permissionUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('addRules'), ...changesRules }),
  z.object({ type: z.literal('replaceRules'), ...changesRules }),
  z.object({ type: z.literal('removeRules'), ...changesRules }),
  z.object({ type: z.literal('setMode'), mode: z.enum(PERMISSION_MODES), destination }),
  z.object({ type: z.literal('addDirectories'), ...changesDirectories }),
  z.object({ type: z.literal('removeDirectories'), ...changesDirectories }),
])

/** A change to the permissions. */
export type PermissionUpdate = z.infer<typeof permissionUpdate>
