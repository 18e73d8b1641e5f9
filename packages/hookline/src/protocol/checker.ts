import type { Check, Misfit } from './check.ts'

/** What a value may be, as plain data: the profiles are checked by tables of these, without a schema library. */
export type Shape =
  | 'any'
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  /** A number greater than this. */
  | { readonly above: number }
  /** One of these values. */
  | { readonly values: readonly (string | number | boolean)[] }
  | { readonly list: Shape }
  /** An object whose fields all have one shape, whatever their names. */
  | { readonly each: Shape }
  | ObjectShape
  | { readonly either: readonly Shape[] }

/** An object with fields of its own. Others may stand beside them, unless it is closed. */
export interface ObjectShape {
  readonly fields: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly closed?: true
}

/** The check that a shape stands for. It names everything that does not fit. */
export function checkOf(shape: Shape): Check {
  return (value) => misfits(value, shape, [])
}

type Path = Misfit['path']

const FITS: readonly Misfit[] = []

function misfits(value: unknown, shape: Shape, path: Path): readonly Misfit[] {
  if (typeof shape === 'string') return shape === 'any' || kindOf(value) === shape ? FITS : [expected(shape, path)]
  if ('above' in shape) return aboveMisfits(value, shape.above, path)
  if ('values' in shape) return valuesMisfits(value, shape.values, path)
  if ('list' in shape) {
    if (!Array.isArray(value)) return [expected('array', path)]
    return value.flatMap((entry, index) => misfits(entry, shape.list, [...path, index]))
  }
  if ('either' in shape) return eitherMisfits(value, shape.either, path)
  if (!isObject(value)) return [expected('object', path)]
  if ('fields' in shape) return fieldMisfits(value, shape, path)
  return Object.entries(value).flatMap(([name, field]) => misfits(field, shape.each, [...path, name]))
}

function fieldMisfits(
  value: Readonly<Record<string, unknown>>,
  { fields, required = [], closed = undefined }: ObjectShape,
  path: Path,
): readonly Misfit[] {
  const found: Misfit[] = []
  for (const name of required) {
    if (value[name] === undefined) found.push({ path: [...path, name], message: 'is missing' })
  }
  for (const name in fields) {
    const shape = fields[name]
    const field = value[name]
    if (shape === undefined || field === undefined || shape === 'any') continue
    if (typeof shape === 'string' && kindOf(field) === shape) continue // most do, and need no path
    const inside = misfits(field, shape, [...path, name])
    if (inside.length > 0) found.push(...inside)
  }
  if (closed) {
    const strangers = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
    found.push(...strangers.map((name): Misfit => ({ path: [...path, name], message: 'is not a field here' })))
  }
  return found
}

function aboveMisfits(value: unknown, limit: number, path: Path): readonly Misfit[] {
  if (typeof value !== 'number') return [expected('number', path)]
  return value > limit ? FITS : [{ path, message: `must be greater than ${limit}` }]
}

function valuesMisfits(value: unknown, values: readonly unknown[], path: Path): readonly Misfit[] {
  if (values.includes(value)) return FITS
  const listed = values.map((one) => JSON.stringify(one)).join(', ')
  return [{ path, message: values.length === 1 ? `must be ${listed}` : `must be one of ${listed}` }]
}

/** Of the shapes that a value of its kind could have, the nearest says what is wrong. */
function eitherMisfits(value: unknown, shapes: readonly Shape[], path: Path): readonly Misfit[] {
  const tried = shapes.map((shape) => misfits(value, shape, path))
  if (tried.some(({ length }) => length === 0)) return FITS
  const nearest = tried
    .filter((_, index) => kindFits(value, shapes[index] ?? 'any'))
    .sort((a, b) => a.length - b.length)
  const kinds = [...new Set(shapes.map(kindName))].map(withArticle).join(' or ')
  return nearest[0] ?? [{ path, message: `must be ${kinds}` }]
}

function kindFits(value: unknown, shape: Shape): boolean {
  return shape === 'any' || kindOf(value) === kindName(shape)
}

/** The kind of value that a shape asks for first. */
function kindName(shape: Shape): string {
  if (typeof shape === 'string') return shape
  if ('above' in shape) return 'number'
  if ('values' in shape) return kindOf(shape.values[0])
  if ('list' in shape) return 'array'
  return 'either' in shape ? kindName(shape.either[0] ?? 'any') : 'object'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object'
}

function expected(kind: string, path: Path): Misfit {
  return { path, message: `must be ${withArticle(kind)}`, kind }
}

const withArticle = (kind: string): string => {
  if (kind === 'null') return kind
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
