import type { Shape } from './checker.ts'
import type { EventInput } from './event-input.ts'

/** A field that a hook of some type may have. */
export interface HookField {
  readonly shape: Shape
  /** Meaning of the field, for editors and pages. */
  readonly means: string
  /** Default without the field, for pages; nothing when left out. */
  readonly otherwise?: string | undefined
  /** The rule of `hookline validate` that a bad value breaks. */
  readonly rule?: `V-HK-${number}` | undefined
  /** Change that the field makes to the start: `what` is started, or `whether` anything is. A profile without the field must know. */
  readonly start?: 'what' | 'whether' | undefined
  /** `invalid`: a bad value makes the hook one that cannot run; otherwise its default holds, with a warning. */
  readonly misfit?: 'invalid' | undefined
  /** True for an address: records and messages name it without credentials and query. */
  readonly isAddress?: true | undefined
  /** True for headers of a request, whose values may be secret. */
  readonly isHeaders?: true | undefined
  /** Values that say what happens without the field anyway. */
  readonly usual?: readonly unknown[] | undefined
  /** `ignored`: on a hook whose type does not have it, it does nothing, where another field would be a mistake. */
  readonly onOtherTypes?: 'ignored' | undefined
  /** `true` sends the hook to the background, where nothing waits for it. */
  readonly background?: true | undefined
}

/** Facts about the hooks of one type in one profile, as plain data. */
export interface HookTypeFacts {
  /** Every field that a hook of the type may have, besides `type`. */
  readonly fields: Readonly<Record<string, HookField>>
  /** The fields it cannot do without. They say what it runs, and are shown wherever a hook is. */
  readonly required: readonly string[]
  /** Seconds that it may take, where neither the hook nor the rules of the profile say it. */
  readonly seconds?: number | undefined
  /** false: no file can hold one, the host registers it. */
  readonly inFiles?: false | undefined
  /** An entry that is a hook and its group in one, and says no type, is of this one. */
  readonly flat?: true | undefined
}

/** Entry of a hook as its type has read it. No one but its type looks further than the name. */
export interface Handler {
  readonly type: string
}

/** Reason why an entry is not a hook of its type: which field is at fault, and how. */
export interface EntryFault {
  readonly field: string
  readonly because: string
}

/** Words for what a hook runs. */
export interface HookText {
  /** Name of the hook in texts, in one line; empty: by its id. */
  readonly name: string
  /** All that it runs. */
  readonly text: string
  /** The text that a shell reads, where one does. */
  readonly shell?: string | undefined
  /** The program and its arguments as they are written, where one is started without a shell's help. */
  readonly program?: readonly string[] | undefined
  /** The model that is asked, where one is. */
  readonly asks?: string | undefined
}

/** Subject of one run of a hook. */
export interface HookTurn {
  /** The event: as a line of JSON, and as an object that nothing can change. */
  readonly payload: { readonly line: string; readonly copy: EventInput }
  readonly cwd: string
  /** Environment of the hooks of the event; empty when all of them run in the host. */
  readonly env: Readonly<NodeJS.ProcessEnv>
}

/** Limits of a run. */
export interface TurnLimits {
  /** `performance.now()` of the start. */
  readonly started: number
  /** `performance.now()` of the deadline; null: none. */
  readonly deadline: number | null
  /** Aborts at the deadline, or when the host gives up. */
  readonly signal: AbortSignal
}

/** The facts that a run can state without a process or a model: it returned a value. */
export interface ReturnedFacts {
  readonly ended: 'returned'
  readonly value: unknown
  readonly durationMs: number
}

/** Bytes that were written: what is kept of them, and how many there were. */
export interface OutputBytes {
  readonly kept: Buffer
  readonly bytes: number
}

/** Meaning of a run, in the words that profiles have rules for. */
export type Meaning =
  /** Exit with a code, and what was written. */
  | {
      readonly is: 'exited'
      readonly code: number
      readonly stdout: OutputBytes
      readonly stderr: OutputBytes
      /** Reason why it may have failed. */
      readonly hint?: string | undefined
      /** false: what it says in plain text is not told to the model, where a program's would be. */
      readonly plainTextIsContext?: false | undefined
    }
  /** Answer: an object, a text, or nothing. */
  | { readonly is: 'answered'; readonly value: unknown }
  /** A model said this, in which a verdict should be: in one go, or after it had looked around. */
  | {
      readonly is: 'judged'
      readonly text: string
      readonly inOneGo: boolean
      /** The turn goes on after a condition that is not met, where it would end otherwise. */
      readonly goesOn?: boolean | undefined
    }
  /** Failure, and what was said about it. */
  | {
      readonly is: 'failed'
      readonly how: string
      readonly words: string | OutputBytes
      /** Output before that, which may have been an answer. */
      readonly stdout?: OutputBytes | undefined
    }
  /** End that was forced from outside. */
  | { readonly is: 'cancelled'; readonly how: string; readonly timedOut: boolean }
  /** The host gave up on it. */
  | { readonly is: 'aborted' }

/** Code that reads, shows, runs and understands hooks of one type, in every profile that has them. */
export interface HookTypeCode<H extends Handler = Handler, Turn = HookTurn, Facts = ReturnedFacts> {
  /** Place where the hook runs: a program, a model, a function of the host, or a server that is asked. */
  readonly runsIn: 'process' | 'model' | 'host' | 'server'
  /** Port that the host has to provide, and why the hook is unsupported where it does not; null: nothing. */
  readonly needs: { readonly port: string; readonly otherwise: string } | null
  /** True for a type that sees to its timeout and to the host giving up; others are left behind then. */
  readonly endsItself?: true | undefined
  /** The handler of an entry whose required fields are there; the optional ones fit their shapes. */
  readEntry(fields: Readonly<Record<string, unknown>>): H | EntryFault
  shown(handler: H): HookText
  /** Equal, as JSON, for hooks that would run the same; null: it is like no other. */
  identity(handler: H): unknown
  /** Runs it, and states facts. What it rejects with is a fact too. */
  run(handler: H, turn: Turn, limits: TurnLimits): Promise<Facts>
  /** Meaning of the facts of a run; what that does is the profile's. */
  meaning(facts: Facts): Meaning
}

/** One hook type of a profile. */
export interface HookType<Turn = HookTurn, Facts = unknown> extends HookTypeFacts, HookTypeCode<Handler, Turn, Facts> {}

/** The hook types of a profile, by name. One that comes with the package need not bring its code. */
export type HookTypes = Readonly<Record<string, HookTypeFacts & Partial<HookTypeCode<Handler, HookTurn, unknown>>>>

/** Variables that may have another value at the next run of the same hook: of the session, of the event, and of its span. */
export const VARYING_VARIABLES: ReadonlySet<string> = new Set([
  'CLAUDE_ENV_FILE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_EFFORT',
  'CLAUDE_CODE_AGENT',
  'TRACEPARENT',
  'TRACESTATE',
])
