import type { Engine } from '../../engine/engine-interface.ts'
import type { Explanation } from '../../engine/explain.ts'
import type { EventInput } from '../../protocol/event-input.ts'
import type { HookLine } from '../../protocol/record/record.ts'
import type { TrustedOutcome } from '../view/hook-view.ts'

/** A line of the plan, with what else can be told before the hook runs. */
export interface Foreseen {
  readonly line: HookLine
  /** Reason that keeps it from starting. */
  readonly cannotStart?: string
  /** Outcome if it were trusted. */
  readonly otherwise?: TrustedOutcome
}

/** An explanation, with what a look at the disk tells about each hook. */
export interface FullExplanation extends Omit<Explanation, 'hooks'> {
  readonly hooks: readonly Foreseen[]
}

/** Options of an explanation. */
export interface ExplainingOptions {
  readonly project: string
  readonly again?: boolean
  readonly halts?: string
  /** Reasons why hooks cannot start, where they are known already. */
  readonly faults?: ReadonlyMap<string, string>
}

/** Explains an event: what would happen to every hook, and whether it can start. Runs nothing. */
export async function explainInFull(
  engine: Engine,
  input: EventInput,
  { project, again = false, halts, faults }: ExplainingOptions,
): Promise<FullExplanation> {
  const { hooks, ...explained } = engine.explain(input, { again, ...(halts === undefined ? {} : { halts }) })
  const known = faults ?? (await findStartFaults(engine, project))
  const held = hooks.some(({ verdict }) => verdict === 'untrusted')
  const trusted = held ? engine.explain(input, { again, trusted: true }).hooks : []
  return { ...explained, hooks: hooks.map((line) => foreseeHook(line, { faults: known, trusted })) }
}

/** Finds out why hooks cannot start, by their ids. */
export async function findStartFaults(engine: Engine, project: string): Promise<ReadonlyMap<string, string>> {
  const { startFaultsById } = await import('../../check/programs.ts') // with a parser that no other quick command needs
  return startFaultsById(engine.list(), { project })
}

/** The same as `hookline explain --json` prints it, without the causes. */
export function toExplainedJson({ hooks, ...explained }: FullExplanation) {
  return { ...explained, hooks: hooks.map(({ line, ...more }) => ({ ...line, ...more })) }
}

/** A hook that is going to be tried may still not start, and one that waits to be trusted may have another fault behind that. */
function foreseeHook(
  line: HookLine,
  { faults, trusted }: { faults: ReadonlyMap<string, string>; trusted: readonly HookLine[] },
): Foreseen {
  const fault = faults.get(line.id)
  if (line.planned) return fault === undefined ? { line } : { line, cannotStart: fault }
  const inner = line.verdict === 'untrusted' ? trusted.find(({ id }) => id === line.id) : undefined
  if (!inner || inner.verdict === 'untrusted') return { line }
  const { verdict, planned, because } = inner
  return {
    line,
    otherwise: {
      verdict,
      ...(planned === undefined ? {} : { planned }),
      ...(because === undefined ? {} : { because }),
      ...(planned && fault !== undefined ? { cannotStart: fault } : {}),
    },
  }
}
