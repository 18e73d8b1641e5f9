import * as z from 'zod'

/** Fields of every event; a host may leave all but the name out, and add its own. */
export const commonInput = z.looseObject({
  session_id: z.string().optional().describe('identifies the session'),
  transcript_path: z.string().optional().describe("absolute path of the session's JSONL transcript"),
  cwd: z.string().optional().describe("the session's current directory"),
  permission_mode: z.string().optional().describe('default, plan, acceptEdits or bypassPermissions'),
  agent_id: z.string().optional().describe('the subagent, when one fires the event'),
})

/** The schema of a whole event input: common fields, its name, its own fields. */
export function inputSchema(name: string, own: z.ZodObject): z.ZodObject {
  return commonInput.extend({ hook_event_name: z.literal(name) }).extend(own.shape)
}
