import type { Shape } from './checker.ts'
import type { RowTypes as ClassicRows } from './classic/generated/rows.ts'
import type {
  answers as classicAnswers,
  commonAnswer as classicCommon,
  inputs as classicInputs,
  commonInput,
} from './classic/generated/shapes.ts'
import type { RowTypes as CurrentRows } from './current/generated/rows.ts'
import type {
  answers as currentAnswers,
  commonAnswer as currentCommon,
  commonInput as currentCommonInput,
  inputs as currentInputs,
} from './current/generated/shapes.ts'
import type { ClassicHookSetting, CurrentHookSetting } from './hook-settings.ts'

/** The events of the default profile as types alone: the same as of its table, without a schema library. */
export type DefaultEvents = {
  readonly [Name in keyof typeof classicInputs]: ClassicRows[Name] &
    Event<(typeof classicInputs)[Name], (typeof classicAnswers)[Name], typeof classicCommon, ClassicHookSetting>
}

/** The events of the profile `current`, as types alone. */
export type CurrentEvents = {
  readonly [Name in keyof typeof currentInputs]: CurrentRows[Name] &
    Event<(typeof currentInputs)[Name], (typeof currentAnswers)[Name], typeof currentCommon, CurrentHookSetting> & {
      readonly input: TypeCarrier<TypeOf<typeof currentCommonInput>>
    }
}

/** The events of the profiles that come with the package. */
export interface ProfileEvents {
  readonly classic: DefaultEvents
  readonly current: CurrentEvents
}

/** The name of the profile that holds where none is named. */
export type DefaultProfileName = 'classic'

/** Fields of every event. */
export type CommonInput = TypeOf<typeof commonInput>

/** Value with a type, as a schema of zod has it. */
export interface TypeCarrier<Type = unknown> {
  readonly _zod: { readonly input: Type }
}

/** Types of an event, from its shapes. */
interface Event<Input, Answer, Common, Hook> {
  readonly input: TypeCarrier<TypeOf<Input>>
  readonly answer: TypeCarrier<TypeOf<Answer>>
  readonly common: TypeCarrier<TypeOf<Common>>
  readonly hook: TypeCarrier<Hook>
  readonly commonFields: Common extends { readonly fields: infer Fields } ? keyof Fields : never
}

/** The type of the values that a shape lets pass. */
type TypeOf<S> = S extends keyof Plain
  ? Plain[S]
  : S extends { readonly above: number }
    ? number
    : S extends { readonly values: readonly (infer Value)[] }
      ? Value
      : S extends { readonly list: infer Item extends Shape }
        ? readonly TypeOf<Item>[]
        : S extends { readonly each: infer Item extends Shape }
          ? { readonly [name: string]: TypeOf<Item> }
          : S extends { readonly either: readonly (infer One)[] }
            ? TypeOf<One>
            : S extends { readonly fields: infer Fields }
              ? ObjectOf<Fields, RequiredIn<S>> & (S extends { readonly closed: true } ? unknown : Open)
              : unknown

/** Values of the shapes that have no parts. */
interface Plain {
  readonly any: unknown
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly null: null
}

/** Others may stand beside the fields that are known. */
interface Open {
  readonly [name: string]: unknown
}

type RequiredIn<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never

type ObjectOf<Fields, Required> = {
  readonly [Name in keyof Fields as Name extends Required ? Name : never]: TypeOf<Fields[Name]>
} & { readonly [Name in keyof Fields as Name extends Required ? never : Name]?: TypeOf<Fields[Name]> | undefined }
