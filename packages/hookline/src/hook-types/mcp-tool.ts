import { type CapturedStream, EMPTY_STREAM, measureMs } from '../process/process-run.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookTypeCode, TurnLimits } from '../protocol/hook-type.ts'
import { toThrownMessage } from '../run/execute.ts'
import type { Run, RunRequest, ServerRun } from '../run/run.ts'

/** A tool of an MCP server that is called. */
interface McpToolHandler {
  readonly type: 'mcp_tool'
  readonly server: string
  readonly tool: string
  /** As written: parts of the event are filled in when it runs. */
  readonly input: unknown
}

/** Hooks that are tools of MCP servers, which the host calls. */
export const mcpTool: HookTypeCode<McpToolHandler, RunRequest, Run> = {
  runsIn: 'server',
  needs: null, // a guard that cannot be asked has failed, and a session that is closed on failures blocks
  readEntry: ({ server, tool, input = {} }) => {
    if (typeof server !== 'string' || server.trim() === '')
      return { field: 'server', because: 'an mcp_tool hook needs a "server"' }
    if (typeof tool !== 'string' || tool.trim() === '')
      return { field: 'tool', because: 'an mcp_tool hook needs a "tool"' }
    return { type: 'mcp_tool', server, tool, input }
  },
  shown: ({ server, tool }) => ({ name: `${server}/${tool}`, text: `${server}/${tool}` }),
  identity: ({ server, tool, input }) => [server, tool, input],
  run: callTool,
  meaning: (facts) => {
    const run = facts as Exclude<ServerRun, { ended: 'replied' }> // hooks of this type call nothing but tools
    if (run.ended === 'unreachable') return { is: 'failed', how: run.reason, words: run.reason }
    if (run.isError) return { is: 'failed', how: 'the tool answered with an error', words: run.stdout }
    return { is: 'exited', code: 0, stdout: run.stdout, stderr: EMPTY_STREAM, plainTextIsContext: false }
  },
}

async function callTool(
  { server, tool, input }: McpToolHandler,
  { payload, options }: RunRequest,
  { signal, started }: TurnLimits,
): Promise<Run> {
  const makeUnreachableRun = (reason: string): Run => ({
    ended: 'unreachable',
    reason,
    durationMs: measureMs(started),
  })
  const { callMcpTool } = options
  if (callMcpTool === null)
    return makeUnreachableRun(`the MCP server "${server}" is not connected: the host provides none`)
  try {
    const result = await callMcpTool({ server, tool, input: fillInput(input, payload.copy), signal })
    const { content, isError } = result
    if (typeof content !== 'string') return makeUnreachableRun('the host gave no text of the result')
    const stdout = toCapturedText(content, options.outputLimit)
    const durationMs = measureMs(started)
    return { ended: 'called', isError: isError === true, stdout, stderr: EMPTY_STREAM, leftChild: false, durationMs }
  } catch (error) {
    return makeUnreachableRun(`${server}/${tool} could not be called: ${toThrownMessage(error)}`)
  }
}

function toCapturedText(text: string, limit: number): CapturedStream {
  const bytes = Buffer.from(text)
  return { kept: bytes.subarray(0, limit), bytes: bytes.length }
}

const REFERENCE = /\$\{([^{}]+)\}/g

/** An input in whose texts, at every depth, `${path.to.field}` is what the event has there. */
function fillInput(value: unknown, event: EventInput): unknown {
  if (typeof value === 'string')
    return value.replace(REFERENCE, (_, path: string) => toFilledText(readEventPath(event, path)))
  if (Array.isArray(value)) return value.map((item) => fillInput(item, event))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillInput(member, event)]))
}

function readEventPath(event: EventInput, path: string): unknown {
  return path
    .trim()
    .split('.')
    .reduce<unknown>((value, name) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      return (value as Record<string, unknown>)[name] // the value has this member
    }, event)
}

function toFilledText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
