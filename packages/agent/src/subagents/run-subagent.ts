import type { TurnEnd } from '../output/result.ts'
import { NO_FIGURES, toAgentResult } from '../output/result.ts'
import { ToolError, type ToolOutcome } from '../tools/tool.ts'
import { goOnConversing } from '../turn/loop.ts'
import type { Loop } from '../turn/loop-state.ts'
import { openSubagent, type SubagentStart, type SubagentTask } from './subagent.ts'
import { createWorktree, makeWorktreeName, removeWorktree } from './worktree.ts'

/** Lets a subagent do a task and resolves with its answer; one that ended otherwise fails with a ToolError. */
export async function runSubagent(parent: Loop, task: SubagentTask, starting: SubagentStart): Promise<ToolOutcome> {
  const { signal } = starting
  const worktree = task.isolated ? await createWorktree(parent, makeWorktreeName(), signal) : null
  const place = worktree === null ? {} : { cwd: worktree.path }
  try {
    const outcome = await runInFolder(parent, { ...task, ...place }, starting)
    const stays = worktree === null ? null : await removeWorktree(parent, worktree, parent.session.closing)
    return stays === null ? outcome : { ...outcome, content: `${outcome.content}\n\n${stays}` }
  } catch (error) {
    if (worktree !== null) await removeWorktree(parent, worktree, parent.session.closing)
    throw error // of the subagent
  }
}

async function runInFolder(
  parent: Loop,
  task: SubagentTask & { readonly cwd?: string },
  starting: SubagentStart,
): Promise<ToolOutcome> {
  const { signal } = starting
  const started = performance.now()
  const { loop, close } = await openSubagent(parent, { ...task, teammate: null }, starting)
  try {
    const end = await goOnConversing(loop, signal)
    if (end.ended === 'interrupted' && !signal.aborted) loop.session.turn.interrupt() // the user said so, and meant all of them
    const durationMs = Math.round(performance.now() - started)
    keepResult(loop, end, durationMs)
    return makeSubagentOutcome(loop, end, { task, durationMs })
  } finally {
    await close()
  }
}

function keepResult({ transcript, answers, spent }: Loop, end: TurnEnd, durationMs: number): void {
  const { subtype, text } = toAgentResult(end, { ...NO_FIGURES, durationMs, turns: answers, usage: spent })
  transcript.append({ kind: 'result', subtype, result: text, durationMs, turns: answers, usage: spent })
}

/** The answer for the parent's model, and the response that hooks know from other clients. */
function makeSubagentOutcome(
  { agent, spent, toolCalls }: Loop,
  end: TurnEnd,
  { task, durationMs }: { readonly task: SubagentTask; readonly durationMs: number },
): ToolOutcome {
  const type = task.definition.name
  if (end.ended === 'halted') throw new ToolError(`The ${type} agent was stopped by a hook before it was done.`) // the reason is the user's
  if (end.ended === 'model-error') throw new ToolError(`The ${type} agent failed: ${end.message}`)
  if (end.ended === 'max-turns') throw new ToolError(`The ${type} agent was not done after ${end.turns} turns.`)
  if (end.ended !== 'answered') throw new ToolError(`The ${type} agent was interrupted.`)
  const { inputTokens, outputTokens } = spent
  return {
    content: end.text,
    response: {
      status: 'completed',
      prompt: task.prompt,
      agentId: agent?.id,
      content: [{ type: 'text', text: end.text }],
      totalDurationMs: durationMs,
      totalTokens: inputTokens + outputTokens,
      totalToolUseCount: toolCalls,
      usage: { input_tokens: inputTokens, output_tokens: outputTokens },
    },
  }
}
