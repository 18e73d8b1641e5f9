import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { timeout } from './explore.ts'

/** An input that every run replays; README.md in the folder of the corpus says how one is added. */
interface Kept {
  readonly name: string
  readonly text: string
  readonly bytes: Buffer
  /** Why it fails for now. */
  readonly known: string | null
}

interface Written {
  readonly name: string
  readonly text?: string
  /** The text in pieces, those in a list repeated. */
  readonly pieces?: readonly (string | readonly [string, number])[]
  /** Bytes that are no text. */
  readonly hex?: string
  readonly known?: string
  /** While it is known, random inputs that match this are left out. */
  readonly like?: string
}

/** The kept inputs of a target. */
export function kept(target: string): Kept[] {
  return written(target).map(({ name, known = null, hex, text = '', pieces = [text] }) => {
    const whole = pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0].repeat(piece[1]))).join('')
    const bytes = hex === undefined ? Buffer.from(whole) : Buffer.from(hex, 'hex')
    return { name, text: hex === undefined ? whole : bytes.toString('utf8'), bytes, known }
  })
}

/** Tells random inputs that would only find again what is known. */
export function knownIn(target: string): (text: string) => boolean {
  const likes = written(target).flatMap(({ known, like }) => (known && like ? new RegExp(like, 's') : []))
  return (text) => likes.some((like) => like.test(text))
}

/** One test for each kept input of a target, or for some of them; a known finding must still fail. */
export function replay(target: string, law: (input: Kept) => unknown, of: (input: Kept) => boolean = () => true): void {
  for (const input of kept(target).filter(of)) {
    const test = input.known === null ? it : it.fails
    test(`${input.name}${input.known === null ? '' : ` (known: ${input.known})`}`, { timeout }, async () => {
      await law(input)
    })
  }
}

function written(target: string): Written[] {
  return JSON.parse(readFileSync(new URL(`./corpus/${target}.json`, import.meta.url), 'utf8'))
}
