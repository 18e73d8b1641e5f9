import type { BackgroundRules, MatcherRules, ProtocolRules } from '../rules.ts'

/**
 * Rules of two protocols, of which the first leads. Where one of them is stricter about what counts, and where one knows
 * what the other does not, that holds; `read` and `pattern` follow both anyway, by the rows of the two.
 */
export function joinRules(lead: ProtocolRules, other: ProtocolRules): ProtocolRules {
  return {
    ...lead,
    matchers: joinMatchers(lead.matchers, other.matchers),
    scopes: { ...lead.scopes, policy: joinLists(lead.scopes.policy, other.scopes.policy) },
    background: joinBackground(lead.background, other.background),
    hostFields: joinLists(lead.hostFields, other.hostFields),
    ignoredFields: chooseEither('warning', lead.ignoredFields, other.ignoredFields),
    repeatedHooks: chooseEither('all', lead.repeatedHooks, other.repeatedHooks),
    repeatedFields: chooseEither('last', lead.repeatedFields, other.repeatedFields),
    repeatedPolicy: chooseEither('refused', lead.repeatedPolicy, other.repeatedPolicy),
    skillRoot: chooseEither('own-folder', lead.skillRoot, other.skillRoot),
    pluginOptions: chooseEither('passed-on', lead.pluginOptions, other.pluginOptions),
  }
}

function joinMatchers(lead: MatcherRules, other: MatcherRules): MatcherRules {
  return {
    ...lead,
    nulls: chooseEither('absent', lead.nulls, other.nulls),
    lookAround: chooseEither('bounded', lead.lookAround, other.lookAround),
    aliases: { ...other.aliases, ...lead.aliases },
    alsoShownAs: { ...other.alsoShownAs, ...lead.alsoShownAs },
  }
}

/** Joins the rules of hooks in the background: context and messages of both readings count. */
function joinBackground(lead: BackgroundRules, other: BackgroundRules): BackgroundRules {
  return {
    ...lead,
    objections: chooseEither('told', lead.objections, other.objections),
    plainStdout: chooseEither('model', lead.plainStdout, other.plainStdout),
  }
}

function joinLists<Item>(own: readonly Item[], other: readonly Item[]): Item[] {
  return [...new Set([...own, ...other])]
}

/** A choice that holds where one of the two makes it. */
function chooseEither<Choice extends string>(choice: Choice, own: Choice, other: Choice): Choice {
  return other === choice ? other : own
}
