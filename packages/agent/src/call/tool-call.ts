import { stringifyJson } from 'hookline/internal'
import {
  type CallEnd,
  type DialogAnswer,
  guardCall,
  HaltedByHook,
  type Permit,
  type PermitRequest,
  type RefusedCall,
  wrapReminder,
} from 'hookline/tools'
import { type AgentEventName, fire } from '../hooks/fire.ts'
import { NESTED_TOO_DEEPLY, type ToolResult, type ToolUse } from '../output/messages.ts'
import type { DeferredEnd, Denial, EarlyEnd } from '../output/result.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { makeResultEntry } from '../transcript/conversation.ts'
import type { CallingLoop } from './calling-loop.ts'
import { checkToolInput } from './checked-input.ts'
import { makeServerField, permitCall } from './permit.ts'

/** Report of a call for the loop. */
export interface CallReport {
  /** null: a hook put the call off, and it stays open. */
  readonly result: ToolResult | null
  /** As hooks left it; missing when it never had the tool's shape. */
  readonly input?: unknown
  /** The tool's own response, when it ran and succeeded. */
  readonly response?: unknown
  /** Texts of hooks about it for the model, each in a block of its own. */
  readonly texts: readonly string[]
  /** The transcript has its result already: hooks have read it there. */
  readonly kept?: true
  /** Early end of the turn by this call. */
  readonly early: EarlyEnd | DeferredEnd | null
}

/** The calls of one answer, as far as each has to know of the others. */
export interface Batch {
  /** Aborts when the user interrupts the turn. */
  readonly signal: AbortSignal
  /** End of the turn while calls were on their way; null: it goes on. */
  over: EarlyEnd | DeferredEnd | null
  /** Aborts at that moment: tools that run are ended, dialogs closed. */
  readonly ending: AbortSignal
}

/** A call on its way. */
interface LoopCall {
  readonly loop: CallingLoop
  readonly use: ToolUse
  readonly tool: Tool
  readonly batch: Batch
  /** As the model wrote it, and later as hooks left it. */
  input: unknown
  /** Texts of hooks before the tool ran. */
  texts: readonly string[]
  /** The tool itself has said that the call cannot succeed. */
  isFutile: boolean
  /** Result of the tool, and the line of the transcript that has it; null: it has not run. */
  made: (ToolOutput & { readonly line: string }) | null
}

/** Result of a tool, as the model and as hooks read it. */
type ToolOutput = Pick<CallReport, 'response'> & { readonly result: ToolResult }

/** Makes a call. Every call of every loop passes here, once: checked, shown to hooks, permitted, run, shown again. */
export async function callTool(loop: CallingLoop, use: ToolUse, batch: Batch): Promise<CallReport> {
  const tool = loop.tools.get(use.name)
  if (!tool)
    return makeFailedReport(use, `There is no tool "${use.name}". Tools: ${[...loop.tools.keys()].join(', ')}.`)
  if (use.input === NESTED_TOO_DEEPLY)
    return makeFailedReport(
      use,
      `The input of ${use.name} was nested too deeply to be read. Call it with a flatter one.`,
    )
  const written = checkToolInput(tool, use.input, loop)
  if ('fault' in written) return makeFailedReport(use, `${use.name} cannot be called so: ${written.fault}`)
  const call: LoopCall = { loop, use, tool, batch, input: written.input, texts: [], isFutile: false, made: null }
  try {
    return { ...(await makeReport(call, await guardToolCall(call))), input: call.input }
  } catch (error) {
    if (!batch.signal.aborted || error !== batch.signal.reason) throw error
    return makeStoppedReport(call, { ended: 'interrupted' }) // before the tool ran
  }
}

/** Takes a call through its hooks, the permission step and the tool. */
function guardToolCall(call: LoopCall): Promise<CallEnd> {
  const { loop, use, tool, batch, input } = call
  const { session, agent } = loop
  return guardCall(
    session.engine,
    {
      name: tool.name,
      input,
      id: use.id,
      signal: batch.signal,
      check: (rewritten) => checkToolInput(tool, rewritten, loop),
      run: (final) => runCall(call, final),
    },
    {
      agent: agent?.id,
      turn: batch,
      // Only a run that no user watches can be gone on with later, and only where its own loop stands still.
      deferred: session.dialog === null && agent === null ? 'left-open' : 'refused',
      permit: (request) => permitToolCall(call, request),
      dispatch: async ({ hook_event_name: event, ...fields }, { signal }) => {
        // Hooks hear of an interrupted call too, whose signal cannot end them any more: they must not hold the turn up.
        const patience = signal ?? AbortSignal.timeout(session.limits.endWithinMs)
        const isDialog = event === 'PermissionRequest' // a dialog closes when a call beside it ends the turn
        const { record, contexts } = await fire(
          loop,
          event as AgentEventName,
          { ...fields, ...makeServerField(loop, tool) },
          { signal: isDialog ? AbortSignal.any([patience, batch.ending]) : patience, call: use.id },
        ) // the guard fires no others
        if (event === 'PreToolUse') call.texts = contexts.map(wrapReminder)
        const { classifierContext, blocked, interrupt } = record.decision
        if (blocked && interrupt) batch.over ??= { ended: 'interrupted' } // seen by the calls beside it
        if (classifierContext) loop.notes.push(classifierContext)
        return record
      },
      onNotice: () => {}, // `fire` tells them
    },
  )
}

/** Holds a call against the rules and the mode, and brings the dialog where they leave it open. */
async function permitToolCall(call: LoopCall, { original, input, decision }: PermitRequest): Promise<Permit> {
  const { loop, tool, batch } = call
  call.input = input
  const signal = AbortSignal.any([batch.signal, batch.ending]) // a dialog closes when a call beside it ends the turn
  const answer = await permitCall(loop, tool, { original, final: input, hook: decision, signal })
  if (answer.behavior === 'fail') {
    call.isFutile = true
    return { behavior: 'deny', reason: answer.reason }
  }
  if (answer.behavior === 'deny' && answer.interrupt) batch.over ??= { ended: 'interrupted' } // seen by the calls beside it
  if (answer.behavior !== 'ask' || answer.dialog === null) return answer
  const { dialog } = answer
  return { ...answer, dialog: async (question) => noteInterrupt(batch, await dialog(question)) }
}

/** Has the calls beside a dialog see that the user ended the turn there. */
function noteInterrupt(batch: Batch, answer: DialogAnswer): DialogAnswer {
  if (answer.behavior === 'deny' && answer.interrupt) batch.over ??= { ended: 'interrupted' }
  return answer
}

/** Runs the tool. The transcript has its result before hooks are shown it. */
async function runCall(call: LoopCall, input: unknown): Promise<unknown> {
  const { loop, use, tool } = call
  const { emit } = loop.session
  call.input = input
  emit({ type: 'tool_started', id: use.id, name: use.name, input })
  const outcome = await runTool(tool, input, call)
  const isFailed = outcome instanceof ToolError
  const ended = isFailed ? { failed: true } : { failed: false, response: outcome.response }
  emit({ type: 'tool_ended', id: use.id, name: use.name, ...ended })
  const output: ToolOutput = isFailed
    ? { result: makeFailedReport(use, outcome.message).result }
    : { result: { type: 'tool_result', tool_use_id: use.id, content: outcome.content }, response: outcome.response }
  call.made = { ...output, line: loop.transcript.appendReplaceable(makeResultEntry(output.result, output.response)) }
  if (!isFailed) return outcome.response
  throw outcome.halted === null ? outcome : new HaltedByHook(outcome.message, outcome.halted)
}

async function runTool(tool: Tool, input: unknown, { loop, use, batch }: LoopCall): Promise<ToolOutcome | ToolError> {
  try {
    const signal = AbortSignal.any([batch.signal, batch.ending])
    const onOutput = (text: string): void => loop.session.emit({ type: 'tool_output', id: use.id, text })
    return await tool.run(input, { ...loop.session.toolContext(loop.agent, signal), onOutput })
  } catch (error) {
    if (error instanceof ToolError) return error
    const message = error instanceof Error ? error.message : String(error)
    return new ToolError(`${tool.name} failed: ${message}`) // a tool of the host's own may throw anything
  }
}

/** Reports what the loop keeps of a call that has ended, and the transcript of an output that a hook replaced. */
async function makeReport(call: LoopCall, end: CallEnd): Promise<CallReport> {
  const { loop, use, batch, made } = call
  const { texts, halt } = end
  if (end.ended === 'refused') return makeRefusedReport(call, end)
  if (end.ended === 'deferred') {
    tellDeferred(call, end.halt)
    return { result: null, texts: [], early: { ended: 'deferred', calls: [use], text: '' } }
  }
  if (made === null) throw new TypeError(`${use.name} has ended without a result`)
  const { line, ...own } = made
  const output = end.ended === 'ran' && end.output !== own.response ? replaceOutput(call, own, end.output) : own
  if (output !== own) await loop.transcript.replace(line, makeResultEntry(output.result, output.response))
  const halted: EarlyEnd | null = halt === null ? null : { ended: 'halted', reason: halt }
  return { ...output, texts, kept: true, early: batch.signal.aborted ? (halted ?? { ended: 'interrupted' }) : halted }
}

/** Makes what the model and the transcript get of a call whose output a hook replaced. */
function replaceOutput({ tool }: LoopCall, { result }: ToolOutput, response: unknown): ToolOutput {
  return { result: { ...result, content: tool.shown?.(response) ?? toResultText(response) }, response }
}

/** A call that was not made. One that a hook, a rule, the mode or the user refused stands in the result of the turn. */
function makeRefusedReport(call: LoopCall, { by, reason, texts, halt }: Extract<CallEnd, RefusedCall>): CallReport {
  const { use, batch } = call
  if (by === 'turn') return makeStoppedReport(call, batch.over ?? { ended: 'halted', reason: halt ?? reason }, texts)
  if (by === 'input' || call.isFutile) return makeFailedReport(use, reason, texts)
  tellDenial(call, { by, message: reason })
  return { ...makeFailedReport(use, reason, texts), early: halt === null ? null : { ended: 'interrupted' } }
}

function tellDeferred({ loop: { session }, use }: LoopCall, reason: string): void {
  const text = `${use.name} is left open: ${reason}. Hooks are asked again when the session goes on.`
  session.emit({ type: 'told', to: 'user', text })
}

function tellDenial({ loop: { session }, use, input }: LoopCall, why: Pick<Denial, 'by' | 'message'>): void {
  const denial = { ...why, toolName: use.name, toolUseId: use.id, toolInput: input }
  session.turn.denials.push(denial)
  session.emit({ type: 'tool_refused', denial })
}

/** A call that ends the turn before its tool ran. */
function makeStoppedReport(
  { use, texts: heard }: LoopCall,
  early: EarlyEnd | DeferredEnd,
  texts: readonly string[] = heard,
): CallReport {
  return { ...makeNotMadeReport(use, early, texts), early }
}

/** A call that was not made since the turn is over. Why a hook halted it is not for the model. */
export function makeNotMadeReport(
  use: ToolUse,
  { ended }: EarlyEnd | DeferredEnd,
  texts: readonly string[] = [],
): CallReport {
  const why = ended === 'interrupted' ? 'the user interrupted the turn' : 'a hook stopped the turn'
  return makeFailedReport(use, `Not run: ${why}.`, texts)
}

function makeFailedReport({ id }: ToolUse, content: string, texts: readonly string[] = []): CallReport & ToolOutput {
  return { result: { type: 'tool_result', tool_use_id: id, content, is_error: true }, texts, early: null }
}

function toResultText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}
