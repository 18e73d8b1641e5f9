import type { ToolUse } from '../output/messages.ts'
import type { EarlyEnd } from '../output/result.ts'
import { addKeptMessage, inject, resultEntry } from '../transcript/conversation.ts'
import type { CallingLoop } from './calling-loop.ts'
import { type CallEnd, callTool, notMade } from './tool-call.ts'

/**
 * Makes the calls of one answer, in order. Neighbours that change nothing run side by side. When one ends the turn,
 * those whose tool runs are ended, and those whose tool does not run yet are not made; each call gets its result,
 * whatever happened.
 */
export async function callTools(
  loop: CallingLoop,
  calls: readonly ToolUse[],
  signal: AbortSignal,
): Promise<EarlyEnd | null> {
  let early: EarlyEnd | null = null
  const ending = new AbortController()
  loop.toolCalls += calls.length
  const make = async (use: ToolUse): Promise<CallEnd> => {
    const end = early
      ? notMade(use, early)
      : await callTool(loop, use, { signal, over: () => early, ending: ending.signal })
    early ??= end.early
    if (early) ending.abort()
    return end
  }
  for (const group of groups(loop, calls)) {
    for (const end of await Promise.all(group.map(make))) report(loop, end)
    if (signal.aborted) early ??= { ended: 'interrupted' }
  }
  return early
}

/** A call's result, and beside it what hooks have to say of it. */
function report(loop: CallingLoop, { result, response, texts, kept }: CallEnd): void {
  if (!kept) loop.transcript.append(resultEntry(result, response))
  addKeptMessage(loop, { role: 'user', content: [result] }, { injected: false })
  for (const text of texts) inject(loop, text)
}

function groups(loop: CallingLoop, calls: readonly ToolUse[]): ToolUse[][] {
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
