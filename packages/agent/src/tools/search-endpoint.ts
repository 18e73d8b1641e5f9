import * as z from 'zod'
import { readFirstBytes } from './first-bytes.ts'
import { ToolError } from './tool.ts'

/** Result of a search. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet?: string | undefined
}

/** Searches the web; rejects with an Error whose message says why not. */
export type WebSearch = (query: string, options: { readonly signal: AbortSignal }) => Promise<readonly SearchResult[]>

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string().optional() })),
})
const MAX_SEARCH_ANSWER_BYTES = 1024 * 1024

/** A search by an endpoint: `GET <endpoint>?q=…` answers `{"results":[{"title","url","snippet"}]}`. */
export function makeEndpointSearch(endpoint: string): WebSearch {
  return async (query, { signal }) => {
    if (!URL.canParse(endpoint)) throw new ToolError(`The search endpoint "${endpoint}" is not a valid address.`)
    const url = new URL(endpoint)
    url.searchParams.set('q', query)
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
    if (!response.ok) {
      await response.body?.cancel()
      throw new ToolError(`The search endpoint answered HTTP ${response.status} ${response.statusText}`.trimEnd())
    }
    const { bytes } = await readFirstBytes(response, MAX_SEARCH_ANSWER_BYTES)
    const parsed = answerSchema.safeParse(parseSearchJson(bytes.toString('utf8')))
    if (!parsed.success) {
      throw new ToolError('The search endpoint answered no {"results":[{"title","url","snippet"}]}.')
    }
    return parsed.data.results
  }
}

function parseSearchJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON, or more of it than was read; the schema says so
  }
}
