import { isUtf8 } from 'node:buffer'
import type { Captured } from '../process/process-run.ts'

/** Bytes as text, with what was odd about them. */
export interface Decoded {
  readonly text: string
  readonly warnings: readonly string[]
}

/** Decodes a stream once, as a whole: UTF-8, or UTF-16 when a mark says so, as PowerShell writes it. Never fails. */
export function decode({ kept, bytes }: Captured, name: string): Decoded {
  const [first, second] = kept
  if (first === 0xff && second === 0xfe) return { text: kept.toString('utf16le'), warnings: [utf16(name)] }
  if (first === 0xfe && second === 0xff) return { text: swapped(kept).toString('utf16le'), warnings: [utf16(name)] }
  const whole = bytes === kept.length
  const warnings = whole && !isUtf8(kept) ? [`${name} is not valid UTF-8; what could not be read stands as \uFFFD`] : []
  return { text: kept.toString('utf8'), warnings }
}

const utf16 = (name: string): string => `${name} is UTF-16, not UTF-8; it was read all the same`

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}
