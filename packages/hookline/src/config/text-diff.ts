import { listSecretTexts } from '../protocol/hook-fields.ts'
import { parseJsonSource } from './json-source.ts'

/** A file that no longer says what the session runs. */
export interface PendingChange {
  /** As the record names files. */
  readonly file: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** From what runs to what is on disk, as a unified diff. */
  readonly diff: string
}

/** Comparison of two versions of a file. */
interface Comparison {
  /** Names of the two versions. */
  readonly called?: readonly [before: string, after: string]
  /** false: they hold digests where there were secrets. */
  readonly haveSecrets?: boolean
}

/** The difference between two versions of a file, either of which may be missing, without its secrets; null when there is none. */
export async function diffFile(
  file: string,
  before: string | null | undefined,
  after: string | null | undefined,
  { called = ['before', 'after'], haveSecrets = true }: Comparison = {},
): Promise<PendingChange | null> {
  if (before === after) return null
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('./unified-diff.ts')
  const texts = [before ?? '', after ?? ''] as const
  const patch = createTwoFilesPatch(file, file, ...texts, ...called, {
    headerOptions: FILE_HEADERS_ONLY,
  })
  const diff = haveSecrets ? maskSecrets(patch, await Promise.all(texts.map(parseDefinition))) : patch
  if (typeof before !== 'string') return { file, kind: 'added', diff }
  return { file, kind: typeof after === 'string' ? 'changed' : 'removed', diff }
}

async function parseDefinition(text: string): Promise<unknown> {
  const read = await parseJsonSource(text)
  return 'root' in read ? read.root.value : null
}

/** A text that quotes definitions, with stars in place of their secrets: all else keeps its column. */
export function maskSecrets(text: string, definitions: readonly unknown[]): string {
  const secrets = [...new Set(definitions.flatMap((definition) => listSecretTexts(definition)))]
  const written = secrets.flatMap((secret) => [JSON.stringify(secret).slice(1, -1), secret, ...secret.split('\n')])
  const long = [...new Set(written)].filter((one) => one.trim() !== '').sort((a, b) => b.length - a.length)
  return long.reduce((left, secret) => left.replaceAll(makeSecretPattern(secret), toStars), text)
}

/** Pattern of the places of a secret; a short one is a word that stands anywhere, so it counts between quotes and separators alone. */
function makeSecretPattern(secret: string): RegExp {
  const pattern = secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return new RegExp(secret.length > SHORT ? pattern : `(?<=["'?#/ ])${pattern}(?=["'#@])`, 'g')
}

const SHORT = 3

const toStars = (text: string): string => '*'.repeat(text.length)
