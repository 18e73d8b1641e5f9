import { asContext, type Bridge, exact, lost, prefixed, refusals, refused } from './bridge.ts'

const SETTINGS = [
  '~/.config/Code/User/settings.json',
  '~/Library/Application Support/Code/User/settings.json',
  '.vscode/settings.json',
]

/** The local agent of VS Code. It reads the files of Copilot, and calls what they name with payloads of its own. */
export const vscode: Bridge = {
  name: 'vscode',
  title: 'VS Code',
  seen: { version: 'November 2026', mark: 'D' },
  detect: [{ payload: ['hookEventName', 'tool_name'] }, { payload: ['hookEventName', 'transcript_path'] }],
  install: {
    files: { user: '.copilot/hooks/hookline.json', project: '.github/hooks/hookline.json' },
    homes: [
      { variable: 'COPILOT_HOME', insteadOf: '.copilot', mark: 'D' },
      { variable: 'XDG_CONFIG_HOME', insteadOf: '.config', mark: 'D' },
    ],
    shape: 'copilot',
    reads: { format: 'json', mark: 'D' },
    switches: [
      { files: SETTINGS, format: 'jsonc', key: 'chat.useHooks', is: false, mark: 'D' },
      {
        files: SETTINGS,
        format: 'jsonc',
        key: ['chat.hookFilesLocations', '.github/hooks'],
        is: false,
        stops: 'project',
        mark: 'D',
      },
    ],
    through: 'copilot',
    timeout: { unit: 's', most: null },
    loadsClaude: {
      scopes: ['project', 'local', 'user'],
      switchOff: 'the files of Claude Code in its setting "chat.hookFilesLocations" (".claude/settings.json": false)',
    },
    person: ['VS Code reads the file of Copilot: one installation serves Copilot CLI and VS Code.'],
    missingProgram: 'Without hookline the hook fails and VS Code goes on: the guard is open.',
  },
  project: null,
  common: { session_id: 'sessionId', cwd: 'cwd' },
  subagent: null,
  modes: null,
  call: { tool: 'tool_name', input: 'tool_input', id: 'tool_use_id', output: 'tool_response', failed: null },
  events: {
    SessionStart: { as: 'SessionStart', fields: { source: { value: 'startup' } } },
    UserPromptSubmit: { as: 'UserPromptSubmit', fields: { prompt: 'prompt' } },
    PreToolUse: { as: 'PreToolUse' },
    PostToolUse: { as: 'PostToolUse' },
    PreCompact: { as: 'PreCompact', fields: { trigger: 'trigger' }, observes: true },
    SubagentStart: { as: 'SubagentStart', fields: { agent_id: 'agent_id', agent_type: 'agent_type' } },
    SubagentStop: {
      as: 'SubagentStop',
      fields: { agent_id: 'agent_id', agent_type: 'agent_type', stop_hook_active: { by: 'stopHookActive' } },
    },
    Stop: { as: 'Stop', fields: { stop_hook_active: { by: 'stopHookActive' } } },
  },
  tools: [
    {
      host: 'run_in_terminal',
      claude: 'Bash',
      input: { command: 'command', description: 'explanation', run_in_background: 'isBackground' },
      rewrite: 'rename',
    },
    { host: 'create_file', claude: 'Write', input: { file_path: 'filePath', content: 'content' }, rewrite: 'rename' },
    {
      host: 'replace_string_in_file',
      claude: 'Edit',
      input: { file_path: 'filePath', old_string: 'oldString', new_string: 'newString' },
      rewrite: 'rename',
    },
    { host: 'apply_patch', parts: 'patch', field: 'input' },
    { host: 'read_file', claude: 'Read', input: { file_path: 'filePath' }, rewrite: 'rename' },
  ],
  answers: {
    deny: exact('nestedDeny', 'D'),
    ask: exact('nestedAsk', 'D', { attended: true }),
    defer: refused('VS Code cannot leave a call open'),
    allow: exact('nestedAllow', 'D'),
    updatedInput: exact('nestedInput', 'D'),
    contextBeforeTool: exact('nestedContext', 'D'),
    contextAfterTool: exact('nestedContext', 'D'),
    feedbackAfterTool: asContext('whether VS Code keeps the output beside it is not documented'),
    updatedToolOutput: lost('VS Code takes no changed output'),
    contextAtStart: exact('nestedContext', 'D'),
    environment: prefixed('a shell command begins with ". FILE;"'),
    promptBlock: exact('exit2', 'D'),
    promptContext: exact('nestedContext', 'D'),
    stopBlock: exact('nestedBlock', 'D'),
    halt: refusals('whether VS Code ends the turn is not documented'),
    haltBeforeTool: refusals('whether VS Code ends the turn is not documented'),
    dialog: lost('VS Code has no event for its dialog'),
    toUser: exact('systemMessage', 'D'),
  },
  capabilities: {
    noOpinion: '',
    input: 'replace',
    stopCap: null,
    limit: 30,
    blind: [
      'There are no SessionEnd and PostToolUseFailure events.',
      'VS Code turns the event names of Copilot into its own; whether it does so for prompts and stops was not tried.',
    ],
  },
}
