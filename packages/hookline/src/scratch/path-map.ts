import { sep } from 'node:path'

/** Puts one folder in the place of another wherever a value names it. */
export interface PathMap {
  /** In every text of a value, at any depth. */
  readonly there: <Value>(value: Value) => Value
  /** The same the other way round, for what the user reads. */
  readonly back: <Value>(value: Value) => Value
}

/** Maps a folder, written as an absolute path, to a scratch folder, whose path stands nowhere by chance. */
export function makePathMap(from: string, to: string): PathMap {
  return { there: makeReplacer(from, to, { before: '(?<![\\w.-])' }), back: makeReplacer(to, from, { before: '' }) }
}

function makeReplacer(from: string, to: string, { before }: { before: string }): <Value>(value: Value) => Value {
  const bare = from.replace(/[\\/]+$/, '')
  if (bare === '' || bare === to) return (value) => value
  const pattern = new RegExp(`${before}${escapePattern(bare)}(?![\\w.-])`, 'g')
  const target = to.endsWith(sep) ? to.slice(0, -1) : to
  const mapValue = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes(bare) ? value.replace(pattern, () => target) : value
    if (Array.isArray(value)) return value.map(mapValue)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapValue(inner)]))
  }
  return <Value>(value: Value) => mapValue(value) as Value // texts stay texts, lists lists, objects objects
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
