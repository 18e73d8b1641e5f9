import { readFirstBytes } from './first-bytes.ts'
import { ToolError } from './tool.ts'

/** Result of fetching an address. */
export type FetchedPage =
  | {
      readonly got: 'text'
      readonly url: string
      readonly status: number
      readonly statusText: string
      readonly isHtml: boolean
      readonly text: string
      readonly bytes: number
      /** There was more than is read. */
      readonly cut: boolean
    }
  | { readonly got: 'redirect'; readonly to: string; readonly status: number; readonly statusText: string }

const MAX_PAGE_BYTES = 1024 * 1024
const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|yaml)\b|application\/x-ndjson\b|$)/

/** Gets a text over HTTP. A redirect within the host is followed, one that leaves it is only reported. */
export async function fetchPage(url: string, signal: AbortSignal): Promise<FetchedPage> {
  let at = new URL(url)
  for (let left = MAX_REDIRECTS; left >= 0; left--) {
    const response = await fetch(at, {
      redirect: 'manual',
      signal,
      headers: { accept: 'text/html, text/*, */*;q=0.5' },
    })
    const to = readRedirect(response, at)
    if (to === null) return await readResponsePage(response, at.href)
    await response.body?.cancel()
    const { status, statusText } = response
    if (!isSameHost(at, to)) return { got: 'redirect', to: to.href, status, statusText }
    at = to
  }
  throw new ToolError(`${url} leads through more than ${MAX_REDIRECTS} redirects.`)
}

function readRedirect(response: Response, from: URL): URL | null {
  const location = response.headers.get('location')
  if (!REDIRECTS.has(response.status) || location === null || !URL.canParse(location, from.href)) return null
  return new URL(location, from)
}

/** Also true for the same host by https. */
function isSameHost(from: URL, to: URL): boolean {
  const upgrades = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return from.hostname === to.hostname && (upgrades || from.origin === to.origin)
}

async function readResponsePage(response: Response, url: string): Promise<FetchedPage> {
  const { status, statusText } = response
  const type = (response.headers.get('content-type') ?? '').toLowerCase()
  if (!response.ok) {
    await response.body?.cancel()
    throw new ToolError(`HTTP ${status} ${statusText}`.trimEnd().concat(`: ${url}`))
  }
  if (!TEXT_TYPES.test(type)) {
    await response.body?.cancel()
    throw new ToolError(`${url} is ${type}, not text. Fetch it with a command if you need it.`)
  }
  const { bytes, cut } = await readFirstBytes(response, MAX_PAGE_BYTES)
  const text = decodePage(bytes, type)
  const isHtml = /html/.test(type) || (type === '' && /^\s*<(?:!doctype|html)/i.test(text))
  return { got: 'text', url, status, statusText, isHtml, text, bytes: bytes.length, cut }
}

function decodePage(bytes: Buffer, type: string): string {
  const charset = /charset="?([\w-]+)/.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8') // an unknown charset
  }
}
