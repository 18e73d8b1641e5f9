/** What is looked at in every client, with hooks and without. */
import { BORDER_CAPABILITIES, BORDER_RUNS } from './borders.js'
import { GUARD_CAPABILITIES, GUARD_RUNS } from './guarding.js'
import { guardFile, inputs, isTold, refusal, settingsWith, turnsIn } from './looking.js'

/**
 * @import { Capability, HookInput, Run } from './looking.js'
 * @import { Seen } from './run-client.js'
 */

/** @type {readonly Run[]} */
export const RUNS = [
  {
    name: 'calls',
    model: ({ model }) => model,
    files: { 'edited.secret': 'SECRET=one\n' },
    calls: ({ shell, read, write, edit }, project) => [
      shell('echo ran > denied.txt # deny-me'),
      shell('echo ran > asked.txt # ask-me'),
      shell('echo original > changed.txt # change-me'),
      shell('echo ran > failed.txt # fail-for-me'),
      shell('echo SECRET > shell.secret'),
      write?.(`${project}/written.secret`, 'SECRET\n'),
      edit && read?.(`${project}/edited.secret`),
      edit?.(`${project}/edited.secret`, 'one', 'two'),
      shell('echo out; exit 3'),
      shell('echo ran > plain.txt; echo out'),
    ],
  },
  {
    name: 'halt',
    model: ({ model }) => model,
    files: {},
    calls: ({ shell }) => [shell('echo ran > before.txt # halt-after-me'), shell('echo ran > after.txt')],
  },
  { name: 'stop', model: ({ model }) => model, files: { 'keep-going': '' }, calls: () => [] },
  { name: 'prompt', model: ({ model }) => model, files: { 'no-prompts': '' }, calls: () => [] },
  {
    name: 'defer',
    model: ({ model }) => model,
    files: {},
    calls: ({ shell }) => [shell('echo ran > deferred.txt # defer-me')],
  },
  {
    name: 'halt before',
    model: ({ model }) => model,
    files: {},
    calls: ({ shell }) => [shell('echo ran > halted.txt # halt-before-me'), shell('echo ran > later.txt')],
  },
  {
    name: 'http',
    model: ({ model }) => model,
    files: {},
    hooked: (url) => settingsWith({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'http', url }] }] }),
    calls: ({ shell }) => [shell('echo ran > http.txt # http-me')],
  },
  {
    name: 'args',
    model: ({ model }) => model,
    files: {},
    hooked: () => ({
      ...settingsWith({
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'node', args: [GUARD] }] }],
      }),
      ...guardFile(),
    }),
    calls: ({ shell }) => [shell('echo ran > args.txt # deny-me'), shell('echo ran > others.txt')],
  },
  {
    name: 'resume',
    model: ({ model }) => model,
    files: {},
    isResumed: true,
    calls: ({ shell }) => [shell('echo ran > resumed.txt # deny-me')],
  },
  {
    name: 'project',
    model: ({ model }) => model,
    files: {},
    scope: 'project',
    calls: ({ shell }) => [shell('echo ran > denied.txt # deny-me'), shell('echo ran > others.txt')],
  },
  {
    name: 'untrusted',
    model: ({ model }) => model,
    files: {},
    isTrusted: false,
    calls: ({ shell }) => [shell('echo ran > denied.txt # deny-me')],
  },
  ...BORDER_RUNS,
  ...GUARD_RUNS,
]

/** The hook of the project, as `args` name it. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const GUARD = '${CLAUDE_PROJECT_DIR}/.claude/guard.mjs'

const HOOK_WITH_ARGS = refusal('hook with args', { run: 'args', file: 'args.txt', reason: 'reason-of-the-command' })
const PROJECT_FILE = refusal('file of the project', {
  run: 'project',
  file: 'denied.txt',
  reason: 'reason-of-the-command',
})
const HTTP_HOOK = refusal('http hook', { run: 'http', file: 'http.txt', reason: 'reason-of-the-http-hook' })

/** @type {readonly Capability[]} */
export const CAPABILITIES = [
  refusal('refused command', { run: 'calls', file: 'denied.txt', reason: 'reason-of-the-command' }),
  refusal('ask', { run: 'calls', file: 'asked.txt', reason: 'reason-of-the-question' }),
  {
    name: 'rewritten command',
    run: 'calls',
    control: ({ read }) => read('changed.txt') === 'original\n',
    guarded: ({ read, requests }) => {
      const text = read('changed.txt')
      if (text === 'changed\n') return 'yes'
      if (text !== null) return { wrong: `the command wrote ${JSON.stringify(text)}` }
      return isTold(requests, 'echo changed > changed.txt') ? 'refused' : { wrong: 'no command ran, without advice' }
    },
  },
  {
    name: 'failing hook',
    run: 'calls',
    control: ({ read }) => read('failed.txt') !== null,
    guarded: ({ read }) => (read('failed.txt') === null ? { wrong: 'a hook that failed refused the call' } : 'yes'),
  },
  refusal('secret by shell', { run: 'calls', file: 'shell.secret', reason: 'reason-of-the-secret-in-a-command' }),
  {
    ...refusal('secret by write', { run: 'calls', file: 'written.secret', reason: 'reason-of-the-secret-in-Write' }),
    has: ({ write }) => write !== null,
  },
  {
    ...refusal('secret by edit', {
      run: 'calls',
      file: 'edited.secret',
      was: 'SECRET=one\n',
      reason: 'reason-of-the-secret-in-Edit',
    }),
    has: ({ edit }) => edit !== null,
  },
  {
    ...refusal('secret by patch', { run: 'patch', file: 'patched.secret', reason: 'reason-of-the-secret-in-Write' }),
    has: ({ patch }) => patch !== null,
  },
  {
    name: 'rest of a patch',
    run: 'patch',
    has: ({ patch }) => patch !== null,
    control: ({ read }) => read('patched.txt') === 'two\n',
    guarded: ({ read }) => (read('patched.txt') === 'one\n' ? 'yes' : { wrong: 'half of the patch was applied' }),
  },
  {
    ...refusal('patch in a command', { run: 'patch', file: 'protected.txt', reason: 'reason-of-the-secret-in-Write' }),
    has: ({ patchesInShell }) => patchesInShell,
  },
  {
    name: 'other commands',
    run: 'calls',
    control: ({ read }) => read('plain.txt') !== null,
    guarded: ({ read }) => (read('plain.txt') === null ? { wrong: 'a call that no hook refuses did not run' } : 'yes'),
  },
  {
    name: 'each hook once',
    run: 'calls',
    control: ({ read }) => read('plain.txt') !== null,
    guarded: (seen) => {
      const times = inputs(seen, 'PreToolUse').filter(({ tool_input }) => isPlain(tool_input))
      return times.length === 1 ? 'yes' : { wrong: `the hook ran ${times.length} times for one call` }
    },
  },
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'].map(context),
  {
    name: 'inputs of hooks',
    run: 'calls',
    control: ({ read }) => read('plain.txt') !== null,
    guarded: (seen) => {
      const difference = unlikeClaude(seen)
      return difference === null ? 'yes' : { wrong: difference }
    },
  },
  {
    name: 'failed command',
    run: 'calls',
    control: ({ requests }) => isTold(requests, 'exit 3'),
    guarded: (seen) => (inputs(seen, 'PostToolUseFailure').some(isOfFailure) ? 'yes' : 'lost'),
  },
  {
    name: 'halt',
    run: 'halt',
    control: ({ read }) => read('before.txt') !== null && read('after.txt') !== null,
    guarded: ({ read }) => (read('after.txt') === null ? 'yes' : { wrong: 'a call ran after the halt' }),
  },
  {
    name: 'Stop sends on',
    run: 'stop',
    control: ({ requests }) => turnsIn(requests) === 1,
    guarded: ({ requests }) => (isTold(requests, 'reason-to-go-on') ? 'yes' : 'lost'),
  },
  {
    name: 'Stop is capped',
    run: 'stop',
    control: ({ requests }) => turnsIn(requests) === 1,
    guarded: ({ requests, isLate }) => {
      if (isLate) return { wrong: `still going on after ${turnsIn(requests)} requests` }
      return turnsIn(requests) <= 9 ? 'yes' : { wrong: `${turnsIn(requests)} requests` }
    },
  },
  {
    name: 'refused prompt',
    run: 'prompt',
    control: ({ requests }) => turnsIn(requests) === 1,
    guarded: ({ requests }) => (turnsIn(requests) === 0 ? 'yes' : 'lost'),
  },
  ...['calls', 'stop'].map(onePrompt),
  {
    name: 'defer',
    run: 'defer',
    control: ({ read }) => read('deferred.txt') !== null,
    guarded: ({ read }) => (read('deferred.txt') === null ? 'yes' : { wrong: 'a deferred call ran' }),
  },
  {
    name: 'halt before a call',
    run: 'halt before',
    control: ({ read }) => read('halted.txt') !== null && read('later.txt') !== null,
    guarded: ({ read }) => {
      if (read('later.txt') !== null) return { wrong: 'a call ran after the halt' }
      return read('halted.txt') === null ? 'yes' : 'lost'
    },
  },
  {
    ...HTTP_HOOK,
    // A client that has no such hooks does not ask it.
    guarded: (seen) => (HTTP_HOOK.control(seen) ? 'lost' : HTTP_HOOK.guarded(seen)),
  },
  {
    ...HOOK_WITH_ARGS,
    guarded: (seen) =>
      seen.read('others.txt') === null
        ? { wrong: 'a call that no hook refuses did not run' }
        : HOOK_WITH_ARGS.guarded(seen),
  },
  {
    ...refusal('resumed session', { run: 'resume', file: 'resumed.txt', reason: 'reason-of-the-command' }),
    has: ({ resume }) => resume !== null,
  },
  {
    ...PROJECT_FILE,
    has: ({ hasProjectFile }) => hasProjectFile,
    guarded: (seen) =>
      seen.read('others.txt') === null ? { wrong: 'another call was not made' } : PROJECT_FILE.guarded(seen),
  },
  {
    name: 'untrusted folder',
    run: 'untrusted',
    has: ({ loadsClaude }) => !loadsClaude,
    control: ({ read }) => read('denied.txt') !== null,
    guarded: (seen) => {
      if (seen.read('hook-inputs.jsonl') !== null) return { wrong: 'a hook of a folder ran that is not trusted' }
      return seen.read('denied.txt') === null ? { wrong: 'the call did not run' } : 'yes'
    },
  },
  ...BORDER_CAPABILITIES,
  ...GUARD_CAPABILITIES,
]

/**
 * @param {string} event
 * @returns {Capability}
 */
function context(event) {
  const text = `context-of-${event}`
  return {
    name: `${event} context`,
    run: 'calls',
    control: ({ requests }) => requests.length > 0 && !isTold(requests, text),
    guarded: ({ requests }) => (isTold(requests, text) ? 'yes' : 'lost'),
  }
}

/**
 * What the client asks itself is no prompt of the user.
 * @param {string} run
 * @returns {Capability}
 */
function onePrompt(run) {
  return {
    name: `one prompt (${run})`,
    run,
    control: ({ requests }) => turnsIn(requests) > 0,
    guarded: (seen) => {
      const { length } = inputs(seen, 'UserPromptSubmit')
      if (length > 1) return { wrong: `UserPromptSubmit came ${length} times for one prompt` }
      return length === 1 ? 'yes' : 'lost'
    },
  }
}

const COMMON_FIELDS = ['session_id', 'transcript_path', 'cwd', 'permission_mode', 'tool_use_id']

/**
 * In what the hooks of a client got something else than under Claude Code; null: in nothing that is looked at.
 * @param {Seen} seen
 */
function unlikeClaude(seen) {
  const { project } = seen
  /** @type {Record<string, object>} */
  const wanted = {
    Write: { file_path: `${project}/written.secret`, content: 'SECRET\n' },
    Edit: { file_path: `${project}/edited.secret`, old_string: 'one', new_string: 'two', replace_all: false },
  }
  for (const input of inputs(seen, 'PreToolUse', 'PostToolUse')) {
    const { tool_name, tool_input } = input
    const place = `${input.hook_event_name} of ${tool_name}`
    const missing = COMMON_FIELDS.find((field) => !Object.hasOwn(input, field))
    if (missing !== undefined) return `${place} has no ${missing}`
    for (const [field, value] of Object.entries(wanted[String(tool_name)] ?? {}))
      if (tool_input?.[field] !== value) return `${place} has ${JSON.stringify(tool_input?.[field])} as ${field}`
  }
  const after = inputs(seen, 'PostToolUse').find(({ tool_input }) => isPlain(tool_input))
  if (after !== undefined && String(after.tool_response?.stdout).trim() !== 'out')
    return `PostToolUse of Bash has the response ${JSON.stringify(after.tool_response)}`
  return null
}

/** @param {HookInput['tool_input']} input */
function isPlain(input) {
  return String(input?.command).includes('plain.txt')
}

/** @param {HookInput} input */
function isOfFailure({ tool_input, error }) {
  return String(tool_input?.command).includes('exit 3') && String(error).startsWith('Exit code 3')
}
