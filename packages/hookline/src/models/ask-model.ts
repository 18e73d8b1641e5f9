import type { JSONSchema7 } from 'ai'
import type { ModelQuestion, ModelReply } from '../run/ports.ts'
import { findModelAddress, type ModelAddress } from './address.ts'
import { MAX_OUTPUT_TOKENS, makeProviderSettings, type OpenedModel, openModel, toUsage } from './call-settings.ts'
import { toModelFailure } from './failure.ts'
import type { ModelOptions } from './options.ts'
import { readProviderError } from './provider-error.ts'
import { PROVIDERS } from './providers.ts'
import { withRetries } from './retry.ts'

/** Manner of asking a model: held to the schema, or with words alone, since its server knows no schemas. */
type Manner = 'structured' | 'plain'

/** Makes the port for prompt hooks. It remembers which servers refuse to be held to a schema. */
export function makeModelAsker(options: ModelOptions): (question: ModelQuestion) => Promise<ModelReply> {
  const plain = new Set<string>()
  return async (question) => {
    const address = findModelAddress(question.model, options)
    const opened = await openModel(address)
    const server = `${address.baseURL} ${address.model}`
    try {
      if (!plain.has(server)) return await ask(question, opened, 'structured')
    } catch (error) {
      if (!isRefused(error)) throw toModelFailure(error, address)
    }
    const reply = await ask(question, opened, 'plain').catch((error: unknown) => {
      throw toModelFailure(error, address)
    })
    plain.add(server)
    return reply
  }
}

/** A request that the server understood and does not take as it is. */
function isRefused(error: unknown): boolean {
  return [400, 422].includes(readProviderError(error).status ?? 0)
}

async function ask(question: ModelQuestion, { ai, model, address }: OpenedModel, manner: Manner): Promise<ModelReply> {
  const { system, messages, schema, signal } = question
  const json: JSONSchema7 = schema
  const generate = () =>
    ai.generateText({
      model,
      system,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      maxRetries: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      abortSignal: signal,
      providerOptions: makeProviderSettings(address, json),
      ...(manner === 'plain' || isRefusingTemperature(address) ? {} : { temperature: 0 }),
      ...(manner === 'plain' ? {} : { output: ai.Output.object({ schema: ai.jsonSchema(json), name: 'verdict' }) }),
    })
  try {
    const { text, response, usage } = await withRetries(generate, question)
    return { text, model: response.modelId, usage: toUsage(usage) }
  } catch (error) {
    if (!ai.NoObjectGeneratedError.isInstance(error)) throw error
    // The model answered, only not as JSON: the reader of verdicts takes more than that.
    return { text: error.text ?? '', model: error.response?.modelId ?? address.model, usage: toUsage(error.usage) }
  }
}

/** OpenAI's newer models do; of Anthropic's the SDK knows which. */
function isRefusingTemperature({ baseURL }: ModelAddress): boolean {
  return baseURL === PROVIDERS.openai.baseURL
}
