import * as z from 'zod'
import type { Shape } from '../checker.ts'
import { listTypesInFiles } from '../hook-fields.ts'
import type { HookField, HookTypeFacts } from '../hook-type.ts'
import { DEFAULT_HOOK_TYPES } from '../profiles.ts'

/** The hook types that settings of the default profile may hold, by name, as they are written there. */
export const handlerSchemas: Readonly<Record<string, z.ZodObject>> = makeHandlerSchemas(DEFAULT_HOOK_TYPES)

/** A group of hooks under one matcher. */
export const groupSchema = makeGroupSchema(handlerSchemas)

/** The same with the hooks of another profile. */
export function makeGroupSchema(handlers: Readonly<Record<string, z.ZodObject>>) {
  return z.looseObject({
    matcher: z.string().optional(),
    description: z.string().optional(),
    hooks: z.array(
      z.discriminatedUnion('type', Object.values(handlers) as [z.ZodObject, ...z.ZodObject[]]), // there is one at least
    ),
  })
}

/** The schemas of the hook types of a profile. */
export function makeHandlerSchemas(types: Readonly<Record<string, HookTypeFacts>>): Record<string, z.ZodObject> {
  return Object.fromEntries(
    listTypesInFiles(types).map((type) => {
      const { fields = {}, required = [] } = types[type] ?? {}
      const members = Object.entries(fields).map(([name, field]) => {
        const schema = makeFieldSchema(field)
        return [name, required.includes(name) ? schema : schema.optional()]
      })
      return [type, z.looseObject({ type: z.literal(type), ...Object.fromEntries(members) })]
    }),
  )
}

function makeFieldSchema({ shape, means }: HookField): z.ZodType {
  return toSchema(shape).describe(means)
}

function toSchema(shape: Shape): z.ZodType {
  if (shape === 'any') return z.unknown()
  if (shape === 'null') return z.null()
  if (shape === 'string') return z.string()
  if (shape === 'text') return z.string().min(1)
  if (shape === 'number') return z.number()
  if (shape === 'boolean') return z.boolean()
  if ('above' in shape) return z.number().gt(shape.above)
  if ('values' in shape) return z.literal([...shape.values])
  if ('list' in shape)
    return shape.atLeast === undefined
      ? z.array(toSchema(shape.list))
      : z.array(toSchema(shape.list)).min(shape.atLeast)
  if ('each' in shape) return z.record(z.string(), toSchema(shape.each))
  if ('either' in shape) return z.union(shape.either.map(toSchema))
  throw new TypeError('No field of a hook is an object with fields of its own yet.')
}

type ValueOf<S> = S extends 'string'
  ? string
  : S extends 'boolean'
    ? boolean
    : S extends { readonly above: number }
      ? number
      : S extends { readonly values: readonly (infer Value)[] }
        ? Value
        : unknown

type SettingOf<Type, Facts extends HookTypeFacts> = { type: Type } & {
  [Field in Facts['required'][number] & keyof Facts['fields']]: ValueOf<Facts['fields'][Field]['shape']>
} & {
  [Field in Exclude<keyof Facts['fields'], Facts['required'][number]>]?: ValueOf<Facts['fields'][Field]['shape']>
} & { [field: string]: unknown }

type InFiles = Omit<typeof DEFAULT_HOOK_TYPES, 'function'>

/** A hook of one of the types as it stands in a settings file. */
export type HookSetting = { [Type in keyof InFiles]: SettingOf<Type, InFiles[Type]> }[keyof InFiles]
