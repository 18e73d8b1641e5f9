import type { GuardName } from './guard.ts'
import type { GuardRules } from './judge.ts'
import { writeReason, writeUserMessage } from './messages.ts'
import { judgeHere, openSurroundings, spendException } from './surroundings.ts'

/** Settings of guards as function hooks; what they leave out comes from the settings files of guards. */
export interface GuardHookOptions extends GuardRules {
  /** Home with `.hookline/guards.json`; the user's by default. */
  readonly home?: string | undefined
  /** Settings of the organisation; those of this machine by default. */
  readonly managed?: string | undefined
}

/** Event of a call, as function hooks get it. */
interface GuardedEvent {
  readonly hook_event_name?: unknown
  readonly tool_name?: unknown
  readonly tool_input?: unknown
  readonly cwd?: unknown
  readonly permission_mode?: unknown
}

/** Answer of the guards: a refusal or a question, never a permission. */
export type GuardHookAnswer<Name extends string = string> = {
  readonly hookSpecificOutput: {
    readonly hookEventName: Name
    readonly permissionDecision: 'deny' | 'ask'
    readonly permissionDecisionReason: string
  }
  readonly systemMessage?: string
}

/** Modes of permission in which nobody is asked. */
const UNASKED = /^(?:bypassPermissions|dontAsk)$/

/**
 * Guards as one function hook, for events that announce a call of a tool: `engine.on(event, guards())`.
 * It refuses, asks or has nothing to say; an event that it cannot read is asked about, and refused where nobody is asked.
 */
export function makeGuardHook<Name extends string = never>(
  options: GuardHookOptions = {},
): (event: object) => Promise<GuardHookAnswer<Name> | null> {
  return async (event: GuardedEvent) => {
    const nobodyAsked = options.nobodyAsked ?? UNASKED.test(String(event.permission_mode ?? ''))
    // The host calls it for the event that it was registered for.
    const name = String(event.hook_event_name ?? '') as Name
    try {
      return await judgeEvent(event, name, { ...options, nobodyAsked })
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error)
      return toAnswer(name, nobodyAsked ? 'deny' : 'ask', `The guard could not judge this call: ${because}`)
    }
  }
}

async function judgeEvent<Name extends string>(
  event: GuardedEvent,
  name: Name,
  { home, managed, nobodyAsked, ...rules }: GuardHookOptions & { readonly nobodyAsked: boolean },
): Promise<GuardHookAnswer<Name> | null> {
  const { tool_name: tool, tool_input: input } = event
  if (typeof tool !== 'string' || tool === '' || typeof input !== 'object' || input === null || Array.isArray(input))
    return toAnswer(name, nobodyAsked ? 'deny' : 'ask', 'The guard could not read this event: that is its own fault.')
  const now = Date.now()
  const folder = typeof event.cwd === 'string' && event.cwd !== '' ? event.cwd : process.cwd()
  const here = await openSurroundings({
    folder,
    now,
    ...(home === undefined ? {} : { home }),
    ...(managed === undefined ? {} : { managed }),
  })
  const verdict = judgeHere(here, { tool, input: { ...input } }, { ...rules, nobodyAsked })
  // A call that is refused all the same has not used an exception.
  for (const { guard, subject } of verdict.answer === 'deny' ? [] : verdict.excused)
    await spend(here.home, guard, subject, now)
  if (verdict.answer === 'pass') return null
  return toAnswer(name, verdict.answer, writeReason(verdict), writeUserMessage(verdict))
}

/** Uses up an exception; a home that cannot be written keeps it, and the verdict stands. */
async function spend(home: string, guard: GuardName, subject: string, now: number): Promise<void> {
  try {
    await spendException(home, guard, subject, now)
  } catch {
    // no room, or a file that others may write: told where the settings are read
  }
}

function toAnswer<Name extends string>(
  event: Name,
  decision: 'deny' | 'ask',
  reason: string,
  message = '',
): GuardHookAnswer<Name> {
  return {
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
    ...(message === '' ? {} : { systemMessage: message }),
  }
}
