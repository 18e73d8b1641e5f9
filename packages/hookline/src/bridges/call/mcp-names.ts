import type { McpNameStyle } from '../bridge.ts'

/** Names that tell which tool of which MCP server is called. */
export interface McpNames {
  /** Servers that the host knows. */
  readonly servers: readonly string[]
  /** Tools that hooks write out, as Claude Code names them. */
  readonly wanted: readonly string[]
}

type Names = readonly [string, ...string[]]
type Split = readonly [server: string, tool: string]

/** Names of Claude Code that a call of a tool of an MCP server may mean. */
export interface McpReadings {
  /** Names of one reading: a hook sees the first that it matches. */
  readonly names: Names
  /** Further readings, where the servers do not tell which one is meant. */
  readonly also: readonly Names[]
  /** Hooks that see the further readings: all, or those that match none of `names`, since these are the call's own name. */
  readonly alsoTo: 'all' | 'others'
}

/** A tool of an MCP server as Claude Code names it. */
export const nameMcpTool = (server: string, tool: string): string =>
  `mcp__${toClaudeName(server)}__${toClaudeName(tool)}`

const toClaudeName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

/**
 * Reads the name of a tool as one of an MCP server: at the servers that are configured, of which the longest that fits comes
 * first, else at every place where one could end. Hosts write other characters in names than servers have, cut long names
 * and add digests to them, so a name fits that is the same without all that; those that hooks write out are among the
 * readings however much was changed. Null for a name that is not of a server.
 */
export function readMcpName(name: string, style: McpNameStyle, { servers, wanted }: McpNames): McpReadings | null {
  if (!name.startsWith(style.start)) return null
  const written = name.slice(style.start.length)
  const splits = splitName(written, style)
  if (splits.length === 0) return null
  const meant = wanted.filter((one) => canBeWrittenAs(one, written))
  const [first, ...others] = findServers(splits, servers).map(([server, tools]) => {
    const known = tools.flatMap((tool) => listSpellings(tool, style).map((one) => nameMcpTool(server, one)))
    return removeRepeatedNames([...known, ...meant.filter((one) => one.startsWith(nameMcpTool(server, '')))])
  })
  if (first !== undefined) {
    const told = new Set([first, ...others].flat())
    const unknown = meant.flatMap((one): Names[] => (told.has(one) ? [] : [[one]])) // a server may be started from elsewhere
    return { names: first, also: [...others, ...unknown], alsoTo: 'all' }
  }
  const every = splits.map(([server, tool]) => spellTool(server, tool, style))
  if (style.start === 'mcp__')
    return { names: removeRepeatedNames([name, ...every.flat(), ...meant]), also: [], alsoTo: 'all' }
  return { names: [name], also: [...every, ...meant.map((one) => [one] as Names)], alsoTo: 'others' }
}

/** Configured servers that a name fits, the longest first, each with what is left of the name for the tool. */
function findServers(splits: readonly Split[], servers: readonly string[]): [server: string, tools: string[]][] {
  const longest = [...servers].sort((a, b) => b.length - a.length)
  return longest.flatMap((server): [string, string[]][] => {
    const tools = splits.flatMap(([own, tool]) => (isServer(own, server) ? [tool] : []))
    return tools.length === 0 ? [] : [[server, tools]]
  })
}

const spellTool = (server: string, tool: string, style: McpNameStyle): Names =>
  removeRepeatedNames([
    nameMcpTool(server, tool),
    ...listSpellings(server, style).flatMap((one) =>
      listSpellings(tool, style).map((other) => nameMcpTool(one, other)),
    ),
  ])

/** Every way to take a text for a server and a tool. Nothing may be left of a server whose letters a host does not write. */
function splitName(text: string, { start, between }: McpNameStyle): Split[] {
  const found: Split[] = []
  for (let at = text.indexOf(between, start === '' ? 1 : 0); at >= 0; at = text.indexOf(between, at + 1))
    if (at + between.length < text.length) found.push([text.slice(0, at), text.slice(at + between.length)])
  return found
}

/** Digests that hosts put behind a name which they had to change: eight or twelve hexadecimal digits, seven of base 36. */
const DIGEST = /_(?:[0-9a-f]{8}|[0-9a-f]{12}|[01][0-9a-z]{6})$/
/** Characters from which on the name of a tool may be cut: hosts do so at 64, with what stands before and behind it. */
const MIN_CUT_NAME_CHARACTERS = 48
/** Characters from which on a name counts as the beginning of a longer one. */
const MIN_CUT_CHARACTERS = 12

/** True where a name that a host writes is, or may be, the one of a server. */
export function isServer(written: string, server: string): boolean {
  const wanted = reduceName(server)
  const own = reduceName(written)
  if (own === wanted || reduceName(written.replace(DIGEST, '')) === wanted) return true
  return own.length >= MIN_CUT_CHARACTERS && wanted.startsWith(own)
}

/** True where a host may write a name of Claude Code so. */
function canBeWrittenAs(name: string, written: string): boolean {
  const wanted = reduceName(name.replace(/^mcp__/, ''))
  const forms = [written, written.replace(DIGEST, '')].map(reduceName)
  return forms.some((own) => own === wanted || (written.length >= MIN_CUT_NAME_CHARACTERS && wanted.startsWith(own)))
}

/** Names of tools of MCP servers that a text writes out. */
export const findMcpNames = (text: string): string[] => text.match(/\bmcp__[A-Za-z0-9_-]+?__[A-Za-z0-9_-]+/g) ?? []

/** A name without what hosts change in it. */
const reduceName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

/** More spellings than that are not tried one by one. */
const MAX_SPELLINGS = 8

/** The names that a host may have made a text of, as it stands first. */
function listSpellings(text: string, { unsure }: McpNameStyle): [string, ...string[]] {
  const bare = text.replace(DIGEST, '')
  const roots = bare === text || bare === '' ? [text] : [text, bare]
  const all = roots.flatMap((root) => respell(root, unsure))
  return removeRepeatedNames([text, ...all])
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

const removeRepeatedNames = (names: readonly string[]): [string, ...string[]] =>
  [...new Set(names)] as [string, ...string[]] // the list has one at least
