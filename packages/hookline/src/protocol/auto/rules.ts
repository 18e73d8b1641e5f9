import type { Joins } from '../join-facts.ts'
import type { ProtocolRules } from '../rules.ts'

/**
 * Ways to join the rules of two protocols, of which the first leads. Where one of them is stricter about what counts, and where
 * one knows what the other does not, that holds; `read` and `pattern` follow both anyway, by the rows of the two. Of hooks in the
 * background context and messages of both readings count.
 */
export const RULE_JOINS: Joins<ProtocolRules> = {
  answers: 'own',
  verdicts: 'own',
  matchers: {
    names: 'own',
    expressions: 'own',
    nulls: { prefers: 'absent' },
    lookAround: { prefers: 'bounded' },
    aliases: 'both',
    alsoShownAs: 'both',
  },
  scopes: { order: 'own', settings: 'own', policy: 'both', mainAgent: 'own' },
  duplicates: 'own',
  seconds: 'own',
  once: 'own',
  commandHooks: 'own',
  background: {
    systemMessageTo: 'own',
    objections: { prefers: 'told' },
    plainStdout: { prefers: 'model' },
    timeout: 'own',
  },
  longTexts: 'own',
  environment: 'own',
  hostFields: 'both',
  pluginOptions: { prefers: 'passed-on' },
  misfits: 'own',
  ignoredFields: { prefers: 'warning' },
  repeatedHooks: { prefers: 'all' },
  repeatedFields: { prefers: 'last' },
  repeatedPolicy: { prefers: 'refused' },
  skillRoot: { prefers: 'own-folder' },
  flatHooks: 'own',
  hookFields: 'own',
}
