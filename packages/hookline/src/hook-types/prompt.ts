import { makeAbortedRun } from '../process/process.ts'
import { measureMs } from '../process/process-run.ts'
import type { HookTypeCode, TurnLimits } from '../protocol/hook-type.ts'
import type { SpokenMessage } from '../protocol/spoken-message.ts'
import { toThrownMessage } from '../run/execute.ts'
import type { ModelReply } from '../run/ports.ts'
import type { JudgeRequest, JudgeRun, Run, Spent } from '../run/run.ts'
import {
  fillPrompt,
  makeVerdictRequest,
  PROMPT_POLICY,
  readFirstLine,
  SMALL_MODEL,
  sumCost,
  toData,
  toJudgement,
} from './judge.ts'

/** A condition that a model is asked about. */
interface PromptHandler {
  readonly type: 'prompt'
  readonly prompt: string
  /** null: the host's small fast model. */
  readonly model: string | null
  /** The turn goes on after a refusal, where it would end otherwise. */
  readonly goesOn: boolean
}

/** Hooks that ask a model once. */
export const prompt: HookTypeCode<PromptHandler, JudgeRequest, Run> = {
  runsIn: 'model',
  needs: { port: 'askModel', otherwise: 'no model is provided for prompt hooks' },
  readEntry: ({ prompt: text, model, continueOnBlock }) => {
    if (typeof text === 'function')
      return { field: 'prompt', because: 'only the prompt of an agent hook may be a function' }
    if (typeof text !== 'string' || text.trim() === '')
      return { field: 'prompt', because: 'a prompt hook needs a "prompt"' }
    const named = typeof model === 'string' ? model : null
    return { type: 'prompt', prompt: text, model: named, goesOn: continueOnBlock === true }
  },
  shown: ({ prompt: text, model }) => ({ name: readFirstLine(text), text, asks: model ?? SMALL_MODEL }),
  identity: ({ prompt: text, goesOn }) => (goesOn ? [text, goesOn] : text), // none stands for one that is stricter
  run: runPrompt,
  meaning: (facts) => toJudgement(facts as JudgeRun), // hooks of this type run nothing else
}

/** One hook's conversation with a model. */
interface Inquiry {
  readonly hook: PromptHandler
  readonly request: JudgeRequest
  readonly limits: TurnLimits
  attempts: number
  readonly replies: ModelReply[]
}

/** An answer that cannot be read is asked for once more. */
async function runPrompt(hook: PromptHandler, request: JudgeRequest, limits: TurnLimits): Promise<Run> {
  const inquiry: Inquiry = { hook, request, limits, attempts: 0, replies: [] }
  try {
    const text = await askForAnswer(inquiry)
    return text === null ? makeAbortedRun() : { ended: 'judged', text, goesOn: hook.goesOn, ...sumSpent(inquiry) }
  } catch (error) {
    return { ended: 'unanswered', message: toThrownMessage(error), ...sumSpent(inquiry) } // the provider, or the host
  }
}

/** The model's answer, readable if it can be had; null when the host no longer waits for it. */
async function askForAnswer(inquiry: Inquiry): Promise<string | null> {
  const { hook, request } = inquiry
  const conversation = (await request.models.conversation?.(request.payload.copy)) ?? []
  const messages: SpokenMessage[] = [...toData(conversation), { role: 'user', text: fillPrompt(hook.prompt, request) }]
  const first = await askOnce(inquiry, messages)
  const fault = first === null ? null : request.answerFault(first)
  return first === null || fault === null ? first : askOnce(inquiry, [...messages, ...makeComplaint(first, fault)])
}

async function askOnce(inquiry: Inquiry, messages: readonly SpokenMessage[]): Promise<string | null> {
  const { hook, request, limits, replies } = inquiry
  const { signal, deadline } = limits
  if (signal.aborted) return null
  const { askModel } = request.models
  if (!askModel) throw new TypeError('no model is provided, which planning has to say')
  inquiry.attempts++
  const { model } = hook
  const reply = await askModel({ model, ...makeVerdictRequest(PROMPT_POLICY, request), messages, signal, deadline })
  if (typeof reply?.text !== 'string') throw new TypeError('the model that the host provides answered without a text')
  replies.push(reply)
  return reply.text
}

/** Quotes what the model said, with what was wrong with it. Providers take no message without text. */
function makeComplaint(text: string, fault: string): SpokenMessage[] {
  const wanted = 'Answer with nothing but the JSON object, {"ok": true} or {"ok": false, "reason": "…"}.'
  return [
    { role: 'assistant', text: text.trim() === '' ? '(no text)' : text },
    { role: 'user', text: `This cannot be read: ${fault}. ${wanted}` },
  ]
}

function sumSpent({ replies, attempts, limits }: Inquiry): Spent {
  return { ...sumCost(replies), attempts, turns: null, durationMs: measureMs(limits.started) }
}
