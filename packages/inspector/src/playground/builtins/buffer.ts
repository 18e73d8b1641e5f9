const ENCODINGS = new Set(['utf8', 'utf-8', undefined])

/** Bytes with the few methods that reading settings needs. */
export class Buffer extends Uint8Array {
  static override from(value: unknown, encoding?: unknown): Buffer {
    if (typeof value !== 'string') return new Buffer(value as ArrayLike<number>) // bytes, or numbers
    if (encoding === 'base64' || encoding === 'base64url') {
      const text = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
      return new Buffer(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))
    }
    return new Buffer(new TextEncoder().encode(value))
  }

  static alloc(length: number): Buffer {
    return new Buffer(length)
  }

  static allocUnsafe(length: number): Buffer {
    return new Buffer(length)
  }

  static allocUnsafeSlow(length: number): Buffer {
    return new Buffer(length)
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const whole = new Buffer(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer
  }

  override subarray(from?: number, to?: number): Buffer {
    return new Buffer(super.subarray(from, to))
  }

  override toString(encoding?: string, from = 0, to = this.length): string {
    const part = Uint8Array.prototype.subarray.call(this, from, to)
    if (encoding === 'hex') return Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join('')
    const letters = (): string => Array.from(part, (byte) => String.fromCharCode(byte)).join('')
    if (encoding === 'latin1') return letters()
    if (!ENCODINGS.has(encoding)) return btoa(letters())
    return new TextDecoder().decode(part)
  }
}

/** True if bytes are text. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false // bytes that are not UTF-8
  }
}
