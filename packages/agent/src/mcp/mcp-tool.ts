import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { jsonText } from 'hookline/internal'
import * as z from 'zod'
import { clip } from '../tools/clip.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { nameInTool, prefixOf } from './server-spec.ts'

/** A tool as its server describes it. */
export interface OfferedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** Makes a call; rejects with an error whose message the model can read. */
type McpCall = (input: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>

/** About as many characters of a result are shown to the model. */
const LONGEST_RESULT = 100_000

/**
 * The server checks its inputs itself, by the schema that the model is told: a copy of ours could only differ, and would
 * run patterns that strangers wrote.
 */
const anything = z.record(z.string(), z.unknown())

/** A server's tool among those of the session. What the server says of its own harmlessness does not count. */
export function mcpTool(server: string, { name, description = '', inputSchema }: OfferedTool, call: McpCall): Tool {
  return {
    name: `${prefixOf(server)}__${nameInTool(name)}`,
    server,
    description,
    input: anything,
    inputSchema,
    readOnly: false,
    edits: false,
    run: async (input, { signal }) => outcomeOf(await call(anything.parse(input), signal)),
  }
}

function outcomeOf(result: CallToolResult): ToolOutcome {
  const { content, structuredContent, isError } = result
  const texts = content.map(textOf)
  const text = texts.length === 0 && structuredContent !== undefined ? jsonText(structuredContent) : texts.join('\n')
  const shown = clip(text, LONGEST_RESULT)
  if (isError === true) throw new ToolError(shown || 'The tool failed and does not say why.')
  return {
    content: shown,
    response: { content, ...(structuredContent === undefined ? {} : { structuredContent }) },
  }
}

/** What a model that reads text gets of a block. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}: not text]`
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    default:
      return `[${block.type}, ${block.mimeType}: not shown]`
  }
}
