import { GUARDED_EVENT } from '../../bridges/install/guard-entries.ts'
import type { OnlyHook } from '../../bridges/only-hook.ts'
import { GUARD_NAMES, type GuardName } from '../../guards/guard.ts'
import type { Verdict } from '../../guards/judge.ts'
import { writeReason, writeUserMessage } from '../../guards/messages.ts'
import { judgeHere, openSurroundings, spendException } from '../../guards/surroundings.ts'
import { addToLog } from './guard-log.ts'

/** Modes of permission in which nobody is asked. */
const UNASKED = /^(?:bypassPermissions|dontAsk)$/

/** The same modes in the text of an event that is not JSON. */
const UNASKED_TEXT = /"permission_mode"\s*:\s*"(?:bypassPermissions|dontAsk)"/

/** Answer of the guards as Claude Code reads it: a refusal or a question, never a permission. */
export interface GuardAnswerText {
  readonly hookSpecificOutput: {
    readonly hookEventName: typeof GUARDED_EVENT
    readonly permissionDecision: 'ask' | 'deny'
    readonly permissionDecisionReason: string
  }
  readonly systemMessage?: string
}

/** Caller of the guards, and whom they are asked for. */
export interface GuardCall {
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Folder of an event that names none. */
  readonly folder: string
  /** Guards to ask; all of them where it is empty. */
  readonly names: readonly GuardName[]
  /** Tells the user of settings that cannot be read. */
  readonly tell: (problem: string) => void
}

/** Asks the guards about an event; null: they have nothing to say. What was decided is in the log. */
export async function answerGuardCall(
  payload: Readonly<Record<string, unknown>>,
  call: GuardCall,
): Promise<GuardAnswerText | null> {
  const { hook_event_name: event, tool_name: tool, tool_input: input } = payload
  if (typeof event === 'string' && event !== GUARDED_EVENT) return null
  if (typeof tool !== 'string' || tool === '' || typeof input !== 'object' || input === null || Array.isArray(input))
    return answerUnreadable(JSON.stringify({ permission_mode: payload.permission_mode }))
  const now = Date.now()
  const folder = typeof payload.cwd === 'string' && payload.cwd !== '' ? payload.cwd : call.folder
  const here = await openSurroundings({ folder, home: call.home, now })
  const asked = { tool, input: { ...input } }
  const nobodyAsked = UNASKED.test(String(payload.permission_mode ?? ''))
  const verdict = judgeHere(here, asked, { nobodyAsked, ...(call.names.length > 0 ? { only: call.names } : {}) })
  // A call that is refused all the same has not used an exception.
  for (const { guard, subject } of verdict.answer === 'deny' ? [] : verdict.excused)
    await spendException(here.home, guard, subject, now)
  for (const problem of here.rules.problems) call.tell(problem)
  if (verdict.answer === 'pass') return null
  const { redactVerdict } = await import('../view/redact-verdict.ts') // most calls pass, and say nothing
  const clean = redactVerdict(verdict, asked, call.env)
  await addToLog(here.home, toLogLine(clean, tool, here.world.project, now))
  return writeGuardAnswer(
    verdict.answer,
    writeReason(clean),
    [writeUserMessage(clean), ...here.rules.problems].join(' '),
  )
}

/** Answers an event that cannot be read: with a question, or with a refusal where its text says that nobody is asked. */
export function answerUnreadable(text: string): GuardAnswerText {
  return writeGuardAnswer(
    UNASKED_TEXT.test(text) ? 'deny' : 'ask',
    'The guard could not read this event: that is a fault of the guard or of the host, not of the call.',
    '',
  )
}

/** The guards as the one hook of a bridge. They run in this process, and refuse or ask where they fail. */
export function makeGuardsOnly(home: string, env: NodeJS.ProcessEnv, names: readonly GuardName[] = []): OnlyHook {
  return {
    event: GUARDED_EVENT,
    matcher: null,
    condition: null,
    words: [['hookline guard', ...names].join(' ')],
    isProgram: false,
    seconds: null,
    isCutShort: false,
    decidesNothing: false,
    answers: async (event) => {
      const call = { home, env, folder: process.cwd(), names, tell: () => {} } // the answer tells the user of problems
      try {
        return await answerGuardCall(event, call)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        const nobodyAsked = UNASKED.test(String(event.permission_mode ?? ''))
        return writeGuardAnswer(
          nobodyAsked ? 'deny' : 'ask',
          `The guard itself failed (${why}): that is a fault of the guard, not of the call.`,
          '',
        )
      }
    },
  }
}

/** Reads the names of guards among words; a word that is none is given back as a fault. */
export function readGuardNames(words: readonly string[]): {
  readonly names: readonly GuardName[]
  readonly fault: string | null
} {
  const names = words.flatMap((word) => GUARD_NAMES.find((each) => each === word) ?? [])
  return { names, fault: words.find((word) => !(GUARD_NAMES as readonly string[]).includes(word)) ?? null }
}

function toLogLine(verdict: Verdict, tool: string, project: string, now: number) {
  return {
    at: new Date(now).toISOString(),
    project,
    tool,
    answer: verdict.answer,
    findings: verdict.findings.map(({ guard, says, subject }) => ({ guard, says, subject })),
    files: verdict.view.files,
  }
}

function writeGuardAnswer(decision: 'ask' | 'deny', reason: string, message: string): GuardAnswerText {
  return {
    hookSpecificOutput: {
      hookEventName: GUARDED_EVENT,
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
    ...(message === '' ? {} : { systemMessage: message }),
  }
}
