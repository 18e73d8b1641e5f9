import * as z from 'zod'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import type { SearchResult, WebSearch } from './search-endpoint.ts'
import type { Tool } from './tool.ts'
import { runWithinTime } from './within-time.ts'

const TIMEOUT_MS = 30_000
const MAX_RESULTS = 20
const MAX_SNIPPET_CHARS = 1000

const domains = z.array(z.string().min(1)).optional()

/** Searches the web through a port of the host. */
export function makeWebSearchTool(search: WebSearch): Tool {
  return defineTool({
    name: 'WebSearch',
    description: 'Searches the web and returns titles, addresses and extracts. Read a page with WebFetch.',
    input: z.strictObject({
      query: z.string().min(2).describe('What to search for'),
      allowed_domains: domains.describe('Only results of these domains and those below them'),
      blocked_domains: domains.describe('No results of these domains and those below them'),
    }),
    readOnly: true,
    edits: false,
    run: async ({ query, allowed_domains, blocked_domains }, { signal }) => {
      const start = performance.now()
      const found = await runWithinTime('The search', { timeoutMs: TIMEOUT_MS, signal }, (limited) =>
        search(query, { signal: limited }),
      )
      const results = found
        .filter(({ url }) => allowed_domains === undefined || isWithin(url, allowed_domains))
        .filter(({ url }) => blocked_domains === undefined || !isWithin(url, blocked_domains))
        .slice(0, MAX_RESULTS)
      const durationSeconds = (performance.now() - start) / 1000
      return {
        content: results.length === 0 ? 'No results found' : results.map(formatSearchResult).join('\n\n'),
        response: { query, results, durationSeconds },
      }
    },
  })
}

function isWithin(url: string, names: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return names.some((name) => hostname === name.toLowerCase() || hostname.endsWith(`.${name.toLowerCase()}`))
}

function formatSearchResult({ title, url, snippet }: SearchResult): string {
  return [title, url, ...(snippet === undefined ? [] : [snippet])]
    .map((text) => clip(text, MAX_SNIPPET_CHARS))
    .join('\n')
}
