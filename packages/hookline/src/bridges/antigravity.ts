import { type Bridge, exact, lost, refusals, refused } from './bridge.ts'

const SILENT = 'a hook of Antigravity can decide, and say nothing else'

/** Google's Antigravity. */
export const antigravity: Bridge = {
  name: 'antigravity',
  title: 'Antigravity',
  seen: { version: '1.1', mark: 'T' },
  detect: [{ payload: ['toolCall', 'workspacePaths'] }],
  install: {
    files: { user: '.gemini/config/hooks.json', project: '.agents/hooks.json' },
    shape: 'antigravity',
    reads: { format: 'json', whole: ['timeout'], mark: 'T' },
    timeout: { unit: 's', most: null },
    loadsClaude: null,
    person: [],
    missingProgram: 'Without hookline the hook gives no decision, and Antigravity asks about every call.',
  },
  project: null,
  common: { session_id: 'conversationId', cwd: 'workspacePaths.0' },
  subagent: null,
  modes: null,
  call: { tool: 'toolCall.name', input: 'toolCall.args', id: 'stepIdx', output: null, failed: null },
  events: {
    SessionStart: { as: 'SessionStart' },
    PreToolUse: { as: 'PreToolUse', noOpinion: '{"decision":"allow"}' },
    PostToolUse: { as: 'PostToolUse', observes: true },
    Stop: { as: 'Stop', fields: { stop_hook_active: { by: 'stopHookActive' } }, observes: true },
    PreInvocation: { as: null, why: 'it comes before every request of the model, not for prompts alone' },
    PostInvocation: { as: null, why: 'Claude Code has no such event' },
  },
  tools: [
    { host: 'run_command', claude: 'Bash', input: { command: 'CommandLine' }, rewrite: 'never' },
    {
      host: 'write_to_file',
      claude: 'Write',
      input: { file_path: 'TargetFile', content: 'CodeContent' },
      rewrite: 'never',
    },
    {
      host: 'replace_file_content',
      claude: 'Edit',
      input: { file_path: 'TargetFile', old_string: 'TargetContent', new_string: 'ReplacementContent' },
      rewrite: 'never',
    },
    { host: 'view_file', claude: 'Read', input: { file_path: 'AbsolutePath' }, rewrite: 'never' },
  ],
  answers: {
    deny: exact('topDeny', 'T'),
    ask: exact('forceAsk', 'T', { attended: true }),
    defer: refused('Antigravity cannot leave a call open'),
    allow: lost('Antigravity asks all the same'),
    updatedInput: refused('Antigravity takes no changed input'),
    contextBeforeTool: lost(SILENT),
    contextAfterTool: lost(SILENT),
    feedbackAfterTool: lost(SILENT),
    updatedToolOutput: lost('Antigravity takes no changed output'),
    contextAtStart: lost(SILENT),
    environment: lost('Antigravity takes no changed command'),
    promptBlock: lost('Antigravity has no event for a prompt'),
    promptContext: lost('Antigravity has no event for a prompt'),
    stopBlock: lost('Antigravity tells that a turn is over, and goes on'),
    halt: refusals('Antigravity cannot be told to end the turn'),
    haltBeforeTool: refusals('Antigravity cannot be told to end the turn'),
    dialog: lost('Antigravity has no event for its dialog'),
    toUser: exact('errorText', 'T'),
  },
  capabilities: {
    noOpinion: '{}',
    input: 'replace',
    stopCap: null,
    limit: 30,
    blind: [
      'Antigravity has no event for a prompt: there are no UserPromptSubmit events.',
      'Its command line may read hooks from plugins alone.',
    ],
  },
}
