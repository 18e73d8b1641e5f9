import type { Check, Misfit } from './check.ts'

/** Values that are allowed, as plain data: the profiles are checked by tables of these, without a schema library. */
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
export function makeCheck(shape: Shape): Check {
  return (value) => listMisfits(value, shape, [])
}

type Path = Misfit['path']

const FITS: readonly Misfit[] = []

function listMisfits(value: unknown, shape: Shape, path: Path): readonly Misfit[] {
  if (typeof shape === 'string')
    return shape === 'any' || nameValueKind(value) === shape ? FITS : [makeMisfit(shape, path)]
  if ('above' in shape) return listLimitMisfits(value, shape.above, path)
  if ('values' in shape) return listValueMisfits(value, shape.values, path)
  if ('list' in shape) {
    if (!Array.isArray(value)) return [makeMisfit('array', path)]
    return value.flatMap((entry, index) => listMisfits(entry, shape.list, [...path, index]))
  }
  if ('either' in shape) return listEitherMisfits(value, shape.either, path)
  if (!isObject(value)) return [makeMisfit('object', path)]
  if ('fields' in shape) return listFieldMisfits(value, shape, path)
  return Object.entries(value).flatMap(([name, field]) => listMisfits(field, shape.each, [...path, name]))
}

function listFieldMisfits(
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
    if (typeof shape === 'string' && nameValueKind(field) === shape) continue // most do, and need no path
    const inside = listMisfits(field, shape, [...path, name])
    if (inside.length > 0) found.push(...inside)
  }
  if (closed) {
    const strangers = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
    found.push(...strangers.map((name): Misfit => ({ path: [...path, name], message: 'is not a field here' })))
  }
  return found
}

function listLimitMisfits(value: unknown, limit: number, path: Path): readonly Misfit[] {
  if (typeof value !== 'number') return [makeMisfit('number', path)]
  return value > limit ? FITS : [{ path, message: `must be greater than ${limit}` }]
}

function listValueMisfits(value: unknown, values: readonly unknown[], path: Path): readonly Misfit[] {
  if (values.includes(value)) return FITS
  const listed = values.map((one) => JSON.stringify(one)).join(', ')
  return [{ path, message: values.length === 1 ? `must be ${listed}` : `must be one of ${listed}` }]
}

/** Of the shapes that a value of its kind could have, the nearest says what is wrong. */
function listEitherMisfits(value: unknown, shapes: readonly Shape[], path: Path): readonly Misfit[] {
  const tried = shapes.map((shape) => listMisfits(value, shape, path))
  if (tried.some(({ length }) => length === 0)) return FITS
  const nearest = tried
    .filter((_, index) => isOfKind(value, shapes[index] ?? 'any'))
    .sort((a, b) => a.length - b.length)
  const kinds = [...new Set(shapes.map(nameShapeKind))].map(withArticle).join(' or ')
  return nearest[0] ?? [{ path, message: `must be ${kinds}` }]
}

function isOfKind(value: unknown, shape: Shape): boolean {
  return shape === 'any' || nameValueKind(value) === nameShapeKind(shape)
}

/** The kind of value that a shape asks for first. */
function nameShapeKind(shape: Shape): string {
  if (typeof shape === 'string') return shape
  if ('above' in shape) return 'number'
  if ('values' in shape) return nameValueKind(shape.values[0])
  if ('list' in shape) return 'array'
  return 'either' in shape ? nameShapeKind(shape.either[0] ?? 'any') : 'object'
}

function nameValueKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return nameValueKind(value) === 'object'
}

function makeMisfit(kind: string, path: Path): Misfit {
  return { path, message: `must be ${withArticle(kind)}`, kind }
}

const withArticle = (kind: string): string => {
  if (kind === 'null') return kind
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
