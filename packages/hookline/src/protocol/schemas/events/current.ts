import * as z from 'zod'
import type { Effect } from '../../effect.ts'
import { usual } from '../../usual.ts'
import { defineEvents } from '../define-events.ts'

const text = z.string().optional()
const flag = z.boolean().optional()
const count = z.number().optional()
const anything = z.unknown().optional()
const list = z.array(z.looseObject({})).optional()

const effort = {
  effort: z.looseObject({ level: text }).optional().describe('how hard the model is to think, where it can be told'),
}
const mcpServer = { mcp_server: z.looseObject({ name: text, source: text }).optional() }
const calledTool = { tool_name: z.string(), tool_input: z.looseObject({}).optional(), ...mcpServer, ...effort }
const usedTool = { ...calledTool, tool_use_id: text }
const task = { task_id: text, task_subject: text, task_description: text, teammate_name: text, team_name: text }
const stopped = {
  stop_hook_active: flag,
  last_assistant_message: text,
  background_tasks: z
    .array(z.looseObject({ id: text, type: text, status: text, description: text, command: text, agent_type: text }))
    .optional()
    .describe('what still runs beside the agent'),
  session_crons: z
    .array(z.looseObject({ id: anything, schedule: anything, recurring: anything, prompt: anything }))
    .optional()
    .describe('prompts that are sent at set times'),
  ...effort,
}
const switched = {
  from_model: text,
  to_model: z.string(),
  requested_model: z.string().nullable().optional(),
  source: text,
  context_tokens: count,
  prompt_cache_warm: flag,
  cache_ttl: text,
  estimated_cache_write_usd: count,
  pricing: text,
}
const elicited = {
  mcp_server_name: z.string(),
  mode: text,
  elicitation_id: text,
}

const context = { additionalContext: z.string().optional().describe('text for the model') }
const input = z.record(z.string(), z.unknown()).optional().describe('replaces the whole tool input')
const permissions = z.array(z.looseObject({})).optional().describe('rules to add, with allow')
const paths = { watchPaths: z.array(z.string()).optional().describe('files that the host is to watch') }
const title = { sessionTitle: z.string().optional().describe('what the session is called') }
const suppressed = {
  suppressOriginalPrompt: z.boolean().optional().describe('the prompt is not shown beside the reason of a block'),
}
const elicitation = {
  action: z.enum(['accept', 'decline', 'cancel']).optional().describe('the answer that the server gets'),
  content: z.record(z.string(), z.unknown()).optional().describe('what was filled in, with accept'),
}

const takeLast = (field: string) => ({ fields: [field], from: 'specific', merge: 'last' }) as const satisfies Effect
const takeAny = (field: string) => ({ fields: [field], from: 'specific', merge: 'any' }) as const satisfies Effect

const effects = {
  terminalSequences: { fields: ['terminalSequence'], from: 'top', as: 'terminal-sequence', merge: 'list' },
} as const satisfies Readonly<Record<string, Effect>>
const watching = {
  ...effects,
  watchPaths: { fields: ['watchPaths'], from: 'specific', merge: 'all' },
} as const satisfies Readonly<Record<string, Effect>>
const answering = {
  ...effects,
  elicitation: {
    fields: ['action', 'content'],
    from: 'specific',
    as: 'object',
    merge: 'refusal',
    whenBlocked: { action: 'decline', content: null },
  },
} as const satisfies Readonly<Record<string, Effect>>

const nothing = z.looseObject({})

/** Facts that most events of this profile have in common. */
const event = { ...usual, effects, permissionMode: false, component: true } as const
/** Events of a tool call, or of the end of a turn. */
const inTurn = { ...event, permissionMode: true } as const
const ofTool = { ...inTurn, matchOn: 'tool_name', takesIf: true } as const
/** Events that no hook can block, and where a model has nothing to judge. */
const observed = {
  ...event,
  merges: 'nothing',
  blocksOn: 'never',
  canHalt: false,
  hookTypes: ['command', 'http', 'mcp_tool', 'function'],
  onBlock: 'cannot block; stderr goes to the user',
} as const
const unheard = { ...observed, harmlessExit2To: 'none', onBlock: 'cannot block; exit 2 does nothing' } as const
/** Events that can be blocked, and where a model has nothing to judge. */
const guarded = { ...event, merges: 'block', canHalt: false, hookTypes: observed.hookTypes } as const

const setSeconds = (each: number) => ({ command: each, http: each, mcp_tool: each, function: each })

const exampleEffort = { effort: { level: 'high' } }
const exampleTool = { tool_name: 'Bash', tool_input: { command: 'ls' } }
const exampleCall = { ...exampleTool, tool_use_id: 'toolu_1' }
const exampleStop = {
  stop_hook_active: false,
  last_assistant_message: 'Done.',
  background_tasks: [],
  session_crons: [],
  ...exampleEffort,
}
const exampleAgent = { agent_id: 'agent-1', agent_type: 'Explore' }
const exampleTask = { task_id: '7', task_subject: 'Write the docs' }
const exampleSwitch = {
  from_model: 'claude-opus-5-5',
  to_model: 'claude-sonnet-4-5',
  requested_model: 'claude-sonnet-4-5',
  source: 'command',
  context_tokens: 41_000,
  prompt_cache_warm: true,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.12,
  pricing: 'default',
}

/** The 33 events of the `current` profile. */
export const current = defineEvents({
  SessionStart: {
    ...observed,
    when: 'a session starts, resumes, is cleared, compacted or forked',
    matchOn: 'source',
    values: ['startup', 'resume', 'clear', 'compact', 'fork'],
    input: z.looseObject({
      source: z.string(),
      model: text,
      agent_type: text,
      session_title: text,
      seconds_since_last_response: count,
      context_tokens: count,
      prompt_cache_likely_expired: flag,
      estimated_cache_write_usd: count,
    }),
    answer: z.looseObject({
      ...context,
      initialUserMessage: z.string().optional().describe('a first prompt, where no user types one'),
      ...title,
      ...paths,
      reloadSkills: z.boolean().optional().describe('skills are read again'),
    }),
    effects: {
      ...watching,
      initialUserMessage: { fields: ['initialUserMessage'], from: 'specific', isContext: true, merge: 'last' },
      sessionTitle: takeLast('sessionTitle'),
      reloadSkills: takeAny('reloadSkills'),
    },
    plainStdout: 'context',
    envFile: 'kept',
    hookTypes: ['command', 'mcp_tool', 'function'],
    example: { source: 'startup' },
  },
  Setup: {
    ...unheard,
    when: 'the host is started to prepare or maintain the project, before SessionStart',
    matchOn: 'trigger',
    values: ['init', 'maintenance'],
    input: z.looseObject({ trigger: z.string() }),
    answer: nothing,
    envFile: 'kept',
    hookTypes: ['command', 'function'],
    example: { trigger: 'init' },
  },
  InstructionsLoaded: {
    ...unheard,
    when: 'a file of instructions enters the context',
    matchOn: 'load_reason',
    values: ['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact'],
    input: z.looseObject({
      file_path: text,
      memory_type: text,
      load_reason: z.string(),
      globs: z.array(z.string()).optional(),
      trigger_file_path: text,
      parent_file_path: text,
      ...effort,
    }),
    answer: nothing,
    example: { file_path: '/project/CLAUDE.md', memory_type: 'Project', load_reason: 'session_start' },
  },
  UserPromptSubmit: {
    ...inTurn,
    when: 'a prompt is about to be processed, typed by the user or written by the machine',
    input: z.looseObject({ prompt: text, session_title: text, source: text }),
    answer: z.looseObject({ ...context, ...title, ...suppressed }),
    effects: {
      ...effects,
      sessionTitle: takeLast('sessionTitle'),
      suppressOriginalPrompt: takeAny('suppressOriginalPrompt'),
    },
    merges: 'block',
    reasonTo: 'user',
    unmetPrompt: 'halts',
    onBlock: 'the prompt is dropped and erased; the reason goes to the user only',
    plainStdout: 'context',
    erases: 'prompt',
    seconds: setSeconds(30),
    example: { prompt: 'Fix the failing test' },
  },
  UserPromptExpansion: {
    ...inTurn,
    when: 'a typed slash command is about to be expanded, after UserPromptSubmit',
    matchOn: 'command_name',
    input: z.looseObject({
      expansion_type: text,
      command_name: z.string(),
      command_args: text,
      command_source: text,
      prompt: text,
    }),
    answer: z.looseObject({ ...context, ...suppressed }),
    effects: { ...effects, suppressOriginalPrompt: takeAny('suppressOriginalPrompt') },
    merges: 'block',
    reasonTo: 'user',
    unmetPrompt: 'halts',
    onBlock: 'the expansion is dropped and erased; the reason goes to the user only',
    plainStdout: 'context',
    erases: 'prompt',
    example: { expansion_type: 'slash_command', command_name: 'review', command_args: '', prompt: '/review' },
  },
  MessageDisplay: {
    ...unheard,
    when: 'text of the assistant is about to be shown',
    input: z.looseObject({ turn_id: text, message_id: text, index: count, final: flag, delta: text }),
    answer: z.looseObject({
      displayContent: z.string().optional().describe('is shown in place of the text; the model never reads it'),
    }),
    effects: { ...effects, displayContent: takeLast('displayContent') },
    systemMessageTo: 'none',
    seconds: setSeconds(10),
    example: { turn_id: 'turn-1', message_id: 'msg-1', index: 0, final: true, delta: 'Done.' },
  },
  PreToolUse: {
    ...ofTool,
    when: 'a tool call is ready, before it runs',
    input: z.looseObject(usedTool),
    answer: z.looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: z.string().optional().describe('allow, ask: to the user; deny: to the model'),
      updatedInput: input,
      ...context,
    }),
    merges: 'permission',
    rewrites: 'tool_input',
    unmetPrompt: 'blocks-and-halts',
    onBlock: 'the call is refused; the reason goes to the model',
    example: { ...exampleCall, ...exampleEffort },
  },
  PermissionRequest: {
    ...ofTool,
    when: 'a permission dialog is about to open, or a call is about to be refused as there is no user to ask',
    input: z.looseObject({ ...calledTool, permission_suggestions: list }),
    answer: z.looseObject({
      decision: z.looseObject({
        behavior: z.enum(['allow', 'deny']),
        updatedInput: input,
        updatedPermissions: permissions,
        message: z.string().optional().describe('why, with deny; to the model'),
        interrupt: z.boolean().optional().describe('with deny: ends the turn as Ctrl+C does'),
      }),
    }),
    merges: 'dialog',
    rewrites: 'tool_input',
    blocksOn: 'never',
    harmlessExit2To: 'none',
    canHalt: false,
    noReason: 'Permission denied by hook',
    unmetPrompt: 'has-no-effect',
    onBlock: 'the permission is denied; the reason goes to the model. Exit 2 alone does nothing',
    hookTypes: ['command', 'http', 'mcp_tool', 'prompt', 'function'],
    example: { ...exampleTool, ...exampleEffort },
  },
  PermissionDenied: {
    ...ofTool,
    when: 'a call was denied without asking the user',
    input: z.looseObject({ ...usedTool, reason: text }),
    answer: z.looseObject({ retry: z.boolean().optional().describe('the model is told that it may try again') }),
    effects: { ...effects, retry: takeAny('retry') },
    merges: 'nothing',
    blocksOn: 'never',
    harmlessExit2To: 'none',
    canHalt: false,
    unmetPrompt: 'has-no-effect',
    onBlock: 'cannot block; exit 2 does nothing',
    example: { ...exampleCall, reason: 'Not allowed in this mode', ...exampleEffort },
  },
  PostToolUse: {
    ...ofTool,
    when: 'a tool succeeded',
    input: z.looseObject({ ...usedTool, tool_response: z.unknown().optional(), duration_ms: count }),
    answer: z.looseObject({
      updatedToolOutput: z.unknown().optional().describe('replaces the output, in the shape that the tool has'),
      updatedMCPToolOutput: z.unknown().optional().describe('the same of MCP tools; updatedToolOutput goes first'),
      ...context,
      classifierContext: z.string().optional().describe('text for the classifier that judges later calls'),
    }),
    effects: {
      ...effects,
      updatedToolOutput: {
        fields: ['updatedToolOutput'],
        mcpFields: ['updatedMCPToolOutput'],
        from: 'specific',
        shapedLike: 'tool_response',
        shapes: {
          Bash: { required: ['stdout', 'stderr', 'interrupted'], optional: ['isImage', 'noOutputExpected'] },
          Write: {
            required: ['type', 'filePath', 'content', 'structuredPatch', 'originalFile'],
            optional: ['userModified'],
          },
          Read: { required: ['type', 'file'], optional: [] },
        },
        merge: 'last',
      },
      classifierContext: { fields: ['classifierContext'], from: 'specific', isContext: true, merge: 'joined' },
    },
    replaces: 'tool_response',
    merges: 'block',
    unmetPrompt: 'halts',
    onBlock: 'the tool already ran; the reason goes to the model',
    example: { ...exampleCall, tool_response: { stdout: 'README.md' }, duration_ms: 12, ...exampleEffort },
  },
  PostToolUseFailure: {
    ...ofTool,
    when: 'a tool that had started failed',
    input: z.looseObject({ ...usedTool, error: text, is_interrupt: flag, duration_ms: count }),
    answer: z.looseObject(context),
    merges: 'block',
    canHalt: false,
    onBlock: 'the tool already ran; the reason goes to the model',
    example: { ...exampleCall, error: 'Exit code 1', is_interrupt: false, duration_ms: 12, ...exampleEffort },
  },
  PostToolBatch: {
    ...inTurn,
    when: 'all calls of one answer of the model are done, before the next request',
    input: z.looseObject({
      tool_calls: z
        .array(z.looseObject({ tool_name: text, tool_input: anything, tool_use_id: text, tool_response: anything }))
        .optional()
        .describe('each with what the model reads of its result'),
      ...effort,
    }),
    answer: z.looseObject(context),
    merges: 'block',
    onBlock: 'the turn ends; the reason stays in the conversation',
    example: { tool_calls: [{ ...exampleCall, tool_response: 'README.md' }], ...exampleEffort },
  },
  Notification: {
    ...unheard,
    when: 'the host notifies the user',
    matchOn: 'notification_type',
    values: [
      'permission_prompt',
      'idle_prompt',
      'auth_success',
      'elicitation_dialog',
      'elicitation_url_dialog',
      'elicitation_complete',
      'elicitation_response',
      'agent_needs_input',
      'agent_completed',
      'quota_auto_resume_fired',
      'quota_auto_resume_stale',
      'quota_auto_resume_disabled',
    ],
    input: z.looseObject({ message: text, title: text, notification_type: z.string() }),
    answer: nothing,
    example: { message: 'Waiting for your input', notification_type: 'idle_prompt' },
  },
  SubagentStart: {
    ...observed,
    when: 'a subagent starts',
    matchOn: 'agent_type',
    input: z.looseObject({ agent_id: text, agent_type: z.string() }),
    answer: z.looseObject(context),
    agentId: 'subject',
    inAgents: false,
    example: exampleAgent,
  },
  SubagentStop: {
    ...inTurn,
    when: 'a subagent finished',
    matchOn: 'agent_type',
    input: z.looseObject({ agent_id: text, agent_type: z.string(), agent_transcript_path: text, ...stopped }),
    answer: z.looseObject(context),
    merges: 'block',
    missingFileIsHarmless: true,
    onBlock: 'the subagent goes on, with the reason as its instruction; a context sends it on too',
    loopField: 'stop_hook_active',
    failureBlocks: false,
    agentId: 'subject',
    example: { ...exampleAgent, ...exampleStop, agent_transcript_path: '/tmp/agent-1.jsonl' },
  },
  TaskCreated: {
    ...event,
    when: 'a task is created',
    input: z.looseObject(task),
    answer: nothing,
    merges: 'block',
    canHalt: false,
    onBlock: 'the task is deleted; the reason goes to the model',
    example: exampleTask,
  },
  TaskCompleted: {
    ...event,
    when: 'a task is being marked done',
    input: z.looseObject(task),
    answer: nothing,
    merges: 'block',
    canHalt: false,
    missingFileIsHarmless: true,
    failureBlocks: false,
    onBlock: 'the task stays open; the reason goes to the model',
    example: exampleTask,
  },
  TeammateIdle: {
    ...inTurn,
    when: 'a teammate is about to go idle',
    input: z.looseObject({ teammate_name: text, team_name: text }),
    answer: nothing,
    merges: 'block',
    failureBlocks: false,
    onBlock: 'the teammate goes on, with the reason as feedback',
    example: { teammate_name: 'Ada', team_name: 'core' },
  },
  Stop: {
    ...inTurn,
    when: 'the main agent finished its answer; not after an error or an interrupt',
    input: z.looseObject(stopped),
    answer: z.looseObject(context),
    merges: 'block',
    missingFileIsHarmless: true,
    onBlock: 'the agent goes on, with the reason as its instruction; a context sends it on too',
    loopField: 'stop_hook_active',
    failureBlocks: false,
    inAgent: 'SubagentStop',
    example: exampleStop,
  },
  StopFailure: {
    ...unheard,
    when: 'a turn ended by an error of the model provider',
    matchOn: 'error',
    matcherNames: 'bars-without-hyphens',
    values: [
      'unknown',
      'authentication_failed',
      'model_not_found',
      'invalid_request',
      'rate_limit',
      'server_error',
      'oauth_org_not_allowed',
      'account_on_hold',
      'verification_required',
      'billing_error',
      'overloaded',
      'max_output_tokens',
      'cloud_credential_error',
    ],
    input: z.looseObject({ error: z.string(), error_details: text, last_assistant_message: text, ...effort }),
    answer: nothing,
    example: { error: 'rate_limit', last_assistant_message: 'API Error: 429', ...exampleEffort },
  },
  ConfigChange: {
    ...guarded,
    when: 'a file of settings or skills changed on disk',
    matchOn: 'source',
    values: ['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'],
    input: z.looseObject({ source: z.string(), file_path: text }),
    answer: nothing,
    announces: 'file_path',
    reasonTo: 'none',
    systemMessageTo: 'none',
    onBlock: 'the change is not applied, without a message',
    example: { source: 'project_settings', file_path: '/project/.claude/settings.json' },
  },
  CwdChanged: {
    ...observed,
    when: 'a command changed the current directory',
    input: z.looseObject({ old_cwd: text, new_cwd: text }),
    answer: z.looseObject(paths),
    effects: watching,
    envFile: 'until-next',
    example: { old_cwd: '/project', new_cwd: '/project/src' },
  },
  DirectoryAdded: {
    ...unheard,
    when: 'a folder was added to the session',
    matchOn: 'source',
    values: ['slash_command', 'register_repo_root'],
    input: z.looseObject({ directory: text, source: z.string() }),
    answer: nothing,
    systemMessageTo: 'model',
    example: { directory: '/other', source: 'slash_command' },
  },
  FileChanged: {
    ...observed,
    when: 'a watched file changed, appeared or went',
    matchOn: 'file_path',
    matchValue: 'basename',
    matcherNames: 'bars-without-hyphens',
    input: z.looseObject({ file_path: z.string(), event: text }),
    answer: z.looseObject(paths),
    effects: watching,
    systemMessageTo: 'none',
    envFile: 'kept',
    example: { file_path: '/project/.env', event: 'change' },
  },
  WorktreeCreate: {
    ...guarded,
    when: 'a worktree is needed; the hook makes it in place of the host',
    input: z.looseObject({ name: text }),
    answer: z.looseObject({ worktreePath: z.string().optional().describe('where it is') }),
    effects: {
      ...effects,
      worktreePath: {
        fields: ['worktreePath'],
        from: 'specific',
        stdout: 'last-line',
        as: 'path',
        merge: 'first',
        whenBlocked: null,
        suffices: true,
        missingBlocks: 'No hook gave the path of the worktree',
      },
    },
    merges: 'exit-code',
    blocksOn: 'any-failure',
    reasonTo: 'user',
    plainStdout: 'path',
    onBlock: 'the worktree is not created; the reason goes to the user. Any other failure does the same',
    example: { name: 'feature' },
  },
  WorktreeRemove: {
    ...guarded,
    when: 'a worktree is removed; the hook removes it in place of the host',
    input: z.looseObject({ worktree_path: text }),
    answer: nothing,
    merges: 'exit-code',
    blocksOn: 'any-failure',
    reasonTo: 'user',
    onBlock: 'the worktree is not removed; the reason goes to the user. Any other failure does the same',
    example: { worktree_path: '/project-feature' },
  },
  PreCompact: {
    ...guarded,
    when: 'before the context is compacted',
    matchOn: 'trigger',
    values: ['manual', 'auto'],
    input: z.looseObject({ trigger: z.string(), custom_instructions: z.string().nullable().optional() }),
    answer: nothing,
    effects: { ...effects, instructions: { fields: [], from: 'specific', stdout: 'whole', merge: 'joined' } },
    reasonTo: 'user',
    systemMessageTo: 'none',
    plainStdout: 'instructions',
    onBlock: 'the context is not compacted; the reason goes to the user',
    example: { trigger: 'manual', custom_instructions: null },
  },
  PostCompact: {
    ...observed,
    when: 'the context was compacted',
    matchOn: 'trigger',
    values: ['manual', 'auto'],
    input: z.looseObject({ trigger: z.string(), compact_summary: text }),
    answer: nothing,
    example: { trigger: 'manual', compact_summary: 'The user fixed a test.' },
  },
  PreModelSwitch: {
    ...guarded,
    when: 'the user or the host asks for another model',
    matchOn: 'to_model',
    input: z.looseObject(switched),
    answer: z.looseObject({
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: z.string().optional().describe('to the user'),
    }),
    merges: 'permission',
    reasonTo: 'user',
    onTimeout: 'block',
    canHalt: true,
    seconds: setSeconds(30),
    onBlock: 'the model stays; the reason goes to the user',
    example: exampleSwitch,
  },
  PostModelSwitch: {
    ...observed,
    when: 'the model has changed',
    matchOn: 'to_model',
    input: z.looseObject(switched),
    answer: z.looseObject(context),
    plainStdout: 'context',
    seconds: setSeconds(30),
    example: exampleSwitch,
  },
  Elicitation: {
    ...guarded,
    when: 'an MCP server asks the user for something',
    matchOn: 'mcp_server_name',
    input: z.looseObject({ ...elicited, message: text, url: text, requested_schema: z.looseObject({}).optional() }),
    answer: z.looseObject(elicitation),
    effects: answering,
    merges: 'exit-code',
    reasonTo: 'user',
    specificOnlyAtExit0: true,
    onBlock: 'the server is declined',
    example: { mcp_server_name: 'forms', message: 'Your name?', mode: 'form', requested_schema: { type: 'object' } },
  },
  ElicitationResult: {
    ...guarded,
    when: 'an answer is about to be sent to an MCP server that asked for it',
    matchOn: 'mcp_server_name',
    input: z.looseObject({ ...elicited, action: text, content: z.looseObject({}).optional() }),
    answer: z.looseObject(elicitation),
    effects: answering,
    merges: 'exit-code',
    reasonTo: 'user',
    specificOnlyAtExit0: true,
    onBlock: 'the server is declined',
    example: { mcp_server_name: 'forms', mode: 'form', action: 'accept', content: { name: 'Ada' } },
  },
  SessionEnd: {
    ...observed,
    when: 'the session ends',
    matchOn: 'reason',
    values: ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'],
    input: z.looseObject({ reason: z.string() }),
    answer: nothing,
    systemMessageTo: 'none',
    hookTypes: ['command', 'http', 'function'],
    secondsTogether: 1.5,
    component: false,
    endsSession: true,
    example: { reason: 'other' },
  },
})
