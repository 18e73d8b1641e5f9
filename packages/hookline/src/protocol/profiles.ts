import type { Check } from './check.ts'
import { checkOf, type Shape } from './checker.ts'
import { classicRows } from './classic/generated/rows.ts'
import * as shapes from './classic/generated/shapes.ts'
import type { EventRow, Profile } from './event-row.ts'

const commonInput = checkOf(shapes.commonInput)
const commonAnswer = checkOf(shapes.commonAnswer)

const classicEvents = Object.entries(classicRows).map(([name, row]): [string, EventRow] => [
  name,
  { ...row, name, checkInput: inputCheck(name), checkAnswer: answerCheck(name) },
])

/** The profiles that come with the package, by name. */
export const PROFILES: Readonly<Record<'classic', Profile>> = {
  classic: { name: 'classic', events: new Map(classicEvents) },
}

/** Checks of a hook as written in settings, by its type. */
export const handlerChecks = checksOf(shapes.hooks)

/** Checks of the settings that stand beside the hooks. */
export const settingChecks = checksOf(shapes.settings)

function checksOf<Name extends string>(table: Readonly<Record<Name, Shape>>): Record<Name, Check> {
  const entries = Object.entries<Shape>(table).map(([name, shape]) => [name, checkOf(shape)])
  return Object.fromEntries(entries) as Record<Name, Check> // the names of the table
}

function inputCheck(name: string): Check {
  const own = checkOf(shapeIn(shapes.inputs, name))
  return (value) => [...commonInput(value), ...own(value)]
}

function answerCheck(name: string): Check {
  const specific = under('hookSpecificOutput', checkOf(shapeIn(shapes.answers, name)))
  return (value) => [...commonAnswer(value), ...specific(value)]
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
