import { isObject } from '../text/json.ts'
import { isId, type Message } from './message.ts'

/** Fields of a result, of an error and of a question that the protocol has. */
const RESULT_FIELDS = ['resultType', 'content', 'structuredContent', 'isError', 'task', '_meta']
const QUESTIONS_FIELDS = ['resultType', 'inputRequests', 'requestState']
const ERROR_FIELDS = ['code', 'message', 'data']
const QUESTION_FIELDS = ['mode', 'message', 'requestedSchema', 'url', 'elicitationId']

/** Fields of a message, and of a call of a tool, that decide what is called. */
const MESSAGE_FIELDS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error']
const CALL_FIELDS = ['name', 'arguments', '_meta', 'task', 'requestState', 'inputResponses']

/**
 * Finds what other programs may read as a call of a tool that is not written as one; null where there is nothing. Several readers of
 * JSON, that of Go among them, take `Method` for `method`, and the last of both.
 */
export function findSpellingFault(message: Message, call: string): string | null {
  const { method, params } = message
  const fields = method === call && isObject(params) ? findOtherSpelling(params, CALL_FIELDS) : null
  const field = findOtherSpelling(message, MESSAGE_FIELDS) ?? fields
  if (field !== null) return `it has a field that some programs read as "${field}"`
  if (method === undefined || method === call) return null
  if (typeof method !== 'string') return 'its method is not a string'
  return toLetters(method) === toLetters(call) ? `its method can be read as ${call}` : null
}

/** The field that another one of an object is a spelling of; null where there is none. */
function findOtherSpelling(object: object, fields: readonly string[]): string | null {
  const others = Object.keys(object).filter((name) => !fields.includes(name))
  return fields.find((field) => others.some((name) => toPlainCase(name) === toPlainCase(field))) ?? null
}

const toPlainCase = (name: string): string => name.normalize('NFKC').toLowerCase()
const toLetters = (method: string): string => toPlainCase(method).replaceAll(/[^a-z]/g, '')

/** Requests of a server without any text of its own. */
const BARE_REQUESTS = ['ping', 'roots/list']
const QUESTION = 'elicitation/create'
/** Notifications that say nothing but their name. */
const BARE_NOTIFICATIONS = ['tools', 'resources', 'prompts'].map((kind) => `notifications/${kind}/list_changed`)

/**
 * Takes an answer to a call to what the protocol has for one. Null for anything else: both a result and an error, a result that
 * is a string, a request for input that asks a model. Hooks are not shown those, and a client may read them all the same.
 */
export function narrowAnswer({ id, result, error }: Message): Message | null {
  if (error !== undefined) {
    const isKnown = result === undefined && isObject(error) && typeof error.message === 'string'
    return isKnown ? { id, error: pick(error, ERROR_FIELDS) } : null
  }
  if (!isObject(result)) return null
  if (result.resultType !== 'input_required') return { id, result: pick(result, RESULT_FIELDS) }
  const inputRequests = narrowQuestions(result.inputRequests)
  return inputRequests && { id, result: { ...pick(result, QUESTIONS_FIELDS), inputRequests } }
}

function narrowQuestions(requests: unknown): Record<string, unknown> | null {
  if (!isObject(requests)) return null
  const narrowed = Object.entries(requests).map(([name, request]) => [name, narrowRequest(request)] as const)
  return narrowed.every(([, request]) => request !== null) ? Object.fromEntries(narrowed) : null
}

/** Takes a request of a server to the client to what the protocol has for it; null for one whose text would reach a model. */
export function narrowRequest(request: unknown): Message | null {
  if (!isObject(request) || typeof request.method !== 'string') return null
  const { id, method, params } = request
  const base = { ...(id === undefined ? {} : { id }), method }
  if (BARE_REQUESTS.includes(method)) return base
  return method === QUESTION && isObject(params) ? { ...base, params: pick(params, QUESTION_FIELDS) } : null
}

/** Takes a notification to what says nothing of a call; null for one that may, which has to wait. */
export function narrowNotification({ method, params }: Message, tokens: ReadonlySet<unknown>): Message | null {
  if (typeof method !== 'string') return null
  if (BARE_NOTIFICATIONS.includes(method)) return { method }
  if (method !== 'notifications/progress' || !isObject(params)) return null
  const { progressToken, progress, total } = params
  if (!isId(progressToken) || !tokens.has(progressToken) || typeof progress !== 'number') return null
  return { method, params: { progressToken, progress, ...(typeof total === 'number' ? { total } : {}) } }
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}
