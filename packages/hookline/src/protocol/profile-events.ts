import type { answers, commonAnswer, commonInput, inputs } from './classic/generated/shapes.ts'
import type { TypeOf } from './shape-type.ts'

/** The events of the default profile as types alone: the same as of its table, without a schema library. */
export type DefaultEvents = {
  readonly [Name in keyof typeof inputs]: {
    readonly input: Typed<TypeOf<(typeof inputs)[Name]>>
    readonly answer: Typed<TypeOf<(typeof answers)[Name]>>
  }
}

/** Fields of every event. */
export type CommonInput = TypeOf<typeof commonInput>

/** Fields that every hook may answer with. */
export type CommonAnswer = TypeOf<typeof commonAnswer>

/** What has a type as a schema of zod has it. */
export interface Typed<Type = unknown> {
  readonly _zod: { readonly input: Type }
}
