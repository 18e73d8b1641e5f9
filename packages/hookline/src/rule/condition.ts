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
  readonly holds: (call: ConditionedCall, folders: Folders) => boolean
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
  if ('fault' in rule) return { text, fault: rule.fault, holds: () => false }
  const { toolName, specifier } = rule
  return {
    text,
    fault: null,
    holds: ({ toolNames, input }, folders) => {
      if (toolName === null || !toolNames.includes(toolName)) return false
      return specifier.kind === 'any' || fitsSubject(specifier, subjectOf(toolName, input, folders.project), folders)
    },
  }
}

function fitsSubject(specifier: Specifier, subject: Subject, folders: Folders): boolean {
  if (subject.kind === 'unclear') return true
  if (specifier.kind === 'command' && subject.kind === 'command') return fitsScript(specifier.pattern, subject.command)
  if (specifier.kind === 'path' && subject.kind === 'path') return touchesPath(specifier.pattern, subject.path, folders)
  return specifier.kind === 'domain' && subject.kind === 'domain' && touchesHost(specifier.pattern, subject.url)
}

/** What runs a command inside of another; what comes out of it is not known. */
const SUBSTITUTION = /\$\((?!\()|`/

/** Whether some command of a script fits, those in substitutions included; what a wrapper such as `timeout` starts is not looked for. */
function fitsScript(pattern: CommandPattern, script: string): boolean {
  const { commands, whole } = takeApart(script)
  if (!whole) return true
  const texts = commands.map(({ words }) => words.map(({ value }) => value).join(' '))
  if ([script.trim(), ...texts].some((text) => fitsCommand(pattern, text))) return true
  return SUBSTITUTION.test(script) && !isNameAlone(pattern)
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
