import type { Check } from './check.ts'
import { checkOf, type Shape } from './checker.ts'
import { rows as classicRows } from './classic/generated/rows.ts'
import * as classicShapes from './classic/generated/shapes.ts'
import { classicHookTypes } from './classic/hook-types.ts'
import { classicRules } from './classic/rules.ts'
import { currentHookTypes } from './current/hook-types.ts'
import * as settingsShapes from './generated/settings-shapes.ts'
import type { HookTypeFacts } from './hook-type.ts'
import { type Profile, profileOf } from './profile.ts'
import { type GeneratedRow, usual } from './usual.ts'

/** The profiles that come with the package, by name. */
export const PROFILES = {
  classic: generatedProfile({
    name: 'classic',
    rules: classicRules,
    hookTypes: classicHookTypes,
    rows: classicRows,
    shapes: classicShapes,
  }),
} satisfies Record<string, Profile>

/** The profile that holds where none is named. */
export const DEFAULT_PROFILE: Profile = PROFILES.classic

/** Its hook types. */
export const DEFAULT_HOOK_TYPES = classicHookTypes

/** The hook types of every profile there is, built or not, by its name: a hook that is meant for one must not run as something else in another. */
export const KNOWN_HOOK_TYPES: Readonly<Record<string, Readonly<Record<string, HookTypeFacts>>>> = {
  classic: classicHookTypes,
  current: currentHookTypes,
}

/** Checks of the settings that stand beside the hooks. */
export const settingChecks = checksOf(settingsShapes.settings)

function checksOf<Name extends string>(table: Readonly<Record<Name, Shape>>): Record<Name, Check> {
  const entries = Object.entries<Shape>(table).map(([name, shape]) => [name, checkOf(shape)])
  return Object.fromEntries(entries) as Record<Name, Check> // the names of the table
}

/** What `npm run generate` writes of a profile. */
interface Generated extends Omit<Profile, 'events'> {
  readonly rows: Readonly<Record<string, GeneratedRow>>
  readonly shapes: {
    readonly commonInput: Shape
    readonly commonAnswer: Shape
    readonly inputs: Readonly<Record<string, Shape>>
    readonly answers: Readonly<Record<string, Shape>>
  }
}

function generatedProfile({ rows, shapes, ...profile }: Generated): Profile {
  const commonInput = checkOf(shapes.commonInput)
  const commonAnswer = checkOf(shapes.commonAnswer)
  const checked = Object.entries(rows).map(([name, row]) => {
    const input = checkOf(shapeIn(shapes.inputs, name))
    const specific = under('hookSpecificOutput', checkOf(shapeIn(shapes.answers, name)))
    return {
      ...usual,
      ...row,
      name,
      checkInput: (value: unknown) => [...commonInput(value), ...input(value)],
      checkAnswer: (value: unknown) => [...commonAnswer(value), ...specific(value)],
    }
  })
  return profileOf(profile, checked)
}

/** Checks one member of an object, where it has it. */
function under(field: string, check: Check): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return []
    const member = (value as Record<string, unknown>)[field] // an object that has this field
    return check(member).map((misfit) => ({ ...misfit, path: [field, ...misfit.path] }))
  }
}

function shapeIn(table: Readonly<Record<string, Shape>>, name: string): Shape {
  const shape = table[name]
  if (shape === undefined) throw new TypeError(`No shape of "${name}" was generated; run npm run generate.`)
  return shape
}
