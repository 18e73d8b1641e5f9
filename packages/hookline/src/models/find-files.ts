import { isBadPattern } from '../pattern/regex.ts'
import { compileGlob } from './glob.ts'
import { type Reach, resolveReadablePath, type ToolInput } from './readable-files.ts'
import { isCutShort, toSlashPath, type Walk, walkFiles } from './walk.ts'

const MAX_FOUND_FILES = 200

/** Lists files for a model, with paths relative to the project. */
export async function findFiles(input: ToolInput, reach: Reach): Promise<string> {
  const { pattern, path = '.' } = input
  if (typeof pattern !== 'string' || pattern === '') return 'Glob needs a pattern.'
  if (typeof path !== 'string') return 'path has to be a string.'
  const matches = await compileGlob(pattern)
  if (isBadPattern(matches)) return `The pattern ${matches.problem}.`
  const place = await resolveReadablePath(path, reach)
  if ('refusal' in place) return place.refusal
  const walk: Walk = { entries: 0 }
  const found: string[] = []
  for await (const file of walkFiles(place.real, walk, reach.signal)) {
    if (matches(toSlashPath(place.real, file))) found.push(toSlashPath(reach.realProject, file))
    if (found.length > MAX_FOUND_FILES) break
  }
  const isPartial = found.length > MAX_FOUND_FILES || isCutShort(walk)
  if (found.length === 0) return isPartial ? 'No file in the part that was searched.' : 'No file.'
  return [
    ...found.slice(0, MAX_FOUND_FILES),
    ...(isPartial ? ['(there may be more: look in a smaller part)'] : []),
  ].join('\n')
}
