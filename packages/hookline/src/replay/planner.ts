import type { ConfiguredHook } from '../config/hook.ts'
import type { Engine } from '../engine/engine-interface.ts'
import type { Explanation } from '../engine/explain.ts'
import { HooklineError } from '../files/error.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookLine } from '../protocol/record/record.ts'

/** The plan of an event, a line per configured hook; null: it is not an event of this profile. */
type Planner = (input: EventInput) => readonly HookLine[] | null

/** More values than this are not remembered. */
const MAX_PLANS_KEPT = 10_000

/** Plans many events: unless a matcher looks at the whole input, events of one name and one matched value are planned once. */
export function makePlanner(engine: Engine): Planner {
  if (engine.hooks.some(isReadingWholeInput)) return (input) => explainOrNull(engine, input)?.hooks ?? null
  const fields = new Map<string, string | null>()
  const plans = new Map<string, readonly HookLine[] | null>()
  return (input) => {
    const { hook_event_name: name } = input
    const field = fields.get(name)
    const known = field === undefined ? undefined : plans.get(makePlanKey(input, field))
    if (known !== undefined) return known
    const explanation = explainOrNull(engine, input)
    if (explanation === null) return null
    const matched = explanation.matched?.field ?? null
    fields.set(name, matched)
    if (plans.size < MAX_PLANS_KEPT) plans.set(makePlanKey(input, matched), explanation.hooks)
    return explanation.hooks
  }
}

function isReadingWholeInput({ matcher, condition }: ConfiguredHook): boolean {
  return condition !== null || matcher.kind === 'expression' || matcher.kind === 'either'
}

function makePlanKey(input: EventInput, field: string | null): string {
  return `${input.hook_event_name} ${field === null ? '' : input[field]}`
}

function explainOrNull(engine: Engine, input: EventInput): Explanation | null {
  try {
    return engine.explain(input)
  } catch (error) {
    if (error instanceof HooklineError) return null
    throw error
  }
}
