import type { Problem } from '../config/problem.ts'
import { readAllowLists } from '../config/switches.ts'
import { formatPath } from '../files/paths.ts'
import { DUPLICATES } from '../match/duplicates.ts'
import { removeControls } from '../text/clean.ts'
import { readCommand } from './command.ts'
import type { Finding } from './finding.ts'
import { type ExaminedHook, linkTo, type Remark, type Rule } from './rule.ts'
import { LOSS_RULE } from './rules/losses.ts'
import { RULES } from './rules/table.ts'
import type { HookEntry, Subject } from './subject.ts'

/** Holds files against all rules. Runs nothing; findings come file by file, from top to bottom. */
export async function check(subjects: readonly Subject[]): Promise<Finding[]> {
  const examined: ExaminedHook[] = []
  for (const subject of subjects) {
    const together = subjects.filter(({ project, format }) => project === subject.project && format === 'json')
    const allowedAddresses = readAllowLists(together).urls
    const ownTools = together.flatMap(listDeclaredTools)
    for (const entry of subject.entries) {
      const command = await readCommand(entry, subject)
      examined.push({ subject, entry, command, runs: makeRunsKey(entry, subject), ownTools, allowedAddresses })
    }
  }
  const findings: Finding[] = []
  for (const subject of subjects) {
    const found: Finding[] = []
    for (const rule of RULES) found.push(...(await findByRule(rule, subject, examined)))
    const isOwn = ({ path }: Finding): boolean => path === subject.path
    findings.push(...sortFindings(mergeLosses(found.filter(isOwn))))
    for (const one of sortFindings(found)) if (!isOwn(one) && !findings.some(isSameFinding(one))) findings.push(one)
  }
  return findings
}

/** Tells findings of one rule at one place apart from all others: a script is run by many hooks. */
const isSameFinding =
  ({ rule, path, line, column }: Finding) =>
  (other: Finding): boolean =>
    other.rule === rule && other.path === path && other.line === line && other.column === column

/** Tells what the client drops once: a finding at that place that says what is wrong has the loss and its words, a mere note gives way. */
function mergeLosses(findings: readonly Finding[]): Finding[] {
  const losses = findings.filter(({ rule }) => rule === LOSS_RULE)
  const findHost = (loss: Finding): Finding | undefined =>
    findings.find((one) => one.rule !== LOSS_RULE && hasSamePlace(loss)(one) && canTake(loss, one))
  return findings.flatMap((one): Finding[] => {
    if (one.rule === LOSS_RULE) return findHost(one) === undefined ? [one] : []
    const loss = losses.find(hasSamePlace(one))
    if (loss === undefined || one.loss !== undefined) return [one]
    if (findHost(loss) === one) return [withLoss(one, loss)]
    return one.severity === 'note' ? [] : [one]
  })
}

const TAKING_LOSS: ReadonlySet<string> = new Set(RULES.filter((rule) => rule.takesLoss).map(({ id }) => id))

/** True if a finding is as grave as a loss, and says what is wrong as well. */
function canTake(loss: Finding, { rule, severity }: Finding): boolean {
  if (loss.severity === 'error') return severity === 'error' && TAKING_LOSS.has(rule)
  return severity !== 'note' || (loss.severity === 'note' && TAKING_LOSS.has(rule))
}

/** Gives a finding the loss; where that counts as an error also its words, without those on what is wrong. */
function withLoss(finding: Finding, { loss, message, severity }: Finding): Finding {
  if (severity !== 'error') return { ...finding, loss }
  return { ...finding, loss, message: `${finding.message} ${message.split(': ')[0]}.` }
}

const hasSamePlace =
  ({ line, column }: Finding) =>
  (other: Finding): boolean =>
    other.line === line && other.column === column

/** The tools that a file says the host has: `"hookline": {"tools": ["deploy"]}`. */
function listDeclaredTools({ root }: Subject): string[] {
  const { items = [] } = root?.fields?.get('hookline')?.node.fields?.get('tools')?.node ?? {}
  return items.map(({ value }) => value).filter((value) => typeof value === 'string')
}

/** Hooks that count as one when both their matchers match have the same; one that has none of its kind has its own. */
function makeRunsKey({ hook, profile }: HookEntry, { path }: Subject): string {
  const key = DUPLICATES[profile.rules.duplicates].key(hook)
  return key === hook.id ? `${path} ${key}` : key
}

async function findByRule(rule: Rule, subject: Subject, examined: readonly ExaminedHook[]): Promise<Finding[]> {
  const remarks = subject.problems.filter((problem) => problem.rule === rule.id).map(makeRemarker(rule, subject))
  remarks.push(...(rule.findInFile?.(subject) ?? []))
  for (const one of examined) {
    if (one.subject === subject) remarks.push(...((await rule.find?.(one, examined)) ?? []))
  }
  return removeRepeatedRemarks(rule, remarks).map((remark) => makeFinding(rule, remark, subject))
}

/** Makes the remarks of what the reading of a file found, in the place where the rule shows it. */
function makeRemarker({ placeOf, loss }: Rule, subject: Subject): (problem: Problem) => Remark {
  const { lens } = subject
  // A file with a key that stands twice is set aside here alone: the client reads the last copy.
  const repeated = subject.problems.filter(({ rule: id }) => id === 'V-HK-27')
  const isOurs = ({ rule: id, line, column }: Problem): boolean =>
    id === 'V-HK-01' && repeated.some((one) => one.line === line && one.column === column)
  return (problem) => {
    const { line, column, message, severity } = problem
    const place = placeOf?.({ line, column }, subject) ?? { line, column }
    if (loss === undefined || lens === null || isOurs(problem)) return { place, message, severity }
    return { place, message, loss, severity: lens.severity === 'error' ? 'error' : severity }
  }
}

/** Removes repeated remarks: what is said of a group is found with each of its hooks, and how a file is written many times: once is enough. */
function removeRepeatedRemarks({ oncePerFile }: Rule, remarks: readonly Remark[]): Remark[] {
  const told = new Map<string, Remark>()
  for (const remark of remarks) {
    const { place, message } = remark
    const key = oncePerFile ? message : `${place.line}:${place.column} ${message}`
    if (!told.has(key)) told.set(key, remark)
  }
  return [...told.values()]
}

function makeFinding(
  rule: Rule,
  { place, script, message, severity = rule.severity, loss }: Remark,
  subject: Subject,
): Finding {
  const { id, name } = rule
  const { line, column } = script ?? place
  const { file, path } = script ? { file: formatPath(script.path, subject.project), path: script.path } : subject
  const found = {
    rule: id,
    name,
    severity,
    file,
    path,
    line,
    column,
    message: removeControls(message),
    link: linkTo(rule),
  }
  return loss === undefined ? found : { ...found, loss }
}

function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column || a.rule.localeCompare(b.rule),
  )
}
