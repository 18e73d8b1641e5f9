import { Buffer } from './buffer.ts'

const rotate = (value: number, by: number): number => (value >>> by) | (value << (32 - by))

const PRIMES = findPrimes(64)
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

function findPrimes(count: number): number[] {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  return primes
}

/** SHA-256 of bytes. The browser's own does not answer at once. */
function digest(bytes: Uint8Array): Uint8Array {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(blocks.length - 4, bytes.length * 8)
  const hash = [...START]
  for (let block = 0; block < blocks.length; block += 64) addBlock(hash, view, block)
  const result = new DataView(new ArrayBuffer(32))
  for (const [at, word] of hash.entries()) result.setUint32(at * 4, word)
  return new Uint8Array(result.buffer)
}

function addBlock(hash: number[], view: DataView, block: number): void {
  const words = Array.from({ length: 16 }, (_, at) => view.getUint32(block + at * 4))
  const wordAt = (at: number): number => words[at] ?? 0
  for (let at = 16; at < 64; at++) {
    const [near, far] = [wordAt(at - 2), wordAt(at - 15)]
    const low = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const high = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    words.push((wordAt(at - 16) + low + wordAt(at - 7) + high) | 0)
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let at = 0; at < 64; at++) {
    const first =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[at] ?? 0) + wordAt(at)) | 0
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = ((hash[at] ?? 0) + word) | 0
}

export function createHash(_algorithm: 'sha256') {
  const parts: Uint8Array[] = []
  const hash = {
    update: (part: string | Uint8Array) => {
      parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part)
      return hash
    },
    digest: (encoding?: string) => {
      const bytes = new Buffer(digest(Buffer.concat(parts)))
      return encoding === undefined ? bytes : bytes.toString(encoding)
    },
  }
  return hash
}

export const randomUUID = (): string => crypto.randomUUID()
export const randomBytes = (length: number): Buffer => new Buffer(crypto.getRandomValues(new Uint8Array(length)))
