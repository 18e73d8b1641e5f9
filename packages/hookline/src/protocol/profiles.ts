import { type Check, fromGenerated } from './check.ts'
import type { EventRow, Profile } from './event-row.ts'
import { classicRows } from './generated/classic-rows.ts'
import * as validators from './generated/validators.ts'

const classicEvents = Object.entries(classicRows).map(([name, row]): [string, EventRow] => [
  name,
  { ...row, name, checkInput: inputCheck(name), checkAnswer: answerCheck(name) },
])

/** The profiles that come with the package, by name. */
export const PROFILES: Readonly<Record<'classic', Profile>> = {
  classic: { name: 'classic', events: new Map(classicEvents) },
}

/** Checks of a hook as written in settings, by its type. */
export const handlerChecks = {
  command: generated('commandHook'),
  prompt: generated('promptHook'),
  agent: generated('agentHook'),
}

/** Checks of the settings that stand beside the hooks. */
export const settingChecks = {
  disableAllHooks: generated('disableAllHooks'),
  allowManagedHooksOnly: generated('allowManagedHooksOnly'),
  statusLine: generated('statusLine'),
  fileSuggestion: generated('fileSuggestion'),
}

function inputCheck(name: string): Check {
  const common = generated('commonInput')
  const own = generated(`${name}Input`)
  return (value) => [...common(value), ...own(value)]
}

function answerCheck(name: string): Check {
  const common = generated('commonAnswer')
  const specific = under('hookSpecificOutput', generated(`${name}Answer`))
  return (value) => [...common(value), ...specific(value)]
}

/** Checks one member of an object, where it has it. */
function under(field: string, check: Check): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return []
    const member = (value as Record<string, unknown>)[field] // an object that has this field
    return check(member).map(({ path, message }) => ({ path: [field, ...path], message }))
  }
}

function generated(name: string): Check {
  const validate = (validators as Record<string, unknown>)[name] // the generated module is not type-checked
  if (typeof validate !== 'function') throw new TypeError(`No validator "${name}" was generated; run npm run generate.`)
  return fromGenerated(validate as Parameters<typeof fromGenerated>[0])
}
