/** Texts that a user typed. */
export interface Typed {
  readonly settings: string
  readonly event: string
  readonly profile: string
}

/** The part of an address that carries what was typed: it is never sent to a server. */
export function makeFragment(typed: Typed): string {
  const bytes = new TextEncoder().encode(JSON.stringify([typed.settings, typed.event, typed.profile]))
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Reads it again; null where it is not one. */
export function readFragment(hash: string): Typed | null {
  try {
    const letters = atob(hash.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    const [settings, event, profile] = JSON.parse(new TextDecoder().decode(bytes)) as unknown[]
    if (typeof settings !== 'string' || typeof event !== 'string' || typeof profile !== 'string') return null
    return { settings, event, profile }
  } catch {
    return null // an address that was cut off, or none
  }
}
