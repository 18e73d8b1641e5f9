import { setTimeout as pause } from 'node:timers/promises'
import { readProviderError, removeKeys } from 'hookline/internal'
import { checkModelStanding, resolveModel } from 'hookline/models'
import { type Model, ModelError, type ModelFailure, type ModelPiece, type ModelRequest } from './model.ts'
import { streamPieces } from './provider-pieces.ts'
import { type ProviderModel, toProviderRequest } from './provider-prompt.ts'

/** Environment with the keys and addresses of providers. */
export interface AiSdkOptions {
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Tokens of one answer where the protocol wants a limit: it fits beside a conversation that is just not compacted yet. */
const MAX_ANSWER_TOKENS = 30_000

/** Effort of a model of Anthropic that is not told. */
const UNTOLD_EFFORT = 'high'

/** Waits before the second and the third try, unless the provider says how long. */
const PAUSES_MS = [500, 2000]
/** A user who would wait longer is told so instead. */
const MAX_RETRY_WAIT_MS = 60_000

/** A model of a provider by its name; rejects with a ModelError that says what to set or to install. */
export async function openAiSdkModel(name: string, { env }: AiSdkOptions): Promise<Model> {
  const reached = await resolveModel(name, { env }).catch((error: unknown) => {
    throw new ModelError(error instanceof Error ? error.message : String(error))
  })
  if (reached.specificationVersion !== 'v3') throw new TypeError(`${name} has an interface that is not known here.`)
  const standing = checkModelStanding({ model: name, env })
  const hasKey = standing.ready === true && standing.hasKey
  const keys = Object.entries(env).flatMap(([variable, value = '']) =>
    variable.endsWith('_API_KEY') && value ? [value] : [],
  )
  const model: { -readonly [Field in keyof Model]: Model[Field] } = {
    name: reached.modelId,
    contextWindow: findContextWindow(reached.modelId),
    ...(reached.provider.startsWith('anthropic') ? { effort: UNTOLD_EFFORT } : {}),
    async *stream(request) {
      yield* askWithRetries(reached, request, keys)
      if (hasKey) model.authenticated = true
    },
  }
  return model
}

/** Asks, and asks again while nothing was said and the fault may pass. */
async function* askWithRetries(
  model: ProviderModel,
  request: ModelRequest,
  keys: readonly string[],
): AsyncGenerator<ModelPiece> {
  for (let tries = 0; ; tries++) {
    let spoke = false
    try {
      for await (const piece of askProvider(model, request)) {
        spoke = true
        yield piece
      }
      return
    } catch (error) {
      request.signal.throwIfAborted()
      if (error instanceof ModelError) throw error
      const { message, passing, waitMs, kind } = readProviderFault(error, keys)
      const wait = waitMs ?? PAUSES_MS[tries] ?? 0
      const again = passing && !spoke && tries < PAUSES_MS.length && wait <= MAX_RETRY_WAIT_MS
      if (!again) throw new ModelError(`${model.modelId}${message}`, { kind, waitMs })
      await pause(wait, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
    }
  }
}

async function* askProvider(model: ProviderModel, request: ModelRequest): AsyncGenerator<ModelPiece> {
  const limit = model.provider.startsWith('anthropic') ? { maxOutputTokens: MAX_ANSWER_TOKENS } : {}
  const { stream } = await model.doStream({ ...toProviderRequest(request), ...limit })
  yield* streamPieces(stream, model.modelId)
}

const FAMILIES: readonly { readonly name: RegExp; readonly tokens: number }[] = [{ name: /claude/i, tokens: 200_000 }]
const DEFAULT_CONTEXT_TOKENS = 128_000

/** Tokens that fit into one request, by the model's family. */
function findContextWindow(model: string): number {
  return FAMILIES.find(({ name }) => name.test(model))?.tokens ?? DEFAULT_CONTEXT_TOKENS
}

/** Fault of a provider, or of the way to it. */
interface ProviderFault {
  /** One line that goes behind the model's name, without a key in it. */
  readonly message: string
  /** True if the same request may succeed a little later. */
  readonly passing: boolean
  /** Milliseconds that the provider asks to wait; null: it does not say. */
  readonly waitMs: number | null
  readonly kind: ModelFailure
}

/** Reads what a request failed with; `keys` and whatever looks like one do not come through. */
function readProviderFault(error: unknown, keys: readonly string[]): ProviderFault {
  const { message, status, body, broken, codes, isRetryable, waitMs } = readProviderError(error)
  const kind = classifyFailure({ status, said: `${body ?? ''} ${message ?? ''}` })
  if (message === null) return { message: ': it failed without a message.', passing: false, waitMs: null, kind }
  const said = removeKeys(message, keys)
  const passing = broken !== null || (isRetryable && !codes.includes('ECONNREFUSED'))
  if (status !== null && status >= 400) return { message: ` answered ${status}: ${said}`, passing, waitMs, kind }
  if (broken !== null) return { message: ` broke off in the middle of its answer (${broken}).`, passing, waitMs, kind }
  return { message: `: ${said}`, passing, waitMs, kind }
}

/** Failures that share a status with others, or have none, by what the provider says of them. */
const SAID: readonly { readonly kind: ModelFailure; readonly says: RegExp }[] = [
  { kind: 'oauth_org_not_allowed', says: /oauth.*not (?:allowed|supported).*organi[sz]ation/i },
  { kind: 'account_on_hold', says: /account.*\bon hold\b/i },
  { kind: 'verification_required', says: /verification[ _]required|verify your (?:account|organi[sz]ation)/i },
  { kind: 'billing_error', says: /billing_error|insufficient_quota|credit balance is too low/i },
  {
    kind: 'cloud_credential_error',
    says: /could not load (?:the )?(?:default )?credentials|security token.*(?:invalid|expired)/i,
  },
]

const BY_STATUS: Readonly<Record<number, ModelFailure>> = {
  401: 'authentication_failed',
  402: 'billing_error',
  403: 'authentication_failed',
  404: 'model_not_found',
  413: 'invalid_request',
  429: 'rate_limit',
}

function classifyFailure({ status, said }: { readonly status: number | null; readonly said: string }): ModelFailure {
  const told = SAID.find(({ says }) => says.test(said))
  if (told) return told.kind
  if (status === null) return /overloaded/i.test(said) ? 'overloaded' : 'unknown' // in the middle of an answer
  return BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'unknown')
}
