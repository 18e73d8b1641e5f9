import { type AnsweredCall, fireAfterBatch } from 'hookline/tools'
import { fire } from '../hooks/fire.ts'
import type { ToolUse } from '../output/messages.ts'
import { makeUserMessage } from '../output/messages.ts'
import type { DeferredEnd, EarlyEnd } from '../output/result.ts'
import { addKeptMessage, addMessage, inject, makeResultEntry } from '../transcript/conversation.ts'
import type { CallingLoop } from './calling-loop.ts'
import { type Batch, type CallReport, callTool, makeNotMadeReport } from './tool-call.ts'

/**
 * Makes the calls of one answer, in order. Neighbours that change nothing run side by side: hooks see all of them before the
 * first of their tools runs. A call that changes something is shown to hooks when those before it have ended: they judge it by
 * the files that these leave, and hooks that a skill brought along see it too. When one ends the turn, those whose tool runs are ended, and those whose tool does not run yet
 * are not made; each call gets its result, whatever happened.
 */
export async function callTools(
  loop: CallingLoop,
  calls: readonly ToolUse[],
  signal: AbortSignal,
): Promise<EarlyEnd | DeferredEnd | null> {
  const ending = new AbortController()
  const batch: Batch = { signal, over: null, ending: ending.signal }
  loop.toolCalls += calls.length
  const make = async (use: ToolUse): Promise<CallReport> => {
    const report = batch.over ? makeNotMadeReport(use, batch.over) : await callTool(loop, use, batch)
    batch.over ??= report.early
    if (batch.over) ending.abort()
    return report
  }
  const deferred: ToolUse[] = []
  const made: AnsweredCall[] = []
  for (const group of groupCalls(loop, calls)) {
    for (const report of await Promise.all(group.map(make))) {
      addReport(loop, report)
      for (const text of await readInstructionsFor(loop, calls, report)) inject(loop, text)
      made.push(...toAnsweredCall(calls, report))
      if (report.early?.ended === 'deferred') deferred.push(...report.early.calls)
    }
    if (signal.aborted) batch.over ??= { ended: 'interrupted' }
  }
  if (deferred.length > 0) return { ended: 'deferred', calls: deferred, text: '' } // deferred calls have no result yet
  return batch.over ?? (await fireBatchEvent(loop, made, signal))
}

/** Shows hooks the calls of one answer when all are done; resolves with what ends the turn then. */
async function fireBatchEvent(
  loop: CallingLoop,
  made: readonly AnsweredCall[],
  signal: AbortSignal,
): Promise<EarlyEnd | null> {
  const { engine } = loop.session
  const { texts, halt } = await fireAfterBatch(engine, made, {
    turn: {},
    signal,
    dispatch: async ({ hook_event_name: _, ...fields }) =>
      (await fire(loop, 'PostToolBatch', fields, { signal })).record,
    onNotice: () => {}, // `fire` tells them
  })
  for (const text of texts) addMessage(loop, makeUserMessage(text), { origin: 'injected' })
  if (signal.aborted) return { ended: 'interrupted' }
  return halt === null ? null : { ended: 'halted', reason: halt }
}

/** Reads what files of instructions say of the place that a call went to; the first call that goes there brings them in. */
async function readInstructionsFor(
  loop: CallingLoop,
  calls: readonly ToolUse[],
  report: CallReport,
): Promise<readonly string[]> {
  const { result, input, response } = report
  const use = calls.find(({ id }) => id === result?.tool_use_id)
  if (use === undefined || response === undefined) return []
  return loop.session.instructions.readConcerning(loop, use.name, input)
}

/** A call with what the model reads of it. */
function toAnsweredCall(calls: readonly ToolUse[], { result, input }: CallReport): AnsweredCall[] {
  const use = calls.find(({ id }) => id === result?.tool_use_id)
  if (use === undefined || result === null) return []
  return [{ id: use.id, name: use.name, input: input ?? use.input, response: result.content }]
}

/** Adds a call's result to the conversation, and beside it what hooks have to say of it. */
function addReport(loop: CallingLoop, { result, response, texts, kept }: CallReport): void {
  if (result === null) return
  if (!kept) loop.transcript.append(makeResultEntry(result, response))
  addKeptMessage(loop, { role: 'user', content: [result] }, { injected: false })
  for (const text of texts) addMessage(loop, makeUserMessage(text), { origin: 'injected' })
}

function groupCalls(loop: CallingLoop, calls: readonly ToolUse[]): ToolUse[][] {
  const grouped: ToolUse[][] = []
  for (const call of calls) {
    const beside = grouped.at(-1)
    if (beside && isSafeBeside(loop, call) && beside.every((other) => isSafeBeside(loop, other))) beside.push(call)
    else grouped.push([call])
  }
  return grouped
}

function isSafeBeside(loop: CallingLoop, { name }: ToolUse): boolean {
  const tool = loop.tools.get(name)
  return tool !== undefined && (tool.sideBySide ?? tool.readOnly)
}
