import type { JSONSchema7, JSONValue, LanguageModelUsage } from 'ai'
import type { ModelUsage } from '../run/ports.ts'
import type { ModelAddress } from './address.ts'
import { describeOldSdk, describeUnfitPackage, loadSdk } from './load.ts'
import { PROVIDERS } from './providers.ts'
import { type ReachedModel, reachModel, toReachedModel } from './resolve-model.ts'

/** The AI SDK, loaded. */
export type AiSdk = typeof import('ai')

/** A verdict is short; the limit leaves room for models that think although they are asked not to. */
export const MAX_OUTPUT_TOKENS = 4096

/** Specification that version 6 of the SDK speaks. */
const MIN_SPECIFICATION = 3

/** A model that can be asked. */
export interface OpenedModel {
  readonly ai: AiSdk
  readonly model: ReachedModel
  readonly address: ModelAddress
}

/** Loads the AI SDK and a model of it, which says nothing on the console of the host. */
export async function openModel(address: ModelAddress): Promise<OpenedModel> {
  const ai = await loadSdk(address.provider)
  if (typeof ai.wrapLanguageModel !== 'function') throw new Error(describeOldSdk(address.provider))
  const own = await reachModel(address)
  const model = ai.wrapLanguageModel({
    // The compiler knows one version of the SDK. Version 6 has models of `v3`; 7 has those of `v4`, and takes the others too.
    model: own as WrappedModel,
    middleware: {
      specificationVersion: 'v3',
      wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
    },
  })
  if (readSpecification(model) < MIN_SPECIFICATION) throw new Error(describeOldSdk(address.provider))
  if (readSpecification(model) < readSpecification(own)) throw new Error(describeUnfitPackage(address.provider))
  return { ai, model: toReachedModel(model), address }
}

type WrappedModel = Parameters<AiSdk['wrapLanguageModel']>[0]['model']

/** The SDK gives a model the version that it speaks itself, whatever the provider's package speaks. */
function readSpecification({ specificationVersion }: { readonly specificationVersion: string }): number {
  return Number(specificationVersion.slice(1))
}

/** Keeps a model from thinking, and from being held to a schema more strictly than the schema is written. */
export function makeProviderSettings(
  { provider }: ModelAddress,
  schema?: JSONSchema7,
): Record<string, Record<string, JSONValue>> {
  if (PROVIDERS[provider].protocol === 'anthropic') return { anthropic: { thinking: { type: 'disabled' } } }
  return schema === undefined ? {} : { [provider]: { strictJsonSchema: isStrict(schema) } }
}

/** OpenAI's strict mode refuses a schema with properties that may be left out. */
function isStrict({ properties = {}, required = [], additionalProperties }: JSONSchema7): boolean {
  return additionalProperties === false && Object.keys(properties).every((name) => required.includes(name))
}

/** Reads what an answer cost. */
export function toUsage(usage: LanguageModelUsage | undefined): ModelUsage {
  return { inputTokens: usage?.inputTokens ?? null, outputTokens: usage?.outputTokens ?? null }
}
