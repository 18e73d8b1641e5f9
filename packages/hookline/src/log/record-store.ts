import type { EventInput } from '../protocol/event-input.ts'
import type { PastRecord } from '../protocol/record/record.ts'
import type { RecordSink } from '../record/log-options.ts'
import type { TapLine } from '../record/tap-line.ts'
import type { ByteSpan } from './lines.ts'

/** One recorded event. */
export interface LogEntry {
  /** Record of the event. Records of version 1 lack some fields. */
  readonly record: PastRecord
  /** The event as hooks got it, without secrets; null where only the record was kept. */
  readonly input: EventInput | null
  /** The hooks that did not run are missing: the line of the log that has them is not there. */
  readonly partial?: true | undefined
  /** The lines of `hookline tap` that the entry was made of. */
  readonly tapped?: readonly TapLine[] | undefined
  /** Place of the entry; missing where a store has no files. */
  readonly place?: LogPlace | undefined
}

/** A line of a file. */
export interface LogPlace {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Bytes of the file that the entry was made of: those of its line, or of each line that taps wrote about one event. */
  readonly spans?: readonly ByteSpan[] | undefined
}

/** A line of a log that is not a whole entry. */
export interface SkippedLine extends LogPlace {
  /**
   * Reason: `torn` is not complete JSON, or too long; `foreign` is JSON of another program; `partial` is an entry, which is
   * read, but lacks the hooks that did not run.
   */
  readonly is: 'torn' | 'foreign' | 'partial'
}

/** Choice of entries. A store may use every field to look at less. */
export interface RecordQuery {
  /** Not older than this: milliseconds since 1970. */
  readonly since?: number | undefined
  /** Not newer than this: milliseconds since 1970. */
  readonly until?: number | undefined
  /** The id of a session, or its beginning. */
  readonly session?: string | undefined
  /** The folder of a project, or the name of its folder. */
  readonly project?: string | undefined
  /** Names of events. */
  readonly events?: readonly string[] | undefined
  /** The name of the tool, in whichever letters. */
  readonly tool?: string | undefined
  /** The other agent that a bridge ran hooks for. */
  readonly agent?: string | undefined
  /** A hook that ran: its key or id, or a part of its command. */
  readonly hook?: string | undefined
  /** Text anywhere in the input. */
  readonly text?: string | undefined
  /** Only what was blocked, denied or halted. */
  readonly blocked?: boolean | undefined
  /** Only where a hook failed or timed out. */
  readonly failed?: boolean | undefined
  /** Only where a hook took so many milliseconds. */
  readonly slowMs?: number | undefined
  /** Only so many entries, the newest. */
  readonly last?: number | undefined
}

/** Options of reading entries. */
export interface ReadOptions extends RecordQuery {
  /** Told of every line that is not a whole entry. */
  readonly onSkipped?: ((line: SkippedLine) => void) | undefined
}

/** Options of reading entries that are still to come. */
export interface FollowOptions extends ReadOptions {
  /** Ends the reading. */
  readonly signal: AbortSignal
}

/**
 * A place where records are kept, and that an engine can write to (`openEngine({ log: store })`). A file is one (`openFileStore`); an index or a database is another. Entries come some at a time,
 * the oldest first, and no more of them are in memory than were asked for.
 */
export interface RecordStore extends RecordSink {
  /** Adds entries behind all others. Secrets are left out before anything is kept. */
  readonly append: (entries: readonly LogEntry[]) => Promise<void>
  /** Reads what is there. Rejects with a HooklineError where nothing can be read. */
  readonly read: (options?: ReadOptions) => AsyncIterable<readonly LogEntry[]>
  /** Reads what is there, and then what is added, until the signal aborts. Waits for a store that is not there yet. */
  readonly follow: (options: FollowOptions) => AsyncIterable<readonly LogEntry[]>
}
