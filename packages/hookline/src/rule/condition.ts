import { type CommandPattern, matchesCommandText } from './command-pattern.ts'
import { isEffectWord } from './effect-pattern.ts'
import { isHostTouched } from './host-pattern.ts'
import { type Folders, matchesPathPattern } from './path-pattern.ts'
import { parseRuleWith, type Specifier } from './rule.ts'
import { readScript } from './script-reading.ts'
import type { ShellCommand } from './shell-commands.ts'
import { readSubject, type Subject } from './subject.ts'
import { SPECIFIERS, type SpecifierKind } from './tool-families.ts'

/** A rule that says which calls a hook is for. Unlike rules that permit, it means one tool, and commands as they are written. */
export interface Condition {
  readonly text: string
  /** Reason why it can never hold; null when it can. */
  readonly fault: string | null
  /** True if a call fits it. A call that cannot be looked into does: a guard rather runs once too often. */
  readonly judge: (call: ConditionedCall, folders: Folders) => ConditionVerdict
}

/** True if a call matches a condition, and why; `because` ends the sentence "it matches" or "it does not match". */
export interface ConditionVerdict {
  readonly fits: boolean
  readonly because: string
}

/** A call as conditions see it. */
export interface ConditionedCall {
  /** The name of the tool, and older ones that mean it too. */
  readonly toolNames: readonly string[]
  readonly input: unknown
}

/** Tools whose conditions take a specifier; rules that permit name some of them by another one. */
const CONDITION_SPECIFIERS: Readonly<Record<string, SpecifierKind>> = {
  ...SPECIFIERS,
  NotebookEdit: 'path',
  MultiEdit: 'path',
  Monitor: 'command',
}

/** Reads a condition. Empty parentheses mean every call of the tool. */
export function readCondition(text: string, effects?: EffectReader): Condition {
  const rule = parseRuleWith(CONDITION_SPECIFIERS, text.replace(/^\s*([\w-]+)\(\s*\)\s*$/, '$1'))
  if ('fault' in rule) return { text, fault: rule.fault, judge: () => makeNo(rule.fault) }
  const { toolName, specifier } = rule
  return {
    text,
    fault: null,
    judge: ({ toolNames, input }, folders) => {
      if (specifier.kind === 'effect') {
        const call = { toolName: toolNames[0] ?? '', input }
        return effects
          ? judgeEffects(specifier, call, folders, effects)
          : makeYes('nobody read the effects of the call')
      }
      if (toolName === null || !toolNames.includes(toolName)) return makeNo(`the tool is ${toolNames[0]}`)
      if (specifier.kind === 'any') return makeYes(`the tool is ${toolNames[0]}`)
      return judgeSubject(specifier, readSubject(toolName, input, folders.project), folders)
    },
  }
}

/** Functions that read the effects of a call, which only conditions that ask for them load. */
export type EffectReader = Pick<typeof import('./effect-match.ts'), 'matchEffects' | 'hasUnseen'>

/** True for a condition that is about effects: its reader takes the functions that read them. */
export function isAboutEffects(text: unknown): boolean {
  return typeof text === 'string' && isEffectWord(/^\s*(\w*)/.exec(text)?.[1] ?? '')
}

function judgeEffects(
  { pattern }: Extract<Specifier, { kind: 'effect' }>,
  call: { readonly toolName: string; readonly input: unknown },
  folders: Folders,
  { matchEffects, hasUnseen }: EffectReader,
): ConditionVerdict {
  const match = matchEffects(pattern, call, folders)
  if (match === 'yes') return makeYes('the call has such an effect')
  if (match === 'unsure') return makeYes('the call may have such an effect')
  return hasUnseen(call, folders)
    ? makeYes('a part of the call cannot be seen, so that the hook rather runs')
    : makeNo('the call has no such effect')
}

const makeYes = (because: string): ConditionVerdict => ({ fits: true, because })
const makeNo = (because: string): ConditionVerdict => ({ fits: false, because })

function judgeSubject(specifier: Specifier, subject: Subject, folders: Folders): ConditionVerdict {
  if (subject.kind === 'unclear') return makeYes('the input cannot be looked into, so that the hook rather runs')
  if (specifier.kind === 'command' && subject.kind === 'command') return judgeScript(specifier.pattern, subject.command)
  if (specifier.kind === 'path' && subject.kind === 'path')
    return matchesPathPattern(specifier.pattern, subject.path, folders)
      ? makeYes('the path matches')
      : makeNo('the path is a different one')
  if (specifier.kind === 'domain' && subject.kind === 'domain')
    return isHostTouched(specifier.pattern, subject.url)
      ? makeYes('the host matches')
      : makeNo('the host is a different one')
  return makeNo('the rule is about something else than the input of the tool')
}

/** Construct that runs a command inside of another; what comes out of it is not known. */
const SUBSTITUTION = /\$\((?!\()|`/

/** True if some command of a script fits, those in substitutions included; what a wrapper such as `timeout` starts is not looked for. */
function judgeScript(pattern: CommandPattern, script: string): ConditionVerdict {
  const { commands, whole, unread, assigned } = readScript(script)
  if (!whole) return makeYes('the command cannot be taken apart, so that the hook rather runs')
  if (matchesCommandText(pattern, script.trim())) return makeYes('the command matches')
  if (commands.some((command) => writeCommand(command, assigned).some((text) => matchesCommandText(pattern, text))))
    return makeYes('a part of the command matches')
  if (unread !== null) return makeYes(`the command has ${unread} in it, so that the hook rather runs`)
  if (commands.some(({ words: [name] }) => name && !name.literal && !assigned.has(name.value)))
    return makeYes('a name in the command is not known before it runs, so that the hook rather runs')
  if (SUBSTITUTION.test(script) && !isNameAlone(pattern))
    return makeYes('the command has a substitution in it, so that the hook rather runs')
  return makeNo('no part of the command matches')
}

/** The texts that a command can be held against: as it is written, without quotes, with variables that are known, and what `xargs` starts. */
function writeCommand({ words, text }: ShellCommand, assigned: ReadonlyMap<string, string>): string[] {
  const values = words.map(({ value }) => value)
  const known = words.map(({ value, literal }) => (literal ? value : (assigned.get(value) ?? value)))
  const started =
    known[0] === 'xargs' ? known.map((_, at) => known.slice(at).join(' ')).slice(0, MAX_STARTED_WORDS) : []
  return [values.join(' '), known.join(' '), text, ...started]
}

/** A command behind `xargs` is looked for among these first words. */
const MAX_STARTED_WORDS = 64

/** True if a pattern says no more than which program runs: then the programs of a script decide. */
function isNameAlone(pattern: CommandPattern): boolean {
  return pattern.kind === 'prefix' && !pattern.text.includes(' ')
}
