/** How runs of clients are described, and what is read of them. */
import { readFileSync } from 'node:fs'

/**
 * @import { makeScriptBySteps, ScriptedToolCall } from 'hookline/testing'
 * @import { Client } from './client.js'
 * @import { Seen } from './run-client.js'
 */

/**
 * How a capability came out: as in Claude Code, refused where Claude Code does more, refused without a reason that the model reads, not
 * at all but said beforehand by `hookline bridge`, or not at all.
 * @typedef {'yes' | 'refused' | 'unexplained' | 'told' | 'lost' | { wrong: string }} Outcome
 */

/**
 * A run of a client, which is made with hooks and, as its control, without.
 * @typedef {object} Run
 * @property {string} name
 * @property {(client: Client) => string | null} model null: the client has nothing of the kind
 * @property {(hookUrl: string) => Record<string, string>} [hooked] the files with hooks, where they are others
 * @property {(client: Client) => Client} [as] the client as it is in this run
 * @property {'hookline' | 'node'} [missing] a program that is gone when the client starts
 * @property {boolean} [isResumed] the calls are made in a session that is gone on with
 * @property {'user' | 'project'} [scope] of the installed bridge; the user's
 * @property {boolean} [isTrusted] they are
 * @property {boolean} [isGuarded] `hookline guard add` in place of a bridge: no hooks but the guards
 * @property {Record<string, string>} files of the project
 * @property {(home: string) => Record<string, string | object>} [homeFiles] files with hooks, in the home
 * @property {(client: Client, project: string) => (ScriptedToolCall | null | undefined)[]} calls one a step; what is not there is left out
 * @property {(client: Client, steps: ReturnType<typeof makeScriptBySteps>) => ReturnType<typeof makeScriptBySteps>} [script] what the model says, where that is more than the steps
 */

/**
 * A question, the run that answers it, and the answer: without hooks, where it says whether the client did what the script
 * told it, and with them.
 * @typedef {object} Capability
 * @property {string} name
 * @property {string} run
 * @property {(client: Client) => boolean} [has]
 * @property {(seen: Seen) => boolean} control
 * @property {(seen: Seen) => Outcome} guarded
 */

/**
 * What a hook of the project got.
 * @typedef {object} HookInput
 * @property {string} hook_event_name
 * @property {string} [tool_name]
 * @property {Record<string, unknown>} [tool_input]
 * @property {{ stdout?: unknown }} [tool_response]
 * @property {unknown} [error]
 * @property {unknown} [prompt]
 */

/**
 * The files of a project whose hooks guard commands and writing, and what else a matcher names.
 * @param {...string} matchers
 */
export function hookedProject(...matchers) {
  const hook = { type: 'command', command: 'node "$CLAUDE_PROJECT_DIR/.claude/guard.mjs"' }
  const always = [{ hooks: [hook] }]
  const hooks = {
    SessionStart: always,
    UserPromptSubmit: always,
    PreToolUse: ['Bash', 'Edit|Write', ...matchers].map((matcher) => ({ matcher, hooks: [hook] })),
    PostToolUse: [{ matcher: 'Bash', hooks: [hook] }],
    PostToolUseFailure: [{ matcher: 'Bash', hooks: [hook] }],
    Stop: always,
  }
  return { ...settingsWith(hooks), ...guardFile() }
}

/** The program of the hooks, as a file of the project. */
export function guardFile() {
  return { '.claude/guard.mjs': readFileSync(new URL('guard.mjs', import.meta.url), 'utf8') }
}

/**
 * The settings of a project with these hooks.
 * @param {object} hooks
 */
export function settingsWith(hooks) {
  return { '.claude/settings.json': JSON.stringify({ hooks }, null, 2) }
}

/**
 * A call that would write a file is refused, and the model reads why.
 * @param {string} name
 * @param {{ run: string, file: string, was?: string, reason: string }} call
 * @returns {Capability}
 */
export function refusal(name, { run, file, was = '', reason }) {
  return {
    name,
    run,
    control: ({ read }) => (read(file) ?? was) !== was,
    guarded: ({ read, requests }) => {
      if ((read(file) ?? was) !== was) return { wrong: 'the call ran' }
      return isTold(requests, reason) ? 'yes' : 'unexplained'
    },
  }
}

/**
 * A call that would show a secret to the model is refused, and the model reads why.
 * @param {string} name
 * @param {{ run: string, content: string, reason: string }} call
 * @returns {Capability}
 */
export function withheld(name, { run, content, reason }) {
  return {
    name,
    run,
    control: ({ requests }) => isTold(requests, content),
    guarded: ({ requests }) => {
      if (isTold(requests, content)) return { wrong: 'the model read the secret' }
      return isTold(requests, reason) ? 'yes' : 'unexplained'
    },
  }
}

/**
 * A patch of these sections.
 * @param {string} sections
 */
export function patchOf(sections) {
  return `*** Begin Patch\n${sections}\n*** End Patch`
}

/**
 * What the hooks of the project got, in order.
 * @param {Seen} seen
 * @param {...string} events
 * @returns {HookInput[]}
 */
export function inputs({ read }, ...events) {
  const lines = (read('hook-inputs.jsonl') ?? '').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).filter(({ hook_event_name }) => events.includes(hook_event_name))
}

/**
 * True if a request to the model holds a text.
 * @param {Seen['requests']} requests
 * @param {string} text
 */
export function isTold(requests, text) {
  return requests.some(({ body }) => JSON.stringify(body).includes(text))
}

/**
 * Requests of the conversation; titles and the like offer no tools.
 * @param {Seen['requests']} requests
 */
export function turnsIn(requests) {
  return requests.filter(({ tools }) => tools.length > 0).length
}
