/** JSON with sorted keys: equal values give equal texts. */
export function canonical(value: unknown, indent?: number): string {
  return (
    JSON.stringify(
      value,
      (_key, inner: unknown) => {
        if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
        return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      },
      indent,
    ) ?? 'undefined'
  )
}
