import type { McpNameStyle } from './bridge.ts'

/** Names of Claude Code that a call of a tool of an MCP server may mean. */
export interface McpReadings {
  /** Names of one reading: a hook sees the first that it matches. */
  readonly names: readonly [string, ...string[]]
  /** Further readings, where the servers do not tell which one is meant. */
  readonly also: readonly (readonly [string, ...string[]])[]
  /** Hooks that see the further readings: all, or those that match none of `names`, since these are the call's own name. */
  readonly alsoTo: 'all' | 'others'
}

/** A tool of an MCP server as Claude Code names it. */
export const nameMcpTool = (server: string, tool: string): string => `mcp__${asInClaude(server)}__${asInClaude(tool)}`

const asInClaude = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/**
 * Reads the name of a tool as one of an MCP server: at the servers that are configured, of which the longest that fits comes
 * first, else at every place where one could end. Hosts write other characters in names than servers have, cut long names
 * and add digests to them, so a name fits that is the same without all that. Null for a name that is not of a server.
 */
export function readMcpName(name: string, style: McpNameStyle, servers: readonly string[]): McpReadings | null {
  if (!name.startsWith(style.start)) return null
  const splits = splitName(name.slice(style.start.length), style.between)
  if (splits.length === 0) return null
  const fitting = [...servers]
    .sort((a, b) => b.length - a.length)
    .flatMap((server) => {
      const tools = splits.filter(([own]) => isServer(own, server)).map(([, tool]) => tool)
      const names = tools.flatMap((tool) => spellings(tool, style).map((one) => nameMcpTool(server, one)))
      return isFilled(names) ? [unique(names)] : []
    })
  const [first, ...others] = fitting
  if (first !== undefined) return { names: first, also: others, alsoTo: 'all' }
  const every = splits.flatMap(([server, tool]) =>
    spellings(server, style).flatMap((one) => spellings(tool, style).map((other) => nameMcpTool(one, other))),
  )
  if (style.start === 'mcp__') return { names: unique([name, ...every]), also: [], alsoTo: 'all' }
  return { names: [name], also: splits.map(([server, tool]) => unique(spelled(server, tool, style))), alsoTo: 'others' }
}

const spelled = (server: string, tool: string, style: McpNameStyle): [string, ...string[]] => [
  nameMcpTool(server, tool),
  ...spellings(server, style).flatMap((one) => spellings(tool, style).map((other) => nameMcpTool(one, other))),
]

/** Every way to take a text for a server and a tool. */
function splitName(text: string, between: string): [server: string, tool: string][] {
  const found: [string, string][] = []
  for (let at = text.indexOf(between, 1); at > 0; at = text.indexOf(between, at + 1))
    if (at + between.length < text.length) found.push([text.slice(0, at), text.slice(at + between.length)])
  return found
}

/** Digests that hosts put behind a name which they had to change: twelve hexadecimal digits, seven of base 36. */
const DIGEST = /_(?:[0-9a-f]{12}|[01][0-9a-z]{6})$/
/** Characters from which on a name counts as the beginning of a longer one. */
const MIN_CUT_CHARACTERS = 12

/** True where a name that a host writes is, or may be, the one of a server. */
export function isServer(written: string, server: string): boolean {
  const wanted = reduced(server)
  const own = reduced(written)
  if (own === wanted || reduced(written.replace(DIGEST, '')) === wanted) return true
  return own.length >= MIN_CUT_CHARACTERS && wanted.startsWith(own)
}

/** A name without what hosts change in it. */
const reduced = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

/** More spellings than that are not tried one by one. */
const MAX_SPELLINGS = 8

/** The names that a host may have made a text of, as it stands first. */
function spellings(text: string, { unsure }: McpNameStyle): [string, ...string[]] {
  const bare = text.replace(DIGEST, '')
  const roots = bare === text || bare === '' ? [text] : [text, bare]
  const all = roots.flatMap((root) => respell(root, unsure))
  return unique([text, ...all])
}

/** A text with characters that a host puts in place of others, in all combinations while these are few, else one at a time. */
function respell(text: string, unsure: McpNameStyle['unsure']): string[] {
  if (unsure === undefined) return [text]
  const pieces = text.split(unsure.written)
  const joins = pieces.length - 1
  const choose = (isOther: (join: number) => boolean): string =>
    pieces.reduce((done, piece, at) => `${done}${isOther(at - 1) ? unsure.meant : unsure.written}${piece}`)
  if (2 ** joins <= MAX_SPELLINGS)
    return Array.from({ length: 2 ** joins }, (_, choice) => choose((join) => ((choice >> join) & 1) === 1))
  return [text, choose(() => true), ...pieces.slice(1).map((_, own) => choose((join) => join === own))]
}

const isFilled = <Value>(values: readonly Value[]): values is readonly [Value, ...Value[]] => values.length > 0

const unique = <Value>(values: readonly [Value, ...Value[]]): [Value, ...Value[]] =>
  [...new Set(values)] as [Value, ...Value[]] // none is lost that is not there twice
