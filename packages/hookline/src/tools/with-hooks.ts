import type { AnyEngine } from '../engine/engine-interface.ts'
import { type Aftermath, type CallOutcome, guardAfterCall } from './after-call.ts'
import { guardBeforeCall, makeNotRun, type Refusal, type Verdict } from './before-call.ts'
import { countMsSince, runForCallOutcome } from './guard-call.ts'
import { DeferredByHook, HaltedByHook, RefusedByHook, WaitingForUser } from './hook-errors.ts'
import {
  addTexts,
  joinBeside,
  joinErrorBeside,
  type ModelOutput,
  toJsonValue,
  toMcpOutput,
  toPlainOutput,
} from './model-output.ts'
import { findTurnName, isGenerator, type SdkCall, type SdkTool, takeLastResult } from './sdk-tool.ts'
import type { GuardOptions, ToolCall } from './tool-call.ts'
import { findTurn, type TurnCalls } from './turn-calls.ts'

/** Parts that the tools of one set have in common. */
export interface Guard {
  readonly engine: AnyEngine
  readonly options: GuardOptions
  /** Words of hooks about calls that ran, by their ids. */
  readonly said: Map<string, SaidOfCall>
  /** Question to hooks about a call that is about to be made. */
  readonly judge: JudgeCall
}

/** Words of hooks about a call that ran. */
export type SaidOfCall = Pick<Aftermath, 'texts' | 'replaced'>

/** Shows hooks a call, or knows already what they say about it. */
export type JudgeCall = (call: ToolCall, sdk: SdkCall, options: GuardOptions) => Promise<Verdict>

/** A tool with its name in the set. */
interface GuardedTool extends Guard {
  readonly name: string
  readonly tool: SdkTool & { readonly execute: NonNullable<SdkTool['execute']> }
}

/**
 * Gives a tool set of the AI SDK hooks: the same tools, with PreToolUse before `execute` and PostToolUse or
 * PostToolUseFailure after it. Tools without `execute` stay as they are.
 *
 * ```ts
 * const tools = withHooks(myTools, engine)
 * const { steps } = await generateText({ model, prompt, tools, stopWhen: [stepCountIs(20), isHalted] })
 * ```
 */
export function withHooks<Tools extends Readonly<Record<string, { readonly inputSchema: unknown }>>>(
  tools: Tools,
  engine: AnyEngine,
  options: GuardOptions = {},
): Tools {
  return guardTools(tools, {
    engine,
    options,
    said: new Map(),
    judge: (call, _, own) => guardBeforeCall(engine, call, own),
  })
}

/** The same where hooks are asked in another way. */
export function guardTools<Tools extends Readonly<Record<string, { readonly inputSchema: unknown }>>>(
  tools: Tools,
  guard: Guard,
): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(guard, name, tool)])
  return Object.fromEntries(guarded) as Tools // the same names, and each tool takes and gives what it did
}

function guardTool(guard: Guard, name: string, tool: SdkTool): SdkTool {
  const { execute } = tool
  if (execute === undefined) return tool
  const own = { name, tool: { ...tool, execute: execute.bind(tool) } }
  const guarded: GuardedTool = Object.assign(Object.create(guard), own) // the common part of the set may differ from turn to turn
  return {
    ...tool,
    execute: isGenerator(execute)
      ? async function* (input, call) {
          yield* executeInParts(guarded, input, call) // itself a generator, so that it can be wrapped again
        }
      : (input, call) => executeOnce(guarded, input, call),
    toModelOutput: async (options) => {
      const { texts, replaced } = guard.said.get(options.toolCallId) ?? { texts: [], replaced: false }
      const own = replaced ? await replaceOutput(tool, options) : await tool.toModelOutput?.(options)
      return addTexts(own ?? toPlainOutput(options.output), texts)
    },
  }
}

/** Makes what the model gets of an output that a hook wrote: in the shape of MCP, or in the tool's own if its words fit it. */
async function replaceOutput(
  tool: SdkTool,
  options: { readonly toolCallId: string; readonly output: unknown },
): Promise<ModelOutput | null> {
  const ofMcp = toMcpOutput(options.output)
  if (ofMcp !== null) return ofMcp
  try {
    return (await tool.toModelOutput?.(options)) ?? null
  } catch {
    return null // the tool never gave such an output
  }
}

async function executeOnce(guarded: GuardedTool, written: unknown, call: SdkCall): Promise<unknown> {
  const { input, texts, turn } = await clearCall(guarded, written, call)
  throwIfEnded(turn)
  const outcome = await runForCallOutcome(async () => takeLastResult(await guarded.tool.execute(input, call)))
  const end = await followUp(guarded, { input, texts, outcome, call })
  return toFrameworkOutput(end)
}

/** End of a tool, before it is known how long it took. */
type ToolEnd = { readonly output: unknown } | { readonly error: unknown }

/** The same for a tool whose result grows; hooks see the last of it. */
async function* executeInParts(guarded: GuardedTool, written: unknown, call: SdkCall): AsyncGenerator<unknown, void> {
  const { input, texts, turn } = await clearCall(guarded, written, call)
  throwIfEnded(turn)
  const started = performance.now()
  let outcome: ToolEnd = { error: new Error('The result was not read to its end.') }
  let end: Aftermath
  try {
    let last: unknown
    const parts = guarded.tool.execute(input, call) as AsyncIterable<unknown> // a generator gives one
    for await (const part of parts) {
      last = part
      yield part
    }
    outcome = { output: last }
  } catch (error) {
    outcome = { error } // the tool's own
  } finally {
    end = await followUp(guarded, { input, texts, outcome: { ...outcome, durationMs: countMsSince(started) }, call })
  }
  const output = toFrameworkOutput(end)
  if (end.replaced) yield output
}

/** Resolves with what the tool is called with, and throws what the model reads if it is not. */
async function clearCall(
  guarded: GuardedTool,
  written: unknown,
  call: SdkCall,
): Promise<{ readonly input: unknown; readonly texts: readonly string[]; readonly turn: TurnCalls }> {
  const { engine, said } = guarded
  said.delete(call.toolCallId) // some providers use an id again
  const options = makeCallOptions(guarded, call)
  const turn = findTurn(engine, options)
  const verdict = await guarded.judge(toToolCall(guarded, written, call), call, options)
  if (verdict.ended !== 'cleared') throw toVerdictError(verdict, guarded.name)
  return { ...verdict, turn }
}

/** Stands right before the tool: a call that ended since may have ended the turn. */
function throwIfEnded({ halt }: TurnCalls): void {
  if (halt !== null) throw toRefusalError(makeNotRun(halt))
}

/** Makes the error that is thrown in the place of a call that is not made. */
export function toVerdictError(verdict: Exclude<Verdict, { ended: 'cleared' }>, name: string): Error {
  if (verdict.ended === 'refused') return toRefusalError(verdict)
  const { texts, halt } = verdict
  if (verdict.ended === 'waiting') return new WaitingForUser(`Not run: ${name} waits for the user.`, verdict)
  return new DeferredByHook(joinBeside(`Not run: a hook deferred ${name}.`, texts), halt)
}

function toRefusalError({ reason, texts, halt }: Refusal): Error {
  const message = joinBeside(reason, texts)
  return halt === null ? new RefusedByHook(message) : new HaltedByHook(message, halt)
}

/** A call that was made. */
interface MadeCall {
  readonly input: unknown
  /** Words of hooks before it. */
  readonly texts: readonly string[]
  readonly outcome: CallOutcome
  readonly call: SdkCall
}

/** Shows hooks what came of a call, and keeps what they say for the model. */
async function followUp(guarded: GuardedTool, { input, texts, outcome, call }: MadeCall): Promise<Aftermath> {
  const { engine, said } = guarded
  const after = await guardAfterCall(engine, toToolCall(guarded, input, call), {
    ...makeCallOptions(guarded, call),
    outcome,
  })
  const end = { ...after, texts: [...texts, ...after.texts] }
  if (end.texts.length > 0 || end.replaced) remember(said, call.toolCallId, end)
  return end
}

/** Calls whose words are kept: an agent may live as long as its host. */
const MAX_KEPT_CALLS = 10_000

function remember(said: Map<string, SaidOfCall>, id: string, { texts, replaced }: SaidOfCall): void {
  const [oldest] = said.keys()
  if (said.size >= MAX_KEPT_CALLS && oldest !== undefined) said.delete(oldest)
  said.set(id, { texts, replaced })
}

/** Makes what a framework gets of a call. It passes on to the model what is thrown, and makes `HaltedByHook` known to the host. */
export function toFrameworkOutput(end: Aftermath): unknown {
  const { halt, texts } = end
  const message = end.ended === 'failed' ? readMessage(end.error) : end.output
  if (halt !== null)
    throw new HaltedByHook(joinBeside(message, [...texts, 'A hook ended the turn after this call.']), halt)
  if (end.ended === 'ran') return end.output
  throw texts.length === 0 ? end.error : joinErrorBeside(end.error, texts, readMessage)
}

/** The message of anything that is thrown, as the AI SDK writes it. */
function readMessage(thrown: unknown): string {
  if (thrown === null || thrown === undefined) return 'unknown error'
  if (thrown instanceof Error) return thrown.message
  return typeof thrown === 'string' ? thrown : String(JSON.stringify(toJsonValue(thrown)))
}

function toToolCall({ name, tool }: GuardedTool, input: unknown, { toolCallId, abortSignal }: SdkCall): ToolCall {
  return { name, input, id: toolCallId, signal: abortSignal, schema: tool.inputSchema }
}

/** Calls of the SDK say themselves which turn they are of. */
function makeCallOptions({ options }: GuardedTool, call: SdkCall): GuardOptions {
  return { ...options, turn: options.turn ?? findTurnName(call) }
}
