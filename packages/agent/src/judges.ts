import type { EventInput, ModelPorts, SpokenMessage } from 'hookline'
import { modelStanding, openModels } from 'hookline/models'
import { type Message, textOf } from './message.ts'

/** Events whose judges need to know what was said. */
const JUDGED_BY_CONVERSATION = new Set(['Stop', 'SubagentStop'])

/** What the agent lends to hooks that a model decides: a model where one is configured, and the conversation at its end. */
export function judges(env: NodeJS.ProcessEnv, messagesOf: (agentId: string | null) => readonly Message[]): ModelPorts {
  const lent = modelStanding({ env }).ready === false ? {} : openModels({ env })
  return {
    ...lent,
    conversation: (input) => (JUDGED_BY_CONVERSATION.has(input.hook_event_name) ? spoken(input, messagesOf) : []),
  }
}

function spoken({ agent_id }: EventInput, messagesOf: (agentId: string | null) => readonly Message[]): SpokenMessage[] {
  return messagesOf(typeof agent_id === 'string' ? agent_id : null)
    .map((message) => ({ role: message.role, text: textOf(message) }))
    .filter(({ text }) => text !== '')
}
