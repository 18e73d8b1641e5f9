import { applyEdits, modify } from 'jsonc-parser'
import { Document, isSeq, parseDocument, visit } from 'yaml'
import { isNestedTooDeeply } from '../config/yaml-source.ts'
import { HooklineError } from '../files/error.ts'
import { readText } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import type { HookCase } from '../protocol/schemas/hook-test.ts'
import { escapeJson, toReadableLines } from '../text/visible.ts'

/** A value to stand at a place of a file; undefined: what stands there goes. */
export interface CaseEdit {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

const INDENT = { formattingOptions: { insertSpaces: true, tabSize: 2 } }

/** Changes values in a file of cases; comments and everything else stay as they are. */
export async function editCaseFile(path: string, edits: readonly CaseEdit[]): Promise<void> {
  const content = await readText(path, { onlyUtf8: true })
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}; it is as it was.`)
  if (content.read !== 'text') throw new HooklineError(`${path} cannot be read; it is as it was.`)
  await replaceFile(
    path,
    path.endsWith('.json') ? editJsonCases(content.text, edits) : editYamlCases(content.text, edits),
  )
}

/** Adds a case to a file; makes the file when there is none. */
export async function addCase(path: string, added: HookCase): Promise<void> {
  const content = await readText(path, { onlyUtf8: true })
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}; it is as it was.`)
  if (content.read === 'text' && isNestedTooDeeply(content.text))
    throw new HooklineError(`${path} is nested too deeply; it is as it was.`)
  const text = content.read === 'text' && content.text.trim() !== '' ? content.text : makeEmptyFile(path)
  await replaceFile(path, path.endsWith('.json') ? withJsonCase(text, added) : withYamlCase(text, added))
}

/** A new file with these cases, as YAML; what a terminal would obey or not show is written as an escape. */
export function formatCases(cases: readonly HookCase[]): string {
  const document = new Document({ cases })
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && scalar.value !== toReadableLines(scalar.value))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeJson(document.toString({ lineWidth: 0 }))
}

function makeEmptyFile(path: string): string {
  return path.endsWith('.json') ? '{ "cases": [] }\n' : '# hookline test runs these cases.\ncases: []\n'
}

function editJsonCases(text: string, edits: readonly CaseEdit[]): string {
  return edits.reduce((json, { path, value }) => applyEdits(json, modify(json, [...path], value, INDENT)), text)
}

function editYamlCases(text: string, edits: readonly CaseEdit[]): string {
  const document = parseDocument(text)
  for (const { path, value } of edits) {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
  }
  return document.toString({ lineWidth: 0 })
}

function withJsonCase(text: string, added: HookCase): string {
  return applyEdits(text, modify(text, ['cases', -1], added, { ...INDENT, isArrayInsertion: true }))
}

function withYamlCase(text: string, added: HookCase): string {
  const document = parseDocument(text)
  const cases = document.get('cases')
  if (isSeq(cases)) {
    cases.flow = false
    cases.add(document.createNode(added))
  } else document.set('cases', document.createNode([added]))
  return document.toString({ lineWidth: 0 })
}
