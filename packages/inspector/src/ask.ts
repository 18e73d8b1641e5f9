import { signal } from '@preact/signals'
import { toReadableLines } from '../../hookline/src/text/visible.ts'
import { pageKey } from './page-key.ts'
import { toAddress } from './router.ts'

/** Sentence about a connection that is lost; null while there is one. */
export const lost = signal<string | null>(null)

/** Asks the server, and gives its answer. Every text in it has its hidden characters made visible. Throws an Error with a sentence. */
export async function ask<Answer>(
  name: string,
  query: Readonly<Record<string, string | number | readonly string[]>> = {},
  signalOfCaller?: AbortSignal,
): Promise<Answer> {
  const words = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== '') words.append(key, String(one))
  return read(
    await send(toAddress(`/api/${name}?${words}`), signalOfCaller === undefined ? {} : { signal: signalOfCaller }),
  )
}

/** Sends JSON to the server, and gives its answer. */
export async function post<Answer>(name: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return read(await send(toAddress(`/api/${name}`), { method: 'POST', headers, body: JSON.stringify(body) }))
}

interface Sending extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

async function send(path: string, options: Sending): Promise<Response> {
  try {
    const key: Record<string, string> = pageKey === '' ? {} : { 'x-hookline-page': pageKey }
    const response = await fetch(path, { ...options, headers: { ...options.headers, ...key } })
    lost.value = null
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    lost.value = 'The inspector does not answer any more. Start it again: hookline inspect'
    throw new Error(lost.value)
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  if (response.ok) return JSON.parse(text, showHidden) as Answer // a server of the same version sends nothing else
  const sentence = decodeURIComponent(response.headers.get('x-hookline-refused') ?? '')
  throw new Error(toReadableLines(sentence) || `The inspector answered ${response.status}.`)
}

/** Names of fields whose texts are addresses: they are sent back as they came, and shown by `readable`. */
const ADDRESSES = new Set(['id', 'session', 'previous', 'next', 'a', 'b', 'ids', 'agentId'])

function showHidden(name: string, value: unknown): unknown {
  return typeof value === 'string' && !ADDRESSES.has(name) ? toReadableLines(value) : value
}

/** A text from a record as it may be shown. */
export function makeReadable(text: string): string {
  return toReadableLines(text)
}
