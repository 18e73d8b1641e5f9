import { type Certainty, coversCommand, touchesCommand } from './command-pattern.ts'
import { coversHost, touchesHost } from './host-pattern.ts'
import { coversPath, type Folders, touchesPath } from './path-pattern.ts'
import { reachedCommands } from './reached-commands.ts'
import type { Rule, Specifier } from './rule.ts'
import { takeApart } from './shell-commands.ts'
import { type Subject, subjectOf } from './subject.ts'
import { countsFor } from './tool-families.ts'

/** A call as rules see it. */
export interface Call {
  readonly toolName: string
  /** The MCP server that offers the tool; its name may hold what separates it from the tool's. */
  readonly server?: string | undefined
  readonly input: unknown
}

/**
 * Whether a rule that restricts means a call: any part of it counts, by any way that its text shows. `unsure` when that
 * cannot be known before the call is made.
 */
export function touches(rule: Rule, call: Call, folders: Folders): Certainty {
  const { toolName, input } = call
  if (rule.toolName === null) return 'yes'
  if (!countsFor(rule.toolName, call)) return 'no'
  if (rule.specifier.kind === 'any') return 'yes'
  return touchesSubject(rule.specifier, subjectOf(toolName, input, folders.project), folders)
}

/** The rules that together cover a call, all of it and surely; null when they do not. */
export function covering<Each extends Rule>(
  rules: readonly Each[],
  call: Call,
  folders: Folders,
): readonly Each[] | null {
  const { toolName, input } = call
  const ofTool = rules.filter((rule) => rule.toolName !== null && countsFor(rule.toolName, call))
  const whole = ofTool.find(({ specifier }) => specifier.kind === 'any')
  if (whole) return [whole]
  const subject = subjectOf(toolName, input, folders.project)
  if (subject.kind === 'command') return coveringScript(ofTool, subject.command)
  const one = ofTool.find(({ specifier }) => coversSubject(specifier, subject, folders))
  return one ? [one] : null
}

function touchesSubject(specifier: Specifier, subject: Subject, folders: Folders): Certainty {
  if (subject.kind === 'unclear') return 'unsure'
  if (specifier.kind === 'command' && subject.kind === 'command') return touchesScript(specifier, subject.command)
  if (specifier.kind === 'path' && subject.kind === 'path')
    return touchesPath(specifier.pattern, subject.path, folders) ? 'yes' : 'no'
  if (specifier.kind === 'domain' && subject.kind === 'domain')
    return touchesHost(specifier.pattern, subject.url) ? 'yes' : 'no'
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
    ? 'yes'
    : 'no'
}

function touchesScript({ pattern }: Specifier & { kind: 'command' }, script: string): Certainty {
  if (pattern.kind === 'exact' && pattern.text === script.trim()) return 'yes'
  const { commands, more } = reachedCommands(script)
  const found = commands.map(({ words, certain }) => {
    const certainty = touchesCommand(pattern, words)
    return certainty === 'yes' && !certain ? 'unsure' : certainty
  })
  if (found.includes('yes')) return 'yes'
  return more || found.includes('unsure') ? 'unsure' : 'no'
}

/** A whole text that one rule names, or commands that are each covered by some rule. */
function coveringScript<Each extends Rule>(rules: readonly Each[], script: string): readonly Each[] | null {
  const patterns = rules.flatMap((rule) =>
    rule.specifier.kind === 'command' ? [{ rule, pattern: rule.specifier.pattern }] : [],
  )
  const named = patterns.find(({ pattern }) => pattern.kind === 'exact' && pattern.text === script.trim())
  if (named) return [named.rule]
  const { commands, plain } = takeApart(script)
  if (!plain || commands.length === 0) return null
  const covers = commands.map((command) => patterns.find(({ pattern }) => coversCommand(pattern, command))?.rule)
  return covers.every((rule) => rule !== undefined) ? [...new Set(covers)] : null
}

function coversSubject(specifier: Specifier, subject: Subject, folders: Folders): boolean {
  if (specifier.kind === 'path' && subject.kind === 'path') return coversPath(specifier.pattern, subject.path, folders)
  if (specifier.kind === 'domain' && subject.kind === 'domain') return coversHost(specifier.pattern, subject.url)
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
}
