import type { Bridge } from './bridge.ts'

/** A hook in a file of Claude Code, as far as agents that load the file look at it. */
export interface LoadedHook {
  readonly type: string
  readonly matcher: unknown
  readonly url: unknown
}

/** Reasons why an agent ignores a whole file of Claude Code that it loads by itself; none: it does not. */
export function listRefusals({ install: { loadsClaude } }: Bridge, hooks: readonly LoadedHook[]): string[] {
  if (loadsClaude === null) return []
  const types = [...new Set(hooks.map(({ type }) => type))].filter((type) => loadsClaude.refusesTypes?.includes(type))
  const isPlain = ({ type, url }: LoadedHook): boolean => type === 'http' && String(url).startsWith('http:')
  return [
    ...(types.length > 0 ? [`one of type ${types.join(' and ')}`] : []),
    ...(loadsClaude.refusesEmptyMatchers && hooks.some(({ matcher }) => matcher === '') ? ['an empty "matcher"'] : []),
    ...(loadsClaude.refusesPlainHttp && hooks.some(isPlain) ? ['an http hook without https'] : []),
  ]
}

/** Matchers for MCP tools that an agent compares with names of its own, so that it calls the hook for none of them. */
export function listUnmatchedServers({ install: { loadsClaude } }: Bridge, hooks: readonly LoadedHook[]): string[] {
  if (!loadsClaude?.matchesOwnMcpNames) return []
  const matchers = hooks.flatMap(({ matcher }) => (typeof matcher === 'string' ? [matcher] : []))
  return [...new Set(matchers)].filter((matcher) => matcher.split('|').every((name) => name.includes('mcp__')))
}
