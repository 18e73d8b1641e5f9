import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { openRegular, readErrorCode } from '../files/read.ts'
import { readLineSession } from '../log/log-line.ts'
import { listLogFiles } from '../log/read-log.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'
import { readLineOrigin } from './transcript-line.ts'

/** The files of one session: its own transcript, then those of its subagents. Or a log of ours, which may hold many. */
export interface SessionFiles {
  readonly files: readonly string[]
  readonly isLog: boolean
  readonly bytes: number
}

interface FoundFile {
  readonly path: string
  readonly bytes: number
  /** null: its first lines name no session, or it is a log. */
  readonly session: string | null
  /** Kind of file: a session's own transcript, a subagent's, or a log of ours. */
  readonly kind: 'main' | 'side' | 'log'
}

/**
 * Finds the sessions that files and folders hold; a log beside the transcript of its session tells nothing new. Throws a HooklineError
 * for what is not there.
 */
export async function findSessions(paths: readonly string[]): Promise<SessionFiles[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    for (const file of await listSessionFiles(path)) found.set(file, await lookInto(file)) // one after the other: there may be thousands
  }
  const files = [...found.values()]
  const mains = files.filter(({ kind }) => kind === 'main')
  const sides = files.filter(({ kind }) => kind === 'side')
  const alone = files.filter(({ kind, session }) => kind !== 'main' && !mains.some((main) => main.session === session))
  const sessions = mains.map((main) => [main, ...sides.filter((side) => isSubagentFile(side, main, mains))])
  const read = alone.filter(
    ({ kind, path }) => kind !== 'log' || !found.has(path.replace(MOVED_ASIDE, '')) || !MOVED_ASIDE.test(path),
  )
  return [...sessions, ...read.map((file) => [file])].map((group) => ({
    files: group.map(({ path }) => path),
    isLog: group.some(({ kind }) => kind === 'log'),
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
  }))
}

/** The end of a log that was moved aside, which is read with the one that was not. */
const MOVED_ASIDE = /\.\d+$/

/** Of several files of one session, the first has its subagents. */
function isSubagentFile(side: FoundFile, main: FoundFile, mains: readonly FoundFile[]): boolean {
  return mains.find(({ session }) => session !== null && session === side.session) === main
}

async function listSessionFiles(path: string): Promise<string[]> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new HooklineError(
      `${path} cannot be read (${readErrorCode(error)}). Name a transcript, a log, or a folder of them.`,
    )
  })
  if (stats.isDirectory()) return listTranscripts(resolve(path))
  return [...(await listLogFiles(resolve(path))), ...(await listSubagentFiles(resolve(path)))]
}

async function listTranscripts(folder: string): Promise<string[]> {
  const entries = await readDirents(folder, { recursive: true })
  return entries
    .filter((entry) => entry.isFile() && /\.jsonl(?:\.\d+)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Files of subagents where clients put them: beside the session's own, or in a folder of its name. */
async function listSubagentFiles(path: string): Promise<string[]> {
  const stem = basename(path).replace(/\.jsonl$/, '')
  const near = await readDirents(dirname(path))
  const below = await readDirents(join(dirname(path), stem, 'subagents'))
  const isAgent = ({ name }: Dirent): boolean => /^agent-.*\.jsonl$/.test(name) || name.startsWith(`${stem}.subagent`)
  const found = [...near, ...below].filter((entry) => entry.isFile() && isAgent(entry))
  const { session } = await lookInto(path)
  const ours: string[] = []
  for (const entry of found) {
    const file = await lookInto(join(entry.parentPath, entry.name))
    if (file.kind === 'side' && session !== null && file.session === session) ours.push(file.path)
  }
  return ours
}

async function readDirents(folder: string, { recursive = false } = {}): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true, recursive })
  } catch {
    return [] // no such folder
  }
}

/** So much of a file is read to learn whose it is. */
const PEEKED = 256 * 1024

async function lookInto(path: string): Promise<FoundFile> {
  const handle = await openRegular(path).catch((error: unknown) => {
    if (error instanceof HooklineError) throw error
    throw new HooklineError(`${path} cannot be read (${readErrorCode(error)}).`)
  })
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(PEEKED, size)), 0, Math.min(PEEKED, size), 0)
    return { path, bytes: size, ...findOwner(buffer.toString('utf8', 0, bytesRead)) }
  } finally {
    await handle.close()
  }
}

/** The first line of a conversation or of a log tells; lines before it may still name the session. */
function findOwner(beginning: string): Pick<FoundFile, 'session' | 'kind'> {
  let session: string | null = null
  for (const text of beginning.split('\n')) {
    const logged = readLineSession(text)
    if (logged !== null) return { session: logged, kind: 'log' }
    const line = parseJsonOrNull(text)
    if (!isObject(line)) continue
    session ??= readLineOrigin(line).session
    const isSide = line.isSidechain === true && typeof line.agentId === 'string'
    if (line.type === 'user' || line.type === 'assistant') return { session, kind: isSide ? 'side' : 'main' }
  }
  return findOwnerInPart(beginning, session)
}

/** The same where the first line of the conversation is longer than what was read. */
function findOwnerInPart(beginning: string, known: string | null): Pick<FoundFile, 'session' | 'kind'> {
  const session = known ?? /"sessionId":"([^"]+)"/.exec(beginning)?.[1] ?? null
  const isSide = /"isSidechain":true/.test(beginning) && /"agentId":"/.test(beginning)
  return { session, kind: isSide ? 'side' : 'main' }
}
