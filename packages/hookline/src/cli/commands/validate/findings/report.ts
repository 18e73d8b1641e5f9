import { isAbsolute, relative } from 'node:path'
import type { Finding, Severity } from '../../../../check/finding.ts'
import type { Subject } from '../../../../check/subject.ts'
import { shownDefinition } from '../../../../protocol/hook-fields.ts'
import type { Paint, Terminal } from '../../../view/terminal.ts'

/** What a check came to, for every format. */
export interface Report {
  /** The files that were checked. */
  readonly subjects: readonly Subject[]
  readonly findings: readonly Finding[]
  /** Findings that `--fix` fixes. */
  readonly fixable: number
  readonly terminal: Terminal
}

/** The colour of each severity. */
export const COLOURS: Readonly<Record<Severity, keyof Paint>> = { error: 'red', warning: 'yellow', note: 'cyan' }

/** A path as other tools expect it: relative to the current folder inside it, with slashes. */
export function pathForTools(path: string): string {
  const way = relative(process.cwd(), path)
  return (way.startsWith('..') || isAbsolute(way) ? path : way).replaceAll('\\', '/')
}

/** The line of a file that a finding is about, with stars in place of secrets, so that all else keeps its column. */
export function lineOf(subject: Subject, line: number): string {
  const text = (subject.text.split('\n')[line - 1] ?? '').replace(/\r$/, '')
  const known = secretsOf(subject).reduce((left, secret) => left.replaceAll(secret, stars), text)
  return known.replace(LOGIN, (_, scheme: string, login: string) => `${scheme}${stars(login)}@`)
}

/** The credentials of an address. */
const LOGIN = /(:\/\/)([^\s/@"']+)@/g

const stars = (text: string): string => '*'.repeat(text.length)

/** The texts of a file that are not shown, as they are written there. */
function secretsOf({ root }: Subject): string[] {
  if (root === null) return []
  const shown = new Set(textsIn(shownDefinition(root.value)))
  const hidden = textsIn(root.value).filter((text) => text !== '' && !shown.has(text) && !text.includes('://'))
  return hidden.flatMap((text) => [JSON.stringify(text).slice(1, -1), text]).filter((text) => !text.includes('\n'))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** `1 error`, `2 errors`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
