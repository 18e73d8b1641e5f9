import type { ProtocolRules } from '../rules.ts'

/** The rules of the `classic` profile. */
export const classicRules: ProtocolRules = {
  answers: {
    count: 'at-exit-0',
    form: 'opening-brace',
    unreadable: 'plain-text',
    nullFields: 'absent',
    decisionWords: ['approve', 'block', 'allow', 'deny'],
    bothForms: 'stricter',
    commonFields: {
      continue: 'read',
      stopReason: 'read',
      suppressOutput: 'read',
      systemMessage: 'read',
      decision: 'read',
      reason: 'read',
      async: 'read',
      additionalContext: 'read',
      asyncTimeout: 'read',
      terminalSequence: 'unknown',
    },
    stopReasonTo: 'host',
  },
  verdicts: { words: 'ok-or-decision', reason: 'condition-not-met', placeholders: 'all', impossible: 'unknown' },
  matchers: { names: 'bars', expressions: 'read', nulls: 'absent', lookAround: 'none', aliases: {}, alsoShownAs: {} },
  scopes: {
    // The most specific speaks first, and where the last one wins, policy wins.
    order: ['component', 'session', 'flag', 'local', 'plugin', 'project', 'user', 'managed'],
    settings: ['managed', 'flag', 'local', 'project', 'user'],
    policy: ['allowManagedHooksOnly'],
    mainAgent: 'as-subagent',
  },
  duplicates: 'first-with-longest-timeout',
  seconds: { command: 60, prompt: 30, agent: 60, function: 60 },
  once: { countsIn: ['skill', 'command'], openedBy: 'anyone', spent: 'when-started' },
  commandHooks: 'until-turn-ends',
  background: { systemMessageTo: 'user', objections: 'told', plainStdout: 'model', timeout: 'ends' },
  longTexts: { longest: 1024 * 1024, of: ['context'], replacedBy: 'preview-and-place' },
  environment: ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_REMOTE'],
  hostFields: ['agent_transcript_path'],
  pluginOptions: 'unknown',
  repeatedHooks: 'last',
  skillRoot: 'none',
  flatHooks: 'read',
  hookFields: 'of-any-type',
}
