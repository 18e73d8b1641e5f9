import { makeAbortedRun } from '../process/process.ts'
import { measureMs } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookTypeCode, TurnLimits } from '../protocol/hook-type.ts'
import type { PromptFunction } from '../protocol/spoken-message.ts'
import { toThrownMessage } from '../run/execute.ts'
import type { JudgeRequest, JudgeRun, Run } from '../run/run.ts'
import {
  AGENT_POLICY,
  fillPrompt,
  makeVerdictRequest,
  readFirstLine,
  SMALL_MODEL,
  sumCost,
  toJudgement,
} from './judge.ts'

/** A condition that a small agent finds out about. */
interface AgentHandler {
  readonly type: 'agent'
  readonly prompt: string | PromptFunction
  /** null: the host's small fast model. */
  readonly model: string | null
}

const MAX_TURNS = 50

/** Hooks that let a small agent look into the project before it judges. */
export const agent: HookTypeCode<AgentHandler, JudgeRequest, Run> = {
  runsIn: 'model',
  needs: { port: 'runAgent', otherwise: 'no model is provided for agent hooks' },
  readEntry: ({ prompt: text, model: named }) => {
    const model = typeof named === 'string' ? named : null
    if (typeof text === 'function') return { type: 'agent', prompt: text as PromptFunction, model } // no file holds one: the host registered it
    if (typeof text !== 'string' || text.trim() === '')
      return { field: 'prompt', because: 'a agent hook needs a "prompt"' }
    return { type: 'agent', prompt: text, model }
  },
  shown: ({ prompt: text, model }) => {
    const asks = model ?? SMALL_MODEL
    if (typeof text === 'string') return { name: readFirstLine(text), text, asks }
    return { name: text.name, text: text.name || 'a function', asks }
  },
  identity: ({ prompt: text }) => (typeof text === 'function' ? null : text),
  run: runAgent,
  meaning: (facts) => toJudgement(facts as JudgeRun), // hooks of this type run nothing else
}

async function runAgent(
  hook: AgentHandler,
  request: JudgeRequest,
  { signal, started, deadline }: TurnLimits,
): Promise<Run> {
  const { payload, models, options } = request
  try {
    const prompt = fillPrompt(await makeAgentPrompt(hook, request), request)
    if (signal.aborted) return makeAbortedRun()
    if (!models.runAgent) throw new TypeError('no agent is provided, which planning has to say')
    const reply = await models.runAgent({
      model: hook.model,
      ...makeVerdictRequest(AGENT_POLICY, request),
      prompt,
      project: options.project,
      transcript: findTranscript(payload.copy),
      maxTurns: MAX_TURNS,
      signal,
      deadline,
    })
    const { text, turns } = reply
    const spent = { ...sumCost([reply]), turns, attempts: 1, durationMs: measureMs(started) }
    if (text !== null && typeof text !== 'string') throw new TypeError('the agent that the host provides gave no text')
    return text === null ? { ended: 'undecided', ...spent } : { ended: 'judged', text, ...spent }
  } catch (error) {
    const spent = { ...sumCost([]), turns: null, attempts: 1, durationMs: measureMs(started) }
    return { ended: 'unanswered', message: toThrownMessage(error), ...spent } // the provider, or the host
  }
}

async function makeAgentPrompt({ prompt: text }: AgentHandler, { payload, models }: JudgeRequest): Promise<string> {
  if (typeof text === 'string') return text
  const written = await text((await models.conversation?.(payload.copy)) ?? [])
  if (typeof written !== 'string') throw new TypeError("the function that is the hook's prompt returned no text")
  return written
}

/** Finds the transcript of the subagent the event is about, else of the session. */
function findTranscript({ agent_transcript_path: agent, transcript_path: session }: EventInput): string | null {
  if (typeof agent === 'string') return agent
  return typeof session === 'string' ? session : null
}
