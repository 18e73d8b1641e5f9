import { coversHost, touchesHost } from './host-pattern.ts'
import { coversPath, type Folders, touchesPath } from './path-pattern.ts'
import type { Certainty, Rule, Specifier } from './rule.ts'
import { type Subject, subjectOf } from './subject.ts'
import { countsFor } from './tool-families.ts'

/** A call as rules see it. */
export interface Call {
  readonly toolName: string
  /** The MCP server that offers the tool; its name may hold what separates it from the tool's. */
  readonly server?: string | undefined
  readonly input: unknown
}

/** Whether a rule that restricts means a call: any part of it counts, by any way that its text shows. */
export async function appliesTo(rule: Rule, call: Call, folders: Folders): Promise<Certainty> {
  const { toolName, input } = call
  if (rule.toolName === null) return 'yes'
  if (!countsFor(rule.toolName, call)) return 'no'
  if (rule.specifier.kind === 'any') return 'yes'
  return appliesToSubject(rule.specifier, subjectOf(toolName, input, folders.project), folders)
}

async function appliesToSubject(specifier: Specifier, subject: Subject, folders: Folders): Promise<Certainty> {
  if (subject.kind === 'unclear') return 'unsure'
  if (specifier.kind === 'command' && subject.kind === 'command') {
    const { matchesScript } = await import('./script.ts')
    return matchesScript(specifier.pattern, subject.command)
  }
  if (specifier.kind === 'path' && subject.kind === 'path')
    return touchesPath(specifier.pattern, subject.path, folders) ? 'yes' : 'no'
  if (specifier.kind === 'domain' && subject.kind === 'domain')
    return touchesHost(specifier.pattern, subject.url) ? 'yes' : 'no'
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
    ? 'yes'
    : 'no'
}

/** The rules that together cover a call, all of it and surely; null when they do not. */
export async function coveringRules<Each extends Rule>(
  rules: readonly Each[],
  call: Call,
  folders: Folders,
): Promise<readonly Each[] | null> {
  const { toolName, input } = call
  const ofTool = rules.filter((rule) => rule.toolName !== null && countsFor(rule.toolName, call))
  const whole = ofTool.find(({ specifier }) => specifier.kind === 'any')
  if (whole) return [whole]
  const subject = subjectOf(toolName, input, folders.project)
  if (subject.kind === 'command') return coveringScript(ofTool, subject.command)
  const one = ofTool.find(({ specifier }) => coversSubject(specifier, subject, folders))
  return one ? [one] : null
}

async function coveringScript<Each extends Rule>(
  rules: readonly Each[],
  script: string,
): Promise<readonly Each[] | null> {
  const ofPatterns = new Map(
    rules.flatMap((rule) => (rule.specifier.kind === 'command' ? [[rule.specifier.pattern, rule] as const] : [])),
  )
  if (ofPatterns.size === 0) return null
  const { coveringPatterns } = await import('./script.ts')
  const covering = coveringPatterns([...ofPatterns.keys()], script) ?? []
  const found = covering.flatMap((pattern) => ofPatterns.get(pattern) ?? [])
  return found.length === 0 ? null : [...new Set(found)]
}

function coversSubject(specifier: Specifier, subject: Subject, folders: Folders): boolean {
  if (specifier.kind === 'path' && subject.kind === 'path') return coversPath(specifier.pattern, subject.path, folders)
  if (specifier.kind === 'domain' && subject.kind === 'domain') return coversHost(specifier.pattern, subject.url)
  return specifier.kind === 'agent' && subject.kind === 'agent' && specifier.agentType === subject.agentType
}
