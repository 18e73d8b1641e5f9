import { rows } from './classic/generated/rows.ts'
import type { ProfileName } from './profiles.ts'
import type { GeneratedRow } from './usual.ts'

/** The rows of a profile's events, by their names. */
export type ProfileRows = Readonly<Record<string, GeneratedRow>>

/** The rows of the default profile alone: a hook in a process of its own loads nothing else of the protocol. */
export const DEFAULT_ROWS: ProfileRows = rows

/** Loaders of the rows of each profile: all but those of the default one are loaded when they are needed. */
export const ROWS: Readonly<Record<ProfileName, () => Promise<ProfileRows>>> = {
  classic: async () => DEFAULT_ROWS,
  current: async () => (await import('./current/generated/rows.ts')).rows,
}
