/** An address as people may read it: without credentials. */
export function withoutCredentials(address: string): string {
  if (!address.includes('@')) return address
  if (!URL.canParse(address)) return address.replace(/^([a-z][a-z\d+.-]*:[\\/]*)?.*@/is, '$1') // who knows where they end
  return address.replace(/^(\s*[a-z][a-z\d+.-]*:[\\/]*)[^\\/?#]*@/i, '$1')
}

/** The same for records and messages, which go further than the file that it stands in: a query may hold a token. */
export function withoutSecrets(address: string): string {
  return withoutCredentials(address).replace(/\?.*|#.*/s, (rest) => (rest.startsWith('?') ? '?…' : ''))
}
