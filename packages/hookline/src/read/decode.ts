import { isUtf8 } from 'node:buffer'
import type { Captured } from '../process/process-run.ts'

/** Bytes as text, with what was odd about them. */
export interface Decoded {
  readonly text: string
  readonly warnings: readonly string[]
}

/**
 * Decodes a stream once, as a whole: UTF-8, or UTF-16 when a mark says so, as PowerShell writes it, or its zeros, as `cmd /u`
 * does. Never fails.
 */
export function decode({ kept, bytes }: Captured, name: string): Decoded {
  const [first, second] = kept
  if (second === 0 && hasZerosOfUtf16(kept)) return { text: kept.toString('utf16le'), warnings: [utf16(name)] }
  if (first === 0xff && second === 0xfe) return { text: kept.toString('utf16le'), warnings: [utf16(name)] }
  if (first === 0xfe && second === 0xff) return { text: swapped(kept).toString('utf16le'), warnings: [utf16(name)] }
  const whole = bytes === kept.length
  const warnings =
    whole && !isUtf8(kept) ? [`${name} is not valid UTF-8; what could not be read stands as \uFFFD${ADVICE}`] : []
  return { text: kept.toString('utf8'), warnings }
}

/** What the shell of Windows prints is in the code page of its console. */
const ADVICE = process.platform === 'win32' ? '; in a command of cmd, chcp 65001 has programs write UTF-8' : ''

const utf16 = (name: string): string => `${name} is UTF-16, not UTF-8; it was read all the same`

/** In UTF-16 without a mark, every second byte of a text in Latin letters is zero; other letters may be among them. */
function hasZerosOfUtf16(bytes: Buffer): boolean {
  let zeros = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + 1] === 0) zeros++
    if (bytes[at] === 0 && bytes[at + 1] === 0) return false // no text has such a character
  }
  return zeros * 4 >= bytes.length && !/\p{Surrogate}./u.test(bytes.toString('utf16le'))
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16()
}
