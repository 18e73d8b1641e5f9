/** What is looked at in every client, with hooks and without. */
import { readFileSync } from 'node:fs'

/**
 * @import { ScriptedToolCall } from 'hookline/testing'
 * @import { Client, Place } from './client.js'
 * @import { Seen } from './run-client.js'
 */

/**
 * How a capability came out: as in Claude Code, stronger or later than there, or not at all.
 * @typedef {'yes' | 'refused' | 'lost' | 'not offered' | { wrong: string }} Outcome
 */

/**
 * Runs of a client; each is made with hooks and, as its control, without.
 * @typedef {object} Run
 * @property {'calls' | 'patch' | 'stop' | 'prompt'} name
 * @property {(client: Client) => string | null} model null: the client has nothing of the kind
 * @property {Record<string, string>} files of the project
 * @property {(client: Client, project: string) => (ScriptedToolCall | null)[]} calls one a step; null is left out
 */

/** @type {readonly Run[]} */
export const RUNS = [
  {
    name: 'calls',
    model: ({ model }) => model,
    files: { 'edited.secret': 'SECRET=one\n' },
    calls: (client, project) => [
      client.shell('echo ran > denied.txt # deny-me'),
      client.shell('echo ran > asked.txt # ask-me'),
      client.shell('echo original > changed.txt # change-me'),
      client.shell('echo ran > failed.txt # fail-for-me'),
      client.shell('echo SECRET > shell.secret'),
      client.write?.(`${project}/written.secret`, 'SECRET\n') ?? null,
      client.edit && (client.read?.(`${project}/edited.secret`) ?? null),
      client.edit?.(`${project}/edited.secret`, 'one', 'two') ?? null,
      client.shell('echo ran > plain.txt'),
    ],
  },
  {
    name: 'patch',
    model: ({ patchModel }) => patchModel,
    files: { 'patched.txt': 'one\n' },
    calls: (client) => [client.patch?.(PATCH) ?? null],
  },
  { name: 'stop', model: ({ model }) => model, files: { 'keep-going': '' }, calls: () => [] },
  { name: 'prompt', model: ({ model }) => model, files: { 'no-prompts': '' }, calls: () => [] },
]

const PATCH = `*** Begin Patch
*** Update File: patched.txt
@@
-one
+two
*** Add File: patched.secret
+SECRET
*** End Patch`

/**
 * A question, the run that answers it, and the answer: without hooks, where it says whether the client did what the script
 * told it, and with them.
 * @typedef {object} Capability
 * @property {string} name
 * @property {Run['name']} run
 * @property {(client: Client) => boolean} [has]
 * @property {(seen: Seen) => boolean} control
 * @property {(seen: Seen) => Outcome} guarded
 */

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
      reason: 'secret-in-Edit',
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
    name: 'other commands',
    run: 'calls',
    control: ({ read }) => read('plain.txt') !== null,
    guarded: ({ read }) => (read('plain.txt') === null ? { wrong: 'a call that no hook refuses did not run' } : 'yes'),
  },
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'].map((event) => context(event)),
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
]

/** The files that a project with hooks has. */
export function hookedProject() {
  const hook = { type: 'command', command: 'node "$CLAUDE_PROJECT_DIR/.claude/guard.mjs"' }
  const groups = {
    SessionStart: [{ hooks: [hook] }],
    UserPromptSubmit: [{ hooks: [hook] }],
    PreToolUse: [
      { matcher: 'Bash', hooks: [hook] },
      { matcher: 'Edit|Write', hooks: [hook] },
    ],
    PostToolUse: [{ matcher: 'Bash', hooks: [hook] }],
    Stop: [{ hooks: [hook] }],
  }
  return {
    '.claude/settings.json': JSON.stringify({ hooks: groups }, null, 2),
    '.claude/guard.mjs': readFileSync(new URL('guard.mjs', import.meta.url), 'utf8'),
  }
}

/**
 * A call that would write a file is refused, and the model reads why.
 * @param {string} name
 * @param {{ run: Run['name'], file: string, was?: string, reason: string }} call
 * @returns {Capability}
 */
function refusal(name, { run, file, was = '', reason }) {
  return {
    name,
    run,
    control: ({ read }) => (read(file) ?? was) !== was,
    guarded: ({ read, requests }) => {
      if ((read(file) ?? was) !== was) return { wrong: 'the call ran' }
      return isTold(requests, reason) ? 'yes' : { wrong: 'the model did not read the reason' }
    },
  }
}

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
 * @param {Seen['requests']} requests
 * @param {string} text
 */
function isTold(requests, text) {
  return requests.some(({ body }) => JSON.stringify(body).includes(text))
}

/**
 * Requests of the conversation; titles and the like offer no tools.
 * @param {Seen['requests']} requests
 */
function turnsIn(requests) {
  return requests.filter(({ tools }) => tools.length > 0).length
}
