/** A place in a file, counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A value read from a file, every part of which knows where it stands. */
export interface SourceNode extends Place {
  readonly value: unknown
  /** The members, when it is an object; of a repeated key the last counts. */
  readonly fields?: ReadonlyMap<string, SourceField>
  /** The elements, when it is a list. */
  readonly items?: readonly SourceNode[]
  /** Keys that the object holds more than once, as far as there are any. */
  readonly repeated?: readonly RepeatedKey[]
}

/** A key that its object has already. */
export interface RepeatedKey extends Place {
  readonly key: string
  /** Value of the copy before it. */
  readonly earlier: SourceNode
}

/** A member of an object, with the place of its key. */
export interface SourceField {
  readonly key: Place
  readonly node: SourceNode
}

/** An object node over its members. */
export function makeObjectNode(
  { line, column }: Place,
  fields: ReadonlyMap<string, SourceField>,
  repeated: readonly RepeatedKey[] = [],
): SourceNode {
  const members: [string, unknown][] = []
  for (const [name, { node }] of fields) members.push([name, node.value])
  const value = Object.fromEntries(members)
  return { line, column, value, fields, ...(repeated.length === 0 ? {} : { repeated }) }
}

/** The keys that stand twice in a value or in anything below it, in file order. */
export function listRepeatedKeys({ fields, items, repeated = [] }: SourceNode): RepeatedKey[] {
  const found = [...repeated]
  for (const { node } of fields?.values() ?? []) found.push(...listRepeatedKeys(node))
  for (const item of items ?? []) found.push(...listRepeatedKeys(item))
  return found
}

/** All copies of a member that stands in an object more than once, in file order; one for most. */
export function findCopies({ fields, repeated = [] }: SourceNode, name: string): SourceNode[] {
  const last = fields?.get(name)?.node
  return [...repeated.flatMap(({ key, earlier }) => (key === name ? [earlier] : [])), ...(last ? [last] : [])]
}

/** A list node over its elements. */
export function makeListNode(place: Place, items: readonly SourceNode[]): SourceNode {
  const values: unknown[] = []
  for (const { value } of items) values.push(value)
  return { ...place, value: values, items }
}

/** A value that was not read from a file, as a node. */
export function makeValueNode(value: unknown): SourceNode {
  const nowhere = { line: 0, column: 0 }
  if (Array.isArray(value)) return makeListNode(nowhere, value.map(makeValueNode))
  if (typeof value !== 'object' || value === null) return { ...nowhere, value }
  return makeObjectNode(
    nowhere,
    new Map(Object.entries(value).map(([name, member]) => [name, { key: nowhere, node: makeValueNode(member) }])),
  )
}

/** Turns offsets of a text into places. */
export function makePlaceFinder(text: string): (offset: number) => Place {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
