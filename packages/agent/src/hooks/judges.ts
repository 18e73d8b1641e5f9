import type { EventInput, ModelPorts, SpokenCall, SpokenMessage, SpokenResult } from 'hookline'
import { checkModelStanding, openModels } from 'hookline/models'
import { type Block, type Message, readMessageText } from '../output/messages.ts'

/** Events whose judges need to know what was said and done. */
const JUDGED_BY_CONVERSATION = new Set(['Stop', 'SubagentStop'])

/** Makes what the agent provides to hooks that a model decides: a model where one is configured, and the conversation at its end. */
export function makeJudges(
  env: NodeJS.ProcessEnv,
  messagesOf: (agentId: string | null) => readonly Message[],
): ModelPorts {
  const models = checkModelStanding({ env }).ready === false ? {} : openModels({ env })
  return {
    ...models,
    conversation: (input) => (JUDGED_BY_CONVERSATION.has(input.hook_event_name) ? listSpoken(input, messagesOf) : []),
  }
}

function listSpoken(
  { agent_id }: EventInput,
  messagesOf: (agentId: string | null) => readonly Message[],
): SpokenMessage[] {
  return messagesOf(typeof agent_id === 'string' ? agent_id : null).map((message) => ({
    role: message.role,
    text: readMessageText(message),
    tools: message.content.flatMap(toSpokenTool),
  }))
}

/** The call that a block is, or the result of one. */
function toSpokenTool(block: Block): (SpokenCall | SpokenResult)[] {
  if (block.type === 'tool_use') return [{ type: 'call', id: block.id, name: block.name, input: block.input }]
  if (block.type !== 'tool_result') return []
  return [{ type: 'result', id: block.tool_use_id, output: block.content, isError: block.is_error === true }]
}
