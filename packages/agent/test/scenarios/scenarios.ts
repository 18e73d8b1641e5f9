import type { Scenario } from './scenario.ts'

/** A command that leaves a file, so that it is seen whether it ran. */
const touching = (path: string) => ({ name: 'Bash', input: { command: `touch ${path}` }, id: 'toolu_1' })

/** A call that gives a task to another agent. */
const giving = (prompt: string, more: object = {}) => ({
  name: 'Task',
  input: { prompt, description: 'count', subagent_type: 'general-purpose', ...more },
  id: 'toolu_1',
})

const ALLOWED = ['--allowed-tools', 'Bash']

/** How every event of the agent comes about; a row is all that a further one needs. */
export const SCENARIOS: readonly Scenario[] = [
  {
    event: 'SessionStart',
    value: 'startup',
    when: 'a session starts',
    through: { by: 'command', runs: [['-p', 'Hello']], script: { turns: [{ text: 'Hello.' }] } },
    block: {
      does: 'it changes nothing: the session starts, and the user reads the reason',
      code: 0,
      person: '[H]: not today',
    },
  },
  {
    event: 'SessionStart',
    value: 'resume',
    when: 'an earlier session goes on',
    through: {
      by: 'command',
      runs: [
        ['-p', 'Hello'],
        ['-p', 'Hello again', '--continue'],
      ],
    },
    block: {
      does: 'it changes nothing: the session goes on, and the user reads the reason',
      code: 0,
      person: '[H]: not today',
    },
  },
  {
    event: 'SessionStart',
    value: 'clear',
    when: 'the user clears the conversation, and an empty one begins',
    through: { by: 'command', runs: [['-p', '/clear']] },
    block: { does: 'it changes nothing: the new session starts', code: 0, person: '[H]: not today' },
  },
  {
    event: 'SessionStart',
    value: 'compact',
    when: 'the conversation was compacted',
    through: {
      by: 'command',
      runs: [
        ['-p', 'Hello'],
        ['-p', '/compact', '--continue'],
      ],
    },
    block: { does: 'it changes nothing: the session goes on from the summary', code: 0, person: '[H]: not today' },
  },
  {
    event: 'UserPromptSubmit',
    value: null,
    when: 'the user sends a prompt',
    through: { by: 'command', runs: [['-p', 'Clean up, please']] },
    block: {
      does: 'the prompt is dropped and stands nowhere; the user reads the reason and the prompt',
      code: 2,
      person: 'UserPromptSubmit operation blocked by hook:\nnot today\n\nOriginal prompt: Clean up, please',
      nowhere: 'Clean up',
    },
  },
  {
    event: 'PreToolUse',
    value: 'Bash',
    when: 'the model wants to make a call, before it is made',
    through: {
      by: 'command',
      runs: [['-p', 'Mark it', ...ALLOWED]],
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
    },
    block: {
      does: 'the call is not made, and the model reads the reason as its result',
      code: 0,
      person: '[H]: not today',
      model: 'PreToolUse:Bash hook error: [H]: not today',
      files: { mark: false },
    },
  },
  {
    event: 'PermissionRequest',
    value: 'Bash',
    when: 'no rule decides on a call, and the user is about to be asked',
    through: {
      by: 'library',
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
      person: 'answers',
    },
    block: {
      does: 'the call is not made, nobody is asked, and the model reads the reason as its result',
      code: null,
      person: '[H]: not today',
      model: '[H]: not today',
      files: { mark: false },
    },
  },
  {
    event: 'PostToolUse',
    value: 'Bash',
    when: 'a call succeeded',
    through: {
      by: 'command',
      runs: [['-p', 'Mark it', ...ALLOWED]],
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
    },
    block: {
      does: 'the call is already made; the model reads the reason beside its result',
      code: 0,
      person: '[H]: not today',
      model: 'PostToolUse:Bash hook blocking error: [H]: not today',
      files: { mark: true },
    },
  },
  {
    event: 'PostToolUseFailure',
    value: 'Bash',
    when: 'a call that was made failed',
    through: {
      by: 'command',
      runs: [['-p', 'Break it', ...ALLOWED]],
      script: {
        turns: [
          { tools: [{ name: 'Bash', input: { command: 'echo half; exit 3' }, id: 'toolu_1' }] },
          { text: 'Broken.' },
        ],
      },
    },
    block: {
      does: 'the model reads the reason beside the error',
      code: 0,
      person: '[H]: not today',
      model: 'PostToolUseFailure:Bash hook blocking error: [H]: not today',
    },
  },
  {
    event: 'Notification',
    value: 'permission_prompt',
    when: 'the user has been asked for a permission and does not answer',
    through: {
      by: 'library',
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
      person: 'answers-when-notified',
    },
    block: {
      does: 'it changes nothing: the dialog stays open',
      code: null,
      person: '[H]: not today',
      files: { mark: true },
    },
  },
  {
    event: 'Notification',
    value: 'auth_success',
    when: 'a provider accepted the key',
    through: { by: 'command', runs: [['-p', 'Hello']], provider: 'anthropic' },
    block: { does: 'it changes nothing: the answer is used', code: 0, person: '[H]: not today' },
  },
  {
    event: 'Notification',
    value: 'elicitation_dialog',
    when: 'an MCP server asks the user to fill in a form',
    through: {
      by: 'library',
      script: { turns: [{ tools: [{ name: 'mcp__small__ask', input: {}, id: 'toolu_1' }] }, { text: 'Asked.' }] },
      person: 'fills-in-a-form',
    },
    block: { does: 'it changes nothing: the form is shown', code: null, person: '[H]: not today', model: 'main' },
  },
  {
    event: 'Notification',
    value: 'idle_prompt',
    when: 'the agent waits for the user, who has typed nothing for 60 seconds',
    through: { by: 'library', script: { turns: [{ text: 'What next?' }] }, person: 'is-away' },
    block: { does: 'it changes nothing: the agent waits', code: null, person: '[H]: not today' },
  },
  {
    event: 'SubagentStart',
    value: 'general-purpose',
    when: 'the model gives a task to a subagent, before that begins',
    through: {
      by: 'command',
      runs: [['-p', 'Let somebody count']],
      script: { turns: [{ tools: [giving('Count the files')] }, { text: 'Counted.' }] },
    },
    block: {
      does: 'it changes nothing: the subagent begins, and the user reads the reason',
      code: 0,
      person: '[H]: not today',
    },
  },
  {
    event: 'SubagentStop',
    value: 'general-purpose',
    when: 'a subagent has finished its answer',
    through: {
      by: 'command',
      runs: [['-p', 'Let somebody count']],
      script: {
        turns: [{ tools: [giving('Count the files')] }, { text: 'Counted.' }],
        agents: { 'general-purpose': { turns: [{ text: 'There are 7.' }, { text: 'There are 8.' }] } },
      },
    },
    block: {
      does: 'the subagent goes on, with the reason as its instruction; its next SubagentStop has `stop_hook_active: true`',
      code: 0,
      person: '[H]: not today',
      model: 'Stop hook feedback:\n[H]: not today',
    },
  },
  {
    event: 'TeammateIdle',
    value: null,
    when: 'a teammate has nothing more to do, before it goes idle and its lead is told',
    through: {
      by: 'command',
      runs: [['-p', 'Work with Ada']],
      script: { turns: [{ tools: [giving('Count the files', { name: 'Ada', team_name: 'core' })] }] },
    },
    block: {
      does: 'the teammate goes on, with the reason as feedback; after 8 blocks in a row without a tool call it goes idle',
      code: 0,
      person: '[H]: not today',
      model: 'TeammateIdle hook feedback:\n[H]: not today',
    },
  },
  {
    event: 'TaskCompleted',
    value: null,
    when: 'a task of the shared list is being marked as completed',
    through: {
      by: 'command',
      runs: [['-p', 'Build it']],
      script: {
        turns: [
          { tools: [{ name: 'TaskCreate', input: { subject: 'Build', description: 'All of it' } }] },
          { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
          { text: 'Built.' },
        ],
      },
    },
    block: {
      does: 'the task stays open, and the model reads the reason as the result of its call',
      code: 0,
      person: '[H]: not today',
      model: 'TaskCompleted hook feedback:\n[H]: not today',
    },
  },
  {
    event: 'Stop',
    value: null,
    when: 'the model has finished its answer',
    through: {
      by: 'command',
      runs: [['-p', 'Be done']],
      script: { turns: [{ text: 'Done.' }, { text: 'Really done.' }] },
    },
    block: {
      does: 'the agent goes on, with the reason as its instruction; the next Stop has `stop_hook_active: true`',
      code: 0,
      person: '[H]: not today',
      model: 'Stop hook feedback:\n[H]: not today',
    },
  },
  {
    event: 'PreCompact',
    value: 'manual',
    when: 'the user asks for a summary of the conversation',
    through: {
      by: 'command',
      runs: [
        ['-p', 'Hello'],
        ['-p', '/compact keep the names', '--continue'],
      ],
    },
    block: {
      does: 'it changes nothing: the conversation is compacted',
      code: 0,
      person: 'PreCompact [H] failed: not today',
    },
  },
  {
    event: 'PreCompact',
    value: 'auto',
    when: 'the conversation is about to outgrow what the model can read',
    through: {
      by: 'command',
      runs: [['-p', 'Look around', ...ALLOWED]],
      script: {
        contextWindow: 10_000,
        turns: [{ tools: [touching('mark')], usage: { inputTokens: 9000 } }, { text: 'Seen.' }],
      },
    },
    block: {
      does: 'it changes nothing: the conversation is compacted',
      code: 0,
      person: 'PreCompact [H] failed: not today',
    },
  },
  {
    event: 'SessionEnd',
    value: 'other',
    when: 'the run is over, or was ended by a signal',
    through: { by: 'command', runs: [['-p', 'Hello']] },
    block: { does: 'it changes nothing: the session ends', code: 0, person: 'SessionEnd hook [H] failed: not today' },
  },
  {
    event: 'SessionEnd',
    value: 'clear',
    when: 'the user clears the conversation',
    through: { by: 'command', runs: [['-p', '/clear']] },
    block: { does: 'it changes nothing: the session ends', code: 0, person: 'SessionEnd hook [H] failed: not today' },
  },
  {
    event: 'SessionEnd',
    value: 'logout',
    when: 'the user signs out',
    through: { by: 'command', runs: [['-p', '/logout']] },
    block: { does: 'it changes nothing: the session ends', code: 0, person: 'SessionEnd hook [H] failed: not today' },
  },
  {
    event: 'SessionEnd',
    value: 'prompt_input_exit',
    when: 'the user leaves',
    through: { by: 'command', runs: [['-p', '/exit']] },
    block: { does: 'it changes nothing: the session ends', code: 0, person: 'SessionEnd hook [H] failed: not today' },
  },
  {
    event: 'SessionEnd',
    value: 'bypass_permissions_disabled',
    when: 'the mode that was asked for is forbidden by policy',
    through: {
      by: 'command',
      runs: [['-p', 'Hello', '--permission-mode', 'bypassPermissions']],
      files: { 'managed.json': { permissions: { disableBypassPermissionsMode: 'disable' } } },
    },
    block: { does: 'it changes nothing: the session ends', code: 1, person: 'SessionEnd hook [H] failed: not today' },
  },
]
