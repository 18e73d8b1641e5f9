import { text } from 'node:stream/consumers'
import type { EventInput } from '../protocol/event-input.ts'
import type { DefaultProfileName } from '../protocol/profile-events.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import { type HookFailure, type HookOptions, makeFailureOutcome, type Outcome } from './outcome.ts'
import { type AnyHandlers, type Handlers, runHandlers } from './run-hook.ts'

let isDefined = false

/**
 * Makes this process a hook: reads the event from stdin, calls its handler, writes the answer and sets the exit code.
 * From here on stdout belongs to the answer; whatever else is printed goes to stderr. `{ profile: 'current' }` gives it the
 * events and replies of that profile.
 */
export function defineHook<const Profile extends ProfileName = DefaultProfileName>(
  handlers: Handlers<Profile>,
  options: HookOptions<Profile> = {},
): void {
  if (isDefined) throw new TypeError('defineHook was called twice; a hook is one object of handlers')
  isDefined = true
  const failing = { ...options, file: process.argv[1] ?? 'hook' }
  const settle = makeSettler(failing)
  text(process.stdin)
    .then((written) => runForOutcome(written, handlers as AnyHandlers, failing)) // by the names of its events
    .then(settle, (error) => settle(makeFailureOutcome(error, failing))) // stdin cannot be read
}

/**
 * Writes the first outcome it is given; of later ones only what they complain about. A process that ends without one has
 * failed.
 */
function makeSettler(failing: HookFailure): (outcome: Outcome) => void {
  const writeAnswer = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  process.stdout.on('error', () => {}) // the reader is gone
  let isSettled = false
  const settle = ({ exitCode, stdout, stderr }: Outcome): void => {
    process.stderr.write(stderr)
    if (isSettled) return
    isSettled = true
    if (exitCode !== 0) process.exitCode = exitCode // else what the handler may have set stays
    writeAnswer(stdout)
  }
  process.on('uncaughtException', (error) => {
    settle(makeFailureOutcome(error, failing))
    writeAnswer('', () => process.exit()) // after what is still to be written
  })
  process.on('exit', (code) => {
    if (isSettled) return
    settle(makeFailureOutcome('it ended before its handler had answered', failing))
    if (code !== 0) process.exitCode = code
  })
  return settle
}

function runForOutcome(written: string, handlers: AnyHandlers, failing: HookFailure): Promise<Outcome> | Outcome {
  const read = parseEvent(written)
  return 'fault' in read ? makeFailureOutcome(read.fault, failing) : runHandlers(handlers, read.event, failing)
}

function parseEvent(written: string): { readonly event: EventInput } | { readonly fault: string } {
  if (written.trim() === '') return { fault: 'stdin is empty; the event as JSON belongs there (see `hookline fire`)' }
  try {
    const event: unknown = JSON.parse(written)
    return isEvent(event) ? { event } : { fault: 'stdin holds no event: it is not an object with a "hook_event_name"' }
  } catch (error) {
    return { fault: `stdin holds no event: ${error instanceof Error ? error.message : error}` } // no JSON
  }
}

function isEvent(value: unknown): value is EventInput {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hook_event_name' in value &&
    typeof value.hook_event_name === 'string'
  )
}
