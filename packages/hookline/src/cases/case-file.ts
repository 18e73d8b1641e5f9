import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { HooklineError } from '../files/error.ts'
import { readText } from '../files/read.ts'
import { sentence } from '../protocol/check.ts'
import { checkOf } from '../protocol/checker.ts'
import { hookTest } from '../protocol/generated/hook-test-shape.ts'
import type { HookCase, HookTest } from '../protocol/hook-test.ts'

/** A file of cases as it was read. */
export interface CaseFile {
  readonly path: string
  readonly cases: readonly PlacedCase[]
}

/** A case and where it stands. */
export interface PlacedCase {
  readonly case: HookCase
  readonly file: string
  /** Its position among the cases of its file. */
  readonly at: number
  readonly line: number
}

const check = checkOf(hookTest)

/** Reads a file of cases, YAML or JSON. Throws a HooklineError that says what is wrong and where. */
export async function readCaseFile(path: string): Promise<CaseFile> {
  const content = await readText(path)
  if (content.read === 'missing') throw new HooklineError(`There is no file ${path}.`)
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}.`)
  const lines = new LineCounter()
  const document = parseDocument(content.text, { lineCounter: lines })
  const lineAt = (place: readonly (string | number)[]): number => lineOf(document, place, lines)
  const [fault] = document.errors
  if (fault) throw new HooklineError(`${path}:${fault.linePos?.[0].line ?? 1}  ${firstLine(fault.message)}`)
  const value: unknown = document.toJS()
  const [misfit] = check(value)
  if (misfit) throw new HooklineError(`${path}:${lineAt(misfit.path)}  ${sentence(misfit, 'the file')}.`)
  const { cases } = value as HookTest // it fits the schema
  return { path, cases: cases.map((one, at) => ({ case: one, file: path, at, line: lineAt(['cases', at]) })) }
}

/** The line of the innermost thing on a path that is there. */
function lineOf(document: Document, place: readonly (string | number)[], lines: LineCounter): number {
  for (let depth = place.length; depth > 0; depth--) {
    const steps = place.slice(0, depth).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step))
    const node = document.getIn(steps, true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
