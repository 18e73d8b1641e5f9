import * as z from 'zod'
import { DEFAULT_PROFILE } from '../profiles.ts'
import type { HostField, ProtocolRules } from '../rules.ts'

/** Fields of every event of every protocol; a host may leave all but the name out, and add its own. */
export const commonInput = z.looseObject({
  session_id: z.string().optional().describe('identifies the session'),
  transcript_path: z.string().optional().describe("absolute path of the session's JSONL transcript"),
  cwd: z.string().optional().describe("the session's current directory"),
  permission_mode: z.string().optional().describe('default, plan, acceptEdits or bypassPermissions'),
  agent_id: z.string().optional().describe('the subagent, when one fires the event'),
})

/** Fields that a host may send on any event, where the protocol has it. */
const HOST_FIELDS: Partial<Record<HostField, z.ZodType>> = {
  prompt_id: z.string().optional().describe('the prompt that led to the event; missing before the first one'),
  agent_type: z.string().optional().describe('the kind of the subagent, or of the agent that the session runs as'),
  scratchpad_dir: z.string().optional().describe("a folder for the session's notes, where it has one"),
}

/** The fields of every event of one protocol. */
export function makeCommonInputSchema({ hostFields }: Pick<ProtocolRules, 'hostFields'>): z.ZodObject {
  const own = Object.entries(HOST_FIELDS).filter(([name]) => hostFields.some((field) => field === name))
  return commonInput.extend(Object.fromEntries(own))
}

/** The schema of a whole event input: common fields, its name, its own fields. */
export function makeInputSchema(
  name: string,
  own: z.ZodObject,
  rules: Pick<ProtocolRules, 'hostFields'> = DEFAULT_PROFILE.rules,
): z.ZodObject {
  return makeCommonInputSchema(rules)
    .extend({ hook_event_name: z.literal(name) })
    .extend(own.shape)
}
