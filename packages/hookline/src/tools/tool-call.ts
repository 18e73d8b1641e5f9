import type { DispatchRecord } from '../protocol/record.ts'

/** A call that a model wants to make. */
export interface ToolCall {
  /** The tool, as matchers name it. */
  readonly name: string
  readonly input: unknown
  readonly id?: string | undefined
  /** Interrupts the call and its hooks. */
  readonly signal?: AbortSignal | undefined
  /** Holds an input that a hook rewrote against the tool's schema. Without it every object is right. */
  readonly check?: InputCheck | undefined
}

/** Says what an input is once it is read, or what is wrong with it. */
export type InputCheck = (input: unknown) => Checked | Promise<Checked>

/** An input that a tool can take, or why it cannot. */
export type Checked = { readonly input: unknown } | { readonly fault: string }

/** A question to the person: a hook wants to have a call asked about. */
export interface Question {
  readonly tool: string
  /** What the call would be made with; hooks may have rewritten it. */
  readonly input: unknown
  readonly reason: string | null
  readonly signal: AbortSignal | undefined
}

/** How calls are guarded, besides the hooks. */
export interface GuardOptions {
  /** Asks the person; true lets the call run. Without it, a call that has to be asked about is refused. */
  readonly onAsk?: ((question: Question) => boolean | Promise<boolean>) | undefined
  /**
   * Gets what the user is to read: that the folder is not trusted yet, that a hook cannot run, has failed or could not be
   * understood, what a hook says to the user. Without it, each is a warning of the process, on stderr.
   */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** Gets every record. */
  readonly onRecord?: ((record: DispatchRecord) => void) | undefined
  /** The subagent whose calls these are; without it they are the main loop's. A halt is for one loop. */
  readonly agent?: string | undefined
  /**
   * Stands for the turn: any object that all its calls share. After a halt no call of the turn starts. Without it, a halt stops
   * the calls of the loop that were begun and have not started.
   */
  readonly turn?: object | undefined
}

/** What became of a call. */
export type CallEnd = {
  /** What hooks tell the model beside the result, each text in a block of its own. */
  readonly texts: readonly string[]
  /** The turn ends here, and the person reads why; null: it goes on. */
  readonly halt: string | null
} & (
  | { readonly ended: 'ran'; readonly output: unknown }
  | { readonly ended: 'failed'; readonly error: unknown }
  | Refused
)

/** A call that was not made; the model reads the reason as an error. */
export interface Refused {
  readonly ended: 'refused'
  readonly reason: string
}
