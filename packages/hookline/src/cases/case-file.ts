import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { isNestedTooDeeply } from '../config/yaml-source.ts'
import { HooklineError } from '../files/error.ts'
import { readText } from '../files/read.ts'
import { formatMisfit } from '../protocol/check.ts'
import { makeCheck } from '../protocol/checker.ts'
import { hookTest } from '../protocol/generated/hook-test-shape.ts'
import type { HookCase, HookTest } from '../protocol/schemas/hook-test.ts'

/** A file of cases as it was read. */
export interface CaseFile {
  readonly path: string
  readonly cases: readonly PlacedCase[]
}

/** A case and where it stands. */
export interface PlacedCase {
  readonly case: HookCase
  readonly file: string
  /** Position among the cases of its file. */
  readonly at: number
  readonly line: number
}

/** Names of files of cases. */
export const CASE_FILE = /\.hooktest\.(?:yaml|yml|json)$/

/** Folders that hold other people's files. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv'])

/** The files of cases below a folder, in order. */
export async function findCaseFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []) // not to be read
  const files = entries.filter((entry) => entry.isFile() && CASE_FILE.test(entry.name))
  const folders = entries.filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
  const below = await Promise.all(folders.map(({ name }) => findCaseFiles(join(folder, name))))
  return [...files.map(({ name }) => join(folder, name)), ...below.flat()].sort()
}

const check = makeCheck(hookTest)

/** Reads a file of cases, YAML or JSON. Throws a HooklineError that says what is wrong and where. */
export async function readCaseFile(path: string): Promise<CaseFile> {
  const content = await readText(path)
  if (content.read === 'missing') throw new HooklineError(`There is no file ${path}.`)
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}.`)
  if (isNestedTooDeeply(content.text))
    throw new HooklineError(`${path}:1  It is nested too deeply, or uses the "?" of YAML.`)
  const lines = new LineCounter()
  const document = parseDocument(content.text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false })
  const findPlaceLine = (place: readonly (string | number)[]): number => findNodeLine(document, place, lines)
  const [fault] = document.errors
  if (fault) throw new HooklineError(`${path}:${lines.linePos(fault.pos[0]).line}  ${fault.message}`)
  const twice = findRepeatedKey(document)
  if (twice) throw new HooklineError(`${path}:${lines.linePos(twice.offset).line}  "${twice.key}" appears twice.`)
  const value: unknown = document.toJS()
  const [misfit] = check(value)
  if (misfit) throw new HooklineError(`${path}:${findPlaceLine(misfit.path)}  ${formatMisfit(misfit, 'the file')}.`)
  const { cases } = value as HookTest // the value fits the schema
  return { path, cases: cases.map((one, at) => ({ case: one, file: path, at, line: findPlaceLine(['cases', at]) })) }
}

/** The first key that its object has already. The YAML reader would compare every key with every other. */
function findRepeatedKey(document: Document): { key: string; offset: number } | null {
  let found: { key: string; offset: number } | null = null
  visit(document, {
    Map(_at, map) {
      const keys = new Set<string>()
      for (const { key } of isMap(map) ? map.items : []) {
        const name = isScalar(key) ? String(key.value) : null
        if (name !== null && keys.has(name)) found = { key: name, offset: (isNode(key) && key.range?.[0]) || 0 }
        if (found !== null) return visit.BREAK
        if (name !== null) keys.add(name)
      }
      return undefined
    },
  })
  return found
}

/** The line of the innermost thing on a path that is there. */
function findNodeLine(document: Document, place: readonly (string | number)[], lines: LineCounter): number {
  for (let depth = place.length; depth > 0; depth--) {
    const steps = place.slice(0, depth).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step))
    const node = document.getIn(steps, true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
