import type { SourceNode } from '../config/source.ts'
import { HooklineError } from '../files/error.ts'
import { withLock } from '../files/lock.ts'
import { readText } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import type { Finding } from './finding.ts'
import { RULES } from './rules/table.ts'
import type { Subject } from './subject.ts'
import { applyEdits, type Edit, findElementByPlace, findFieldByPlace } from './text-edit.ts'

/** A file before and after its safe fixes. */
export interface FixedFile {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** Files that were checked, and what was found in them. */
export interface CheckResult {
  readonly subjects: readonly Subject[]
  readonly findings: readonly Finding[]
}

/** One fix may bring another finding to light. */
const MAX_FIX_ROUNDS = 5

/** Writes the safe fixes of all files, and of what is found in them afterwards. Every file that was changed, once. */
export async function fixFiles(checked: () => Promise<CheckResult>): Promise<FixedFile[]> {
  const fixed = new Map<string, FixedFile>()
  for (let round = 0; round < MAX_FIX_ROUNDS; round++) {
    const { subjects, findings } = await checked()
    let changed = false
    for (const subject of subjects) {
      const own = findings.filter(({ path }) => path === subject.path)
      const one = await fixFile(subject, own)
      if (!one) continue
      changed = true
      fixed.set(one.file, { ...one, before: fixed.get(one.file)?.before ?? one.before })
    }
    if (!changed) break
  }
  return [...fixed.values()]
}

/** Number of of that the findings can be fixed safely. */
export function countFixable({ subjects, findings }: CheckResult): number {
  return findings.filter((finding) => {
    const subject = subjects.find(({ path }) => path === finding.path)
    return subject !== undefined && makeFix(finding, subject) !== null
  }).length
}

/** The edit that fixes a finding; null when only the author can. */
export function makeFix(finding: Finding, { root, text, format, scope, profile, entries }: Subject): Edit | null {
  const rule = RULES.find(({ id }) => id === finding.rule)
  if (!rule || !root || format !== 'json' || scope === 'managed') return null
  const fixing = { text, profile, rowOf: (group: SourceNode) => entries.find((one) => one.group === group)?.row }
  const field = rule.fix ? findFieldByPlace(root, finding) : null
  if (field) return rule.fix?.(field, fixing) ?? null
  const element = rule.fixElement ? findElementByPlace(root, finding) : null
  return (element && rule.fixElement?.(element, fixing)) ?? null
}

/** Writes the safe fixes of a file; null when there are none. Rejects with a HooklineError when it was edited meanwhile. */
export async function fixFile(subject: Subject, findings: readonly Finding[]): Promise<FixedFile | null> {
  const edits = findings.flatMap((finding) => makeFix(finding, subject) ?? [])
  if (edits.length === 0) return null
  const after = applyEdits(subject.text, edits)
  await withLock(subject.path, async () => {
    const now = await readText(subject.path, { onlyUtf8: true })
    if (now.read === 'unreadable')
      throw new HooklineError(`${subject.file} ${now.reason}; nothing was written to it. Fix that first.`)
    if (now.read !== 'text' || now.text !== subject.text) {
      throw new HooklineError(`${subject.file} was edited meanwhile; nothing was written to it. Try again.`)
    }
    await replaceFile(subject.path, after)
  })
  return { file: subject.file, before: subject.text, after }
}
