import { type Caller, findCaller } from '../../../bridges/caller.ts'
import { findBridge } from '../../../bridges/list.ts'
import { HooklineError } from '../../../files/error.ts'
import { findHome } from '../../../files/home.ts'
import { GUARD_NAMES, type GuardName } from '../../../guards/guard.ts'
import type { Verdict } from '../../../guards/judge.ts'
import { writeReason, writeUserMessage } from '../../../guards/messages.ts'
import { judgeHere, openSurroundings, spendException } from '../../../guards/surroundings.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { readPayload } from '../../input/hook-payload.ts'
import { explain } from '../../start/call.ts'
import { chooseFailureCode, refuseOnFailure } from '../../start/exit.ts'
import { printJson, tell } from '../../start/print.ts'
import { addToLog } from './state.ts'

/** Modes of permission in which nobody is asked. */
const UNASKED = /^(?:bypassPermissions|dontAsk)$/

/** The same modes in the text of an event that is not JSON. */
const UNASKED_TEXT = /"permission_mode"\s*:\s*"(?:bypassPermissions|dontAsk)"/

/** The event that guards speak at. */
const EVENT = 'PreToolUse'

/** Runs `hookline guard` as a hook: the event of a call on stdin, the answer for the agent that called. */
export function runHook(args: string[]): Promise<number> {
  return answerCall(args).catch((error: unknown) => {
    explain(error, 'guard')
    return chooseFailureCode()
  })
}

async function answerCall(args: readonly string[]): Promise<number> {
  const { names, agent, home = findHome() } = readNames(args)
  refuseOnFailure(true)
  if (process.stdin.isTTY)
    throw new HooklineError("It reads an event on stdin. To look at a command: hookline guard try 'COMMAND'")
  const { payload, bytes } = await readPayload()
  const caller: Caller =
    agent === 'claude-code' ? { is: 'claude-code' } : (findNamed(agent) ?? findCaller(payload, process.env))
  if (caller.is === 'agent') {
    const { runWrapped } = await import('../../../bridges/wrap.ts') // Claude Code needs no translation
    const { answerHost } = await import('../../start/host-call.ts')
    return answerHost(
      await runWrapped(
        {
          event: EVENT,
          matcher: null,
          condition: null,
          words: [process.execPath, process.argv[1] ?? '', 'guard', '--agent', 'claude-code', '--home', home, ...names],
          isProgram: true,
          seconds: null,
          decidesNothing: false,
          text: bytes.toString('utf8'),
          env: process.env,
          home: findHome(),
        },
        caller.bridge,
      ),
    )
  }
  return payload !== null && isReadable(payload)
    ? answerLikeClaudeCode(payload, names, home)
    : answerUnreadable(bytes.toString('utf8'))
}

function findNamed(agent: string | undefined): Caller | null {
  const bridge = agent === undefined ? null : findBridge(agent)
  return bridge && { is: 'agent', bridge }
}

/** Words behind `guard` that are no guards. */
const ACTS = ['try', 'list', 'allow', 'disallow', 'trust', 'log', 'backtest', 'sandbox', 'add', 'remove']

/** Names of guards and the agent that calls; unknown flags are passed over, since a mistake would open what is guarded. */
function readNames(args: readonly string[]): {
  readonly names: readonly GuardName[]
  readonly agent: string | undefined
  readonly home: string | undefined
} {
  const names: GuardName[] = []
  let agent: string | undefined
  let home: string | undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--agent') agent = args[++at]
    else if (word === '--home') home = args[++at]
    else if (word === '--project') at++
    else if (!word.startsWith('-')) {
      const name = GUARD_NAMES.find((each) => each === word)
      if (!name)
        throw new HooklineError(
          `"${word}" is not a guard or a command of hookline guard.${formatSuggestion(word, [...GUARD_NAMES, ...ACTS])} The guards: ${GUARD_NAMES.join(', ')}`,
        )
      names.push(name)
    }
  }
  return { names, agent, home }
}

/** True for an event that guards do not speak at, or that names a tool and its input. */
function isReadable({ hook_event_name, tool_name, tool_input }: Readonly<Record<string, unknown>>): boolean {
  if (typeof hook_event_name === 'string' && hook_event_name !== EVENT) return true
  const isInput = typeof tool_input === 'object' && tool_input !== null && !Array.isArray(tool_input)
  return typeof tool_name === 'string' && tool_name !== '' && isInput
}

/** Answers an event that cannot be read: with a question, or with a refusal where its text says that nobody is asked. */
function answerUnreadable(text: string): number {
  printAnswer(
    UNASKED_TEXT.test(text) ? 'deny' : 'ask',
    'The guard could not read this event: that is a fault of the guard or of the host, not of the call.',
    '',
  )
  return 0
}

async function answerLikeClaudeCode(
  payload: Readonly<Record<string, unknown>>,
  names: readonly GuardName[],
  home: string,
): Promise<number> {
  if (typeof payload.hook_event_name === 'string' && payload.hook_event_name !== EVENT) return 0
  const now = Date.now()
  const folder = typeof payload.cwd === 'string' && payload.cwd !== '' ? payload.cwd : process.cwd()
  const here = await openSurroundings({ folder, home, now })
  const input = typeof payload.tool_input === 'object' && payload.tool_input !== null ? { ...payload.tool_input } : {}
  const call = { tool: String(payload.tool_name ?? ''), input }
  const nobodyAsked = UNASKED.test(String(payload.permission_mode ?? ''))
  const verdict = judgeHere(here, call, { nobodyAsked, ...(names.length > 0 ? { only: names } : {}) })
  for (const { guard, subject } of verdict.excused) await spendException(here.home, guard, subject, now)
  for (const problem of here.rules.problems) tell(`hookline guard: ${problem}\n`)
  if (verdict.answer === 'pass') return 0
  const { redactVerdict } = await import('../../view/redact-verdict.ts') // most calls pass, and say nothing
  const clean = redactVerdict(verdict, call, process.env)
  await addToLog(here.home, toLogLine(clean, call.tool, here.world.project, now))
  printAnswer(verdict.answer, writeReason(clean), [writeUserMessage(clean), ...here.rules.problems].join(' '))
  return 0
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

function printAnswer(decision: 'ask' | 'deny', reason: string, message: string): void {
  printJson({
    hookSpecificOutput: { hookEventName: EVENT, permissionDecision: decision, permissionDecisionReason: reason },
    ...(message === '' ? {} : { systemMessage: message }),
  })
}
