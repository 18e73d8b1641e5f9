import { stat } from 'node:fs/promises'
import { compileRegex, isBadPattern, type Regex } from '../pattern/regex.ts'
import { compileGlob } from './glob.ts'
import { type Reach, readReadableText, resolveReadablePath, type ToolInput } from './readable-files.ts'
import { isCutShort, toSlashPath, type Walk, walkFiles } from './walk.ts'

const MAX_MATCHES = 100
const MAX_MATCH_CHARS = 300
const MAX_SEARCHED_BYTES = 50 * 1024 * 1024

/** Searches files for a model. The time it takes is linear in what is read, whatever the pattern says. */
export async function searchFiles(input: ToolInput, reach: Reach): Promise<string> {
  const { pattern, path = '.', glob = '**' } = input
  if (typeof pattern !== 'string' || pattern === '') return 'Grep needs a pattern.'
  if (typeof path !== 'string' || typeof glob !== 'string') return 'path and glob have to be texts.'
  const line = await compileRegex(pattern)
  if (isBadPattern(line)) return `The pattern ${line.problem}.`
  const name = await compileGlob(glob)
  if (isBadPattern(name)) return `The glob ${name.problem}.`
  const place = await resolveReadablePath(path, reach)
  if ('refusal' in place) return place.refusal
  return search(place.real, { line, name, path }, reach)
}

interface SearchRequest {
  readonly line: Regex
  readonly name: Regex
  /** As the model wrote it. */
  readonly path: string
}

async function search(
  start: string,
  { line, name, path }: SearchRequest,
  { realProject, signal }: Reach,
): Promise<string> {
  const walk: Walk = { entries: 0 }
  const isFolder = (await stat(start)).isDirectory()
  const found: string[] = []
  let left = MAX_SEARCHED_BYTES
  for await (const file of isFolder ? walkFiles(start, walk, signal) : [start]) {
    const shown = isFolder ? toSlashPath(realProject, file) : path
    if (isFolder && !name(shown)) continue
    const content = await readReadableText(file)
    if ('refusal' in content) continue
    found.push(...findMatches(content.text, line).map((match) => `${shown}:${match}`))
    left -= content.text.length
    if (found.length > MAX_MATCHES || left < 0) break
    signal.throwIfAborted()
  }
  const isPartial = found.length > MAX_MATCHES || left < 0 || isCutShort(walk)
  if (found.length === 0) return isPartial ? 'No match in the part that was searched.' : 'No match.'
  return [...found.slice(0, MAX_MATCHES), ...(isPartial ? ['(there may be more: search a smaller part)'] : [])].join(
    '\n',
  )
}

/** `12: the line`, for one match more than can be shown at the most. */
function findMatches(text: string, line: Regex): string[] {
  const found: string[] = []
  for (const [index, one] of text.split('\n').entries()) {
    if (!line(one)) continue
    found.push(`${index + 1}: ${one.length > MAX_MATCH_CHARS ? `${one.slice(0, MAX_MATCH_CHARS)}…` : one}`)
    if (found.length > MAX_MATCHES) break
  }
  return found
}
