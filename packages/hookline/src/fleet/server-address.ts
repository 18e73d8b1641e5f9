/** Reason why an address cannot be sent to: records leave a machine encrypted, or do not leave it. */
export function findServerFault(url: string): string | null {
  if (!URL.canParse(url)) return `${JSON.stringify(url)} is not an address, such as https://fleet.example`
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return null
  return `${protocol}//${hostname} is not https; plain http is for this machine alone (127.0.0.1, ::1, localhost)`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Address of a path of the server, whose own may end with a slash or not. */
export function makeServerAddress(url: string, path: string): URL {
  return new URL(path, url.endsWith('/') ? url : `${url}/`)
}

/** Describes why a server could not be reached: `fetch` itself says that it failed, and no more. */
export function describeUnreached(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return `cannot be reached (${cause instanceof Error ? cause.message : String(cause)})`
}
