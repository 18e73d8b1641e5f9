import { findOwn } from '../text/table.ts'
import { type CommandPattern, parseCommandPattern } from './command-pattern.ts'
import { EFFECT_WORDS, type EffectPattern, isEffectWord, parseEffectPattern } from './effect-pattern.ts'
import { type HostPattern, parseHostPattern } from './host-pattern.ts'
import { type PathPattern, parsePathPattern } from './path-pattern.ts'
import { SPECIFIERS, type SpecifierKind } from './tool-families.ts'

/** True if something is so; `unsure`: it cannot be known before the call is made. */
export type Certainty = 'yes' | 'unsure' | 'no'

/** Condition that a rule has for the calls of a tool; `any` is all of them. */
export type Specifier =
  | { readonly kind: 'any' }
  | { readonly kind: 'command'; readonly pattern: CommandPattern }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'domain'; readonly pattern: HostPattern }
  | { readonly kind: 'agent'; readonly agentType: string }
  /** In place of a tool the rule names an effect, and means every tool that has it. */
  | { readonly kind: 'effect'; readonly pattern: EffectPattern }

/** A permission rule: `Tool` or `Tool(specifier)`. */
export interface Rule {
  /** As it is written. */
  readonly text: string
  /** Null: every tool. No text says that; it stands for a policy that cannot be read. */
  readonly toolName: string | null
  readonly specifier: Specifier
}

/** A rule that cannot be read. */
export interface RuleFault {
  /** Fault and what to do about it; it quotes the rule. */
  readonly fault: string
  /** The tool that it was about, when that much can be read. */
  readonly toolName: string | null
}

const ANYTHING: Specifier = { kind: 'any' }

/** Reads a rule. */
export function parseRule(text: unknown): Rule | RuleFault {
  return parseRuleWith(SPECIFIERS, text)
}

/** Reads a rule where these tools take a specifier. */
export function parseRuleWith(kinds: Readonly<Record<string, SpecifierKind>>, text: unknown): Rule | RuleFault {
  if (typeof text !== 'string')
    return {
      fault: `${JSON.stringify(text)} is not a valid rule; write a string such as "Bash(npm test:*)".`,
      toolName: null,
    }
  const trimmed = text.trim()
  const [name = ''] = /^[\w-]*/.exec(trimmed) ?? []
  const rest = trimmed.slice(name.length)
  const about = findKnownName(name)
  const makeFault = (what: string): RuleFault => ({ fault: `"${text}" is not a valid rule: ${what}.`, toolName: about })
  if (/^mcp__.*\*$/.test(trimmed))
    return parseMcpRule(trimmed) ?? makeFault('write "mcp__server" for all tools of a server')
  if (!/^[A-Za-z_]/.test(name)) return makeFault('it starts with no tool; write Tool or Tool(specifier)')
  if (about !== null && about !== name) return makeFault(`no tool is called "${name}"; did you mean "${about}"`)
  if (rest === '') return { text: trimmed, toolName: name, specifier: parseAlone(name) }
  if (!rest.startsWith('(')) return makeFault(`"${rest}" does not belong after a tool; write Tool or Tool(specifier)`)
  if (!rest.endsWith(')')) return makeFault('its closing parenthesis is missing')
  const specifier = parseSpecifier(name, rest.slice(1, -1), kinds)
  return typeof specifier === 'string' ? makeFault(specifier) : { text: trimmed, toolName: name, specifier }
}

/** Condition of a rule that is a name alone. */
function parseAlone(name: string): Specifier {
  const specifier = isEffectWord(name) ? parseEffect(name, '*') : ANYTHING
  return typeof specifier === 'string' ? ANYTHING : specifier
}

/** A rule in two parts, as updates carry it. */
export interface RuleParts {
  readonly toolName: string
  /** Text in the parentheses. */
  readonly ruleContent?: string | undefined
}

/** The text of a rule in two parts. */
export function formatRule({ toolName, ruleContent }: RuleParts): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`
}

/** `mcp__server__*`: all tools of a server. */
function parseMcpRule(text: string): Rule | null {
  const [, server] = /^(mcp__[\w-]+?)__\*$/.exec(text) ?? []
  return server === undefined ? null : { text, toolName: server, specifier: ANYTHING }
}

/** A name, or the known one that differs from it in case only. */
function findKnownName(name: string): string | null {
  const known = [...Object.keys(SPECIFIERS), ...Object.keys(EFFECT_WORDS)].find(
    (each) => each.toLowerCase() === name.toLowerCase(),
  )
  return known ?? (name === '' ? null : name)
}

/** A specifier, or what is wrong with it. */
function parseSpecifier(
  toolName: string,
  text: string,
  kinds: Readonly<Record<string, SpecifierKind>>,
): Specifier | string {
  if (isEffectWord(toolName)) return parseEffect(toolName, text.trim())
  const kind = findOwn(kinds, toolName)
  if (!kind) return `${toolName} takes no specifier; write "${toolName}" alone`
  if (text.trim() === '') return `its parentheses are empty; write "${toolName}" alone for all calls`
  return text.trim() === '*' ? ANYTHING : PARSERS[kind](text.trim())
}

/** `Deletes(~/**)`: an effect in place of a tool, or what is wrong with it. */
function parseEffect(word: string, text: string): Specifier | string {
  if (text === '') return `its parentheses are empty; write "${word}" alone for all calls`
  const pattern = parseEffectPattern(word, text)
  return typeof pattern === 'string' ? pattern : { kind: 'effect', pattern }
}

const PARSERS: Readonly<Record<SpecifierKind, (text: string) => Specifier | string>> = {
  command: (text) => (text === ':*' ? ANYTHING : { kind: 'command', pattern: parseCommandPattern(text) }),
  path: (text) => {
    const pattern = parsePathPattern(text)
    return typeof pattern === 'string' ? pattern : { kind: 'path', pattern }
  },
  domain: (text) => {
    const [, domain = ''] = /^domain:(.+)$/.exec(text) ?? []
    const pattern = parseHostPattern(domain)
    if (pattern === null) return 'write a host such as WebFetch(domain:example.com)'
    return domain === '*' ? ANYTHING : { kind: 'domain', pattern }
  },
  agent: (text) => ({ kind: 'agent', agentType: text }),
}
