import { listAskedEffects } from '../protocol/effect.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { HookLine, PastRecord } from '../protocol/record/record.ts'
import type { ExpectedRecord, HookCase } from '../protocol/schemas/hook-test.ts'
import { makePathMap } from '../scratch/path-map.ts'

/** Stands for the project in a case, wherever it is tried. */
export const PROJECT = '$CLAUDE_PROJECT_DIR'

/** Fields that a case leaves to the one who runs it. */
const FILLED_IN: ReadonlySet<string> = new Set(['hook_event_name', 'session_id', 'transcript_path', 'tool_use_id'])

/** A case that asks for exactly what happened: an event as it was fired, and what its hooks made of it. */
export function makeCase(
  { record, input }: { readonly record: PastRecord; readonly input: EventInput },
  project: string,
): HookCase {
  const placed = makePathMap(project, PROJECT).there({ record, input })
  const fields = Object.entries(placed.input).filter(
    ([name, value]) => !FILLED_IN.has(name) && !isDefaultField(name, value),
  )
  return {
    name: nameCase(record.event, input),
    event: record.event,
    input: Object.fromEntries(fields),
    expect: toExpectation(placed.record),
  }
}

/** Makes what a record amounts to: what was decided, the hooks that ran, and what the model reads. */
export function toExpectation({ decision, hooks }: PastRecord): ExpectedRecord {
  const { blocked, halt, context, messages, ...rest } = decision
  const told = (['permission', 'reason', 'stopReason', 'updatedInput', 'updatedToolOutput', 'instructions'] as const)
    .filter((key) => rest[key] !== null)
    .map((key) => [key, rest[key]])
  const ran = hooks.filter(({ outcome, planned }) => outcome !== undefined && !planned)
  const toModel = messages.filter(({ to }) => to === 'model').map(({ text }) => text)
  return {
    decision: { blocked, ...(halt ? { halt } : {}), ...Object.fromEntries(told), ...listAskedEffects(decision) },
    ...(ran.length > 0
      ? { hooks: Object.fromEntries(ran.map((line) => [makeExpectationKey(line, hooks), toExpectedLine(line)])) }
      : {}),
    ...(toModel.length > 0 ? { texts: { model: toModel } } : {}),
    ...(context.length > 0 ? { context: [...context] } : {}),
  }
}

function isDefaultField(name: string, value: unknown): boolean {
  return (name === 'cwd' && value === PROJECT) || (name === 'permission_mode' && value === 'default')
}

/** The event, its tool, and the most telling of its fields. */
function nameCase(event: string, { tool_name, tool_input, prompt }: EventInput): string {
  const inner: Readonly<Record<string, unknown>> =
    typeof tool_input === 'object' && tool_input !== null ? { ...tool_input } : {}
  const telling = [inner.command, inner.file_path, prompt].find((value) => typeof value === 'string')
  const words = [event, tool_name, telling].filter((word) => typeof word === 'string').join(' ')
  return words.replaceAll(/\s+/g, ' ').slice(0, 80)
}

/** The script's name if that is enough to tell it from the other hooks; ids change when hooks are added. */
function makeExpectationKey(line: HookLine, hooks: readonly HookLine[]): string {
  const script = line.command?.match(/(?<![\w.-])[\w.-]+\.\w+(?=["']?(?:\s|$))/)?.[0] ?? null
  const candidates = [script, line.command ?? null, readRuns(line)].filter((key) => key !== null)
  return candidates.find((key) => hooks.filter((one) => readRuns(one)?.includes(key)).length === 1) ?? line.id
}

function toExpectedLine({ verdict, outcome }: HookLine): string | Pick<HookLine, 'verdict' | 'outcome'> {
  return outcome === 'success' || outcome === undefined ? verdict : { verdict, outcome }
}
