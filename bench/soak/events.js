/** One of each event, as a host fires it. */
export const EVENTS = [
  { hook_event_name: 'SessionStart', source: 'startup' },
  { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the failing test' },
  { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' },
  { hook_event_name: 'PermissionRequest', tool_name: 'Edit', tool_input: { file_path: 'a.ts' } },
  { hook_event_name: 'PostToolUse', tool_name: 'mcp__files__read', tool_input: {}, tool_response: { text: 'a' } },
  { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command: 'ls' }, error: 'Exit code 1' },
  { hook_event_name: 'Notification', message: 'Waiting', notification_type: 'idle_prompt' },
  { hook_event_name: 'SubagentStart', agent_id: 'agent-1', agent_type: 'Explore' },
  { hook_event_name: 'SubagentStop', agent_id: 'agent-1', agent_type: 'Explore', stop_hook_active: false },
  { hook_event_name: 'Stop', stop_hook_active: false },
  { hook_event_name: 'TeammateIdle', teammate_name: 'Ada', team_name: 'core' },
  { hook_event_name: 'TaskCompleted', task_id: '7', task_subject: 'Write the docs' },
  { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: '' },
  { hook_event_name: 'SessionEnd', reason: 'other' },
]

/** Few enough that every event has had all of them when the warm-up ends: plans are remembered by event and tool. */
const TOOLS = 8
/** More than a pipe holds. */
const LONG_TEXT = 'much '.repeat(40_000)

let agents = 0

/**
 * An event at random: now and then in a subagent that nobody has heard of, of another tool, or large.
 * @param {import('./random.js').Random} random
 */
export function randomEvent(random) {
  const event = random.pick(EVENTS)
  return {
    ...event,
    ...('tool_name' in event && random.chance(0.3) ? { tool_name: `mcp__server__tool${random.below(TOOLS)}` } : {}),
    ...('agent_id' in event || random.chance(0.2) ? { agent_id: `agent-${agents++}` } : {}),
    ...(random.chance(0.05) ? { extra: LONG_TEXT } : {}),
  }
}
