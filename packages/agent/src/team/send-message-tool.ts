import * as z from 'zod'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { findCaller, type Loop, type Session } from '../turn/loop-state.ts'
import { LEAD, type Team } from './team.ts'

const EVERYBODY = '*'

/** Writes to others in the team; they read it before their next request. */
export function makeSendMessageTool(session: Pick<Session, 'loops'>, team: Pick<Team, 'names' | 'tell'>): Tool {
  return defineTool({
    name: 'SendMessage',
    description: `Writes to a teammate by name, to "${LEAD}", or to everybody with "${EVERYBODY}". Who is idle goes back to work.`,
    input: z.strictObject({
      recipient: z.string().min(1),
      content: z.string().min(1),
    }),
    readOnly: true,
    sideBySide: false,
    edits: false,
    run: async ({ recipient, content }, { agent }) => {
      const from = nameSender(findCaller(session, agent))
      const others = team.names.filter((name) => name !== from)
      const to = recipient === EVERYBODY ? others : [recipient]
      const unknown = to.find((name) => !others.includes(name))
      if (unknown !== undefined || to.length === 0)
        throw new ToolError(`There is nobody called "${recipient}" to write to. ${formatNames(others)}`)
      for (const name of to) team.tell(name, `Message from ${from}: ${content}`)
      return { content: `Sent to ${to.join(', ')}.`, response: { success: true, recipients: to } }
    },
  })
}

function nameSender({ agent, teammate }: Loop): string {
  return teammate?.name ?? agent?.type ?? LEAD
}

function formatNames(others: readonly string[]): string {
  return others.length === 0
    ? 'The team has no teammates yet: Task with a `name` starts one.'
    : `Others: ${others.join(', ')}.`
}
