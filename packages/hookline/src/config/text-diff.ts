import type { PendingChange } from './changes.ts'

/** The difference between two versions of a file, either of which may be missing; null when there is none. */
export async function fileDiff(
  file: string,
  before: string | null | undefined,
  after: string | null | undefined,
): Promise<PendingChange | null> {
  if (before === after) return null
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('./unified-diff.ts')
  const options = { headerOptions: FILE_HEADERS_ONLY }
  const diff = createTwoFilesPatch(file, file, before ?? '', after ?? '', 'before', 'after', options)
  if (typeof before !== 'string') return { file, kind: 'added', diff }
  return { file, kind: typeof after === 'string' ? 'changed' : 'removed', diff }
}
