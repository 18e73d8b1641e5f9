import { resolve } from 'node:path'
import { readText } from '../../files/read.ts'
import { quoteForShell } from '../../text/quote.ts'
import type { CallPart, ShownCall } from '../bridge.ts'

/** A change of one file in a patch. */
type Section =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly moveTo: string | null
      readonly hunks: readonly Hunk[]
    }
  | { readonly kind: 'delete'; readonly path: string }

/** Lines that change together. */
interface Hunk {
  /** The line with `@@` before them; null: there is none. */
  readonly head: string | null
  readonly lines: readonly string[]
  /** True for the last lines of the file. */
  readonly isAtEnd: boolean
}

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const END_OF_FILE = '*** End of File'
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/
/** Characters that some hosts take for the end of a line, and others for text. */
const LINE_BREAKS = /[\r\v\f\u0085\u2028\u2029]/
/** A text that hosts which trim their lines take for a marker. */
const MARKER =
  /^[\s\u0085\ufeff]*\*\*\* ?(?:begin patch|end patch|end of file|(?:add|update|delete) file|move to|environment id)/i

/** True for a line of text in which some hosts see a marker: behind blanks, or behind a character that ends a line there. */
function isHidingMarker(line: string): boolean {
  const [first = '', ...others] = line.split(LINE_BREAKS)
  return (/^[\s\ufeff]/.test(first) && MARKER.test(first)) || others.some((text) => MARKER.test(text))
}

/**
 * Reads what a patch does, file by file, as calls of Claude Code; null for a text that is not a patch. Hosts differ in what they
 * forgive (blanks around a path or a marker, a here-document around it all, a file that is named twice): a patch in which
 * they could find other files than hooks are shown is not one here.
 */
export async function splitPatch(text: string, cwd: string): Promise<CallPart[] | null> {
  const sections = readPatch(text)
  if (sections === null || hasFileTwice(sections, cwd)) return null
  const parts: CallPart[] = []
  for (const section of sections) {
    const own = await toPatchParts(section, cwd)
    if (own === null) return null
    parts.push(...own)
  }
  return parts
}

/**
 * The patch with the parts as they are wanted; null when it cannot be written. Contents of new files and single hunks can
 * be; whatever else differs cannot.
 */
export async function joinPatch(text: string, wanted: readonly CallPart[], cwd: string): Promise<string | null> {
  const sections = readPatch(text)
  if (sections === null) return null
  const written: string[] = [BEGIN]
  let at = 0
  for (const section of sections) {
    const now = await toPatchParts(section, cwd)
    if (now === null) return null
    const want = wanted.slice(at, at + now.length)
    at += now.length
    const lines =
      JSON.stringify(now) === JSON.stringify(want) ? formatSection(section) : rewriteSection(section, want, cwd)
    if (lines === null) return null
    written.push(...lines)
  }
  return [...written, END, ''].join('\n')
}

function readPatch(text: string): Section[] | null {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '')
    .split('\n')
  if (lines[0]?.trimEnd() !== BEGIN || lines.at(-1)?.trimStart() !== END) return null
  if (lines.slice(1, -1).some((line) => line.includes('\r') || isHidingMarker(line))) return null
  const sections: Section[] = []
  let at = 1
  while (at < lines.length - 1) {
    const [, kind, path] = HEADER.exec(lines[at] ?? '') ?? []
    if (kind === undefined || path === undefined || !isPlainPath(path)) return null
    const end = lines.findIndex((line, index) => index > at && (HEADER.test(line) || index === lines.length - 1))
    const section = makeSection(kind, path, lines.slice(at + 1, end))
    if (section === null) return null
    sections.push(section)
    at = end
  }
  return sections.length === 0 ? null : sections
}

/** True for a path that every host reads alike: nothing around it that some cut off, no home that some fill in. */
const isPlainPath = (path: string): boolean => path === path.trim() && !/\p{Cc}/u.test(path) && !path.startsWith('~')

function hasFileTwice(sections: readonly Section[], cwd: string): boolean {
  const paths = sections.flatMap((section) =>
    section.kind === 'update' && section.moveTo !== null ? [section.path, section.moveTo] : [section.path],
  )
  return new Set(paths.map((path) => resolve(cwd, path))).size < paths.length
}

function makeSection(kind: string, path: string, body: readonly string[]): Section | null {
  if (kind === 'Delete') return body.every((line) => line.trim() === '') ? { kind: 'delete', path } : null
  if (kind === 'Add') {
    if (!body.every((line) => line.startsWith('+'))) return null
    return { kind: 'add', path, lines: body.map((line) => line.slice(1)) }
  }
  const moveTo = MOVE.exec(body[0] ?? '')?.[1] ?? null
  if (moveTo !== null && !isPlainPath(moveTo)) return null
  const hunks = readHunks(moveTo === null ? body : body.slice(1))
  return hunks === null || (hunks.length === 0 && moveTo === null) ? null : { kind: 'update', path, moveTo, hunks }
}

function readHunks(body: readonly string[]): Hunk[] | null {
  const hunks: { head: string | null; lines: string[]; isAtEnd: boolean }[] = []
  for (const line of body) {
    const last = hunks.at(-1)
    if (line.startsWith('@@')) hunks.push({ head: line, lines: [], isAtEnd: false })
    else if (line === END_OF_FILE) {
      if (last === undefined) return null
      last.isAtEnd = true
    } else {
      if (line !== '' && !/^[ +-]/.test(line)) return null
      const lines = [line === '' ? ' ' : line] // editors cut off the space of an empty line
      if (last === undefined) hunks.push({ head: null, lines, isAtEnd: false })
      else last.lines.push(...lines)
    }
  }
  return hunks.filter(({ lines }) => lines.length > 0)
}

const listBefore = (hunk: Hunk): string[] => takeSide(hunk, '+')
const listAfter = (hunk: Hunk): string[] => takeSide(hunk, '-')
const takeSide = ({ lines }: Hunk, other: string): string[] =>
  lines.flatMap((line) => (line.startsWith(other) ? [] : [line.slice(1)]))

/** Null where a file that moves cannot be shown as it will be. */
async function toPatchParts(section: Section, cwd: string): Promise<CallPart[] | null> {
  const file = resolve(cwd, section.path)
  const { path: label } = section
  if (section.kind === 'add') {
    const content = section.lines.map((line) => `${line}\n`).join('')
    return [{ label, calls: [{ tool: 'Write', input: { file_path: file, content } }] }]
  }
  if (section.kind === 'delete') return [await makeDeletion(label, file)]
  const text = await readPatchedFile(file)
  const edits = toEdits(section.hunks, text).map((edit): CallPart => ({ label, calls: [makeEdit(file, edit)] }))
  if (section.moveTo === null) return edits
  const content = text === null ? section.hunks.flatMap(listAfter).join('\n') : applyHunks(section.hunks, text)
  if (content === null) return null
  const target = resolve(cwd, section.moveTo)
  const moved: CallPart = { label: section.moveTo, calls: [{ tool: 'Write', input: { file_path: target, content } }] }
  return [...edits, moved, await makeDeletion(label, file)]
}

/** A file that goes: in Claude Code an edit that empties it, or a command. */
export async function makeDeletion(label: string, file: string): Promise<CallPart> {
  const emptied = makeEdit(file, { from: (await readPatchedFile(file)) ?? '', to: '' })
  return { label, calls: [emptied, { tool: 'Bash', input: { command: `rm -- ${quoteForShell(file)}` } }] }
}

interface Change {
  readonly from: string
  readonly to: string
}

function makeEdit(file: string, { from, to }: Change): ShownCall {
  return { tool: 'Edit', input: { file_path: file, old_string: from, new_string: to, replace_all: false } }
}

/** One edit for all hunks, over the lines that they span; one each where they do not fit the file. */
function toEdits(hunks: readonly Hunk[], text: string | null): Change[] {
  const each = hunks.map((hunk) => ({ from: listBefore(hunk).join('\n'), to: listAfter(hunk).join('\n') }))
  if (each.length < 2 || text === null) return each
  const changed = applyHunks(hunks, text)
  if (changed === null) return each
  const [old, now] = [text.split('\n'), changed.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [{ from: old.slice(start, old.length - end).join('\n'), to: now.slice(start, now.length - end).join('\n') }]
}

/** A text with hunks applied, one after the other; null when one does not fit. */
function applyHunks(hunks: readonly Hunk[], text: string): string | null {
  const rest = text.split('\n')
  const ending = rest.at(-1) === '' ? rest.splice(-1) : [] // the newline at the end
  const done: string[] = []
  for (const hunk of hunks) {
    const old = listBefore(hunk)
    const anchor = hunk.head?.slice(2).trim() ?? ''
    const from = anchor === '' ? 0 : rest.findIndex((line) => line.trim() === anchor) + 1
    const at = old.length === 0 ? rest.length : findLines(rest, old, hunk.isAtEnd ? rest.length - old.length : from)
    if (at < 0) return null
    done.push(...rest.splice(0, at), ...listAfter(hunk))
    rest.splice(0, old.length)
  }
  return [...done, ...rest, ...ending].join('\n')
}

function findLines(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (let at = Math.max(from, 0); at + wanted.length <= lines.length; at++)
    if (wanted.every((line, index) => lines[at + index] === line)) return at
  return -1
}

/** Null for a file that is not there or cannot be read: then nothing is known of it. */
async function readPatchedFile(file: string): Promise<string | null> {
  const content = await readText(file)
  return content.read === 'text' ? content.text : null
}

function formatSection(section: Section): string[] {
  if (section.kind === 'delete') return [`*** Delete File: ${section.path}`]
  if (section.kind === 'add') return [`*** Add File: ${section.path}`, ...section.lines.map((line) => `+${line}`)]
  const move = section.moveTo === null ? [] : [`*** Move to: ${section.moveTo}`]
  const hunks = section.hunks.flatMap(({ head, lines, isAtEnd }) => [
    head ?? '@@',
    ...lines,
    ...(isAtEnd ? [END_OF_FILE] : []),
  ])
  return [`*** Update File: ${section.path}`, ...move, ...hunks]
}

/** A new file or a single hunk as it is wanted; null for what a patch cannot say. */
function rewriteSection(section: Section, [part, ...more]: readonly CallPart[], cwd: string): string[] | null {
  const { tool, input } = part?.calls[0] ?? {}
  if (input === undefined || more.length > 0 || section.kind === 'delete') return null
  const path = input.file_path === resolve(cwd, section.path) ? section.path : input.file_path
  if (typeof path !== 'string') return null
  if (section.kind === 'add') {
    const { content } = input
    if (tool !== 'Write' || typeof content !== 'string' || (content !== '' && !content.endsWith('\n'))) return null
    return formatSection({ ...section, path, lines: content.split('\n').slice(0, -1) })
  }
  const { old_string: from, new_string: to } = input
  if (tool !== 'Edit' || section.hunks.length !== 1 || section.moveTo !== null) return null
  if (typeof from !== 'string' || typeof to !== 'string') return null
  const lines = [...from.split('\n').map((line) => `-${line}`), ...to.split('\n').map((line) => `+${line}`)]
  return formatSection({ ...section, path, hunks: section.hunks.map((hunk) => ({ ...hunk, lines })) })
}
