/** The questions that a client is asked, as tables: a question is a row. `questions.js` says how rows of a table are asked. */

/**
 * An answer of a hook.
 * @typedef {{ exit?: number, stdout?: string, stderr?: string, ms?: number, signal?: string }} Said
 */

/**
 * A call, and what the hooks of its event say to it, by their names. The word stands for the row: `row-ID`.
 * @typedef {object} AnswerRow
 * @property {string} id
 * @property {string} asks
 * @property {(word: string) => Record<string, Said>} says
 */

/** @param {object} value */
const json = (value) => ({ stdout: JSON.stringify(value) })
/** @param {object} value */
const before = (value) => json({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...value } })
/** @param {object} value */
const after = (value) => json({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...value } })
/** @param {string} word */
const deny = (word) => before({ permissionDecision: 'deny', permissionDecisionReason: `reason of ${word}` })
const allow = before({ permissionDecision: 'allow', permissionDecisionReason: 'allowed' })
/** @param {string} word */
const ask = (word) => before({ permissionDecision: 'ask', permissionDecisionReason: `question of ${word}` })
/** @param {string} word */
const rewritten = (word) => before({ updatedInput: { command: `echo new > ${word}.new`, description: 'as rewritten' } })

/**
 * Answers to a Bash call on PreToolUse. Hooks: `one`, `two`, `brief` with a timeout of a second, `behind` with async, `closed` with onFailure.
 * @type {readonly AnswerRow[]}
 */
export const BEFORE_CALL = [
  { id: 'text', asks: 'plain stdout, exit 0', says: (word) => ({ one: { stdout: `text of ${word}` } }) },
  { id: 'exit-1', asks: 'exit 1', says: (word) => ({ one: { exit: 1, stderr: `stderr of ${word}` } }) },
  { id: 'exit-2', asks: 'exit 2 with stderr', says: (word) => ({ one: { exit: 2, stderr: `stderr of ${word}` } }) },
  { id: 'exit-2-empty', asks: 'exit 2 without a word', says: () => ({ one: { exit: 2 } }) },
  {
    id: 'exit-2-stdout',
    asks: 'exit 2 with stdout alone',
    says: (word) => ({ one: { exit: 2, stdout: `text of ${word}` } }),
  },
  { id: 'exit-127', asks: 'exit 127', says: () => ({ one: { exit: 127 } }) },
  { id: 'signal', asks: 'ended by a signal', says: () => ({ one: { signal: 'SIGTERM' } }) },
  { id: 'deny', asks: 'permissionDecision deny', says: (word) => ({ one: deny(word) }) },
  {
    id: 'deny-mute',
    asks: 'deny without a reason',
    says: () => ({ one: before({ permissionDecision: 'deny' }) }),
  },
  { id: 'deny-exit-1', asks: 'deny with exit 1', says: (word) => ({ one: { ...deny(word), exit: 1 } }) },
  {
    id: 'deny-exit-2',
    asks: 'deny with exit 2 and stderr',
    says: (word) => ({ one: { ...deny(word), exit: 2, stderr: `stderr of ${word}` } }),
  },
  {
    id: 'allow-exit-2',
    asks: 'allow with exit 2',
    says: (word) => ({ one: { ...allow, exit: 2, stderr: `stderr of ${word}` } }),
  },
  { id: 'ask', asks: 'ask where nobody can be asked', says: (word) => ({ one: ask(word) }) },
  {
    id: 'old-block',
    asks: 'decision block',
    says: (word) => ({ one: json({ decision: 'block', reason: `reason of ${word}` }) }),
  },
  { id: 'old-approve', asks: 'decision approve', says: () => ({ one: json({ decision: 'approve' }) }) },
  {
    id: 'old-deny',
    asks: 'decision deny, which is not a value',
    says: (word) => ({ one: json({ decision: 'deny', reason: `reason of ${word}` }) }),
  },
  {
    id: 'top-level',
    asks: 'permissionDecision at the top level',
    says: (word) => ({ one: json({ permissionDecision: 'deny', permissionDecisionReason: `reason of ${word}` }) }),
  },
  {
    id: 'no-event-name',
    asks: 'hookSpecificOutput without hookEventName',
    says: () => ({ one: json({ hookSpecificOutput: { permissionDecision: 'deny' } }) }),
  },
  {
    id: 'other-event-name',
    asks: 'hookSpecificOutput of another event',
    says: () => ({ one: json({ hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny' } }) }),
  },
  {
    id: 'null-field',
    asks: 'a field that is null',
    says: () => ({ one: before({ permissionDecision: 'deny', permissionDecisionReason: null }) }),
  },
  {
    id: 'unknown-field',
    asks: 'a deny beside unknown fields',
    says: (word) => ({
      one: json({
        extra: 1,
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: `reason of ${word}`,
          more: true,
        },
      }),
    }),
  },
  {
    id: 'text-before',
    asks: 'a line of text before the JSON',
    says: (word) => ({ one: { stdout: `Checking\n${deny(word).stdout}` } }),
  },
  {
    id: 'text-behind',
    asks: 'a line of text behind the JSON',
    says: (word) => ({ one: { stdout: `${deny(word).stdout}\nDone` } }),
  },
  {
    id: 'bom',
    asks: 'a byte order mark before the JSON',
    says: (word) => ({ one: { stdout: `\ufeff${deny(word).stdout}` } }),
  },
  {
    id: 'two-documents',
    asks: 'two JSON documents',
    says: (word) => ({ one: { stdout: `{"systemMessage":"x"}\n${deny(word).stdout}` } }),
  },
  { id: 'list', asks: 'a JSON list', says: (word) => ({ one: { stdout: `[${deny(word).stdout}]` } }) },
  { id: 'on-stderr', asks: 'a JSON deny on stderr', says: (word) => ({ one: { stderr: deny(word).stdout } }) },
  {
    id: 'context',
    asks: 'additionalContext',
    says: (word) => ({ one: before({ additionalContext: `context of ${word}` }) }),
  },
  {
    id: 'top-context',
    asks: 'additionalContext at the top level',
    says: (word) => ({ one: json({ additionalContext: `context of ${word}` }) }),
  },
  {
    id: 'system-message',
    asks: 'systemMessage',
    says: (word) => ({ one: json({ systemMessage: `message of ${word}` }) }),
  },
  { id: 'rewrite', asks: 'updatedInput', says: (word) => ({ one: rewritten(word) }) },
  {
    id: 'rewrite-part',
    asks: 'updatedInput that lacks a field',
    says: () => ({ one: before({ updatedInput: { description: 'as rewritten' } }) }),
  },
  {
    id: 'timeout',
    asks: 'a deny that comes after the timeout',
    says: (word) => ({ brief: { ...deny(word), ms: 9000 } }),
  },
  {
    id: 'async',
    asks: 'exit 2 of an async hook',
    says: (word) => ({ behind: { exit: 2, stderr: `stderr of ${word}` } }),
  },
  {
    id: 'on-failure',
    asks: 'exit 1 of a hook with onFailure block',
    says: (word) => ({ closed: { exit: 1, stderr: `stderr of ${word}` } }),
  },
  { id: 'deny-allow', asks: 'deny beside allow', says: (word) => ({ one: deny(word), two: allow }) },
  {
    id: 'allow-deny',
    asks: 'allow beside a later deny',
    says: (word) => ({ one: allow, two: { ...deny(word), ms: 1500 } }),
  },
  { id: 'ask-allow', asks: 'ask beside allow', says: (word) => ({ one: ask(word), two: allow }) },
  { id: 'deny-ask', asks: 'deny beside ask', says: (word) => ({ one: deny(word), two: ask(word) }) },
  {
    id: 'exit-2-allow',
    asks: 'exit 2 beside allow',
    says: (word) => ({ one: { exit: 2, stderr: `stderr of ${word}` }, two: allow }),
  },
  {
    id: 'two-denials',
    asks: 'two denials, the first in order finishing last',
    says: (word) => ({ one: { ...deny(`${word}, slow`), ms: 2500 }, two: deny(`${word}, fast`) }),
  },
  {
    id: 'two-rewrites',
    asks: 'two updatedInput, the first in order finishing last',
    says: (word) => ({ one: { ...rewritten(`${word}-slow`), ms: 2500 }, two: rewritten(`${word}-fast`) }),
  },
]

/** Answers to a Bash call that end the run, each in a session of its own: on PreToolUse unless the row says otherwise. */
export const ENDING = [
  {
    id: 'halt-before',
    asks: 'continue false',
    event: 'PreToolUse',
    says: json({ continue: false, stopReason: 'halted' }),
  },
  { id: 'defer', asks: 'defer', event: 'PreToolUse', says: before({ permissionDecision: 'defer' }) },
  {
    id: 'halt-and-deny',
    asks: 'continue false beside deny',
    event: 'PreToolUse',
    says: json({
      continue: false,
      stopReason: 'halted',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    }),
  },
  {
    id: 'halt-after',
    asks: 'continue false',
    event: 'PostToolUse',
    says: json({ continue: false, stopReason: 'halted' }),
  },
  { id: 'batch-exit-2', asks: 'exit 2', event: 'PostToolBatch', says: { exit: 2, stderr: 'stderr of the batch' } },
  { id: 'stop-halt', asks: 'continue false', event: 'Stop', says: json({ continue: false, stopReason: 'halted' }) },
  { id: 'stop-always', asks: 'exit 2 every time', event: 'Stop', says: { exit: 2, stderr: 'go on' } },
]

const BASH = { stdout: 'redacted', stderr: '', interrupted: false, isImage: false, noOutputExpected: false }

/**
 * Answers on PostToolUse, to a Bash call unless the row names another tool.
 * @type {readonly (AnswerRow & { tool?: 'Read' | 'Write' | 'Edit' | 'mcp__files__look' })[]}
 */
export const AFTER_CALL = [
  { id: 'text', asks: 'plain stdout, exit 0', says: (word) => ({ one: { stdout: `text of ${word}` } }) },
  { id: 'exit-1', asks: 'exit 1', says: (word) => ({ one: { exit: 1, stderr: `stderr of ${word}` } }) },
  { id: 'exit-2', asks: 'exit 2 with stderr', says: (word) => ({ one: { exit: 2, stderr: `stderr of ${word}` } }) },
  {
    id: 'block',
    asks: 'decision block',
    says: (word) => ({ one: json({ decision: 'block', reason: `reason of ${word}` }) }),
  },
  {
    id: 'context',
    asks: 'additionalContext',
    says: (word) => ({ one: after({ additionalContext: `context of ${word}` }) }),
  },
  {
    id: 'two-contexts',
    asks: 'two contexts, the first in order finishing last',
    says: (word) => ({
      one: { ...after({ additionalContext: `slow context of ${word}` }), ms: 2500 },
      two: after({ additionalContext: `fast context of ${word}` }),
    }),
  },
  { id: 'output', asks: 'updatedToolOutput, whole', says: () => ({ one: after({ updatedToolOutput: BASH }) }) },
  {
    id: 'output-documented',
    asks: 'updatedToolOutput with the documented keys alone',
    says: () => ({ one: after({ updatedToolOutput: { stdout: 'redacted', stderr: '', interrupted: false } }) }),
  },
  {
    id: 'output-without-stderr',
    asks: 'updatedToolOutput without stderr',
    says: () => ({ one: after({ updatedToolOutput: { stdout: 'redacted', interrupted: false } }) }),
  },
  {
    id: 'output-without-interrupted',
    asks: 'updatedToolOutput without interrupted',
    says: () => ({ one: after({ updatedToolOutput: { stdout: 'redacted', stderr: '' } }) }),
  },
  {
    id: 'output-more',
    asks: 'updatedToolOutput with a key more',
    says: () => ({ one: after({ updatedToolOutput: { ...BASH, more: 1 } }) }),
  },
  {
    id: 'output-text',
    asks: 'updatedToolOutput as a text',
    says: () => ({ one: after({ updatedToolOutput: 'redacted' }) }),
  },
  {
    id: 'mcp-output',
    asks: 'updatedMCPToolOutput for Bash',
    says: () => ({ one: after({ updatedMCPToolOutput: 'redacted' }) }),
  },
  {
    id: 'read-output',
    asks: 'updatedToolOutput for Read',
    tool: 'Read',
    says: () => ({
      one: after({
        updatedToolOutput: {
          type: 'text',
          file: { filePath: '/redacted', content: 'redacted', numLines: 1, startLine: 1, totalLines: 1 },
        },
      }),
    }),
  },
  {
    id: 'mcp-tool-output',
    asks: 'updatedToolOutput for an MCP tool',
    tool: 'mcp__files__look',
    says: () => ({ one: after({ updatedToolOutput: 'redacted' }) }),
  },
  {
    id: 'mcp-tool-mcp-output',
    asks: 'updatedMCPToolOutput for an MCP tool',
    tool: 'mcp__files__look',
    says: () => ({ one: after({ updatedMCPToolOutput: 'redacted' }) }),
  },
]

/**
 * Answers on PostToolUseFailure, to a command that fails.
 * @type {readonly AnswerRow[]}
 */
export const AFTER_FAILURE = [
  { id: 'exit-2', asks: 'exit 2 with stderr', says: (word) => ({ one: { exit: 2, stderr: `stderr of ${word}` } }) },
  {
    id: 'context',
    asks: 'additionalContext',
    says: (word) => ({
      one: json({
        hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: `context of ${word}` },
      }),
    }),
  },
  { id: 'halt', asks: 'continue false', says: () => ({ one: json({ continue: false, stopReason: 'halted' }) }) },
]

/**
 * Answers on PermissionRequest, to a Write that nobody allowed.
 * @type {readonly AnswerRow[]}
 */
export const AT_DIALOG = [
  { id: 'silence', asks: 'no answer', says: () => ({}) },
  { id: 'exit-2', asks: 'exit 2', says: (word) => ({ one: { exit: 2, stderr: `stderr of ${word}` } }) },
  {
    id: 'allow',
    asks: 'behavior allow',
    says: () => ({
      one: json({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }),
    }),
  },
  {
    id: 'deny',
    asks: 'behavior deny',
    says: (word) => ({
      one: json({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: `message of ${word}` },
        },
      }),
    }),
  },
]

/**
 * Answers on Stop, one after the other in one session; the last lets it stop.
 * @type {readonly { id: string, asks: string, says: Said }[]}
 */
export const AT_STOP = [
  { id: 'exit-2', asks: 'exit 2', says: { exit: 2, stderr: 'stderr of stop-1' } },
  { id: 'block', asks: 'decision block', says: json({ decision: 'block', reason: 'reason of stop-2' }) },
  { id: 'block-mute', asks: 'decision block without a reason', says: json({ decision: 'block' }) },
  {
    id: 'context',
    asks: 'additionalContext',
    says: json({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'context of stop-4' } }),
  },
  { id: 'exit-1', asks: 'exit 1', says: { exit: 1, stderr: 'stderr of stop-5' } },
]

/** @param {object} value */
const atStart = (value) => json({ hookSpecificOutput: { hookEventName: 'SessionStart', ...value } })
/** @param {object} value */
const atPrompt = (value) => json({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', ...value } })

/**
 * Answers on SessionStart and UserPromptSubmit, each pair in a session of its own.
 * @type {readonly { id: string, asks: [start: string, prompt: string], start: Said, prompt: Said }[]}
 */
export const AT_PROMPT = [
  {
    id: 'text',
    asks: ['plain stdout', 'plain stdout'],
    start: { stdout: 'text of start' },
    prompt: { stdout: 'text of prompt' },
  },
  {
    id: 'context',
    asks: ['additionalContext', 'additionalContext'],
    start: atStart({ additionalContext: 'context of start' }),
    prompt: atPrompt({ additionalContext: 'context of prompt' }),
  },
  {
    id: 'exit-2',
    asks: ['exit 2', 'exit 2'],
    start: { exit: 2, stderr: 'stderr of start' },
    prompt: { exit: 2, stderr: 'stderr of prompt' },
  },
  {
    id: 'exit-1',
    asks: ['exit 1', 'exit 1'],
    start: { exit: 1, stderr: 'stderr of start' },
    prompt: { exit: 1, stderr: 'stderr of prompt' },
  },
  {
    id: 'halt',
    asks: ['continue false', 'continue false'],
    start: json({ continue: false, stopReason: 'halted at start' }),
    prompt: json({ continue: false, stopReason: 'halted at prompt' }),
  },
  {
    id: 'block',
    asks: ['sessionTitle', 'decision block'],
    start: atStart({ sessionTitle: 'title of start' }),
    prompt: json({ decision: 'block', reason: 'reason of prompt' }),
  },
  {
    id: 'suppress',
    asks: ['JSON that does not fit', 'block with suppressOriginalPrompt'],
    start: json({ hookSpecificOutput: { additionalContext: 'context of start' } }),
    prompt: json({
      decision: 'block',
      reason: 'reason of prompt',
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
    }),
  },
  {
    id: 'top-context',
    asks: ['additionalContext at the top level', 'additionalContext at the top level'],
    start: json({ additionalContext: 'context of start' }),
    prompt: json({ additionalContext: 'context of prompt' }),
  },
  {
    id: 'first-message',
    asks: ['initialUserMessage', 'no answer'],
    start: atStart({ initialUserMessage: 'message of start' }),
    prompt: {},
  },
  {
    id: 'long',
    asks: ['a context of 10,001 characters', 'a context of 9,999 characters'],
    start: atStart({ additionalContext: `context of start ${'x'.repeat(9984)}` }),
    prompt: atPrompt({ additionalContext: `context of prompt ${'x'.repeat(9981)}` }),
  },
]

/** Matchers on PreToolUse, which are tried on every call of `MATCHED_CALLS`. */
export const MATCHERS = [
  null,
  '',
  '*',
  'Bash',
  'bash',
  'Bas',
  'Bash ',
  'Bash,Write',
  'Bash, Write',
  'Bash|Write',
  'Bash | Write',
  '.*',
  '^Ba',
  'Ba*',
  'Bash.*',
  '^Bash$',
  '!Bash',
  '(?!Write).*',
  'Ba(?=sh)',
  '[',
  '*Bash',
  'Bash(git *)',
  'tool == "Bash"',
  'Task',
  'Agent',
  'mcp__files',
  'mcp__files__*',
  'mcp__files__.*',
  'mcp__.*',
  'files',
]

/** Rules of `if` on PreToolUse, which are tried on every call of `CONDITION_CALLS`. */
export const CONDITIONS = [
  '',
  'Bash',
  'bash',
  'Bash(',
  'Bash()',
  'Bash(*)',
  'Bash(echo *)',
  'Bash(echo:*)',
  'Bash( echo * )',
  'Bash (echo *)',
  'Bash(ECHO *)',
  'Bash(date *)',
  'Bash(touch *)',
  'Bash(timeout *)',
  'Bash(* a)',
  'Bash(sleep *)',
  'Write',
  'Write(src/**)',
  'Write(/src/**)',
  'Write(SRC/**)',
  'Write(deep/**)',
  'Write(*.ts)',
  'Write(//tmp/**)',
  'Write(~/x)',
  'Write(!x)',
  'Edit(src/**)',
  'Bash(echo *) Write',
]

/** Commands on which the rules of `if` are tried, by their names. @type {Record<string, string>} */
export const CONDITION_COMMANDS = {
  'echo a': 'echo a',
  'assignment and list': 'X=1 echo a && date +%s',
  wrapped: 'timeout 5 echo a',
  substitution: 'echo $(date +%s)',
  piped: 'echo a | xargs touch',
  variable: 'T=touch; $T b',
  braces: '{ echo a; }',
  'here-document': 'cat <<END\na\nEND',
}

/** Events whose input is looked at, with the session that fires each. */
export const EVENTS = {
  SessionStart: 'events',
  InstructionsLoaded: 'events',
  UserPromptSubmit: 'events',
  PreToolUse: 'events',
  PostToolUse: 'events',
  PostToolUseFailure: 'events',
  PostToolBatch: 'events',
  MessageDisplay: 'events',
  SubagentStart: 'events',
  SubagentStop: 'events',
  CwdChanged: 'events',
  TaskCreated: 'events',
  TaskCompleted: 'events',
  Stop: 'events',
  SessionEnd: 'events',
  PermissionRequest: 'dialogs',
  UserPromptExpansion: 'expansion',
  PreCompact: 'compaction',
  Setup: 'setup',
}

/** Variables are looked at on these events. */
export const VARIABLE_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd']

/** Tools whose input and answer are looked at. */
export const TOOLS = ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'Skill', 'TaskCreate', 'TaskUpdate', 'mcp__files__look']

/**
 * Settings with one thing wrong: `hook`, `group` and `settings` are laid over a file that is right. `event` has the hook.
 * @typedef {object} MisfitRow
 * @property {string} id
 * @property {string} asks
 * @property {string} [event]
 * @property {Record<string, unknown>} [hook]
 * @property {Record<string, unknown>} [group]
 * @property {Record<string, unknown>} [settings]
 * @property {(json: string) => string} [text] the file as it is written
 */

/** @type {readonly MisfitRow[]} */
export const MISFITS = [
  { id: 'right', asks: 'a file that is right' },
  { id: 'timeout-0', asks: 'timeout 0 on PreToolUse', hook: { timeout: 0 } },
  { id: 'timeout-text', asks: 'timeout "5" on PreToolUse', hook: { timeout: '5' } },
  { id: 'once-text', asks: 'once "yes" on PreToolUse', hook: { once: 'yes' } },
  { id: 'no-command', asks: 'no command on PreToolUse', hook: { command: undefined } },
  { id: 'no-type', asks: 'no type on PreToolUse', hook: { type: undefined } },
  { id: 'unknown-type', asks: 'an unknown type on PreToolUse', hook: { type: 'script' } },
  { id: 'unknown-field', asks: 'an unknown field on PreToolUse', hook: { timeoutSec: 5 } },
  { id: 'other-field', asks: 'a field of another type on PreToolUse', hook: { continueOnBlock: true } },
  { id: 'matcher-list', asks: 'a list as matcher on PreToolUse', group: { matcher: ['Bash'] } },
  {
    id: 'flat',
    asks: 'a hook without a group on PreToolUse',
    group: { hooks: undefined, type: 'command', command: 'true' },
  },
  { id: 'post-timeout-0', asks: 'timeout 0 on PostToolUse', event: 'PostToolUse', hook: { timeout: 0 } },
  {
    id: 'post-matcher-list',
    asks: 'a list as matcher on PostToolUse',
    event: 'PostToolUse',
    group: { matcher: ['Bash'] },
  },
  { id: 'event-unknown', asks: 'an unknown event beside others', settings: { 'hooks.PreToolCall': [] } },
  { id: 'model-number', asks: 'model as a number', settings: { model: 5 } },
  { id: 'allow-text', asks: 'permissions.allow as a text', settings: { 'permissions.allow': 'Bash' } },
  { id: 'disable-text', asks: 'disableAllHooks as a text', settings: { disableAllHooks: 'yes' } },
  { id: 'comment', asks: 'a comment', text: (json) => `// guards\n${json}` },
  { id: 'trailing-comma', asks: 'a comma behind the last member', text: (json) => json.replace(/\}$/, ',}') },
  { id: 'setting-unknown', asks: 'an unknown setting', settings: { colour: 'blue' } },
]

/** Files that hold a hook, and the scope that their author may have had in mind. */
export const FILES = [
  { id: 'project', path: '.claude/settings.json' },
  { id: 'local', path: '.claude/settings.local.json' },
  { id: 'user', path: '../home/.claude/settings.json' },
  { id: 'user-local', path: '../home/.claude/settings.local.json' },
  { id: 'claude-hooks', path: '.claude/hooks.json' },
  { id: 'claude-hooks-folder', path: '.claude/hooks/hooks.json' },
  { id: 'setting', path: '.claude/setting.json' },
  { id: 'root-hooks', path: 'hooks/hooks.json' },
  { id: 'root-settings', path: 'settings.json' },
  { id: 'claude-json', path: '../home/.claude.json' },
  { id: 'plugin', path: '../plugin/hooks/hooks.json' },
  { id: 'plugin-manifest-folder', path: '../plugin/.claude-plugin/hooks/hooks.json' },
  { id: 'plugin-settings', path: '../plugin/settings.json' },
  { id: 'plugin-root', path: '../plugin/hooks.json' },
  { id: 'above', path: '../.claude/settings.json' },
]

/**
 * Switches: what is laid over the settings of the three files, or how the client is called.
 * @type {readonly { id: string, asks: string, over?: Record<string, object>, args?: readonly string[] }[]}
 */
export const SWITCHES = [
  { id: 'off-in-user', asks: 'disableAllHooks in the user settings', over: { user: { disableAllHooks: true } } },
  {
    id: 'off-in-project',
    asks: 'disableAllHooks in the project settings',
    over: { project: { disableAllHooks: true } },
  },
  {
    id: 'on-in-local',
    asks: 'disableAllHooks in the user settings, false in the local ones',
    over: { user: { disableAllHooks: true }, local: { disableAllHooks: false } },
  },
  {
    id: 'managed-only-in-project',
    asks: 'allowManagedHooksOnly in the project settings',
    over: { project: { allowManagedHooksOnly: true } },
  },
  { id: 'sources', asks: '--setting-sources user', args: ['--setting-sources', 'user'] },
  { id: 'bare', asks: '--bare', args: ['--bare'] },
]
