import { resolve } from 'node:path'
import { readText } from '../files/read.ts'
import { shellQuoted } from '../text/quote.ts'
import type { Call, Part } from './bridge.ts'

/** A change of one file in a patch. */
type Section =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly moveTo: string | null
      readonly hunks: readonly (readonly string[])[]
    }
  | { readonly kind: 'delete'; readonly path: string }

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/

/** The patch inside the text of a shell command that applies one; null when there is none. */
export function patchInCommand(command: string): string | null {
  const from = command.indexOf(BEGIN)
  const to = command.lastIndexOf(END)
  return /\bapply_?patch\b/.test(command) && from >= 0 && to > from ? command.slice(from, to + END.length) : null
}

/** What a patch does, file by file, as calls of Claude Code; null for a text that is not a patch. */
export async function splitPatch(text: string, cwd: string): Promise<Part[] | null> {
  const sections = readPatch(text)
  return sections && (await Promise.all(sections.map((section) => partsOf(section, cwd)))).flat()
}

/**
 * The patch with the parts as they are wanted; null when it cannot be written. Contents of new files and single hunks can
 * be; whatever else differs cannot.
 */
export async function joinPatch(text: string, wanted: readonly Part[], cwd: string): Promise<string | null> {
  const sections = readPatch(text)
  if (sections === null) return null
  const written: string[] = [BEGIN]
  let at = 0
  for (const section of sections) {
    const now = await partsOf(section, cwd)
    const want = wanted.slice(at, at + now.length)
    at += now.length
    const lines = JSON.stringify(now) === JSON.stringify(want) ? linesOf(section) : changedLines(section, want, cwd)
    if (lines === null) return null
    written.push(...lines)
  }
  return [...written, END, ''].join('\n')
}

function readPatch(text: string): Section[] | null {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n')
  if (lines[0]?.trim() !== BEGIN || lines.at(-1)?.trim() !== END) return null
  const sections: Section[] = []
  let at = 1
  while (at < lines.length - 1) {
    const [, kind, path] = HEADER.exec(lines[at] ?? '') ?? []
    if (kind === undefined || path === undefined) return null
    const end = lines.findIndex((line, index) => index > at && (HEADER.test(line) || index === lines.length - 1))
    const section = sectionOf(kind, path.trim(), lines.slice(at + 1, end))
    if (section === null) return null
    sections.push(section)
    at = end
  }
  return sections.length === 0 ? null : sections
}

function sectionOf(kind: string, path: string, body: readonly string[]): Section | null {
  if (kind === 'Delete') return body.every((line) => line.trim() === '') ? { kind: 'delete', path } : null
  if (kind === 'Add') {
    if (!body.every((line) => line.startsWith('+'))) return null
    return { kind: 'add', path, lines: body.map((line) => line.slice(1)) }
  }
  const moveTo = MOVE.exec(body[0] ?? '')?.[1]?.trim() ?? null
  const hunks: string[][] = []
  for (const line of moveTo === null ? body : body.slice(1)) {
    if (line.startsWith('@@')) hunks.push([])
    else if (line !== '*** End of File') {
      if (line !== '' && !/^[ +-]/.test(line)) return null
      if (hunks.length === 0) hunks.push([])
      hunks.at(-1)?.push(line === '' ? ' ' : line) // editors cut off the space of an empty line
    }
  }
  const full = hunks.filter((hunk) => hunk.length > 0)
  return full.length === 0 && moveTo === null ? null : { kind: 'update', path, moveTo, hunks: full }
}

const before = (hunk: readonly string[]): string => side(hunk, '+')
const after = (hunk: readonly string[]): string => side(hunk, '-')
const side = (hunk: readonly string[], other: string): string =>
  hunk.flatMap((line) => (line.startsWith(other) ? [] : [line.slice(1)])).join('\n')

async function partsOf(section: Section, cwd: string): Promise<Part[]> {
  const file = resolve(cwd, section.path)
  const { path: label } = section
  if (section.kind === 'add') {
    const content = section.lines.map((line) => `${line}\n`).join('')
    return [{ label, calls: [{ tool: 'Write', input: { file_path: file, content } }] }]
  }
  if (section.kind === 'delete') return [await deletion(label, file)]
  const text = await textAt(file)
  const edits = editsOf(section.hunks, text).map((edit): Part => ({ label, calls: [editOf(file, edit)] }))
  if (section.moveTo === null) return edits
  const content = (text === null ? null : applied(section.hunks, text)) ?? section.hunks.map(after).join('\n')
  const target = resolve(cwd, section.moveTo)
  const moved: Part = { label: section.moveTo, calls: [{ tool: 'Write', input: { file_path: target, content } }] }
  return [...edits, moved, await deletion(label, file)]
}

/** A file that goes: in Claude Code an edit that empties it, or a command. */
async function deletion(label: string, file: string): Promise<Part> {
  const emptied = editOf(file, { from: (await textAt(file)) ?? '', to: '' })
  return { label, calls: [emptied, { tool: 'Bash', input: { command: `rm -- ${shellQuoted(file)}` } }] }
}

interface Change {
  readonly from: string
  readonly to: string
}

function editOf(file: string, { from, to }: Change): Call {
  return { tool: 'Edit', input: { file_path: file, old_string: from, new_string: to, replace_all: false } }
}

/** One edit for all hunks, over the lines that they span; one each where they do not fit the file. */
function editsOf(hunks: readonly (readonly string[])[], text: string | null): Change[] {
  const each = hunks.map((hunk) => ({ from: before(hunk), to: after(hunk) }))
  if (each.length < 2 || text === null) return each
  const changed = applied(hunks, text)
  if (changed === null) return each
  const [old, now] = [text.split('\n'), changed.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [{ from: old.slice(start, old.length - end).join('\n'), to: now.slice(start, now.length - end).join('\n') }]
}

/** A text with hunks applied, one after the other; null when one does not fit. */
function applied(hunks: readonly (readonly string[])[], text: string): string | null {
  let done = ''
  let rest = text
  for (const hunk of hunks) {
    const old = before(hunk)
    const at = rest.indexOf(old)
    if (at < 0) return null
    done += rest.slice(0, at) + after(hunk)
    rest = rest.slice(at + old.length)
  }
  return done + rest
}

/** Null for a file that is not there or cannot be read: then nothing is known of it. */
async function textAt(file: string): Promise<string | null> {
  const content = await readText(file)
  return content.read === 'text' ? content.text : null
}

function linesOf(section: Section): string[] {
  if (section.kind === 'delete') return [`*** Delete File: ${section.path}`]
  if (section.kind === 'add') return [`*** Add File: ${section.path}`, ...section.lines.map((line) => `+${line}`)]
  const move = section.moveTo === null ? [] : [`*** Move to: ${section.moveTo}`]
  return [`*** Update File: ${section.path}`, ...move, ...section.hunks.flatMap((hunk) => ['@@', ...hunk])]
}

/** A new file or a single hunk as it is wanted; null for what a patch cannot say. */
function changedLines(section: Section, [part, ...more]: readonly Part[], cwd: string): string[] | null {
  const { tool, input } = part?.calls[0] ?? {}
  if (input === undefined || more.length > 0 || section.kind === 'delete') return null
  const path = input.file_path === resolve(cwd, section.path) ? section.path : input.file_path
  if (typeof path !== 'string') return null
  if (section.kind === 'add') {
    const { content } = input
    if (tool !== 'Write' || typeof content !== 'string' || (content !== '' && !content.endsWith('\n'))) return null
    return linesOf({ ...section, path, lines: content.split('\n').slice(0, -1) })
  }
  const { old_string: from, new_string: to } = input
  if (tool !== 'Edit' || section.hunks.length !== 1 || section.moveTo !== null) return null
  if (typeof from !== 'string' || typeof to !== 'string') return null
  const hunk = [...from.split('\n').map((line) => `-${line}`), ...to.split('\n').map((line) => `+${line}`)]
  return linesOf({ ...section, path, hunks: [hunk] })
}
