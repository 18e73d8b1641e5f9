import type { HookLine } from '../protocol/record/record.ts'

/** Answer of the playground. */
export interface PlaygroundAnswer {
  readonly profile: string
  readonly findings: readonly PlaygroundFinding[]
  /** Plan of the event; null where none was typed, or it is not one. */
  readonly plan: PlaygroundPlan | null
  /** Reason why there is no plan; null where there is one, or none was asked for. */
  readonly problem: string | null
}

/** A finding of `hookline validate`. */
export interface PlaygroundFinding {
  readonly severity: string
  readonly rule: string
  readonly name: string
  readonly line: number | undefined
  readonly column: number | undefined
  readonly message: string
}

/** Plan of an event, as `hookline explain` has it. */
export interface PlaygroundPlan {
  readonly event: string
  readonly matched: { readonly field: string; readonly value: string } | null
  readonly hooks: readonly HookLine[]
}
