import { whatItRuns } from '../config/hook.ts'
import { RULES } from '../config/rules.ts'
import type { Place } from '../config/source.ts'
import { cleaned } from '../text/clean.ts'
import { type CommandText, readCommand } from './command.ts'
import type { Finding, Remark } from './finding.ts'
import { noPluginRule, pluginPathRule } from './plugin-rules.ts'
import { modelRule, otherFieldRule, otherTypeRule } from './rules/hooks.ts'
import { unknownValueRule, uselessMatcherRule } from './rules/matchers.ts'
import { duplicateRule, type Examined, rewriteRule } from './rules/pairs.ts'
import { programRules } from './rules/programs.ts'
import { quotingRule } from './rules/quoting.ts'
import { backgroundRule, exitCodeRule, loopRule } from './rules/scripts.ts'
import type { Subject } from './subject.ts'

/** Holds files against all rules. Runs nothing; findings come file by file, from top to bottom. */
export async function check(subjects: readonly Subject[]): Promise<Finding[]> {
  const examined: Examined[] = []
  for (const subject of subjects) {
    for (const entry of subject.entries) {
      examined.push({ subject, entry, command: await readCommand(entry, subject), runs: whatItRuns(entry.hook) })
    }
  }
  const findings: Finding[] = []
  for (const subject of subjects) {
    const remarks = remarksFromReading(subject)
    for (const one of examined) if (one.subject === subject) remarks.push(...(await remarksOn(one, examined)))
    findings.push(...inOrder(eachOnce(remarks)).map((remark) => findingOf(remark, subject)))
  }
  return findings
}

function remarksFromReading(subject: Subject): Remark[] {
  return subject.problems.map(({ rule, message, ...place }) => ({
    rule,
    place: rule === 'V-HK-09' ? placeInMatcher(place, subject) : place,
    message,
  }))
}

async function remarksOn(one: Examined, all: readonly Examined[]): Promise<Remark[]> {
  const { entry, command } = one
  return [
    ...otherTypeRule(entry),
    ...otherFieldRule(entry),
    ...modelRule(entry),
    ...uselessMatcherRule(entry),
    ...unknownValueRule(entry),
    ...duplicateRule(one, all),
    ...rewriteRule(one, all),
    ...(command ? await remarksOnCommand(command, one) : []),
  ]
}

async function remarksOnCommand(command: CommandText, { entry, subject }: Examined): Promise<Remark[]> {
  return [
    ...(await programRules(command, subject)),
    ...(await pluginPathRule(command, subject)),
    ...noPluginRule(command, subject),
    ...quotingRule(command),
    ...exitCodeRule(entry, command),
    ...loopRule(entry, command),
    ...backgroundRule(entry, command),
  ]
}

/** What is said of a group is found with each of its hooks, and how a file is written many times: once is enough. */
function eachOnce(remarks: readonly Remark[]): Remark[] {
  const told = new Map<string, Remark>()
  for (const remark of remarks) {
    const { rule, place, message } = remark
    const key = rule === 'V-HK-26' ? `${rule} ${message}` : `${rule} ${place.line}:${place.column} ${message}`
    if (!told.has(key)) told.set(key, remark)
  }
  return [...told.values()]
}

function inOrder(remarks: readonly Remark[]): Remark[] {
  return remarks.toSorted(
    ({ place: a, rule }, { place: b, rule: other }) =>
      a.line - b.line || a.column - b.column || rule.localeCompare(other),
  )
}

function findingOf({ rule, place, message }: Remark, { file, path }: Subject): Finding {
  return { rule, severity: RULES[rule], file, path, line: place.line, column: place.column, message: cleaned(message) }
}

/**
 * Where a fault inside a matcher stands in the file. Reading counts characters of the matcher; in the file it stands in
 * quotes or not, and characters may be escaped.
 */
function placeInMatcher(place: Place, { entries, text }: Subject): Place {
  const written = entries
    .map(({ group }) => group.fields?.get('matcher')?.node)
    .findLast((node) => node?.line === place.line && node.column < place.column)
  if (!written) return place
  const raw = (text.split('\n')[place.line - 1] ?? '').slice(written.column - 1)
  const quote = /^["']/.test(raw) ? 1 : 0
  const offset = place.column - written.column - 1
  const pieces = raw.slice(quote).match(raw.startsWith('"') ? /\\u[\da-f]{4}|\\.|[^\\]/gi : /./g) ?? []
  return { line: place.line, column: written.column + quote + pieces.slice(0, offset).join('').length }
}
