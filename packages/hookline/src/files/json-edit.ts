import { applyEdits, type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** A part of a JSON text, with its place. */
export type JsonNode = Node

/** The tree of a JSON text, comments and trailing commas allowed; offsets are those of the text. A text without a value reads as null. */
export function parseJsonTree(text: string): Node {
  const tree = parseTree(text.replace('\uFEFF', ' '), [], { allowTrailingComma: true })
  return tree ?? { type: 'null', offset: 0, length: 0 }
}

/** True if a text is a JSON object, comments and trailing commas allowed. */
export function isObjectText(text: string): boolean {
  const errors: ParseError[] = []
  const tree = parseTree(text.replace('\uFEFF', ' '), errors, { allowTrailingComma: true })
  return errors.length === 0 && tree?.type === 'object'
}

/** Says where a text has what plain JSON does not, such as a comment or a comma before a bracket. */
export function locateExtension(text: string): string {
  if (text.startsWith('\uFEFF')) return 'a byte order mark in line 1'
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  const isComment = first !== undefined && printParseErrorCode(first.error) === 'InvalidCommentToken'
  return `${isComment ? 'a comment' : 'a comma too many'} in line ${text.slice(0, first?.offset).split('\n').length}`
}

/** The value of a property; of a repeated one the last counts. */
export function findMember(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined
  return node.children?.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}

/** Member to put into a container: a property of an object, or an element of a list. */
interface NewMember {
  readonly key: string | null
  readonly value: unknown
}

/**
 * A JSON text with one more member at the end of a container; nothing else of it changes. What is new stands on lines
 * of its own, but in a container that was there and empty it is written close to the brackets: by that
 * `removeMember` knows which containers it made, and can restore the text to the byte.
 */
export function insertMember(text: string, container: Node, member: NewMember): string {
  const last = container.children?.at(-1)
  return applyEdits(text, last ? appendAfter(text, last, container, member) : [fillEmpty(text, container, member)])
}

function appendAfter(text: string, last: Node, container: Node, member: NewMember): Edit[] {
  const gap = readGap(text, { from: findEnd(last), to: findInside(container).to })
  const ownLine = isLineStart(text, last.offset) || gap.lineComment.any
  const indent = readIndent(text, ownLine ? last.offset : gap.sameLine)
  const written =
    !ownLine && member.key === null ? writeOnOneLine(member.value, text) : writeOverLines(member, text, indent)
  const separated = `${ownLine ? findLineEnding(text) + indent : findSpacing(text)}${written}`
  if (gap.comma !== null) return [{ offset: gap.sameLine, length: 0, content: `${separated},` }]
  return [
    { offset: findEnd(last), length: 0, content: ',' },
    { offset: gap.sameLine, length: 0, content: separated },
  ]
}

function fillEmpty(text: string, container: Node, member: NewMember): Edit {
  const inside = findInside(container)
  const gap = readGap(text, inside)
  const indent = readIndent(text, container.offset)
  const isRoot = container.parent === undefined
  const wide = isRoot || gap.comments || text.slice(inside.from, inside.to).includes('\n')
  if (!wide) {
    const space = container.type === 'object' ? ' ' : ''
    return { offset: inside.from, length: 0, content: `${space}${writeOverLines(member, text, indent)}${space}` }
  }
  const end = findLineEnding(text)
  const deeper = indent + findIndentUnit(text)
  const content = `${end}${deeper}${writeOverLines(member, text, deeper)}${end}`
  return { offset: gap.end, length: 0, content }
}

/** Over several lines, of which all but the first start with the indent. */
function writeOverLines({ key, value }: NewMember, text: string, indent: string): string {
  const json = JSON.stringify(value, null, findIndentUnit(text)).replaceAll('\n', `${findLineEnding(text)}${indent}`)
  return key === null ? json : `${JSON.stringify(key)}: ${json}`
}

/** As dense as the text is. A line break in JSON is never part of a value. */
function writeOnOneLine(value: unknown, text: string): string {
  if (findSpacing(text) === '') return JSON.stringify(value)
  return JSON.stringify(value, null, 1).replace(/\n */g, ' ')
}

/** A value as it would be written at an offset of a text: on one line, or over several. */
export function formatInPlace(text: string, offset: number, value: unknown, { lines }: { lines: boolean }): string {
  return lines ? writeOverLines({ key: null, value }, text, readIndent(text, offset)) : writeOnOneLine(value, text)
}

/** Finds the separator of values on one line. */
function findSpacing(text: string): string {
  return /":\s/.test(text) || !text.includes('":') ? ' ' : ''
}

function findIndentUnit(text: string): string {
  return /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  '
}

/** A JSON text without one member of a container, and without the containers that were made to hold it. */
export function removeMember(text: string, container: Node, member: Node): string {
  const { spans, leavesNothing } = planRemoval(text, container, member)
  const owner = container.parent
  if (leavesNothing && owner?.type === 'property' && owner.parent) return removeMember(text, owner.parent, owner)
  return spans.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text)
}

/** Spans to cut out, in order. */
interface Removal {
  readonly spans: readonly Span[]
  /** The container would be as empty as only one that `insertMember` made can be. */
  readonly leavesNothing: boolean
}

function planRemoval(text: string, container: Node, member: Node): Removal {
  const siblings = container.children ?? []
  const at = siblings.indexOf(member)
  const previous = siblings[at - 1]
  const next = siblings[at + 1]
  const inside = findInside(container)
  const before = { from: previous ? findEnd(previous) : inside.from, to: member.offset }
  const after = { from: findEnd(member), to: next ? next.offset : inside.to }
  if (next) return { spans: removeAmongOthers(text, member, { before, after }), leavesNothing: false }
  if (previous) return { spans: removeLast(text, member, { before, after }), leavesNothing: false }
  return removeOnly(text, container, member)
}

interface Neighbours {
  readonly before: Span
  readonly after: Span
}

/** With the comma behind it, and with the line it stands on. */
function removeAmongOthers(text: string, member: Node, { before, after }: Neighbours): Span[] {
  const comma = readGap(text, after).comma ?? after.from
  const spaces = countSpacesBefore(text, member.offset)
  const wouldHide = readGap(text, before).lineComment.last && !/^[ \t]*\r?\n/.test(text.slice(comma + 1))
  if (text.slice(spaces, member.offset).includes('\n') && !wouldHide) {
    return [
      { from: spaces, to: after.from },
      { from: comma, to: comma + 1 },
    ]
  }
  return [
    { from: member.offset, to: after.from },
    { from: comma, to: countSpacesAfter(text, comma + 1) },
  ]
}

/** With its own comma if it has one, else with the one before it. */
function removeLast(text: string, member: Node, { before, after }: Neighbours): Span[] {
  const own = readGap(text, after).comma
  const leading = readGap(text, before)
  const wouldHide = leading.lineComment.last && !/^,?[ \t]*\r?\n/.test(text.slice(after.from))
  const cut = { from: wouldHide ? member.offset : countSpacesBefore(text, member.offset), to: after.from }
  if (own !== null) return [cut, { from: own, to: own + 1 }]
  return leading.comma === null ? [cut] : [{ from: leading.comma, to: leading.comma + 1 }, cut]
}

function removeOnly(text: string, container: Node, member: Node): Removal {
  const inside = findInside(container)
  const gap = readGap(text, { from: findEnd(member), to: inside.to })
  const comma = gap.comma === null ? [] : [{ from: gap.comma, to: gap.comma + 1 }]
  const behind = gap.comma === findEnd(member) ? gap.comma + 1 : findEnd(member)
  const [lineBefore] = /\r?\n[ \t]*$/.exec(text.slice(inside.from, member.offset)) ?? []
  if (lineBefore === undefined) {
    const space = container.type === 'object' ? ' ' : ''
    const from = text.slice(inside.from, member.offset).endsWith(space) ? member.offset - space.length : member.offset
    const to = text.slice(behind, inside.to).startsWith(space) ? behind + space.length : behind
    return { spans: [{ from, to }, ...comma.filter((one) => one.from >= to)], leavesNothing: false }
  }
  const [lineAfter = ''] = /^\r?\n/.exec(text.slice(behind, inside.to)) ?? []
  const rest = text.slice(behind + lineAfter.length, inside.to)
  const wouldHide = readGap(text, { from: inside.from, to: member.offset }).lineComment.last && !/^\r?\n/.test(rest)
  const from = wouldHide ? member.offset : member.offset - lineBefore.length
  const to = behind + lineAfter.length
  const leavesNothing = from === inside.from && lineAfter !== '' && /^[ \t]*$/.test(rest)
  return { spans: [{ from, to }, ...comma.filter((one) => one.from >= to)], leavesNothing }
}

function countSpacesBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length
}

function countSpacesAfter(text: string, offset: number): number {
  return text.length - text.slice(offset).trimStart().length
}

/** A stretch of a text, from an offset up to another. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Text between two values, besides spaces. */
interface Gap {
  /** Offset of its comma; null when it has none. */
  readonly comma: number | null
  /** End of the last comment or comma, or beginning of the gap. */
  readonly end: number
  /** End of the last of them on the line where the gap begins or has its comma. */
  readonly sameLine: number
  /** True if a `//` comment stands there, and last. */
  readonly lineComment: { readonly any: boolean; readonly last: boolean }
  readonly comments: boolean
}

const TOKEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,|\n/g

/** Reads the text between two offsets that have no value between them. */
function readGap(text: string, { from, to }: Span): Gap {
  const tokens = [...text.slice(from, to).matchAll(TOKEN)].map((match) => ({ word: match[0], at: from + match.index }))
  const solid = tokens.filter(({ word }) => word !== '\n')
  const comma = solid.find(({ word }) => word === ',')
  const lineEnd = tokens.find(({ word, at }) => word === '\n' && at >= (comma?.at ?? from))?.at ?? to
  const ends = solid.map(({ word, at }) => at + word.length)
  const isLineComment = ({ word }: { word: string }): boolean => word.startsWith('//')
  return {
    comma: comma?.at ?? null,
    end: ends.at(-1) ?? from,
    sameLine: ends.findLast((end) => end <= lineEnd) ?? from,
    lineComment: { any: solid.some(isLineComment), last: solid.slice(-1).some(isLineComment) },
    comments: solid.some(({ word }) => word !== ','),
  }
}

/** Finds the end of a node. */
function findEnd({ offset, length }: Node): number {
  return offset + length
}

/** Between the brackets of a container. */
function findInside(container: Node): Span {
  return { from: container.offset + 1, to: findEnd(container) - 1 }
}

/** The spaces at the start of the line on which an offset lies. */
function readIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(findLineStart(text, offset)))?.[0] ?? ''
}

/** True if nothing but spaces stands before an offset on its line, and it is not the first line. */
function isLineStart(text: string, offset: number): boolean {
  const start = findLineStart(text, offset)
  return start > 0 && text.slice(start, offset).trim() === ''
}

/** Finds how the lines of a text end. */
export function findLineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}
