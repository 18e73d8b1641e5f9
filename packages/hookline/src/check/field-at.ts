import type { Place, SourceField, SourceNode } from '../config/source.ts'

/** A member of an object in a file. */
export interface FoundField extends SourceField {
  readonly name: string
  readonly object: SourceNode
}

/** The member whose key or value starts at a place; the innermost where several do. */
export function fieldAt(node: SourceNode, place: Place): FoundField | null {
  const starts = ({ line, column }: Place): boolean => line === place.line && column === place.column
  const inner = [...(node.fields ?? [])].map(([, field]) => field.node).concat(node.items ?? [])
  for (const child of inner) {
    const found = fieldAt(child, place)
    if (found) return found
  }
  for (const [name, field] of node.fields ?? []) {
    if (starts(field.key) || starts(field.node)) return { ...field, name, object: node }
  }
  return null
}
