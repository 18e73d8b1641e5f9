import { describe, expect, expectTypeOf, it } from 'vitest'
import type { InputFor } from '../../src/protocol/event-input.ts'
import type { CurrentEvents } from '../../src/protocol/profile-events.ts'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { makeCommonInputSchema } from '../../src/protocol/schemas/input.ts'
import { EVENT_TABLES, RULE_TABLES } from '../../src/protocol/schemas/tables.ts'

const tool = 'tool_name tool_input mcp_server effort'
const stopped = 'stop_hook_active last_assistant_message background_tasks session_crons effort'
const task = 'task_id task_subject task_description teammate_name team_name'
const switched =
  'from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl estimated_cache_write_usd pricing'

/** What Claude Code sends beside the fields of every event, as it was seen or is documented. */
const SENT: Readonly<Record<keyof CurrentEvents, string>> = {
  SessionStart:
    'source model agent_type session_title seconds_since_last_response context_tokens prompt_cache_likely_expired estimated_cache_write_usd',
  Setup: 'trigger',
  InstructionsLoaded: 'file_path memory_type load_reason globs trigger_file_path parent_file_path effort',
  UserPromptSubmit: 'prompt session_title source',
  UserPromptExpansion: 'expansion_type command_name command_args command_source prompt',
  MessageDisplay: 'turn_id message_id index final delta',
  PreToolUse: `${tool} tool_use_id`,
  PermissionRequest: `${tool} permission_suggestions`,
  PermissionDenied: `${tool} tool_use_id reason`,
  PostToolUse: `${tool} tool_use_id tool_response duration_ms`,
  PostToolUseFailure: `${tool} tool_use_id error is_interrupt duration_ms`,
  PostToolBatch: 'tool_calls effort',
  Notification: 'message title notification_type',
  SubagentStart: 'agent_id agent_type',
  SubagentStop: `${stopped} agent_id agent_type agent_transcript_path`,
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: 'teammate_name team_name',
  Stop: stopped,
  StopFailure: 'error error_details last_assistant_message effort',
  ConfigChange: 'source file_path',
  CwdChanged: 'old_cwd new_cwd',
  DirectoryAdded: 'directory source',
  FileChanged: 'file_path event',
  WorktreeCreate: 'name',
  WorktreeRemove: 'worktree_path',
  PreCompact: 'trigger custom_instructions',
  PostCompact: 'trigger compact_summary',
  PreModelSwitch: switched,
  PostModelSwitch: switched,
  Elicitation: 'mcp_server_name message mode url elicitation_id requested_schema',
  ElicitationResult: 'mcp_server_name mode action content elicitation_id',
  SessionEnd: 'reason',
}

/** On these alone. */
const MODED =
  'UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure PostToolBatch Stop SubagentStop TeammateIdle'

const sorted = (names: Iterable<string>): string[] => [...names].sort()

describe('an event of current', () => {
  it.each(Object.entries(SENT))('has in %s the fields that Claude Code sends', async (event, fields) => {
    const row = (await loadProfile('current')).events.get(event)
    expect(sorted(row?.inputFields ?? [])).toEqual(sorted(fields.split(' ')))
    expect(Object.keys(row?.example ?? {}).filter((field) => !row?.inputFields.includes(field))).toEqual([])
    expect(row?.permissionMode).toBe(MODED.split(' ').includes(event))
  })

  it('has no others, and shares those of every event', () => {
    expect(Object.keys(EVENT_TABLES.current)).toEqual(Object.keys(SENT))
    const shared = 'session_id transcript_path cwd permission_mode agent_id prompt_id agent_type scratchpad_dir'
    expect(sorted(Object.keys(makeCommonInputSchema(RULE_TABLES.current).shape))).toEqual(sorted(shared.split(' ')))
  })

  it('is typed with all of them', () => {
    type Call = InputFor<'PreToolUse', CurrentEvents>
    expectTypeOf<Call['prompt_id']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Call['agent_type']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<NonNullable<Call['effort']>['level']>().toEqualTypeOf<string | undefined>()
    type Task = NonNullable<InputFor<'Stop', CurrentEvents>['background_tasks']>[number]
    expectTypeOf<Task['command']>().toEqualTypeOf<string | undefined>()
  })
})
