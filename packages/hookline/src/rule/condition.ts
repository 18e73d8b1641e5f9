import type { CommandPattern } from './command-pattern.ts'
import { touchesHost } from './host-pattern.ts'
import { type Folders, touchesPath } from './path-pattern.ts'
import { parseRule, type Specifier } from './rule.ts'
import { takeApart } from './shell-commands.ts'
import { type Subject, subjectOf } from './subject.ts'
import { fits } from './wildcard.ts'

/** A rule that says which calls a hook is for. Unlike rules that permit, it means one tool, and commands as they are written. */
export interface Condition {
  readonly text: string
  /** Why it can never hold; null when it can. */
  readonly fault: string | null
  /** Whether a call fits it. A call that cannot be looked into does: a guard rather runs once too often. */
  readonly judge: (call: ConditionedCall, folders: Folders) => ConditionVerdict
}

/** Whether a call matches a condition, and why; `because` ends the sentence "it matches" or "it does not match". */
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

/** Reads a condition. */
export function readCondition(text: string): Condition {
  const rule = parseRule(text)
  if ('fault' in rule) return { text, fault: rule.fault, judge: () => no(rule.fault) }
  const { toolName, specifier } = rule
  return {
    text,
    fault: null,
    judge: ({ toolNames, input }, folders) => {
      if (toolName === null || !toolNames.includes(toolName)) return no(`the tool is ${toolNames[0]}`)
      if (specifier.kind === 'any') return yes(`the tool is ${toolNames[0]}`)
      return judgeSubject(specifier, subjectOf(toolName, input, folders.project), folders)
    },
  }
}

const yes = (because: string): ConditionVerdict => ({ fits: true, because })
const no = (because: string): ConditionVerdict => ({ fits: false, because })

function judgeSubject(specifier: Specifier, subject: Subject, folders: Folders): ConditionVerdict {
  if (subject.kind === 'unclear') return yes('the input cannot be looked into, so that the hook rather runs')
  if (specifier.kind === 'command' && subject.kind === 'command') return judgeScript(specifier.pattern, subject.command)
  if (specifier.kind === 'path' && subject.kind === 'path')
    return touchesPath(specifier.pattern, subject.path, folders)
      ? yes('the path matches')
      : no('the path is a different one')
  if (specifier.kind === 'domain' && subject.kind === 'domain')
    return touchesHost(specifier.pattern, subject.url) ? yes('the host matches') : no('the host is a different one')
  return no('the rule is about something else than the input of the tool')
}

/** What runs a command inside of another; what comes out of it is not known. */
const SUBSTITUTION = /\$\((?!\()|`/

/** Whether some command of a script fits, those in substitutions included; what a wrapper such as `timeout` starts is not looked for. */
function judgeScript(pattern: CommandPattern, script: string): ConditionVerdict {
  const { commands, whole } = takeApart(script)
  if (!whole) return yes('the command cannot be taken apart, so that the hook rather runs')
  const texts = commands.map(({ words }) => words.map(({ value }) => value).join(' '))
  if (fitsCommand(pattern, script.trim())) return yes('the command matches')
  if (texts.some((text) => fitsCommand(pattern, text))) return yes('a part of the command matches')
  if (SUBSTITUTION.test(script) && !isNameAlone(pattern))
    return yes('the command has a substitution in it, so that the hook rather runs')
  return no('no part of the command matches')
}

function fitsCommand(pattern: CommandPattern, text: string): boolean {
  switch (pattern.kind) {
    case 'prefix':
      return text === pattern.text || text.startsWith(`${pattern.text} `)
    case 'exact':
      return text === pattern.text
    case 'wildcard':
      return fits(pattern.steps, [...text]) || fits(pattern.steps, [...text, ' ']) // ` *` at its end also means nothing more
  }
}

/** Whether a pattern says no more than which program runs: then the programs of a script decide. */
function isNameAlone(pattern: CommandPattern): boolean {
  return pattern.kind === 'prefix' && !pattern.text.includes(' ')
}
