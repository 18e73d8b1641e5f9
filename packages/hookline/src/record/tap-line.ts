import { join } from 'node:path'
import type { EventInput } from '../protocol/event-input.ts'
import { digestText } from '../text/digest.ts'
import { makeEraser } from '../text/erase.ts'
import { appendAtOnce } from './log-file.ts'
import { settleLog } from './log-options.ts'
import { collectSecrets, makeRedactor, type Redactor } from './redact.ts'

/** Content of a stream of a tapped hook. */
export interface TappedText {
  /** Beginning. */
  readonly text: string
  /** Number of bytes it had. */
  readonly bytes: number
}

/** The facts of a hook that ran inside of `hookline tap`; what they mean is not known here. */
export interface TappedHook {
  /** The id that it had when it was wrapped; null: it was wrapped by hand. */
  readonly id: string | null
  /** Matcher then; null: it had none, or is not known. */
  readonly matcher: string | null
  readonly command: string
  readonly exitCode: number | null
  readonly signal: string | null
  /** The host sent it a signal: its time was over, or the session ended. */
  readonly stopped: boolean
  readonly durationMs: number
  readonly stdout: TappedText
  readonly stderr: TappedText
}

/** A line that `hookline tap` writes: an event of a host, seen by a recorder, or by a hook that it ran. */
export interface TapLine {
  /** The version of this shape. */
  readonly tap: 1
  /** Beginning of the event, as an ISO date. */
  readonly at: string
  /** null: the recorder saw it. */
  readonly hook: TappedHook | null
  /** The event as the hook got it, without secrets. */
  readonly input: EventInput
  /** Long texts of the input were cut. */
  readonly cut?: true
}

/** Characters of an event's texts that are kept: redacting more takes longer than all else together. */
const MAX_TAPPED_CHARS = 8192
/** Characters of an output of a hook that are kept; an answer that is longer cannot be read later. */
export const MAX_TAPPED_OUTPUT_BYTES = 16_384
/** Fields with what the user typed. */
const TYPED = ['prompt', 'command_args', 'custom_instructions', 'content'] as const

/** File in which taps are recorded: below the folder that `hookline log` reads by itself. */
export function tapLog(home: string): string {
  return join(home, '.hookline', 'tap', 'hooks.jsonl')
}

/** Event as it was seen. */
export interface SeenEvent {
  readonly at: Date
  readonly input: Readonly<Record<string, unknown>>
  readonly hook: TappedHook | null
}

/** Milliseconds after which a hook ends without its record: the disk takes longer. */
const RECORD_TIMEOUT_MS = 1000

/** Writes down what was seen of an event. Not of those that Hookline itself fires: it has a log of its own, and tries things out. Never rejects. */
export async function recordTapped(seen: SeenEvent, given: TapRecording): Promise<void> {
  if (typeof seen.input.hook_event_name !== 'string' || given.env.HOOKLINE_DEPTH !== undefined) return
  const late = new Promise<void>((resolve) => setTimeout(resolve, RECORD_TIMEOUT_MS).unref())
  try {
    await Promise.race([appendTap(seen, given), late])
  } catch {
    // the disk is full, or the home cannot be written to: the hook goes on without its record
  }
}

/** Place of the record, and what of it is kept. */
interface TapRecording {
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly prompts: boolean
}

/** Appends a line. Rejects when the system refuses. */
async function appendTap(seen: SeenEvent, { home, env, prompts }: TapRecording): Promise<void> {
  const log = settleLog({ file: tapLog(home) }, {})
  if (log === null) return
  const line = tapText(seen, { redacted: makeRedactor(env), prompts })
  const full = appendAtOnce(log, line)
  if (full === null) return
  const { rotate } = await import('../files/rotate.ts') // most lines find room
  await rotate(log, full)
  appendAtOnce(log, line)
}

function tapText(
  { at, input, hook }: SeenEvent,
  { redacted, prompts }: { readonly redacted: Redactor; readonly prompts: boolean },
): string {
  const kept = prompts ? input : digestTyped(input)
  const shortened = shorten(kept)
  const told = hook === null || prompts ? hook : eraseQuotes(hook, input)
  const line = {
    tap: 1,
    at: at.toISOString(),
    hook: told,
    input: shortened.value,
    ...(shortened.cut ? { cut: true } : {}),
  }
  return redacted(line, shortened.cut ? collectSecrets(input) : undefined) // a hook may quote what was cut
}

/** An event with length and digest of what the user typed. */
function digestTyped(input: SeenEvent['input']): SeenEvent['input'] {
  const typed = TYPED.filter((name) => input[name] !== undefined && input[name] !== null && input[name] !== '')
  return typed.length === 0
    ? input
    : { ...input, ...Object.fromEntries(typed.map((name) => [name, makeTypedMark(input[name])])) }
}

const NOT_KEPT_MARK = /^\[not kept: \d+ characters, digest [0-9a-f]{24}\]$/

function makeTypedMark(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `[not kept: ${text.length} characters, digest ${digestText(text)}]`
}

/** True if an event is as a hook got it: nothing that the user typed was left out, and nothing cut. */
export function isUnabridged(input: Readonly<Record<string, unknown>>, cut: boolean): boolean {
  return !cut && !TYPED.some((name) => NOT_KEPT_MARK.test(String(input[name])))
}

/** A hook whose outputs quote nothing of what the user typed. */
function eraseQuotes(hook: TappedHook, input: SeenEvent['input']): TappedHook {
  const erasers = TYPED.flatMap((name) => (typeof input[name] === 'string' ? [makeEraser(input[name])] : []))
  const eraseText = ({ text, bytes }: TappedText): TappedText => ({
    text: erasers.reduce((left, erase) => erase(left), text),
    bytes,
  })
  return { ...hook, stdout: eraseText(hook.stdout), stderr: eraseText(hook.stderr) }
}

/** A value whose texts together are not longer than is kept. */
function shorten(value: unknown): { readonly value: unknown; readonly cut: boolean } {
  let left = MAX_TAPPED_CHARS
  let cut = false
  const eraseInside = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const length = Math.min(left, one.length)
      left -= length
      if (length === one.length) return one
      cut = true
      return cutOff(one, length)
    }
    if (Array.isArray(one)) return one.map(eraseInside)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, eraseInside(member)]))
  }
  return { value: eraseInside(value), cut }
}

/** The beginning of a text up to the end of a word: half of a secret does not look like one. */
function cutOff(text: string, length: number): string {
  const start = text.slice(0, length)
  const whole = start.slice(0, Math.max(0, start.search(/(?<!\S)\S*$/)))
  return `${whole}[${text.length - whole.length} more characters]`
}
