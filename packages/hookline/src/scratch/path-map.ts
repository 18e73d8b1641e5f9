import { sep } from 'node:path'

/** Puts one folder in the place of another wherever a value names it. */
export interface PathMap {
  /** In every text of a value, at any depth. */
  readonly there: <Value>(value: Value) => Value
  /** The same the other way round, for what the user reads. */
  readonly back: <Value>(value: Value) => Value
}

/** Maps a folder, written as an absolute path, to a scratch folder, whose path stands nowhere by chance. */
export function pathMap(from: string, to: string): PathMap {
  return { there: replacing(from, to, { before: '(?<![\\w.-])' }), back: replacing(to, from, { before: '' }) }
}

function replacing(from: string, to: string, { before }: { before: string }): <Value>(value: Value) => Value {
  const bare = from.replace(/[\\/]+$/, '')
  if (bare === '' || bare === to) return (value) => value
  const pattern = new RegExp(`${before}${escaped(bare)}(?![\\w.-])`, 'g')
  const target = to.endsWith(sep) ? to.slice(0, -1) : to
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes(bare) ? value.replace(pattern, () => target) : value
    if (Array.isArray(value)) return value.map(mapped)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner)]))
  }
  return <Value>(value: Value) => mapped(value) as Value // texts stay texts, lists lists, objects objects
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
