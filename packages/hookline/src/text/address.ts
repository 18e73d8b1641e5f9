/** An address as people and records may read it: without credentials, query and fragment, any of which may be a secret. */
export function redactAddress(address: string): string {
  return removeCredentials(address).replace(/\?.*|#.*/s, (rest) => (rest.startsWith('?') ? '?…' : ''))
}

function removeCredentials(address: string): string {
  if (!address.includes('@')) return address
  if (!URL.canParse(address)) return address.replace(/^([a-z][a-z\d+.-]*:[\\/]*)?.*@/is, '$1') // their end cannot be known
  return address.replace(LOGIN, '$1')
}

const LOGIN = /^(\s*[a-z][a-z\d+.-]*:[\\/]*)[^\\/?#]*@/i

/** The parts of an address that are left out there, as they are written. */
export function listAddressSecrets(address: string): string[] {
  const [server = '', ...rest] = address.split(/(?=[?#])/)
  const login = server.slice(0, server.lastIndexOf('@') + 1).replace(/^\s*[a-z][a-z\d+.-]*:[\\/]*/i, '')
  const isHidden = !redactAddress(address).includes(login)
  return [...(isHidden ? [login.slice(0, -1)] : []), ...rest.map((part) => part.slice(1))].filter(Boolean)
}
