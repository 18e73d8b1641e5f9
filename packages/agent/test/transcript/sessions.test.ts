import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findNewestSession,
  findSession,
  findSessionsFolder,
  listSessions,
  makeSubagentTranscriptPath,
  makeTranscriptPath,
  type SessionPlaces,
} from '../../src/transcript/sessions.ts'
import { temporaryFolder } from './folder.ts'
import { answered, text, told, transcriptAt } from './said.ts'

async function places(): Promise<SessionPlaces> {
  return { folder: findSessionsFolder(await temporaryFolder()), project: '/home/dev/project' }
}

/** Stores a session that was last written to at this second. */
async function store(where: SessionPlaces, sessionId: string, second: number, prompt: string | null): Promise<string> {
  const path = makeTranscriptPath(where, sessionId)
  const transcript = transcriptAt(path, { sessionId, cwd: where.project })
  transcript.append({ kind: 'init', model: 'm', tools: [], permissionMode: 'default' })
  if (prompt !== null) {
    transcript.append({ kind: 'user', message: text('user', 'a hint of a hook'), origin: 'injected' })
    transcript.append(told(text('user', prompt)))
    transcript.append(answered(text('assistant', 'fine')))
  }
  await transcript.close()
  await utimes(path, second, second)
  return path
}

describe('the sessions of a project', () => {
  it('lie in a folder that is named after its path', () => {
    const where = { folder: findSessionsFolder('/home/dev'), project: '/home/dev/my project' }
    const path = makeTranscriptPath(where, 'abc')
    expect(path).toBe('/home/dev/.hookline/projects/-home-dev-my project/abc.jsonl')
    expect(makeSubagentTranscriptPath(path, 'a1')).toBe(
      '/home/dev/.hookline/projects/-home-dev-my project/abc/subagents/agent-a1.jsonl',
    )
  })

  it('have a folder also when its path is longer than a name may be', async () => {
    const { folder } = await places()
    const long = (end: string): string => makeTranscriptPath({ folder, project: `/${'deep/'.repeat(100)}${end}` }, 's1')
    await mkdir(dirname(long('a')), { recursive: true })
    expect(long('a')).not.toBe(long('b'))
  })

  it('are found by their id, and by nothing that is a path', async () => {
    const where = await places()
    const path = await store(where, 's1', 1000, 'hello')
    expect(await findSession(where, 's1')).toBe(path)
    expect(await findSession(where, 's2')).toBeNull()
    expect(await findSession({ ...where, project: '/other' }, 's1')).toBeNull()
    expect(await findSession({ ...where, project: '/home/dev/project/x' }, '../-home-dev-project/s1')).toBeNull()
    expect(await findSession(where, '')).toBeNull()
  })

  it('are listed newest first, with what the user said first', async () => {
    const where = await places()
    const older = await store(where, 'older', 1000, 'fix the\u2028test')
    const newer = await store(where, 'newer', 2000, 'write docs')
    await store(where, 'empty', 3000, null)
    await writeFile(subagentFile(await made(dirname(newer))), 'x')
    expect(await listSessions(where)).toEqual([
      { id: 'newer', path: newer, title: null, firstPrompt: 'write docs', changed: new Date(2_000_000), messages: 3 },
      {
        id: 'older',
        path: older,
        title: null,
        firstPrompt: 'fix the\u2028test',
        changed: new Date(1_000_000),
        messages: 3,
      },
    ])
    expect(await findNewestSession(where)).toMatchObject({ id: 'newer' })
  })

  it('do not include those of a project whose path gives the same name', async () => {
    const where = await places()
    await store({ ...where, project: '/home/dev-project' }, 'theirs', 2000, 'hello')
    expect(await readdir(where.folder)).toEqual(['-home-dev-project'])
    expect(await findNewestSession(where)).toBeNull()
    expect(await listSessions({ ...where, project: '/home/dev-project' })).toHaveLength(1)
  })

  it('are none before the first', async () => {
    const where = await places()
    expect(await listSessions(where)).toEqual([])
    expect(await findNewestSession(where)).toBeNull()
  })
})

async function made(folder: string): Promise<string> {
  await mkdir(join(folder, 'newer', 'subagents'), { recursive: true })
  return folder
}

function subagentFile(folder: string): string {
  return join(folder, 'newer', 'subagents', 'agent-a1.jsonl')
}
