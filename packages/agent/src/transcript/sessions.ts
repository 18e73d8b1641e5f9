import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { readMessageText } from '../output/messages.ts'
import { readLine } from './stored-line.ts'

/** Places of the sessions of a project. */
export interface SessionPlaces {
  /** The folder of all projects' sessions; see `sessionsFolder`. */
  readonly folder: string
  /** Absolute. */
  readonly project: string
}

/** A session as a list to choose from shows it. */
export interface StoredSession {
  readonly id: string
  readonly path: string
  /** Title that hooks gave it; null: nothing. */
  readonly title: string | null
  /** First prompt of the user; null: nothing yet. */
  readonly firstPrompt: string | null
  /** Time of the last write. */
  readonly changed: Date
  /** Messages of both sides. */
  readonly messages: number
}

const MAX_FOLDER_NAME_CHARS = 200

/** The folder of all projects' sessions, in a home. */
export function findSessionsFolder(home: string): string {
  return join(home, '.hookline', 'projects')
}

/** The transcript of a session. */
export function makeTranscriptPath(places: SessionPlaces, sessionId: string): string {
  return join(nameProjectFolder(places), `${sessionId}.jsonl`)
}

/** Path of what was typed in the sessions of a project. */
export function makeHistoryPath(home: string, project: string): string {
  return `${nameProjectFolder({ folder: join(home, '.hookline', 'history'), project })}.jsonl`
}

/** The log of what a session's hooks did, in the folder beside its transcript. */
export function makeLogPath(sessionTranscript: string): string {
  return join(sessionTranscript.replace(/\.jsonl$/, ''), 'hooks.jsonl')
}

/** The task list of a session, in the same folder. */
export function makeTasksPath(sessionTranscript: string): string {
  return join(sessionTranscript.replace(/\.jsonl$/, ''), 'tasks.json')
}

/** Path of the list of `once` hooks of a session that have run, in the same folder. */
export function makeOncePath(sessionTranscript: string): string {
  return join(sessionTranscript.replace(/\.jsonl$/, ''), 'once.json')
}

/** The transcript of a subagent, beside its session's. */
export function makeSubagentTranscriptPath(sessionTranscript: string, agentId: string): string {
  return join(sessionTranscript.replace(/\.jsonl$/, ''), 'subagents', `agent-${agentId}.jsonl`)
}

/** The transcript of the session with this id; null: the project has none. */
export async function findSession(places: SessionPlaces, sessionId: string): Promise<string | null> {
  if (!/^[\w-]+$/.test(sessionId)) return null // an id is no path
  const path = makeTranscriptPath(places, sessionId)
  const found = await stat(path).catch(() => null) // there is none
  return found?.isFile() ? path : null
}

/** The project's session that was last written to and in which the user said something; null: there is none. */
export async function findNewestSession(places: SessionPlaces): Promise<StoredSession | null> {
  for (const file of await listNewestFirst(places)) {
    const session = await describeSession(file, places)
    if (session && session.firstPrompt !== null) return session
  }
  return null
}

/** The project's sessions in which the user said something, newest first. */
export async function listSessions(places: SessionPlaces): Promise<StoredSession[]> {
  const files = await listNewestFirst(places)
  const sessions: StoredSession[] = []
  for (const file of files) {
    const session = await describeSession(file, places) // one after the other: files may be many, and long
    if (session && session.firstPrompt !== null) sessions.push(session)
  }
  return sessions
}

/** One name for a path; long ones are told apart by a digest. */
function nameProjectFolder({ folder, project }: SessionPlaces): string {
  const name = project.replaceAll(/[\\/:]/g, '-')
  if (name.length <= MAX_FOLDER_NAME_CHARS) return join(folder, name)
  const digest = createHash('sha256').update(project).digest('hex').slice(0, 12)
  return join(folder, `${name.slice(0, MAX_FOLDER_NAME_CHARS)}-${digest}`)
}

interface SessionFile {
  readonly path: string
  readonly changed: Date
}

async function listNewestFirst(places: SessionPlaces): Promise<SessionFile[]> {
  const folder = nameProjectFolder(places)
  const names = await readdir(folder).catch(() => []) // no session yet
  const files = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => statSession(join(folder, name))),
  )
  return files.flat().toSorted((one, other) => other.changed.getTime() - one.changed.getTime())
}

async function statSession(path: string): Promise<SessionFile[]> {
  const found = await stat(path).catch(() => null) // removed in the meantime
  return found?.isFile() ? [{ path, changed: found.mtime }] : []
}

/** Describes a session; null: it cannot be read, or belongs to another project whose path gives the same name. */
async function describeSession(
  { path, changed }: SessionFile,
  { project }: SessionPlaces,
): Promise<StoredSession | null> {
  let title: string | null = null
  let firstPrompt: string | null = null
  let messages = 0
  let place: string | null = null
  try {
    for await (const text of readFileLines(path)) {
      const line = readLine(text)
      if (line.kind === 'boundary' || line.kind === 'broken') continue
      place ??= line.cwd
      if (line.kind === 'title') title = line.title
      if (line.kind !== 'message' || line.sidechain) continue
      messages++
      if (line.prompt) firstPrompt ??= readMessageText(line.message)
    }
  } catch {
    return null // the file may not be read, or is gone
  }
  if (place !== null && !isBelowFolder(place, project)) return null
  return { id: basename(path, '.jsonl'), path, title, firstPrompt, changed, messages }
}

/** The lines of a file one by one; unlike `node:readline` it ends them at a newline alone. */
async function* readFileLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

function isBelowFolder(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}
