import { isDeepStrictEqual } from 'node:util'
import type { HookResult } from './decision.ts'

/** A warning for one hook. */
export interface ConflictWarning {
  readonly hook: string
  readonly warning: string
}

/** Hooks that rewrote the same field of an input differently: a warning to each of them, with the field's path. */
export function rewriteConflicts(results: readonly HookResult[], original: unknown): ConflictWarning[] {
  const rewrites = results
    .filter(({ result }) => result.opinion.updatedInput !== null)
    .map(({ hook, result }) => ({ hook, fields: changedFields(original ?? {}, result.opinion.updatedInput) }))
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
function changedFields(before: unknown, after: unknown, path = 'updatedInput'): Map<string, unknown> {
  if (isDeepStrictEqual(before, after)) return new Map()
  if (!isPlain(before) || !isPlain(after)) return new Map([[path, after]])
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return new Map([...names].flatMap((name) => [...changedFields(before[name], after[name], `${path}.${name}`)]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
