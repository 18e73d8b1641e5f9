import type { ProtocolRules } from '../rules.ts'

/** The rules of the `current` profile. */
export const currentRules: ProtocolRules = {
  answers: {
    count: 'at-any-exit',
    form: 'braces-around',
    unreadable: 'failure',
    nullFields: 'misfit',
    decisionWords: ['approve', 'block'],
    commonFields: {
      continue: 'read',
      stopReason: 'read',
      suppressOutput: 'accepted',
      systemMessage: 'read',
      decision: 'read',
      reason: 'read',
      async: 'read',
      additionalContext: 'unknown',
      asyncTimeout: 'read',
      terminalSequence: 'read',
    },
    stopReasonTo: 'model',
  },
  verdicts: { words: 'ok', reason: 'named-after-hook', impossible: 'ends-loops' },
  matchers: {
    names: 'bars-and-commas',
    expressions: 'unknown',
    nulls: 'invalid',
    aliases: { tool_name: { Agent: ['Task'] } },
  },
  scopes: {
    order: ['managed', 'user', 'project', 'local', 'flag', 'plugin', 'component', 'session'],
    settings: ['managed', 'flag', 'local', 'project', 'user'],
    policy: ['allowManagedHooksOnly', 'strictPluginOnlyCustomization'],
  },
  duplicates: 'last-never-weaker',
  seconds: { command: 600, http: 600, mcp_tool: 600, prompt: 30, agent: 60, function: 600 },
  once: { countsIn: ['skill'], spent: 'when-succeeded' },
  background: { systemMessageTo: 'model', objections: 'dropped', timeout: 'ignored' },
  longTexts: { longest: 10_000, of: ['context', 'systemMessage'], replacedBy: 'persisted-output' },
  environment: [
    'CLAUDE_PROJECT_DIR',
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_PID',
    'CLAUDE_EFFORT',
  ],
  pluginOptions: 'passed-on',
  flatHooks: 'invalid',
}
