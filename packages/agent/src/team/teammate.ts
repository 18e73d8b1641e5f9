import { fire, hasValue } from '../hooks/fire.ts'
import { describeHalt, formatHookFeedback } from '../hooks/words.ts'
import { makeUserMessage } from '../output/messages.ts'
import type { DeferredEnd, EarlyEnd, TurnEnd } from '../output/result.ts'
import { openSubagent, type SubagentStart } from '../subagents/subagent.ts'
import type { TeammateTask } from '../subagents/task-tool.ts'
import { ToolError, type ToolOutcome } from '../tools/tool.ts'
import { addMessage } from '../transcript/conversation.ts'
import { goOnConversing } from '../turn/loop.ts'
import type { Loop, TeammateName } from '../turn/loop-state.ts'
import { LEAD, type Team } from './team.ts'

/** Starts a teammate; it works on while the lead does something else. */
export async function startTeammate(
  team: Team,
  lead: Loop,
  task: TeammateTask,
  starting: SubagentStart,
): Promise<ToolOutcome> {
  const { name } = task
  if (lead.agent !== null) throw new ToolError('Only the lead of a team can start teammates: leave `name` out.')
  if (!team.reserve(name)) throw new ToolError(`There is a "${name}" already: choose another name.`)
  const teammate: TeammateName = { name, team: team.nameTeam(task.team) }
  const { agent, loop, close } = await openSubagent(lead, { ...task, teammate }, starting).catch((error: unknown) => {
    team.release(name)
    throw error // of the author of the agent, or a hook's
  })
  team.join({ name, loop, work: (until) => workUntilIdle(loop, teammate, until), leave: close })
  return {
    content: `${name} has joined the team "${teammate.team}" and is at work. You are told when it goes idle; write to it with SendMessage.`,
    response: { status: 'teammate_spawned', agentId: agent.id, agentType: agent.type, name, team_name: teammate.team },
  }
}

/** Makes what a teammate is told of its place. */
export function makeTeammatePrompt({ name, team }: TeammateName): string {
  return (
    `You are the teammate "${name}" of the team "${team}"; others work beside you. Look at the shared tasks with ` +
    'TaskList, claim one with TaskUpdate (status in_progress) before you begin it, and mark it completed when it is ' +
    `done. Write to others with SendMessage, to "${LEAD}" above all; what they write reaches you by itself.`
  )
}

/** One stretch of work, until the teammate is about to go idle and no hook sends it back; the words for the lead. */
async function workUntilIdle(loop: Loop, teammate: TeammateName, signal: AbortSignal): Promise<string> {
  const { name } = teammate
  try {
    const end = await runTeammateTask(loop, teammate, signal)
    if (end.ended === 'answered') await notifyTeammateDone(loop, teammate, signal)
    if (end.ended === 'answered') return `${name} is idle. Its last words:\n${end.text}`
    return `${name} is idle, for ${describeEarlyEnd(end)}.`
  } catch (error) {
    return `${name} is idle, for it failed: ${error instanceof Error ? error.message : String(error)}` // the lead has to hear of it: no caller awaits it
  }
}

/** Says that a teammate is done, where the profile has words for it. */
async function notifyTeammateDone(loop: Loop, { name }: TeammateName, signal: AbortSignal): Promise<void> {
  if (!hasValue(loop.session, 'Notification', 'agent_completed')) return
  await fire(loop, 'Notification', { message: `${name} is done`, notification_type: 'agent_completed' }, { signal })
}

async function runTeammateTask(loop: Loop, { name, team }: TeammateName, signal: AbortSignal): Promise<TurnEnd> {
  const { maxStopBlocks } = loop.session.limits
  for (let sentBack = 0; ; ) {
    const callsBefore = loop.toolCalls
    const end = await goOnConversing(loop, signal)
    if (end.ended === 'interrupted' && !signal.aborted) loop.session.turn.interrupt() // the user said so, and meant all of them
    if (end.ended !== 'answered') return end
    if (loop.inbox.length > 0) continue
    const idle = await fire(loop, 'TeammateIdle', { teammate_name: name, team_name: team }, { signal })
    if (idle.decision.halt) return { ended: 'halted', reason: describeHalt(idle.record) }
    if (signal.aborted) return { ended: 'interrupted' }
    if (!idle.decision.blocked) return end
    sentBack = loop.toolCalls === callsBefore ? sentBack + 1 : 1
    if (sentBack > maxStopBlocks) return giveUpOnHooks(loop, end)
    addMessage(loop, makeUserMessage(formatHookFeedback(idle.record)), { origin: 'injected' })
  }
}

/** Lets a teammate go idle although hooks would send it back once more. */
function giveUpOnHooks({ session: { emit, limits }, teammate }: Loop, end: TurnEnd): TurnEnd {
  const times = limits.maxStopBlocks
  const text = `TeammateIdle hooks have sent ${teammate?.name} back ${times} times in a row without a tool call: it goes idle.`
  emit({ type: 'told', to: 'user', text })
  return end
}

/** Reason why a hook halted it is not for a model. */
function describeEarlyEnd(end: EarlyEnd | DeferredEnd): string {
  switch (end.ended) {
    case 'halted':
      return 'a hook stopped it'
    case 'interrupted':
      return 'it was interrupted'
    case 'max-turns':
      return `it has used up its ${end.turns} turns`
    case 'model-error':
      return `its model failed: ${end.message}`
    case 'prompt-blocked':
      return 'its prompt was refused'
    case 'deferred':
      return 'a hook put a call of it off'
  }
}
