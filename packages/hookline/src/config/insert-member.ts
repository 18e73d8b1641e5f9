import { applyEdits, type Edit, type Node } from 'jsonc-parser'
import { endOf, gapBetween, indentAt, insideOf, lineEnding, startsItsLine } from '../files/json-edit.ts'

/** What is put into a container: a property of an object, or an element of a list. */
export interface NewMember {
  readonly key: string | null
  readonly value: unknown
}

/**
 * A JSON text with one more member at the end of a container; nothing else of it changes. What is new stands on lines
 * of its own, but in a container that was there and empty it is written close to the brackets: by that
 * `remove-member.ts` knows which containers it made, and can restore the text to the byte.
 */
export function insertMember(text: string, container: Node, member: NewMember): string {
  const last = container.children?.at(-1)
  return applyEdits(text, last ? appendAfter(text, last, container, member) : [fillEmpty(text, container, member)])
}

function appendAfter(text: string, last: Node, container: Node, member: NewMember): Edit[] {
  const gap = gapBetween(text, { from: endOf(last), to: insideOf(container).to })
  const ownLine = startsItsLine(text, last.offset) || gap.lineComment.any
  const indent = indentAt(text, ownLine ? last.offset : gap.sameLine)
  const written = !ownLine && member.key === null ? onOneLine(member.value, text) : overLines(member, text, indent)
  const separated = `${ownLine ? lineEnding(text) + indent : spaceIn(text)}${written}`
  if (gap.comma !== null) return [{ offset: gap.sameLine, length: 0, content: `${separated},` }]
  return [
    { offset: endOf(last), length: 0, content: ',' },
    { offset: gap.sameLine, length: 0, content: separated },
  ]
}

function fillEmpty(text: string, container: Node, member: NewMember): Edit {
  const inside = insideOf(container)
  const gap = gapBetween(text, inside)
  const indent = indentAt(text, container.offset)
  const isRoot = container.parent === undefined
  const wide = isRoot || gap.comments || text.slice(inside.from, inside.to).includes('\n')
  if (!wide) {
    const space = container.type === 'object' ? ' ' : ''
    return { offset: inside.from, length: 0, content: `${space}${overLines(member, text, indent)}${space}` }
  }
  const end = lineEnding(text)
  const deeper = indent + indentUnit(text)
  const content = `${end}${deeper}${overLines(member, text, deeper)}${end}`
  return { offset: gap.end, length: 0, content }
}

/** Over several lines, of which all but the first start with the indent. */
function overLines({ key, value }: NewMember, text: string, indent: string): string {
  const json = JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', `${lineEnding(text)}${indent}`)
  return key === null ? json : `${JSON.stringify(key)}: ${json}`
}

/** As dense as the text is. A line break in JSON is never part of a value. */
function onOneLine(value: unknown, text: string): string {
  if (spaceIn(text) === '') return JSON.stringify(value)
  return JSON.stringify(value, null, 1).replace(/\n */g, ' ')
}

/** What separates values on one line. */
function spaceIn(text: string): string {
  return /":\s/.test(text) || !text.includes('":') ? ' ' : ''
}

function indentUnit(text: string): string {
  return /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  '
}
