import { isObject } from '../text/json.ts'
import { stringifyAsWritten } from '../text/written-json.ts'

/** The id of a request, as its sender wrote it. */
export type Id = string | number

/** A message of JSON-RPC, as far as the guard reads it: nothing of it can be relied upon. */
export interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** True if an id can be answered: not a number that programs round, so that it may come back as another. */
export function isId(id: unknown): id is Id {
  return typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER)
}

/** An id as a key: 1 and "1" are two. */
export function toIdKey(id: Id): string {
  return JSON.stringify(id)
}

/** Codes of JSON-RPC for faults. */
export const FAULTS = { parse: -32700, request: -32600, params: -32602, internal: -32603, closed: -32000 } as const

/** A message as one line; what was read stands in it as it was written. */
export function writeMessage(message: object): Buffer {
  return Buffer.from(stringifyAsWritten({ jsonrpc: '2.0', ...message }))
}

/** The answer to a request that fails. */
export function makeErrorAnswer(id: Id | null, code: number, message: string): Buffer {
  return writeMessage({ id, error: { code, message } })
}

/** Under which names a request of the revision without `initialize` says who sends it. */
const PREFIX = 'io.modelcontextprotocol/'

/** Reads what a request says of its client: with `initialize`, or, in the revision without it, each time. */
export function readClientFacts({ method, params }: Message): ClientFacts {
  const given = isObject(params) ? params : {}
  const meta = isObject(given._meta) ? given._meta : {}
  const stateless = typeof meta[`${PREFIX}protocolVersion`] === 'string'
  const info = method === 'initialize' ? given.clientInfo : meta[`${PREFIX}clientInfo`]
  const capabilities = method === 'initialize' ? given.capabilities : meta[`${PREFIX}clientCapabilities`]
  const { name, version } = isObject(info) ? info : {}
  return {
    stateless,
    host: typeof name === 'string' && name !== '' ? { client: name, version: String(version ?? '') } : null,
    showsForms: isObject(capabilities) && isShowingForms(capabilities.elicitation),
  }
}

/** The headers that a request of the revision without `initialize` has over HTTP; none for others. */
export function makeStatelessHeaders({ method, params }: Message): Readonly<Record<string, string>> {
  const given = isObject(params) ? params : {}
  const version = isObject(given._meta) ? given._meta[`${PREFIX}protocolVersion`] : undefined
  if (typeof version !== 'string' || typeof method !== 'string') return {}
  const name = given.name ?? given.uri
  const named = typeof name === 'string' ? { 'mcp-name': toHeaderText(name) } : {}
  return { 'mcp-protocol-version': toHeaderText(version), 'mcp-method': toHeaderText(method), ...named }
}

/** Writes what a header cannot hold as it is in base64, as the protocol has it. */
function toHeaderText(text: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Facts about a client. */
export interface ClientFacts {
  /** True for the revision in which every request stands for itself, and servers send no requests. */
  readonly stateless: boolean
  readonly host: { readonly client: string; readonly version: string } | null
  /** True if it can ask its user. */
  readonly showsForms: boolean
}

/** Clients of earlier revisions declare nothing but the capability, and mean forms. */
function isShowingForms(elicitation: unknown): boolean {
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation))
}
