import type { HookCase } from '../protocol/hook-test.ts'
import type { AgentTask, ModelPorts, ModelQuestion } from '../run/ports.ts'

const SCRIPTED = { model: 'scripted', usage: { inputTokens: null, outputTokens: null } }

/** A model that says what a case has it say. A question that the case does not foresee is a failure. */
export function scriptedModel(answers: NonNullable<HookCase['models']>): ModelPorts {
  const answerTo = (question: string): string => {
    const found = answers.find(({ when }) => when === undefined || question.includes(when))
    if (!found) throw new Error('the case has no answer for this question under "models"')
    return typeof found.answer === 'string' ? found.answer : JSON.stringify(found.answer)
  }
  return {
    askModel: async ({ system, messages }: ModelQuestion) => {
      const text = answerTo([system, ...messages.map((message) => message.text)].join('\n'))
      return { text, ...SCRIPTED }
    },
    runAgent: async ({ system, prompt }: AgentTask) => {
      const text = answerTo(`${system}\n${prompt}`)
      return { text, turns: 1, ...SCRIPTED }
    },
  }
}
