/** JSON with sorted keys: equal values give equal texts. */
export function toCanonicalJson(value: unknown, indent?: number): string {
  return JSON.stringify(sortKeys(value), null, indent) ?? 'undefined'
}

/** The same value with sorted keys. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  if ('toJSON' in value && typeof value.toJSON === 'function') return sortKeys(value.toJSON())
  const fields = value as Readonly<Record<string, unknown>> // an object
  const sorted: [string, unknown][] = []
  for (const name of Object.keys(value).sort()) sorted.push([name, sortKeys(fields[name])])
  return Object.fromEntries(sorted)
}

/**
 * A digest by which texts are told apart: 24 hexadecimal digits. It hides nothing and proves nothing; what does that takes
 * longer to load than a call for an event takes.
 */
export function digestText(text: string): string {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  let digits = ''
  for (const part of [a ^ b ^ c ^ d, b ^ a, c ^ a]) digits += (part >>> 0).toString(16).padStart(8, '0')
  return digits
}
