import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { DefaultEvents } from '../../src/protocol/profile-events.ts'
import type { DispatchRecord } from '../../src/protocol/record.ts'
import type { recordSchema } from '../../src/protocol/record-schema.ts'
import type { EVENT_TABLES } from '../../src/protocol/tables.ts'

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Mutable<T[Name]> }
    : T

it('has the fields in its interface that its schema has, and no others', () => {
  expectTypeOf<Mutable<DispatchRecord>>().toEqualTypeOf<z.infer<typeof recordSchema>>()
})

it('has an input for every event of the default table that the table would take', () => {
  type Table = (typeof EVENT_TABLES)['classic']
  expectTypeOf<keyof DefaultEvents>().toEqualTypeOf<keyof Table>()
  type Inputs<Events extends Record<keyof Table, { input: { _zod: { input: unknown } } }>> = {
    [Name in keyof Table]: Events[Name]['input']['_zod']['input']
  }
  type Fits = Mutable<Inputs<DefaultEvents>> extends Inputs<Table> ? true : false
  expectTypeOf<Fits>().toEqualTypeOf<true>()
})
