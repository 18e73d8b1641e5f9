import { describe, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { classicHookTypes } from '../../src/protocol/classic/hook-types.ts'
import type { currentHookTypes } from '../../src/protocol/current/hook-types.ts'
import type { ClassicHookSetting, CurrentHookSetting } from '../../src/protocol/hook-settings.ts'
import type { ProfileEvents } from '../../src/protocol/profile-events.ts'
import type { DispatchRecord } from '../../src/protocol/record/record.ts'
import type { recordSchema } from '../../src/protocol/schemas/record.ts'
import type { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Mutable<T[Name]> }
    : T

it('has the fields in its interface that its schema has, and no others', () => {
  expectTypeOf<Mutable<DispatchRecord>>().toEqualTypeOf<z.infer<typeof recordSchema>>()
})

type Tables = typeof EVENT_TABLES

/** Whether the inputs of a profile's types are such as its table takes. */
type Fits<Profile extends keyof Tables> = {
  [Name in keyof Tables[Profile]]: Name extends keyof ProfileEvents[Profile] ? TakenBy<Profile, Name> : false
}[keyof Tables[Profile]]

type TakenBy<Profile extends keyof Tables, Name extends keyof Tables[Profile] & keyof ProfileEvents[Profile]> =
  Mutable<InputOf<ProfileEvents[Profile][Name]>> extends InputOf<Tables[Profile][Name]> ? true : false

type InputOf<Event> = Event extends { input: { _zod: { input: infer Input } } } ? Input : never

it('has an input for every event of each profile that its table would take', () => {
  expectTypeOf<keyof ProfileEvents>().toEqualTypeOf<keyof Tables>()
  expectTypeOf<keyof ProfileEvents['classic']>().toEqualTypeOf<keyof Tables['classic']>()
  expectTypeOf<keyof ProfileEvents['current']>().toEqualTypeOf<keyof Tables['current']>()
  expectTypeOf<Fits<'classic'>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<'current'>>().toEqualTypeOf<true>()
})

describe('hooks that a host registers', () => {
  /** The fields of a hook type, by its name. */
  type FieldsOf<Types> = {
    [Type in Exclude<keyof Types, 'function'>]: Types[Type] extends { fields: infer Fields } ? keyof Fields : never
  }
  /** The fields of the interfaces of a type; one may stand for several types. */
  type Written<Setting, Type> = Setting extends { type: infer Types }
    ? Type extends Types
      ? Exclude<keyof Setting, 'type'>
      : never
    : never
  type WrittenFields<Setting extends { type: string }> = { [Type in Setting['type']]: Written<Setting, Type> }

  it('have the fields of their type in the profile, and no others', () => {
    expectTypeOf<FieldsOf<typeof currentHookTypes>>().toEqualTypeOf<WrittenFields<CurrentHookSetting>>()
    expectTypeOf<FieldsOf<typeof classicHookTypes>>().toEqualTypeOf<WrittenFields<ClassicHookSetting>>()
  })
})
