import type { CallToolResult } from '@modelcontextprotocol/client'
import type { McpToolResult } from 'hookline'
import { stringifyJson } from 'hookline/internal'
import * as z from 'zod'
import { clip } from '../tools/clip.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { makeServerPrefix, type ServerSpec, toToolNamePart } from './server-spec.ts'

/** A tool as its server describes it. */
export interface OfferedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** Makes a call; rejects with an error whose message the model can read. */
type McpCall = (input: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>

/** About as many characters of a result are shown to the model. */
const MAX_RESULT_CHARS = 100_000

/**
 * The server checks its inputs itself, by the schema that the model is told: a copy of ours could only differ, and would
 * run patterns that strangers wrote.
 */
const anything = z.record(z.string(), z.unknown())

/** A server's tool among those of the session. What the server says of its own harmlessness does not count. */
export function makeMcpTool(
  { name: server, source }: Pick<ServerSpec, 'name' | 'source'>,
  { name, description = '', inputSchema }: OfferedTool,
  call: McpCall,
): Tool {
  return defineTool({
    name: `${makeServerPrefix(server)}__${toToolNamePart(name)}`,
    server,
    serverSource: source,
    description,
    input: anything,
    inputSchema,
    readOnly: false,
    edits: false,
    shown: readMcpText,
    run: async (input, { signal }) => toToolOutcome(await call(input, signal)),
  })
}

/** Blocks of a response, as far as a model reads it. */
const block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: z.looseObject({ uri: z.string() }) }),
  z.looseObject({ type: z.literal('resource_link'), name: z.string(), uri: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), mimeType: z.string() }),
])
type McpBlock = z.infer<typeof block>

/** A response in the shape of MCP: blocks in an object, alone, or a value without any. */
const mcpResponse = z.union([
  z.looseObject({ content: z.array(block), structuredContent: z.unknown().optional() }),
  z.array(block).min(1),
  z.strictObject({ structuredContent: z.unknown() }),
])

/** The text of a response in the shape of MCP; null for anything else. */
function readMcpText(response: unknown): string | null {
  const read = mcpResponse.safeParse(response)
  if (!read.success) return null
  if (Array.isArray(read.data)) return joinMcpText(read.data, undefined)
  const { structuredContent } = read.data
  return joinMcpText('content' in read.data ? read.data.content : [], structuredContent)
}

function joinMcpText(content: readonly McpBlock[], structuredContent: unknown): string {
  const texts = content.map(readMcpBlock)
  const text =
    texts.length === 0 && structuredContent !== undefined ? stringifyJson(structuredContent) : texts.join('\n')
  return clip(text, MAX_RESULT_CHARS)
}

function toToolOutcome(result: CallToolResult): ToolOutcome {
  const { content, structuredContent, isError } = result
  const shown = joinMcpText(content, structuredContent)
  if (isError === true) throw new ToolError(shown || 'The tool failed and does not say why.')
  return {
    content: shown,
    response: { content, ...(structuredContent === undefined ? {} : { structuredContent }) },
  }
}

/** The same for a hook that is such a tool: its texts, which are read as an answer. */
export function toHookResult({ content, isError }: CallToolResult): McpToolResult {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { content: texts.join('\n'), isError: isError === true }
}

/** Reads what a model that reads text gets of a block. */
function readMcpBlock(block: McpBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return typeof block.resource.text === 'string' ? block.resource.text : `[${block.resource.uri}: not text]`
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    default:
      return `[${block.type}, ${block.mimeType}: not shown]`
  }
}
