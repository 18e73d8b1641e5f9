import { isObject } from '../../text/json.ts'
import type { ClientRecipe } from '../bridge.ts'

/** Values that stand for themselves in the texts of a recipe. */
export interface RecipeValues {
  /** Address of the scripted model, without a path. */
  readonly url: string
  readonly project: string
  readonly model: string
  readonly prompt: string
  readonly command: string
}

/** A recipe with its values: the files of the client's home as texts, its variables and arguments, and the model's call. */
export interface FilledRecipe {
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly shell: { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
}

/** Puts the values into a recipe, wherever it names them; names of fields too. */
export function fillRecipe(recipe: ClientRecipe, values: RecipeValues): FilledRecipe {
  const { files, env, args, shell } = fill(recipe, values) as ClientRecipe // texts stay texts
  const texts = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  ])
  return { files: Object.fromEntries(texts), env, args, shell }
}

function fill(value: unknown, values: RecipeValues): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (Array.isArray(value)) return value.map((one) => fill(one, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [fillText(name, values), fill(one, values)]))
}

function fillText(text: string, values: RecipeValues): string {
  return text.replaceAll(/\{(url|project|model|prompt|command)\}/g, (_, name: keyof RecipeValues) => values[name])
}
