/** True if something is an object with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a text as JSON; null for one that is not JSON. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // cut off, a page of HTML, or never JSON
  }
}

/** The texts in a value, however deep. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/** A value as JSON, as `JSON.stringify` writes it, also where that has no room for calls: values may be nested ever so deep. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return stringifyDeep(value)
  }
}

/** Remainder to write: text as it is, or a value. */
type PendingText = { readonly text: string } | { readonly value: unknown }

/** The same in a loop. Rejects no value but those that `JSON.stringify` rejects, a circle among them. */
function stringifyDeep(value: unknown): string {
  const written: string[] = []
  const open = new Set<object>()
  const left: (PendingText | { readonly closes: object })[] = [{ value }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('closes' in next) open.delete(next.closes)
    else if ('text' in next) written.push(next.text)
    else left.push(...writeOrListParts(next.value, open, written).reverse())
  }
  return written.join('')
}

/** Writes a value that has no parts; gives the parts of one that has. */
function writeOrListParts(
  value: unknown,
  open: Set<object>,
  written: string[],
): (PendingText | { readonly closes: object })[] {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    written.push(JSON.stringify(value) ?? 'null')
    return []
  }
  if (open.has(value)) throw new TypeError('it leads around in a circle')
  open.add(value)
  const end = [{ closes: value }]
  if (Array.isArray(value)) {
    const items = value.flatMap((item, at) => [...(at === 0 ? [] : [{ text: ',' }]), { value: item }])
    return [{ text: '[' }, ...items, { text: ']' }, ...end]
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function')
  const fields = members.flatMap(([name, member], at) => [
    { text: `${at === 0 ? '' : ','}${JSON.stringify(name)}:` },
    { value: member },
  ])
  return [{ text: '{' }, ...fields, { text: '}' }, ...end]
}

/** True if a value is nested deeper than so many levels. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

/** A value of JSON without what is nested deeper than so many levels. */
export function cutBelowDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((item) => cutBelowDepth(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutBelowDepth(member, levels - 1)]))
}
