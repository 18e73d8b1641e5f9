import type { SourceNode } from 'hookline/settings'
import * as z from 'zod'
import { type HttpSpec, type ServerSpec, type StdioSpec, toToolNamePart } from './server-spec.ts'

const texts = z.record(z.string(), z.string())

const Entry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts.default({}),
  }),
  z.object({ type: z.literal('http'), url: z.url({ protocol: /^https?$/ }), headers: texts.default({}) }),
])

/** Place of entries of servers. */
export interface WrittenServers {
  /** The value of `mcpServers`. */
  readonly node: SourceNode
  /** The file as the user reads it. */
  readonly file: string
  /** Text before the names of its servers; empty: nothing. */
  readonly prefix: string
  readonly source: ServerSpec['source']
  readonly env: NodeJS.ProcessEnv
}

/** Servers, and what is wrong with the entries of others. */
export interface ReadServers {
  readonly servers: readonly ServerSpec[]
  readonly problems: readonly string[]
}

/** Reads the servers of a file, each by itself: a malformed one is told, and the others count. */
export function readServers({ node, file, prefix, source, env }: WrittenServers): ReadServers {
  const formatServerPlace = ({ line, column }: { line: number; column: number }): string => `${file}:${line}:${column}`
  if (!node.fields)
    return { servers: [], problems: [`${formatServerPlace(node)}  "mcpServers" is not an object of servers by name.`] }
  const servers: ServerSpec[] = []
  const problems: string[] = []
  for (const [name, { key, node: entry }] of node.fields) {
    const reach = readTransport(entry.value, env)
    const place = formatServerPlace(key)
    if (typeof reach === 'string') problems.push(`${place}  The MCP server "${name}" ${reach}`)
    else servers.push({ name: toToolNamePart(`${prefix}${name}`), source, place, reach })
  }
  return { servers, problems }
}

/** Reads how a server is reached, or what is wrong with its entry. */
function readTransport(written: unknown, env: NodeJS.ProcessEnv): StdioSpec | HttpSpec | string {
  const expanded = expandAll(written, env)
  if ('missing' in expanded) {
    const { missing } = expanded
    return `wants the variable ${missing}, which is not set: set it, or write \${${missing}:-default}.`
  }
  const { value } = expanded
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is not an object; write {"command": "…", "args": […]}.'
  const type = 'type' in value ? value.type : 'stdio'
  if (type !== 'stdio' && type !== 'http')
    return `has the type ${JSON.stringify(type)}, which is not known here; "stdio" and "http" are.`
  const entry = Entry.safeParse({ ...value, type })
  return entry.success ? entry.data : `cannot be read: ${z.prettifyError(entry.error)}`
}

/** A value with the variables in all its texts replaced. */
function expandAll(value: unknown, env: NodeJS.ProcessEnv): { value: unknown } | { missing: string } {
  if (typeof value === 'string') {
    const expanded = expandText(value, env)
    return 'missing' in expanded ? expanded : { value: expanded.text }
  }
  if (typeof value !== 'object' || value === null) return { value }
  const entries: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    const expanded = expandAll(inner, env)
    if ('missing' in expanded) return expanded
    entries.push([key, expanded.value])
  }
  return { value: Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries) }
}

const VARIABLE_OR_DEFAULT = /\$\{(?<name>[A-Za-z_]\w*)(?::-(?<fallback>[^}]*))?\}/g

/** A text with `${VAR}` and `${VAR:-default}` replaced, or the first variable that is not set and has no default. */
function expandText(text: string, env: NodeJS.ProcessEnv): { readonly text: string } | { readonly missing: string } {
  let missing: string | null = null
  const expanded = text.replaceAll(VARIABLE_OR_DEFAULT, (_, name: string, fallback: string | undefined) => {
    const value = env[name] || fallback // as in a shell: an empty value takes the default too
    if (value === undefined && env[name] === undefined) missing ??= name
    return value ?? ''
  })
  return missing === null ? { text: expanded } : { missing }
}
