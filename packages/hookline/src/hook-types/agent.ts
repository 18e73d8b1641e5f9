import type { Handler } from '../config/hook.ts'
import { abortedRun } from '../process/process.ts'
import { millisecondsSince } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { underDeadline } from '../run/deadline.ts'
import type { JudgeRequest } from '../run/request.ts'
import type { Run } from '../run/run.ts'
import { thrownMessage } from '../run/thrown.ts'
import { costOf } from './cost.ts'
import { filledPrompt } from './fill-prompt.ts'
import { AGENT_POLICY, VERDICT_SCHEMA } from './judge.ts'

const MOST_TURNS = 50

type AgentHook = Extract<Handler, { type: 'agent' }>

/** Lets a small agent find out about an event (PROTOCOL.md, section 10). */
export function runAgent(hook: AgentHook, request: JudgeRequest): Promise<Run> {
  return underDeadline(request, async ({ signal, started, deadline }) => {
    const { payload, models, options } = request
    try {
      const prompt = filledPrompt(await promptOf(hook, request), payload)
      if (signal.aborted) return abortedRun()
      if (!models.runAgent) throw new TypeError('no agent is lent, and planning has to say so')
      const reply = await models.runAgent({
        model: hook.model,
        system: AGENT_POLICY,
        prompt,
        schema: VERDICT_SCHEMA,
        project: options.project,
        transcript: transcriptOf(payload.copy),
        maxTurns: MOST_TURNS,
        signal,
        deadline,
      })
      const { text, turns } = reply
      const spent = { ...costOf([reply]), turns, attempts: 1, durationMs: millisecondsSince(started) }
      if (text !== null && typeof text !== 'string') throw new TypeError('the agent that the host lends gave no text')
      return text === null ? { ended: 'undecided', ...spent } : { ended: 'judged', text, ...spent }
    } catch (error) {
      const spent = { ...costOf([]), turns: null, attempts: 1, durationMs: millisecondsSince(started) }
      return { ended: 'unanswered', message: thrownMessage(error), ...spent } // the provider, or the host
    }
  })
}

async function promptOf({ prompt }: AgentHook, { payload, models }: JudgeRequest): Promise<string> {
  if (typeof prompt === 'string') return prompt
  const written = await prompt((await models.conversation?.(payload.copy)) ?? [])
  if (typeof written !== 'string') throw new TypeError("the function that is the hook's prompt returned no text")
  return written
}

/** That of the subagent the event is about, else of the session. */
function transcriptOf({ agent_transcript_path: agent, transcript_path: session }: EventInput): string | null {
  if (typeof agent === 'string') return agent
  return typeof session === 'string' ? session : null
}
