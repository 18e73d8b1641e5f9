import { isObject } from '../text/json.ts'
import type { Check, Misfit } from './check.ts'

/** Values that are allowed, as plain data: the profiles are checked by tables of these, without a schema library. */
export type Shape =
  | 'any'
  | 'string'
  /** A string that is not empty. */
  | 'text'
  | 'number'
  | 'boolean'
  | 'null'
  /** A number greater than this. */
  | { readonly above: number }
  /** One of these values. */
  | { readonly values: readonly (string | number | boolean)[] }
  | { readonly list: Shape; readonly atLeast?: number }
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
  if (shape === 'text')
    return value === '' ? [{ path, message: 'must not be empty' }] : listMisfits(value, 'string', path)
  if (typeof shape === 'string')
    return shape === 'any' || nameValueKind(value) === shape ? FITS : [makeMisfit(shape, path)]
  if ('above' in shape) return listLimitMisfits(value, shape.above, path)
  if ('values' in shape) return listValueMisfits(value, shape.values, path)
  if ('list' in shape) {
    if (!Array.isArray(value)) return [makeMisfit('array', path)]
    if (value.length < (shape.atLeast ?? 0)) return [{ path, message: 'must have an entry' }]
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
    const message = `is not a field here; known: ${Object.keys(fields).join(', ')}`
    found.push(...strangers.map((name): Misfit => ({ path: [...path, name], message })))
  }
  return found
}

function listLimitMisfits(value: unknown, limit: number, path: Path): readonly Misfit[] {
  if (typeof value !== 'number') return [makeMisfit('number', path)]
  return value > limit ? FITS : [{ path, message: `must be greater than ${limit}` }]
}

function listTagMisfits(value: unknown, values: readonly unknown[], path: Path): readonly Misfit[] {
  return value === undefined ? [{ path, message: 'is missing' }] : listValueMisfits(value, values, path)
}

function listValueMisfits(value: unknown, values: readonly unknown[], path: Path): readonly Misfit[] {
  if (values.includes(value)) return FITS
  const listed = values.map((one) => JSON.stringify(one)).join(', ')
  return [{ path, message: values.length === 1 ? `must be ${listed}` : `must be one of ${listed}` }]
}

/** Of the shapes that a value of its kind could have, and whose tags it has, the nearest says what is wrong. */
function listEitherMisfits(value: unknown, shapes: readonly Shape[], path: Path): readonly Misfit[] {
  if (shapes.some((shape) => listMisfits(value, shape, path).length === 0)) return FITS
  let rivals = shapes.filter((shape) => isOfKind(value, shape))
  const kinds = [...new Set(shapes.map(nameShapeKind))].map(withArticle).join(' or ')
  if (rivals.length === 0) return [{ path, message: `must be ${kinds}` }]
  for (const tag of new Set(rivals.flatMap(listTags))) {
    const tagged = rivals.filter((shape) => listTags(shape).includes(tag))
    const found = isObject(value) ? value[tag] : undefined
    const other = tagged.filter((shape) => !readValues(shape, tag).some((one) => one === found))
    const values = new Set(other.flatMap((shape) => readValues(shape, tag)))
    if (other.length === rivals.length) return listTagMisfits(found, [...values], [...path, tag])
    rivals = rivals.filter((shape) => !other.includes(shape))
  }
  const [nearest = FITS] = rivals.map((shape) => listMisfits(value, shape, path)).sort((a, b) => a.length - b.length)
  return nearest
}

/** Fields that tell objects apart: they are required, and have one value. */
function listTags(shape: Shape): readonly string[] {
  if (typeof shape === 'string' || !('fields' in shape)) return []
  return (shape.required ?? []).filter((name) => readValues(shape, name).length === 1)
}

/** The values that a field of an object may have, where they are listed. */
function readValues(shape: Shape, name: string): readonly (string | number | boolean)[] {
  const field = typeof shape === 'object' && 'fields' in shape ? shape.fields[name] : undefined
  return typeof field === 'object' && 'values' in field ? field.values : []
}

function isOfKind(value: unknown, shape: Shape): boolean {
  return shape === 'any' || nameValueKind(value) === nameShapeKind(shape)
}

/** The kind of value that a shape asks for first. */
function nameShapeKind(shape: Shape): string {
  if (typeof shape === 'string') return shape === 'text' ? 'string' : shape
  if ('above' in shape) return 'number'
  if ('values' in shape) return nameValueKind(shape.values[0])
  if ('list' in shape) return 'array'
  return 'either' in shape ? nameShapeKind(shape.either[0] ?? 'any') : 'object'
}

function nameValueKind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function makeMisfit(kind: string, path: Path): Misfit {
  return { path, message: `must be ${withArticle(kind)}`, kind }
}

const withArticle = (kind: string): string => {
  if (kind === 'null') return kind
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}
