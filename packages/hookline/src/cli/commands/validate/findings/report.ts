import { isAbsolute, relative } from 'node:path'
import type { Finding, Severity } from '../../../../check/finding.ts'
import type { ClientVerdict } from '../../../../check/lens.ts'
import type { Subject } from '../../../../check/subject.ts'
import { maskSecrets } from '../../../../config/text-diff.ts'
import type { Paint, Terminal } from '../../../view/terminal.ts'

/** Result of a check, for every format. */
export interface Report {
  /** The files that were checked. */
  readonly subjects: readonly Subject[]
  readonly findings: readonly Finding[]
  /** Share of files that their client applies: of all that were asked about, else of those that it does not apply as a whole. */
  readonly verdicts: readonly ClientVerdict[]
  /** Findings that `--fix` fixes. */
  readonly fixable: number
  readonly terminal: Terminal
}

/** Findings in files that hooks name, which are none of those that were checked, by file. */
export function listOtherFiles({ subjects, findings }: Pick<Report, 'subjects' | 'findings'>): {
  readonly file: string
  readonly path: string
  readonly findings: readonly Finding[]
}[] {
  const others = findings.filter(({ path }) => !subjects.some((subject) => subject.path === path))
  const files = new Map(others.map(({ path, file }) => [path, file]))
  return [...files].map(([path, file]) => ({ path, file, findings: others.filter((one) => one.path === path) }))
}

/** The colour of each severity. */
export const SEVERITY_COLOURS: Readonly<Record<Severity, keyof Paint>> = {
  error: 'red',
  warning: 'yellow',
  note: 'cyan',
}

/** A path as other tools expect it: relative to the current folder inside it, with slashes. */
export function toToolPath(path: string): string {
  const way = relative(process.cwd(), path)
  return (way.startsWith('..') || isAbsolute(way) ? path : way).replaceAll('\\', '/')
}

/** The line of a file that a finding is about, with stars in place of secrets, so that all else keeps its column. */
export function readSubjectLine({ text, root }: Subject, line: number): string {
  const written = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '')
  const known = root === null ? written : maskSecrets(written, [root.value])
  return known.replace(LOGIN, (_, scheme: string, login: string) => `${scheme}${'*'.repeat(login.length)}@`)
}

/** The credentials of an address. */
const LOGIN = /(:\/\/)([^\s/@"']+)@/g

/** `1 error`, `2 errors`. */
export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
