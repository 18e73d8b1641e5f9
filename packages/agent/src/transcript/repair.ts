import type { Block, Message, ToolResult, ToolUse } from '../output/messages.ts'

const LOST_BEGINNING = 'The beginning of this conversation is lost.'
const NO_RESULT = 'The session was interrupted before this call had a result.'

const SAYS: Readonly<Record<Message['role'], readonly Block['type'][]>> = {
  user: ['text', 'tool_result'],
  assistant: ['text', 'thinking', 'tool_use'],
}

/**
 * A conversation that a provider accepts: sides take turns, the user begins, every call has its result in the next
 * message and every result its call, but for those that are left open. One that is so already comes back equal.
 */
export function repairConversation(
  messages: readonly Message[],
  { open = [] }: { readonly open?: readonly ToolUse[] } = {},
): Message[] {
  const repaired: Message[] = []
  for (const { role, content } of mergeNeighbours(messages)) {
    if (role === 'user')
      join(repaired, { role, content: settleBlocks(content, listMessageCalls(repaired.at(-1), open)) })
    else {
      if (repaired.length === 0) join(repaired, { role: 'user', content: [{ type: 'text', text: LOST_BEGINNING }] })
      join(repaired, { role, content: removeTwins(content) })
    }
  }
  join(repaired, { role: 'user', content: settleBlocks([], listMessageCalls(repaired.at(-1), open)) })
  return repaired
}

/** Neighbours of one side as one message, without what that side cannot say. */
function mergeNeighbours(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const { role, content } of messages) {
    join(turns, { role, content: content.filter(({ type }) => SAYS[role].includes(type)) })
  }
  return turns
}

/** Puts a message behind others, as a part of the last one where that has the same side; an empty one is left out. */
function join(turns: Message[], { role, content }: Message): void {
  const last = turns.at(-1)
  if (content.length === 0) return
  if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] }
  else turns.push({ role, content })
}

/** The calls of a message, without those that are left open. */
function listMessageCalls(message: Message | undefined, open: readonly ToolUse[]): Set<string> {
  const isMeant = (block: Block): block is ToolUse =>
    block.type === 'tool_use' && !open.some(({ id }) => id === block.id)
  return new Set(message?.content.filter(isMeant).map(({ id }) => id))
}

/** Settles what a user's turn says after these calls: one result for each of them, and for nothing else. */
function settleBlocks(content: readonly Block[], calls: ReadonlySet<string>): Block[] {
  const open = new Set(calls)
  const kept = content.filter((block) => block.type !== 'tool_result' || open.delete(block.tool_use_id))
  const missing = [...open].map(
    (id): ToolResult => ({ type: 'tool_result', tool_use_id: id, content: NO_RESULT, is_error: true }),
  )
  return [...missing, ...kept]
}

function removeTwins(content: readonly Block[]): Block[] {
  const seen = new Set<string>()
  return content.filter((block) => {
    if (block.type !== 'tool_use') return true
    const twin = seen.has(block.id)
    seen.add(block.id)
    return !twin
  })
}
