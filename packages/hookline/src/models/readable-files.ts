import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { AgentTask } from '../run/ports.ts'

/** Files that an agent may read: everything in one folder, and one file besides. */
export interface ReadableFiles {
  /** The folder as the host names it, and where it really is. */
  readonly project: string
  readonly realProject: string
  /** The same for the file; null: none. */
  readonly transcript: string | null
  readonly realTranscript: string | null
}

/** Place where a tool works, and what ends it. */
export interface Reach extends ReadableFiles {
  readonly signal: AbortSignal
}

/** Input that a model gave to a tool, unchecked. */
export type ToolInput = Readonly<Record<string, unknown>>

/** A path that may be read, or why not, in words for the model. */
export type ReadablePath = { readonly real: string } | { readonly refusal: string }

/** Bytes of a file beyond which it is not opened. */
const MAX_READABLE_BYTES = 10 * 1024 * 1024

/** Finds out where the files of a task really are. */
export async function findReadableFiles({ project, transcript }: AgentTask): Promise<ReadableFiles> {
  return {
    project: resolve(project),
    realProject: await realpath(project),
    transcript: transcript === null ? null : resolve(transcript),
    realTranscript: transcript === null ? null : await realpath(transcript).catch(() => null), // not written yet
  }
}

/** Resolves where a path leads, if that may be read. What lies outside is not even looked at; links are followed and judged by their end. */
export async function resolveReadablePath(path: string, files: ReadableFiles): Promise<ReadablePath> {
  const { project, realProject, transcript, realTranscript } = files
  const outside = {
    refusal: `${path} is outside of the project. Only files of the project and the transcript can be read.`,
  }
  const wanted = resolve(project, path)
  if (wanted === transcript || wanted === realTranscript)
    return realTranscript === null ? { refusal: 'There is no transcript yet.' } : { real: realTranscript }
  if (!isReadableInside(wanted, project) && !isReadableInside(wanted, realProject)) return outside
  const real = await realpath(wanted).catch(() => null) // no such file, or none that this process may see
  if (real === null) return { refusal: `There is no ${path}.` }
  return isReadableInside(real, realProject) || real === realTranscript ? { real } : outside
}

/** The text of a file, or why it has none, in words for the model. */
export async function readReadableText(
  real: string,
): Promise<{ readonly text: string } | { readonly refusal: string }> {
  // the file may be a link by now, or a pipe without a writer: neither is opened.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(real, flags).catch(() => null)
  if (file === null) return { refusal: 'It cannot be opened.' }
  try {
    return await readTextHandle(file)
  } finally {
    await file.close()
  }
}

async function readTextHandle(file: FileHandle): Promise<{ readonly text: string } | { readonly refusal: string }> {
  const stat = await file.stat()
  if (!stat.isFile()) return { refusal: 'It is not a file.' }
  if (stat.size > MAX_READABLE_BYTES) return { refusal: `It is too large: ${stat.size} bytes.` }
  const bytes = await file.readFile()
  return bytes.subarray(0, 8192).includes(0) ? { refusal: 'It is not a text file.' } : { text: bytes.toString('utf8') }
}

function isReadableInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
