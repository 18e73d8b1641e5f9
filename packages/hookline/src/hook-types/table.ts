import type { Handler, HookTypeCode } from '../protocol/hook-type.ts'
import type { BackgroundRun, JudgeRequest, Run } from '../run/run.ts'
import { agent } from './agent.ts'
import { command } from './command.ts'
import { inProcess } from './function.ts'
import { http } from './http.ts'
import { mcpTool } from './mcp-tool.ts'
import { prompt } from './prompt.ts'

/** The code of a hook type, of whichever kind its handlers are: it gets none but those that it has read itself. */
export type RunnableCode = HookTypeCode<Handler, JudgeRequest, Run | BackgroundRun>

/** The hook types that come with the package, by name. Which profile has which of them, and with which fields, the profiles say. */
export const HOOK_TYPES: Readonly<Record<string, RunnableCode>> = {
  command,
  http,
  mcp_tool: mcpTool,
  prompt,
  agent,
  function: inProcess,
}
