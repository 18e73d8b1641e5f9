import type { System } from '../programs/program.ts'

/** Sureness of an effect: it happens, it happens under a condition, it is among what an unknown value may mean. */
export type Certainty = 'certain' | 'likely' | 'possible'

/** Kinds of places that paths lie in. */
export const PLACES = [
  'project',
  'built',
  'git',
  'agent',
  'temp',
  'home',
  'neighbour',
  'secret',
  'startup',
  'system',
  'device',
  'remote',
] as const

/** Kind of place that a path lies in. */
export type Place = (typeof PLACES)[number]

/** An absolute path, or a pattern of such, with its links followed. */
export interface Path {
  readonly text: string
  readonly place: Place
  /** True when something is there now. */
  readonly exists: boolean
}

/** One step of the way to an effect: a piece of the command, or a line of a file. */
export interface Step {
  readonly text: string
  /** File and line, as `package.json:17`; absent for the command itself. */
  readonly at?: string
}

/** Machine that a program runs on. */
export type Where = 'here' | 'container' | { readonly host: string }

/** One thing that a call does. */
export type EffectKind =
  | {
      readonly does: 'read'
      readonly path: Path
      readonly what: 'content' | 'name'
      /** True for a folder that is read with all that is in it. */
      readonly below?: true
    }
  | {
      readonly does: 'write'
      readonly path: Path
      readonly how: 'create' | 'replace' | 'append' | 'edit' | 'mode' | 'owner' | 'link'
    }
  | {
      readonly does: 'delete'
      readonly path: Path
      readonly how: 'tree' | 'file' | 'truncate' | 'move-away'
      readonly back: 'git' | 'rebuilt' | 'temp' | 'trash' | 'none'
    }
  | {
      readonly does: 'run'
      readonly program: string
      readonly words: readonly string[]
      readonly as: 'user' | 'root'
      readonly where: Where
    }
  | { readonly does: 'send'; readonly host: string }
  | { readonly does: 'fetch'; readonly host: string }
  | { readonly does: 'listen'; readonly on: string }
  | {
      readonly does: 'change'
      readonly system: System
      readonly operation: string
      readonly target: string
      /** Sureness by which guards go, for a change that is smaller than others of its name: of a trial, of one thing that is named. */
      readonly judgedAs?: Certainty
    }

/** An effect with its sureness and the way to it. */
export type Effect = EffectKind & { readonly certainty: Certainty; readonly from: readonly Step[] }

/** Kinds of content whose way through a call is followed. */
export type Carried =
  | 'secret'
  | 'secret-variable'
  | 'environment'
  | 'project'
  | 'fetch'
  | 'decode'
  | 'data'
  | 'remote'
  | 'endless'
  | 'setup'
  | 'shell'
  | 'processes'

/** Content that goes from one effect into another. */
export interface Flow {
  readonly from: Carried | 'unknown'
  readonly to: 'send' | 'run' | 'write'
  /** Host, program or path at its end. */
  readonly target: string
  readonly certainty: Certainty
  readonly steps: readonly Step[]
}

/** Reasons why a part of a call cannot be known. */
export type UnseenReason =
  | 'not-parsed'
  | 'value'
  | 'code'
  | 'program'
  | 'remote'
  | 'binary'
  | 'too-deep'
  | 'too-much'
  | 'changed-meanwhile'

/** A part of a call that cannot be known. */
export interface Unseen {
  readonly reason: UnseenReason
  /** The word, program or file in question. */
  readonly of: string
  /** Role that the unknown value has, where it has one. */
  readonly role?: 'delete' | 'write' | 'read' | 'run'
  readonly from: readonly Step[]
}

/** The effects of one call, as far as its text shows them. */
export interface View {
  /** In the order they would happen, as far as that is known. */
  readonly effects: readonly Effect[]
  /** Effects that programs which are not known may have, by what their words look like. */
  readonly guesses: readonly Effect[]
  readonly flows: readonly Flow[]
  readonly unseen: readonly Unseen[]
  /** Digests of the project's files that were read for the view, by path. */
  readonly files: Readonly<Record<string, string>>
}

/** All effects that a call has or may have. */
export function listEffects({ effects, guesses }: View): readonly Effect[] {
  return guesses.length > 0 ? [...effects, ...guesses] : effects
}

const ORDER: readonly Certainty[] = ['certain', 'likely', 'possible']

/** The less sure of two. */
export function chooseLessCertain(one: Certainty, other: Certainty): Certainty {
  return ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other
}
