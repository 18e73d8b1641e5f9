import type { Certainty, Effect, Flow, Unseen, View } from '../effects/view.ts'
import type { World } from '../effects/world.ts'

/** Names of the guards, in the order in which the first finding is told. */
export const GUARD_NAMES = [
  'agent',
  'delete',
  'secrets',
  'git',
  'remote-code',
  'system',
  'startup',
  'privilege',
  'network',
  'publish',
  'database',
  'cloud',
  'containers',
] as const

/** Name of a guard. */
export type GuardName = (typeof GUARD_NAMES)[number]

/** Answer of a guard; it never allows anything. */
export type GuardAnswer = 'deny' | 'ask' | 'pass'

/** A part of a view that a guard has something against. */
export interface Finding {
  readonly guard: GuardName
  readonly answer: 'deny' | 'ask'
  /** Sentence for the model: the effect and its place, never a secret. */
  readonly says: string
  /** Another way to the same end, which the guard lets pass. */
  readonly instead: string
  readonly certainty: Certainty
  /** Subject of exceptions: a path, a host or a change. */
  readonly subject: string
  /** The part of the view in question. */
  readonly about: Effect | Flow | Unseen
  /** True for what no exception lets pass. */
  readonly final: boolean
}

/** Material of a guard: the view, and the disk behind it. */
export interface Look {
  readonly view: View
  readonly world: World
}

/** A guard: a question to the view. */
export interface Guard {
  readonly name: GuardName
  /** One line for `guard list`. */
  readonly looksFor: string
  /** True for guards whose questions become refusals where nobody is asked. */
  readonly hard: boolean
  readonly find: (look: Look) => readonly Finding[]
}
