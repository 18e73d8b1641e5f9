import { bashTool } from './bash.ts'
import { bashOutputTool } from './bash-output.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { killShellTool } from './kill-shell.ts'
import { readTool } from './read.ts'
import { makeEndpointSearch, type WebSearch } from './search-endpoint.ts'
import type { Tool } from './tool.ts'
import { makeWebFetchTool } from './web-fetch.ts'
import { makeWebSearchTool } from './web-search.ts'
import { writeTool } from './write.ts'

/** Options of the tools. */
export interface BuiltinToolOptions {
  /** Searches the web. Without it the endpoint in `HOOKLINE_SEARCH_URL` does, and without that no search is offered. */
  readonly search?: WebSearch
  readonly env?: NodeJS.ProcessEnv
}

/** The tools that every session has, in the order the model is told of them. */
export function makeBuiltinTools({ search, env = process.env }: BuiltinToolOptions = {}): Tool[] {
  const endpoint = env.HOOKLINE_SEARCH_URL
  const searches = search ?? (endpoint ? makeEndpointSearch(endpoint) : null)
  return [
    bashTool,
    bashOutputTool,
    killShellTool,
    readTool,
    writeTool,
    editTool,
    globTool,
    grepTool,
    makeWebFetchTool(),
    ...(searches === null ? [] : [makeWebSearchTool(searches)]),
  ]
}
