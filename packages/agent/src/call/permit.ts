import type { Decision } from 'hookline'
import type { DialogAnswer, Permit, PermitDialog } from 'hookline/tools'
import type { Because, PermissionDecision } from '../permission/decide.ts'
import { describeCause, formatNobodyToAsk, formatRuleRefusal } from '../permission/words.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { askUser, type PermissionDialog, type PermissionQuestion } from './ask-user.ts'
import type { CallingLoop } from './calling-loop.ts'
import { judgeCall } from './judge-call.ts'

/** A call that no hook has refused. */
export interface PermitRequest {
  readonly original: unknown
  /** As hooks rewrote it. */
  readonly final: unknown
  /** Decision of PreToolUse hooks. */
  readonly hook: Decision
  readonly signal: AbortSignal
}

/** A call that nobody is asked about, since it cannot succeed. */
export interface FutileCall {
  readonly behavior: 'fail'
  /** The tool's own words. */
  readonly reason: string
}

/** Holds a call against the rules and the mode; what they leave open goes to the dialog, of which the guard of calls asks hooks first. */
export async function permitCall(loop: CallingLoop, tool: Tool, wanted: PermitRequest): Promise<Permit | FutileCall> {
  const { permissions } = loop.session
  const { behavior, because } = await decideByRules(loop, tool, wanted)
  if (behavior === 'allow') return { behavior, input: wanted.final }
  if (behavior === 'deny') return { behavior, reason: formatRuleRefusal(tool.name, because) }
  const fault = await findFault(loop, tool, wanted)
  if (fault !== null) return { behavior: 'fail', reason: fault }
  if (because.by === 'mode' && because.mode === 'auto') return judgeByModel(loop, tool, wanted)
  if (permissions.mode === 'dontAsk')
    return { behavior: 'deny', reason: formatRuleRefusal(tool.name, { by: 'mode', mode: 'dontAsk' }) }
  return makeDialog(loop, tool, { wanted, because })
}

/** Finds why a call cannot succeed, as far as its tool can tell without making it; null: it may. */
async function findFault({ session, agent }: CallingLoop, tool: Tool, wanted: PermitRequest): Promise<string | null> {
  try {
    await tool.check?.(wanted.final, session.toolContext(agent, wanted.signal))
    return null
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** A model decides where no rule does; hooks hear of what it denies. */
async function judgeByModel(loop: CallingLoop, tool: Tool, { final, signal }: PermitRequest): Promise<Permit> {
  const { allowed, reason } = await judgeCall(loop, tool, { input: final, signal })
  if (allowed) return { behavior: 'allow', input: final }
  if (signal.aborted) return { behavior: 'deny', reason: INTERRUPTED.message, interrupt: true }
  const refusal = `Permission to use ${tool.name} was denied in the mode auto: ${reason}`
  return { behavior: 'deny', reason: refusal, automatic: true, cause: reason }
}

const INTERRUPTED = { behavior: 'deny', message: 'Not run: the user interrupted the turn.', interrupt: true } as const

function decideByRules(
  { session }: CallingLoop,
  tool: Tool,
  { original, final, hook }: PermitRequest,
): Promise<PermissionDecision> {
  const call = {
    tool,
    originalInput: original,
    finalInput: final,
    hook: hook.permission === 'defer' ? 'deny' : hook.permission, // such a call is never permitted
  } as const
  return session.permissions.decide(call)
}

/** Makes what the events of a tool say of the MCP server that offers it, where the profile has a field for that. */
export function makeServerField({ session }: CallingLoop, { server: name, serverSource: source }: Tool): object {
  const isTold = name !== undefined && session.engine.profile.rules.hostFields.includes('mcp_server')
  return isTold ? { mcp_server: { name, source } } : {}
}

interface DialogRequest {
  readonly wanted: PermitRequest
  readonly because: Because
}

/** Makes the question that the rules and the mode leave to the user. */
async function makeDialog(loop: CallingLoop, tool: Tool, { wanted, because }: DialogRequest): Promise<PermitDialog> {
  const { permissions, dialog } = loop.session
  const { hook, signal } = wanted
  const ownReason = because.by === 'hook' ? hook.reason : null
  const reason = ownReason ?? `Approval is required ${describeCause(because)}.`
  const suggestions = await permissions.suggest({ toolName: tool.name, input: wanted.final })
  return {
    behavior: 'ask',
    askedBy: because.by === 'hook' ? 'hook' : 'host',
    reason,
    suggestions,
    dialog: dialog && (({ input }) => askPerson(loop, dialog, { tool: tool.name, input, reason, suggestions, signal })),
    unanswered: formatNobodyToAsk(tool.name, because, hook.reason),
    recheck: async (final) => {
      const again = await decideByRules(loop, tool, { ...wanted, final })
      return again.behavior === 'deny' ? formatRuleRefusal(tool.name, again.because) : null
    },
    grant: (updates) => takeUpdates(loop, updates),
  }
}

async function askPerson(
  loop: CallingLoop,
  dialog: PermissionDialog,
  question: PermissionQuestion,
): Promise<DialogAnswer> {
  const answer = await askUser(loop, dialog, question)
  if (answer.behavior === 'halt') return answer
  return answer.behavior === 'interrupt' || question.signal.aborted ? INTERRUPTED : answer
}

/** Takes over what a hook or the user granted; what cannot be is told. */
async function takeUpdates(
  { session: { permissions, emit } }: CallingLoop,
  updates: readonly unknown[],
): Promise<void> {
  const before = permissions.mode
  for (const text of await permissions.update(updates)) emit({ type: 'told', to: 'user', text })
  if (permissions.mode !== before) emit({ type: 'mode', mode: permissions.mode })
}
