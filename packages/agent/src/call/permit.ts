import type { Decision } from 'hookline'
import { listObjections, type Permit } from 'hookline/tools'
import { fire, fireIfKnown } from '../hooks/fire.ts'
import { describeHalt } from '../hooks/words.ts'
import type { Because, PermissionDecision } from '../permission/decide.ts'
import type { PermissionUpdate } from '../permission/update.ts'
import { describeCause, formatNobodyToAsk, formatRuleRefusal } from '../permission/words.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { askUser, type PermissionDialog } from './ask-user.ts'
import type { CallingLoop } from './calling-loop.ts'
import { checkToolInput } from './checked-input.ts'
import { judgeCall } from './judge-call.ts'

/** A call that no hook has refused. */
export interface PermitRequest {
  readonly original: unknown
  /** As hooks rewrote it. */
  readonly final: unknown
  /** The call's own id. */
  readonly id: string
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

/** Holds a call against the rules, the mode and, where there is one, the user. */
export async function permitCall(loop: CallingLoop, tool: Tool, wanted: PermitRequest): Promise<Permit | FutileCall> {
  const { permissions, dialog } = loop.session
  const { behavior, because } = await decideByRules(loop, tool, wanted)
  if (behavior === 'allow') return { behavior, input: wanted.final }
  if (behavior === 'deny') return { behavior, reason: formatRuleRefusal(tool.name, because) }
  const fault = await findFault(loop, tool, wanted)
  if (fault !== null) return { behavior: 'fail', reason: fault }
  if (because.by === 'mode' && because.mode === 'auto') return judgeByModel(loop, tool, wanted)
  const noUser = { behavior: 'deny', reason: formatNobodyToAsk(tool.name, because, wanted.hook.reason) } as const
  if (permissions.mode === 'dontAsk')
    return { behavior: 'deny', reason: formatRuleRefusal(tool.name, { by: 'mode', mode: 'dontAsk' }) }
  if (dialog === null && (because.by === 'hook' || !isFiringUnattended(loop))) return noUser
  const suggestions = await permissions.suggest({ toolName: tool.name, input: wanted.final })
  const answer = await askHooks(loop, tool, wanted, suggestions)
  if (answer !== null) return answer
  return dialog === null ? noUser : askPerson(loop, tool, { dialog, wanted, suggestions, because })
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
async function judgeByModel(loop: CallingLoop, tool: Tool, { id, final, signal }: PermitRequest): Promise<Permit> {
  const { allowed, reason } = await judgeCall(loop, tool, { input: final, signal })
  if (allowed) return { behavior: 'allow', input: final }
  if (signal.aborted) return INTERRUPTED
  const fields = {
    ...{ tool_name: tool.name, tool_input: final, tool_use_id: id, reason },
    ...makeServerField(loop, tool),
  }
  const fired = await fireIfKnown(loop, 'PermissionDenied', fields, { signal })
  const refusal = `Permission to use ${tool.name} was denied in the mode auto: ${reason}`
  return { behavior: 'deny', reason: fired?.decision.retry ? `${refusal}\n${MAY_RETRY}` : refusal }
}

const MAY_RETRY = 'The PermissionDenied hook indicated you may retry this tool call.'
const INTERRUPTED = { behavior: 'deny', reason: 'Not run: the user interrupted the turn.', interrupt: true } as const

/** True if hooks of the dialog are asked where there is none. They do not lift the question of another hook. */
function isFiringUnattended({ session }: CallingLoop): boolean {
  return session.engine.profile.events.get('PermissionRequest')?.unattended === true
}

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

/** PermissionRequest hooks speak before the dialog opens; null: they leave it to the user. */
async function askHooks(
  loop: CallingLoop,
  tool: Tool,
  wanted: PermitRequest,
  suggestions: readonly PermissionUpdate[],
): Promise<Permit | null> {
  const fields = {
    ...{ tool_name: tool.name, tool_input: wanted.final, permission_suggestions: suggestions },
    ...makeServerField(loop, tool),
  }
  const { id: call, signal } = wanted
  const { record, decision } = await fire(loop, 'PermissionRequest', fields, { signal, call })
  if (decision.halt) return { behavior: 'halt', reason: describeHalt(record) }
  if (decision.permission === 'deny') {
    const reason = listObjections(record).join('\n') || `A hook denied permission to use ${tool.name}.`
    return { behavior: 'deny', reason, interrupt: decision.interrupt }
  }
  if (decision.permission !== 'allow') return null
  const { updatedInput } = decision
  const permitCall =
    updatedInput === null
      ? ({ behavior: 'allow', input: wanted.final } as const)
      : await recheckRewrite(loop, tool, wanted, updatedInput)
  if (permitCall.behavior === 'allow') await takeUpdates(loop, decision.updatedPermissions ?? [])
  return permitCall
}

/** An input that a hook rewrote at the dialog is held against the tool and the deny rules as any other. */
async function recheckRewrite(
  loop: CallingLoop,
  tool: Tool,
  wanted: PermitRequest,
  updatedInput: unknown,
): Promise<Permit> {
  const checked = checkToolInput(tool, updatedInput, loop)
  if ('fault' in checked) {
    const reason = `A hook rewrote the input, and ${tool.name} cannot be called so: ${checked.fault}`
    return { behavior: 'deny', reason }
  }
  const { behavior, because } = await decideByRules(loop, tool, { ...wanted, final: checked.input })
  if (behavior === 'deny') return { behavior, reason: formatRuleRefusal(tool.name, because) }
  return { behavior: 'allow', input: checked.input }
}

interface DialogRequest {
  readonly dialog: PermissionDialog
  readonly wanted: PermitRequest
  readonly suggestions: readonly PermissionUpdate[]
  readonly because: Because
}

async function askPerson(loop: CallingLoop, tool: Tool, asked: DialogRequest): Promise<Permit> {
  const { dialog, wanted, suggestions, because } = asked
  const { final, hook, signal } = wanted
  const ownReason = because.by === 'hook' ? hook.reason : null
  const reason = ownReason ?? `Approval is required ${describeCause(because)}.`
  const answer = await askUser(loop, dialog, { tool: tool.name, input: final, reason, suggestions, signal })
  if (answer.behavior === 'halt') return answer
  if (answer.behavior === 'interrupt' || signal.aborted) return INTERRUPTED
  if (answer.behavior === 'allow') {
    await takeUpdates(loop, answer.updatedPermissions ?? [])
    return { behavior: 'allow', input: final }
  }
  const refusal = answer.message ?? `The user did not allow ${tool.name} here. Ask what to do instead.`
  return { behavior: 'deny', reason: refusal, interrupt: answer.interrupt === true }
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
