import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** The program of a real server, as its package has it. */
export const realServer = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')

const server = fileURLToPath(new URL('../fixtures/small-server.js', import.meta.url))

/** The entry of a small server with these habits. */
export function smallServer(habits: readonly string[] = [], more: object = {}): object {
  return { command: process.execPath, args: [server, ...habits], ...more }
}

/** A configuration with these servers. */
export function config(mcpServers: object): { mcpServers: object } {
  return { mcpServers }
}

/** A place for a variable in a configuration. */
export function variable(written: string): string {
  return `$\{${written}}`
}
