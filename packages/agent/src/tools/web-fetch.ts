import * as z from 'zod'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import { type FetchedPage, fetchPage } from './fetch-page.ts'
import { toPlainText } from './html-text.ts'
import type { Tool } from './tool.ts'
import { runWithinTime } from './within-time.ts'

const TIMEOUT_MS = 30_000
/** Characters that the model gets. */
const MAX_PAGE_TEXT_CHARS = 100_000

const input = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('The address, with http:// or https://'),
  prompt: z.string().min(1).describe('What you want to know from the page; it is put above the text'),
})

/** Fetches pages from the web. */
export function makeWebFetchTool({ timeoutMs = TIMEOUT_MS } = {}): Tool {
  return defineTool({
    name: 'WebFetch',
    description:
      'Fetches a page and returns its text below your prompt. A redirect to another host is reported, not followed: fetch the new address if you trust it.',
    input,
    readOnly: true,
    edits: false,
    run: async ({ url, prompt }, { signal }) => {
      const start = performance.now()
      const page = await runWithinTime(url, { timeoutMs, signal }, (limited) => fetchPage(url, limited))
      const result = page.got === 'redirect' ? formatMoved(url, page) : `${prompt}\n\n${formatPage(page)}`
      const bytes = page.got === 'redirect' ? 0 : page.bytes
      const { status: code, statusText: codeText } = page
      const durationMs = Math.round(performance.now() - start)
      return { content: result, response: { bytes, code, codeText, result, durationMs, url } }
    },
  })
}

function formatMoved(url: string, { to }: Extract<FetchedPage, { got: 'redirect' }>): string {
  return `${url} redirects to another host: ${to}\nIt was not followed. Call WebFetch with that address to go there.`
}

function formatPage({ url, isHtml, text, cut, bytes }: Extract<FetchedPage, { got: 'text' }>): string {
  const shown = clip(isHtml ? toPlainText(text, url) : text, MAX_PAGE_TEXT_CHARS)
  return `${shown || '(the page has no text)'}${cut ? `\n\n[… only the first ${bytes} bytes of the page were read]` : ''}`
}
