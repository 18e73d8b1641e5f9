import { isDeepStrictEqual } from 'node:util'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { isObject } from '../text/json.ts'
import type { HookResult } from './decision.ts'

/** A warning for one hook. */
export interface ConflictWarning {
  readonly hook: string
  readonly warning: string
}

/** Hooks that rewrote the same field of an event differently: a warning to each of them, with the field's path. */
export function findRewriteConflicts(
  results: readonly HookResult[],
  row: EventRow,
  input: EventInput,
): ConflictWarning[] {
  const inputs = results.map(({ hook, result }) => ({ hook, value: result.opinion.updatedInput ?? undefined }))
  const outputs = Object.entries(row.effects).flatMap(([name, { shapedLike }]) => {
    if (shapedLike === undefined) return []
    const asked = results.map(({ hook, result }) => ({ hook, value: result.opinion.effects[name] }))
    return findValueConflicts(asked, { name, original: input[shapedLike] })
  })
  const rewritten =
    row.rewrites === null ? [] : findValueConflicts(inputs, { name: 'updatedInput', original: input[row.rewrites] })
  return [...rewritten, ...outputs]
}

/** The same of one thing that hooks rewrite; undefined: a hook left it as it is. */
function findValueConflicts(
  values: readonly { readonly hook: string; readonly value: unknown }[],
  { name, original }: { readonly name: string; readonly original: unknown },
): ConflictWarning[] {
  const rewrites = values
    .filter(({ value }) => value !== undefined)
    .map(({ hook, value }) => ({ hook, fields: listChangedFields(original ?? {}, value, name) }))
  const winner = rewrites.at(-1)?.hook
  return rewrites.flatMap(({ hook, fields }) =>
    rewrites
      .filter((other) => other.hook !== hook)
      .flatMap((other) =>
        [...fields]
          .filter(([path, value]) => other.fields.has(path) && !isDeepStrictEqual(other.fields.get(path), value))
          .map(([path]) => ({
            hook,
            warning: `conflict: ${path} is rewritten differently by ${other.hook}; ${winner} wins`,
          })),
      ),
  )
}

/** The innermost fields that a rewrite adds, changes or removes, with their new values. */
function listChangedFields(before: unknown, after: unknown, path: string): Map<string, unknown> {
  if (isDeepStrictEqual(before, after)) return new Map()
  if (!isObject(before) || !isObject(after)) return new Map([[path, after]])
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Map([...names].flatMap((name) => [...listChangedFields(before[name], after[name], `${path}.${name}`)]))
}
