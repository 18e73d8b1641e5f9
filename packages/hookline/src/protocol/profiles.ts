import type { Check } from './check.ts'
import { makeCheck, type Shape } from './checker.ts'
import { classicHookTypes } from './classic/hook-types.ts'
import { classicProfile } from './classic/profile.ts'
import { currentHookTypes } from './current/hook-types.ts'
import type { HookTypeFacts } from './hook-type.ts'
import { type GeneratedProfile, makeLateProfile, type Profile } from './profile.ts'
import type { ProfileEvents } from './profile-events.ts'
import { usual } from './usual.ts'

/** The profile that holds where none is named. */
export const DEFAULT_PROFILE: Profile = makeGeneratedProfile(classicProfile)

/** Hook types. */
export const DEFAULT_HOOK_TYPES = classicHookTypes

/** Loaders of the profiles that come with the package, by name: all but the default one are loaded when they are chosen. */
const LOADERS = {
  classic: async () => DEFAULT_PROFILE,
  current: async () => makeGeneratedProfile((await import('./current/profile.ts')).currentProfile),
} satisfies Readonly<Record<keyof ProfileEvents, () => Promise<Profile>>>

/** The name of a profile that comes with the package. */
export type ProfileName = keyof ProfileEvents

/** Names of those profiles. */
export const PROFILE_NAMES = Object.keys(LOADERS) as readonly ProfileName[] // the table's own keys

/** The one that hooks of today's Claude Code are written for. */
export const CLAUDE_CODE_PROFILE: ProfileName = 'current'

/** A profile that comes with the package; one that was loaded is not made again. */
export function loadProfile(name: ProfileName): Promise<Profile> {
  const profile = loaded.get(name) ?? LOADERS[name]()
  loaded.set(name, profile)
  return profile
}

const loaded = new Map<ProfileName, Promise<Profile>>()

/** The hook types of every profile there is, by its name: a hook that is meant for one must not run as something else in another. */
export const KNOWN_HOOK_TYPES: Readonly<Record<string, Readonly<Record<string, HookTypeFacts>>>> = {
  classic: classicHookTypes,
  current: currentHookTypes,
}

function makeGeneratedProfile({ rows, shared, shapes, ...profile }: GeneratedProfile): Profile {
  const commonInput = makeCheck(shapes.commonInput)
  const commonAnswer = makeCheck(shapes.commonAnswer)
  const make = (name: string) => {
    const row = rows[name]
    if (row === undefined) throw new TypeError(`No row of "${name}" was generated; run npm run generate.`)
    const shape = findShape(shapes.inputs, name)
    const input = makeCheck(shape)
    let specific: Check | undefined
    return {
      ...usual,
      ...row,
      name,
      inputFields: Object.keys(shape.fields),
      checkInput: (value: unknown) => [...commonInput(value), ...input(value)],
      // Most hooks say nothing, and what checks an answer is made for the first.
      checkAnswer: (value: unknown) => {
        specific ??= makeCheck(findShape(shapes.answers, name))
        return [...commonAnswer(value), ...checkMember(value, 'hookSpecificOutput', specific)]
      },
    }
  }
  return makeLateProfile(profile, { names: Object.keys(rows), make, facts: shared })
}

/** Checks one member of an object, where it has it. */
function checkMember(value: unknown, field: string, check: Check): ReturnType<Check> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return []
  const member = (value as Record<string, unknown>)[field] // an object that has this field
  return check(member).map((misfit) => ({ ...misfit, path: [field, ...misfit.path] }))
}

function findShape<S extends Shape>(table: Readonly<Record<string, S>>, name: string): S {
  const shape = table[name]
  if (shape === undefined) throw new TypeError(`No shape of "${name}" was generated; run npm run generate.`)
  return shape
}
