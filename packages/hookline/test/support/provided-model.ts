import type { AgentReply, AgentTask, FilledPorts, HookGroup, ModelQuestion, ModelReply } from '../../src/index.ts'

/** A model whose answers are given beforehand; it keeps what it was asked. */
export interface ProvidedModel {
  readonly models: FilledPorts
  readonly questions: ModelQuestion[]
  readonly tasks: AgentTask[]
}

/** Answers one after the other; the last one stays. What is an Error is thrown. */
export function providedModel(...answers: (string | Error)[]): ProvidedModel {
  const questions: ModelQuestion[] = []
  const tasks: AgentTask[] = []
  const next = (at: number): string => {
    const answer = answers[Math.min(at, answers.length - 1)] ?? ''
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    questions,
    tasks,
    models: {
      askModel: async (question) => {
        questions.push(question)
        const text = next(questions.length - 1)
        return { text, model: 'small-1', usage: { inputTokens: 100, outputTokens: 7 } }
      },
      runAgent: async (task): Promise<AgentReply> => {
        tasks.push(task)
        const text = next(tasks.length - 1)
        return { text, model: 'small-1', usage: { inputTokens: 900, outputTokens: 40 }, turns: 3 }
      },
    },
  }
}

/** A model that never answers by itself. */
export interface DeafModel {
  readonly models: FilledPorts
  /** The signals of what it was asked. */
  readonly asked: AbortSignal[]
  /** Lets it answer the last question after all. */
  readonly speak: (text: string) => void
}

/** Makes a model that does not listen to its signal. */
export function deafModel(): DeafModel {
  let answer: (reply: ModelReply) => void = () => {}
  const asked: AbortSignal[] = []
  const askModel: FilledPorts['askModel'] = ({ signal }) => {
    asked.push(signal)
    return new Promise((resolve) => (answer = resolve))
  }
  const runAgent: FilledPorts['runAgent'] = ({ signal }) => {
    asked.push(signal)
    return new Promise(() => {})
  }
  const usage = { inputTokens: null, outputTokens: null }
  return { models: { askModel, runAgent }, asked, speak: (text: string) => answer({ text, model: 'm', usage }) }
}

/** A group with one prompt hook. */
export const promptHook = (prompt = 'Is it fine?', fields: object = {}): HookGroup => ({
  hooks: [{ type: 'prompt', prompt, ...fields }],
})

/** A group with one agent hook. */
export const agentHook = (prompt: unknown = 'Look whether it is fine.', fields: object = {}): HookGroup => ({
  hooks: [{ type: 'agent', prompt: prompt as string, ...fields }], // also what no type would take
})
