/** True if two values are made of the same parts. */
export function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (a instanceof Map || a instanceof Set) return isDeepStrictEqual([...a], [...(b as Iterable<unknown>)]) // of the same prototype
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isDeepStrictEqual(Reflect.get(a, key), Reflect.get(b, key)))
}
