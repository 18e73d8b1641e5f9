import { jsonText } from 'hookline/internal'
import { feedbackOf, refusalOf } from 'hookline/tools'
import { fire } from '../hooks/fire.ts'
import { haltReason } from '../hooks/words.ts'
import { NESTED_TOO_DEEPLY, type ToolResult, type ToolUse } from '../output/messages.ts'
import type { Denial, EarlyEnd } from '../output/result.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { resultEntry } from '../transcript/conversation.ts'
import type { CallingLoop } from './calling-loop.ts'
import { checkedInput } from './checked-input.ts'
import { permit } from './permit.ts'

/** What became of a call. */
export interface CallEnd {
  readonly result: ToolResult
  /** The tool's own response, when it ran and succeeded. */
  readonly response?: unknown
  /** What hooks say of it to the model. */
  readonly texts: readonly string[]
  /** The transcript has its result already: hooks have read it there. */
  readonly kept?: true
  /** It ends the turn. */
  readonly early: EarlyEnd | null
}

/** What a call may have to stop for. */
export interface Around {
  readonly signal: AbortSignal
  /** What ended the turn while the call was on its way, as a call beside it may; null: it goes on. */
  readonly over: () => EarlyEnd | null
  /** Aborts at that moment, for the tools that run. */
  readonly ending: AbortSignal
}

/** A call on its way. */
interface Call {
  readonly loop: CallingLoop
  readonly use: ToolUse
  readonly tool: Tool
  /** What hooks said so far. */
  readonly texts: string[]
  readonly signal: AbortSignal
  readonly ending: AbortSignal
}

/** Makes a call. Every call of every loop passes here, once: checked, shown to hooks, permitted, run, shown again. */
export async function callTool(loop: CallingLoop, use: ToolUse, { signal, over, ending }: Around): Promise<CallEnd> {
  const tool = loop.tools.get(use.name)
  if (!tool) return failed(use, `There is no tool "${use.name}". Tools: ${[...loop.tools.keys()].join(', ')}.`)
  if (use.input === NESTED_TOO_DEEPLY)
    return failed(use, `The input of ${use.name} was nested too deeply to be read. Call it with a flatter one.`)
  const written = checkedInput(tool, use.input, loop.session)
  if ('fault' in written) return failed(use, `${use.name} cannot be called so: ${written.fault}`)
  const call: Call = { loop, use, tool, texts: [], signal, ending }

  const fields = { tool_name: tool.name, tool_input: written.input, tool_use_id: use.id }
  const before = await fire(loop, 'PreToolUse', fields, { signal })
  call.texts.push(...before.contexts)
  if (before.decision.halt) return stopped(call, { ended: 'halted', reason: haltReason(before.record) })
  if (signal.aborted) return stopped(call, { ended: 'interrupted' })
  if (before.decision.blocked)
    return refused(call, { by: 'hook', toolInput: written.input, message: refusalOf(before.record, tool.name) })

  const { updatedInput } = before.decision
  const final = updatedInput === null ? written : checkedInput(tool, updatedInput, loop.session)
  if ('fault' in final)
    return failed(use, `A hook rewrote the input, and ${use.name} cannot be called so: ${final.fault}`, call.texts)
  const verdict = await permit(loop, tool, {
    original: written.input,
    final: final.input,
    hook: before.decision,
    signal: AbortSignal.any([signal, ending]), // a dialog closes when a call beside it ends the turn
  })
  if (verdict.behavior === 'halt') return stopped(call, { ended: 'halted', reason: verdict.reason })
  const ended = over()
  if (ended) return notMade(use, ended, call.texts)
  if (verdict.behavior === 'interrupt' || verdict.behavior === 'deny') {
    const end = refused(call, { by: 'permission', toolInput: final.input, message: verdict.message })
    return verdict.behavior === 'deny' ? end : { ...end, early: { ended: 'interrupted' } }
  }
  if (signal.aborted) return stopped(call, { ended: 'interrupted' })
  return run(call, verdict.input) // nothing is awaited between what ends the turn and the tool
}

/** Runs the tool, and shows hooks what came of it. */
async function run(call: Call, input: unknown): Promise<CallEnd> {
  const { loop, use, tool, signal } = call
  const { session } = loop
  session.emit({ type: 'tool_started', id: use.id, name: use.name, input })
  const outcome = await outcomeOf(tool, input, call)
  const ended = outcome instanceof ToolError ? { failed: true } : { failed: false, response: outcome.response }
  session.emit({ type: 'tool_ended', id: use.id, name: use.name, ...ended })
  const fields = { tool_name: tool.name, tool_input: input, tool_use_id: use.id }
  if (outcome instanceof ToolError) {
    const failure = { error: outcome.message, is_interrupt: signal.aborted }
    const { halted } = outcome
    const early: EarlyEnd | null = halted === null ? null : { ended: 'halted', reason: halted }
    const end = { ...failed(use, outcome.message, call.texts), early }
    return after(call, end, { event: 'PostToolUseFailure', fields: { ...fields, ...failure } })
  }
  const result: ToolResult = { type: 'tool_result', tool_use_id: use.id, content: outcome.content }
  const end: CallEnd = { result, response: outcome.response, texts: call.texts, early: null }
  return after(call, end, { event: 'PostToolUse', fields: { ...fields, tool_response: outcome.response } })
}

interface Aftermath {
  readonly event: 'PostToolUse' | 'PostToolUseFailure'
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Adds what hooks say after the call; they can stop the turn, and replace what an MCP tool answered. They find the result in the
 * transcript. When one replaces it, the replacement stands there before anybody else reads it.
 */
async function after(call: Call, end: CallEnd, { event, fields }: Aftermath): Promise<CallEnd> {
  const { loop, tool, signal } = call
  const { limits } = loop.session
  // Hooks hear of an interrupted call too; what interrupted it must not end them, and they must not hold it up.
  const patience = signal.aborted ? AbortSignal.timeout(limits.endWithinMs) : signal
  const line = loop.transcript.appendReplaceable(resultEntry(end.result, end.response))
  const fired = await fire(loop, event, fields, { signal: patience })
  const { record, decision } = fired
  const texts = [...end.texts, ...fired.contexts, ...(decision.blocked ? feedbackOf(record, tool.name) : [])]
  const { result, response } = outputAfter(call, end, decision.updatedToolOutput)
  if (result !== end.result) await loop.transcript.replace(line, resultEntry(result, response))
  const early: EarlyEnd | null = decision.halt ? { ended: 'halted', reason: haltReason(record) } : end.early
  return { result, response, texts, kept: true, early: signal.aborted ? (early ?? { ended: 'interrupted' }) : early }
}

/** What the model and the transcript get of a call whose output a hook may have replaced. */
function outputAfter(
  { tool }: Call,
  { result, response }: CallEnd,
  replaced: unknown,
): Pick<CallEnd, 'result' | 'response'> {
  if (replaced === null) return { result, response }
  return { result: { ...result, content: tool.shown?.(replaced) ?? asText(replaced) }, response: replaced }
}

async function outcomeOf(tool: Tool, input: unknown, { loop, signal, ending }: Call): Promise<ToolOutcome | ToolError> {
  try {
    return await tool.run(input, loop.session.toolContext(loop.agent, AbortSignal.any([signal, ending])))
  } catch (error) {
    if (error instanceof ToolError) return error
    const message = error instanceof Error ? error.message : String(error)
    return new ToolError(`${tool.name} failed: ${message}`) // a tool of the host's own may throw anything
  }
}

function failed({ id }: ToolUse, content: string, texts: readonly string[] = []): CallEnd {
  return { result: { type: 'tool_result', tool_use_id: id, content, is_error: true }, texts, early: null }
}

/** A call that somebody did not allow: the result of the turn has it. */
function refused(
  { loop, use, texts }: Call,
  { by, toolInput, message }: Pick<Denial, 'by' | 'toolInput' | 'message'>,
): CallEnd {
  const denial = { by, toolName: use.name, toolUseId: use.id, toolInput, message }
  loop.session.turn.denials.push(denial)
  loop.session.emit({ type: 'tool_refused', denial })
  return failed(use, message, texts)
}

/** A call that ends the turn before its tool ran. */
function stopped({ use, texts }: Call, early: EarlyEnd): CallEnd {
  return { ...notMade(use, early, texts), early }
}

/** The end of a call that was not made, for the turn is over. Why a hook halted it is not for the model. */
export function notMade(use: ToolUse, { ended }: EarlyEnd, texts: readonly string[] = []): CallEnd {
  const why = ended === 'interrupted' ? 'the person interrupted the turn' : 'a hook stopped the turn'
  return failed(use, `Not run: ${why}.`, texts)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}
