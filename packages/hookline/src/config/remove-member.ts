import type { Node } from 'jsonc-parser'
import { endOf, gapBetween, insideOf, type Span } from '../files/json-edit.ts'

/** A JSON text without one member of a container, and without the containers that were made to hold it. */
export function removeMember(text: string, container: Node, member: Node): string {
  const { spans, leavesNothing } = removal(text, container, member)
  const owner = container.parent
  if (leavesNothing && owner?.type === 'property' && owner.parent) return removeMember(text, owner.parent, owner)
  return spans.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text)
}

/** What is to be cut out, in order. */
interface Removal {
  readonly spans: readonly Span[]
  /** The container would be as empty as only one that `insert-member.ts` made can be. */
  readonly leavesNothing: boolean
}

function removal(text: string, container: Node, member: Node): Removal {
  const siblings = container.children ?? []
  const at = siblings.indexOf(member)
  const previous = siblings[at - 1]
  const next = siblings[at + 1]
  const inside = insideOf(container)
  const before = { from: previous ? endOf(previous) : inside.from, to: member.offset }
  const after = { from: endOf(member), to: next ? next.offset : inside.to }
  if (next) return { spans: amongOthers(text, member, { before, after }), leavesNothing: false }
  if (previous) return { spans: lastOfSeveral(text, member, { before, after }), leavesNothing: false }
  return onlyOne(text, container, member)
}

interface Surroundings {
  readonly before: Span
  readonly after: Span
}

/** With the comma behind it, and with the line it stands on. */
function amongOthers(text: string, member: Node, { before, after }: Surroundings): Span[] {
  const comma = gapBetween(text, after).comma ?? after.from
  const spaces = spacesBefore(text, member.offset)
  const wouldHide = gapBetween(text, before).lineComment.last && !/^[ \t]*\r?\n/.test(text.slice(comma + 1))
  if (text.slice(spaces, member.offset).includes('\n') && !wouldHide) {
    return [
      { from: spaces, to: after.from },
      { from: comma, to: comma + 1 },
    ]
  }
  return [
    { from: member.offset, to: after.from },
    { from: comma, to: spacesAfter(text, comma + 1) },
  ]
}

/** With its own comma if it has one, else with the one before it. */
function lastOfSeveral(text: string, member: Node, { before, after }: Surroundings): Span[] {
  const own = gapBetween(text, after).comma
  const leading = gapBetween(text, before)
  const wouldHide = leading.lineComment.last && !/^,?[ \t]*\r?\n/.test(text.slice(after.from))
  const cut = { from: wouldHide ? member.offset : spacesBefore(text, member.offset), to: after.from }
  if (own !== null) return [cut, { from: own, to: own + 1 }]
  return leading.comma === null ? [cut] : [{ from: leading.comma, to: leading.comma + 1 }, cut]
}

function onlyOne(text: string, container: Node, member: Node): Removal {
  const inside = insideOf(container)
  const gap = gapBetween(text, { from: endOf(member), to: inside.to })
  const comma = gap.comma === null ? [] : [{ from: gap.comma, to: gap.comma + 1 }]
  const behind = gap.comma === endOf(member) ? gap.comma + 1 : endOf(member)
  const [lineBefore] = /\r?\n[ \t]*$/.exec(text.slice(inside.from, member.offset)) ?? []
  if (lineBefore === undefined) {
    const space = container.type === 'object' ? ' ' : ''
    const from = text.slice(inside.from, member.offset).endsWith(space) ? member.offset - space.length : member.offset
    const to = text.slice(behind, inside.to).startsWith(space) ? behind + space.length : behind
    return { spans: [{ from, to }, ...comma.filter((one) => one.from >= to)], leavesNothing: false }
  }
  const [lineAfter = ''] = /^\r?\n/.exec(text.slice(behind, inside.to)) ?? []
  const rest = text.slice(behind + lineAfter.length, inside.to)
  const wouldHide = gapBetween(text, { from: inside.from, to: member.offset }).lineComment.last && !/^\r?\n/.test(rest)
  const from = wouldHide ? member.offset : member.offset - lineBefore.length
  const to = behind + lineAfter.length
  const leavesNothing = from === inside.from && lineAfter !== '' && /^[ \t]*$/.test(rest)
  return { spans: [{ from, to }, ...comma.filter((one) => one.from >= to)], leavesNothing }
}

function spacesBefore(text: string, offset: number): number {
  return text.slice(0, offset).trimEnd().length
}

function spacesAfter(text: string, offset: number): number {
  return text.length - text.slice(offset).trimStart().length
}
