/** Deeper answers are refused: whoever writes them out again would break. */
const DEEPEST = 64

/** Parses a whole text as JSON, or says what is wrong with it. Stricter than `JSON.parse`: no key twice, no deep nesting. */
export function parseStrictly(text: string): { readonly value: unknown } | { readonly fault: string } {
  const shape = shapeOf(text)
  if (shape.depth > DEEPEST) return { fault: `it is nested deeper than ${DEEPEST} levels` }
  try {
    const value: unknown = JSON.parse(text, withoutPrototype)
    return shape.twice === null ? { value } : { fault: `the key ${shape.twice} stands in it twice` }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

/** A key of this name is never data. */
function withoutPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** How deep a text nests, and a key that an object of it has twice. Means nothing for a text that is no JSON. */
function shapeOf(text: string): { depth: number; twice: string | null } {
  const open: (Set<string> | null)[] = [] // the keys of an object; null for a list
  let depth = 0
  let twice: string | null = null
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"(?:\s*:)?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth = Math.max(depth, open.push(token === '{' ? new Set() : null))
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const key = token.slice(0, token.lastIndexOf('"') + 1)
      if (open.at(-1)?.has(key)) twice ??= key
      open.at(-1)?.add(key)
    }
  }
  return { depth, twice }
}
