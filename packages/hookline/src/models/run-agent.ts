import type { JSONSchema7, ModelMessage, ToolSet } from 'ai'
import type { AgentReply, AgentTask, ModelUsage } from '../run/ports.ts'
import { findModelAddress } from './address.ts'
import { AGENT_TOOLS } from './agent-tools.ts'
import { type AiSdk, MAX_OUTPUT_TOKENS, makeProviderSettings, openModel, toUsage } from './call-settings.ts'
import { toModelFailure } from './failure.ts'
import type { ModelOptions } from './options.ts'
import { findReadableFiles, type ReadableFiles } from './readable-files.ts'
import { withRetries } from './retry.ts'

const VERDICT = 'Verdict'
const REMINDER = `Go on, or call ${VERDICT} if you know enough.`

/** Makes the port for agent hooks: a loop in which a model reads files until it gives a verdict. */
export function makeAgentRunner(options: ModelOptions): (task: AgentTask) => Promise<AgentReply> {
  return async (task) => {
    const address = findModelAddress(task.model, options)
    const { ai, model } = await openModel(address)
    const tools = makeTools(ai, task, await findReadableFiles(task))
    const messages: ModelMessage[] = [{ role: 'user', content: task.prompt }]
    const spent = { model: address.model, usage: NO_USAGE }
    for (let turn = 1; turn <= task.maxTurns; turn++) {
      const generate = () =>
        ai.generateText({
          model,
          system: task.system,
          messages,
          tools,
          maxRetries: 0,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          abortSignal: task.signal,
          providerOptions: makeProviderSettings(address),
        })
      const said = await withRetries(generate, task).catch((error: unknown) => {
        throw toModelFailure(error, address)
      })
      spent.model = said.response.modelId
      spent.usage = addUsage(spent.usage, toUsage(said.usage))
      const text = findVerdictText(said)
      if (text !== null) return { ...spent, text, turns: turn }
      messages.push(...said.response.messages)
      if (said.toolCalls.length === 0) messages.push({ role: 'user', content: REMINDER })
    }
    return { ...spent, text: null, turns: task.maxTurns }
  }
}

const NO_USAGE: ModelUsage = { inputTokens: null, outputTokens: null }

function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const addKnown = (one: number | null, other: number | null) => (one === null ? other : one + (other ?? 0))
  return { inputTokens: addKnown(a.inputTokens, b.inputTokens), outputTokens: addKnown(a.outputTokens, b.outputTokens) }
}

function makeTools(ai: AiSdk, { schema, signal }: AgentTask, files: ReadableFiles): ToolSet {
  const verdictSchema: JSONSchema7 = schema
  const reading = Object.entries(AGENT_TOOLS).map(([name, { description, properties, required, run }]) => [
    name,
    ai.tool({
      description,
      inputSchema: ai.jsonSchema<Record<string, unknown>>({ type: 'object', properties, required: [...required] }),
      execute: (input) => run(Object(input), { ...files, signal }),
    }),
  ])
  const verdict = ai.tool({
    description: 'Gives your verdict and ends the task. Call it once, when you know enough.',
    inputSchema: ai.jsonSchema(verdictSchema),
  })
  return { ...Object.fromEntries(reading), [VERDICT]: verdict }
}

interface AgentStep {
  readonly text: string
  readonly toolCalls: readonly {
    readonly toolName: string
    readonly input: unknown
    readonly invalid?: boolean | undefined
  }[]
}

/** The call of the verdict's tool; else a text with an object in it, which may be one. */
function findVerdictText({ text, toolCalls }: AgentStep): string | null {
  const call = toolCalls.find(({ toolName, invalid }) => toolName === VERDICT && invalid !== true)
  if (call) return JSON.stringify(call.input)
  return toolCalls.length === 0 && text.includes('{') ? text : null
}
