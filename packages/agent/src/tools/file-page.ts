import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { toFileError } from './file-fault.ts'
import { refuseUnlessFile } from './file-on-disk.ts'
import { ToolError } from './tool.ts'

/** Some lines of a file. */
export interface FilePage {
  readonly lines: readonly string[]
  /** The number of the first, counted from 1. */
  readonly startLine: number
  /** Number of lines, what comes after the last newline counted as one, also when it is nothing. */
  readonly totalLines: number
  readonly stats: Stats
}

const MAX_LINE_CHARS = 2000
/** Characters of a page; a page has at least one line all the same. */
const MAX_FILE_PAGE_CHARS = 100_000

/** Reads lines of a text file of any size, long ones cut. A pipe or a device cannot make it hang. */
export async function readFilePage(
  path: string,
  { offset, limit, signal }: { readonly offset: number; readonly limit: number; readonly signal: AbortSignal },
): Promise<FilePage> {
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw toFileError(path, error)
  }
  try {
    const stats = await handle.stat() // before its content: a change meanwhile makes it newer
    refuseUnlessFile(path, stats)
    const chunks = handle.createReadStream({ encoding: 'utf8', autoClose: false, signal })
    return { ...(await readPage(path, chunks, { offset, limit })), startLine: offset, stats }
  } catch (error) {
    throw error instanceof ToolError ? error : toFileError(path, error)
  } finally {
    await handle.close()
  }
}

async function readPage(
  path: string,
  chunks: AsyncIterable<string>,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ lines: string[]; totalLines: number }> {
  const lines: string[] = []
  let room = MAX_FILE_PAGE_CHARS
  let line = ''
  let totalLines = 0
  const endLine = (): void => {
    totalLines++
    if (totalLines < offset || lines.length >= limit || room <= 0) return
    lines.push(formatPageLine(line, totalLines))
    room -= Math.min(line.length, MAX_LINE_CHARS) + 1
  }
  for await (const chunk of chunks) {
    if (chunk.includes('\0')) throw new ToolError(`${path} is a binary file: Read shows text only.`)
    for (const [at, piece] of chunk.split('\n').entries()) {
      if (at > 0) {
        endLine()
        line = ''
      }
      if (line.length <= MAX_LINE_CHARS) line += piece.slice(0, MAX_LINE_CHARS + 2)
    }
  }
  endLine()
  return { lines, totalLines }
}

/** A line without what an editor does not show either: a carriage return, a byte order mark. */
function formatPageLine(line: string, number: number): string {
  const text = (number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line).replace(/\r$/, '')
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)} [… line cut]` : text
}
