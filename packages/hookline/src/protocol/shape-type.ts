import type { Shape } from './checker.ts'

/** The type of the values that a shape lets pass. */
export type TypeOf<S> = S extends keyof Plain
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
