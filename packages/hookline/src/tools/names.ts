import { AGENTS, findBridge } from '../bridges/list.ts'
import { HooklineError } from '../files/error.ts'
import type { Decision } from '../protocol/record/record.ts'
import { formatSuggestion } from '../text/nearest.ts'
import { carryWriting } from '../text/written-json.ts'

/**
 * Names that hooks have for the tools of a host, by the host's names: `{ shell: 'Bash', save: { name: 'Write', fields: { path: 'file_path' } } }`.
 * Tools that are not in it have the same name for hooks.
 */
export type ToolNames = Readonly<Record<string, string | ToolName>>

/** Name that hooks have for one tool. */
export interface ToolName {
  /** The same as the host's by default. */
  readonly name?: string | undefined
  /** Names that hooks have for its fields, by the host's names; fields that are not in it have the same name. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** True if it is a tool of an MCP server, whose output hooks of `classic` may replace; by default the name for hooks says so: `mcp__server__tool`. */
  readonly mcp?: boolean | undefined
  /** false: an input that a hook rewrote cannot be turned back, and the call is refused. */
  readonly rewritable?: boolean | undefined
}

/** A call as hooks see it. */
interface ShownCall {
  readonly name: string
  readonly input: unknown
  readonly mcp: boolean | undefined
  /** Input that hooks want the tool to be called with, in the host's words; null: they leave it as it is. */
  readonly rewriteOf: (decision: Decision) => { readonly input: unknown } | { readonly fault: string } | null
}

/** Shows a call under the names that hooks know. */
export function toShownCall(
  { name, input }: { readonly name: string; readonly input: unknown },
  names: ToolNames = {},
): ShownCall {
  const entry = Object.hasOwn(names, name) ? names[name] : undefined
  const { fields = {}, mcp, rewritable = true, ...own } = typeof entry === 'string' ? { name: entry } : (entry ?? {})
  return {
    name: own.name ?? name,
    input: renameFields(input, new Map(Object.entries(fields).map(([host, hook]) => [host, [hook].flat()]))),
    mcp,
    rewriteOf: ({ updatedInput }) => {
      if (updatedInput === null) return null
      if (!rewritable) return { fault: 'what hooks know of its input cannot be turned back' }
      const back = Object.entries(fields).flatMap(([host, hook]) => [hook].flat().map((one) => [one, [host]] as const))
      return { input: renameFields(updatedInput, new Map(back)) }
    },
  }
}

/** An input with other names for its fields; a renamed field comes before one that has the name already. */
function renameFields(input: unknown, names: ReadonlyMap<string, readonly string[]>): unknown {
  if (names.size === 0 || typeof input !== 'object' || input === null) return input
  const fields = Object.keys(input)
  const named = [
    ...fields.filter((field) => !names.has(field)).map((field) => [field, field] as const),
    ...fields.flatMap((field) => (names.get(field) ?? []).map((name) => [name, field] as const)),
  ]
  const copy = Object.fromEntries(named.map(([name, field]) => [name, Reflect.get(input, field)]))
  carryWriting(copy, input, named)
  return copy
}

/**
 * Finds the names that hooks have for the tools of a known agent, from the table of its bridge. Tools of which one call is several for hooks, such
 * as those that apply a patch, are not in it.
 */
export function findToolNames(agent: string): ToolNames {
  const bridge = findBridge(agent)
  if (bridge === null)
    throw new HooklineError(
      `"${agent}" is not a known agent.${formatSuggestion(agent, AGENTS)} Known: ${AGENTS.join(', ')}.`,
    )
  return Object.fromEntries(
    bridge.tools.flatMap((tool) => {
      if (!('claude' in tool)) return []
      const { host, claude, input, rewrite } = tool
      const [name = host] = [claude].flat()
      const hosts = [...new Set(Object.values(input))]
      const fields = hosts.map((field) => [field, Object.keys(input).filter((one) => input[one] === field)])
      return [[host, { name, fields: Object.fromEntries(fields), rewritable: rewrite === 'rename' }]]
    }),
  )
}
