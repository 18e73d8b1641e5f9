import { type Bridge, makeExact, makeLost, makeRefusals, makeRefused } from '../bridge.ts'

const RUN_COMMAND = { tool: { value: 'run_command' } }
const WRITE = { tool: { value: 'write_code' } }
const READ = { tool: { value: 'read_code' } }
const MCP = {
  tool: 'tool_info.mcp_tool_name',
  input: 'tool_info.mcp_tool_arguments',
  mcp: { server: 'tool_info.mcp_server_name', tool: 'tool_info.mcp_tool_name' },
}
const NOTE_SILENT = 'a hook of Windsurf can refuse, and say nothing else'

/** Windsurf's agent Cascade. */
export const windsurf: Bridge = {
  name: 'windsurf',
  title: 'Windsurf',
  seen: { version: 'November 2026', mark: 'D' },
  detect: [{ payload: ['agent_action_name', 'trajectory_id'] }],
  install: {
    files: { user: '.codeium/windsurf/hooks.json', project: '.windsurf/hooks.json' },
    shape: 'windsurf',
    reads: { format: 'json', mark: 'D' },
    timeout: { unit: 's', most: null },
    loadsClaude: null,
    person: [],
    missing: 'passes',
  },
  project: null,
  common: { session_id: 'trajectory_id', cwd: 'tool_info.cwd' },
  subagent: null,
  modes: null,
  call: {
    tool: 'agent_action_name',
    input: 'tool_info',
    id: null,
    output: null,
    failed: null,
    folderOfCommand: true,
  },
  mcp: { style: null },
  events: {
    pre_user_prompt: { as: 'UserPromptSubmit', fields: { prompt: 'tool_info.user_prompt' } },
    pre_run_command: { as: 'PreToolUse', call: RUN_COMMAND },
    pre_write_code: { as: 'PreToolUse', call: WRITE },
    pre_read_code: { as: 'PreToolUse', call: READ },
    pre_mcp_tool_use: { as: 'PreToolUse', call: MCP },
    post_run_command: { as: 'PostToolUse', call: RUN_COMMAND, observes: true },
    post_write_code: { as: 'PostToolUse', call: WRITE, observes: true },
    post_read_code: { as: 'PostToolUse', call: READ, observes: true },
    post_mcp_tool_use: { as: 'PostToolUse', call: { ...MCP, output: 'tool_info.mcp_result' }, observes: true },
    post_cascade_response: {
      as: 'Stop',
      fields: { stop_hook_active: { by: 'stopHookActive' }, last_assistant_message: 'tool_info.response' },
      observes: true,
    },
  },
  tools: [
    { host: 'run_command', claude: 'Bash', input: { command: 'command_line' }, folder: 'cwd', rewrite: 'never' },
    {
      host: 'write_code',
      parts: 'edits',
      field: 'edits',
      input: { file_path: 'file_path', content: 'new_string', old_string: 'old_string', new_string: 'new_string' },
      required: { edits: 'list' },
    },
    { host: 'read_code', claude: 'Read', input: { file_path: 'file_path' }, rewrite: 'never' },
  ],
  answers: {
    deny: makeExact('exit2', 'D'),
    ask: makeRefused('a hook of Windsurf cannot ask'),
    defer: makeRefused('Windsurf cannot leave a call open'),
    allow: makeLost('Windsurf asks all the same'),
    updatedInput: makeRefused('Windsurf takes no changed input'),
    contextBeforeTool: makeLost(NOTE_SILENT),
    contextAfterTool: makeLost(NOTE_SILENT),
    feedbackAfterTool: makeLost(NOTE_SILENT),
    updatedToolOutput: makeLost('Windsurf takes no changed output'),
    contextAtStart: makeLost('Windsurf has no event for the start of a session'),
    environment: makeLost('Windsurf takes no changed command'),
    promptBlock: makeExact('exit2', 'D'),
    promptContext: makeLost(NOTE_SILENT),
    stopBlock: makeLost('Windsurf tells that a response is done, and goes on'),
    halt: makeRefusals('Windsurf cannot be told to end the turn'),
    haltBeforeTool: makeRefusals('Windsurf cannot be told to end the turn'),
    dialog: makeLost('Windsurf has no event for its dialog'),
    toUser: makeExact('errorText', 'D'),
  },
  capabilities: {
    noOpinion: '',
    input: 'replace',
    stopCap: null,
    limit: 60,
    blind: [
      'Searches, fetches and other tools fire no event: only files, commands, MCP tools and prompts do.',
      'How long Windsurf waits for a hook is not documented: a slow guard may be passed over.',
    ],
  },
  recipe: null,
}
