import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCaseFile } from '../../src/cases/case-file.ts'
import { addCase } from '../../src/cases/write-case-file.ts'
import { ignoreInGit, isIgnored } from '../../src/config/git-ignore.ts'
import { makeProjectEnclosure, readText } from '../../src/files/read.ts'
import { listFilesBelow } from '../../src/files/walk.ts'
import { readLog } from '../../src/log/log.ts'
import { readLineBatches } from '../../src/replay/line-batches.ts'
import { findSessions } from '../../src/replay/sessions.ts'
import { copyProject } from '../../src/scratch/copy-project.ts'
import { copyVersion } from '../../src/scratch/project-version.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const CANARY = 'nobody may read this'

/** What a project can put in the place of a file that is read, and what is said of it. */
const HOSTILE: Readonly<Record<string, readonly [(world: World, path: string) => Promise<void>, RegExp]>> = {
  'a pipe': [async (_world, path) => void execFileSync('mkfifo', [path]), /is not a regular file/],
  'a link to a device': [(_world, path) => symlink('/dev/zero', path), /leads out of the project|not a regular file/],
  'a link out of the project': [
    async (world, path) => symlink(await put(world, 'canary', JSON.stringify({ hooks: { [CANARY]: [] } })), path),
    /is a link that leads out of the project/,
  ],
  'a link that leads nowhere': [(_world, path) => symlink('nothing', path), /is a link that leads nowhere/],
  'a folder': [async (_world, path) => void (await mkdir(path)), /is a folder/],
  'a file of 600 MB': [
    async (_world, path) => {
      await writeFile(path, '')
      await truncate(path, 600_000_000)
    },
    /is too large/,
  ],
}

async function hostile(kind: string, name: string): Promise<World & { path: string }> {
  const world = await makeWorld()
  const path = join(world.project, name)
  await mkdir(dirname(path), { recursive: true })
  await HOSTILE[kind]?.[0](world, path)
  return { ...world, path }
}

const kinds = Object.entries(HOSTILE)

describe('a file of a project that is not what it should be', () => {
  it.each(kinds)('is not read when it is %s, and the reason is told', async (kind, [, reason]) => {
    const { project, path } = await hostile(kind, 'file')
    const content = await readText(path, { inside: makeProjectEnclosure(project) })
    expect(content).toMatchObject({ read: 'unreadable', reason: expect.stringMatching(reason) })
  })

  const places = ['settings.json', 'settings.local.json', 'skills/x/SKILL.md', 'agents/x.md', 'commands/x.md']
  it.each(
    kinds.flatMap(([kind]) => [...places.map((place) => `.claude/${place}`), '.mcp.json'].map((at) => [kind, at])),
  )('does not keep an engine from opening: %s as %s', async (kind, at) => {
    const world = await hostile(kind ?? '', at ?? '')
    const engine = await openOn(world, { trust: 'refused' })
    expect(JSON.stringify([engine.list(), engine.problems, engine.trust])).not.toContain(CANARY)
  })

  it('is read when it is a link inside of the project', async () => {
    const world = await makeWorld({ 'project/shared/settings.json': { hooks: { Stop: [commands('true')] } } })
    await mkdir(join(world.project, '.claude'))
    await symlink('../shared/settings.json', join(world.project, '.claude', 'settings.json'))
    expect((await openOn(world)).list()).toHaveLength(1)
  })

  it('is not written through a link: .gitignore', async () => {
    const world = await makeWorld({ 'home/.bashrc': 'mine\n' })
    await symlink(join(world.home, '.bashrc'), join(world.project, '.gitignore'))
    const path = join(world.project, '.claude', 'settings.local.json')
    await expect(ignoreInGit(path, world.project)).rejects.toThrow(/leads out of/)
    expect(await readFile(join(world.home, '.bashrc'), 'utf8')).toBe('mine\n')
    expect(await isIgnored(path, world.project)).toBe(false)
  })
})

describe('a pipe in the place of a file of any size', () => {
  it('is refused as a transcript and as a log, and nothing waits for it', async () => {
    const { path } = await hostile('a pipe', 'session.jsonl')
    await expect(findSessions([path])).rejects.toThrow(/is not a regular file/)
    await expect(readLineBatches(path).next()).rejects.toThrow(/is not a regular file/)
    await expect(readLog(path).next()).rejects.toThrow(/is not a regular file/)
  })

  it.each(['.git', '.git/commondir', '.git/HEAD', '.git/config'])('does not keep a copy waiting: %s', async (name) => {
    const { root, project } = await hostile('a pipe', name)
    await copyProject(project, join(root, 'copy'))
  })
})

describe('a file of cases that is made to hurt', () => {
  it.each([
    ['4 kB of question marks', '? '.repeat(2000)],
    ['30,000 brackets', `cases: ${'['.repeat(30_000)}`],
    ['an indent that goes ever deeper', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['100,000 keys', Array.from({ length: 100_000 }, (_, i) => `key${i}: 1`).join('\n')],
    ['the same key twice', 'cases: []\ncases: []'],
  ])('is refused in time: %s', { timeout: 60_000 }, async (_what, text) => {
    const path = await put(await makeWorld(), 'project/x.hooktest.yaml', text)
    await expect(readCaseFile(path)).rejects.toThrow(/x\.hooktest\.yaml:\d+ {2}/)
  })

  it('is not added to', async () => {
    const path = await put(await makeWorld(), 'project/x.hooktest.yaml', '? '.repeat(2000))
    await expect(addCase(path, { name: 'x', event: 'Stop' })).rejects.toThrow(/nested too deeply; it is as it was/)
  })
})

describe('a folder that is looked through', () => {
  it('does not lead out of the project, nor around in a circle', async () => {
    const world = await makeWorld({ 'outside/a.md': CANARY, 'project/f/x.md': '', 'project/g/y.md': '' })
    const folder = join(world.project, 'f')
    for (const name of ['a', 'b', 'c', 'd', 'e']) await symlink('.', join(folder, name))
    await symlink('..', join(folder, 'up'))
    await symlink(join(world.root, 'outside'), join(folder, 'out'))
    await symlink('../g', join(folder, 'inside'))
    const found = listFilesBelow(folder, { inside: makeProjectEnclosure(world.project) })
    expect(found.paths.filter((path) => path.includes('out'))).toEqual([])
    expect(found.paths).toEqual(expect.arrayContaining(['x.md', join('inside', 'y.md')]))
    expect(found.paths.length).toBeLessThan(50)
  })

  it('is looked through to a depth and a number that people reach', { timeout: 60_000 }, async () => {
    const { project } = await makeWorld()
    for (let at = 0; at < 60; at++) {
      await mkdir(join(project, `d${at}`, 'node_modules'), { recursive: true })
      await writeFile(join(project, `d${at}`, 'node_modules', 'README.md'), '')
      await writeFile(join(project, `d${at}`, 'SKILL.md'), '')
    }
    await mkdir(join(project, ...Array.from({ length: 40 }, () => 'deep')), { recursive: true })
    const { paths, cutShort } = listFilesBelow(project, { inside: makeProjectEnclosure(project) })
    expect(paths).toHaveLength(60)
    expect(cutShort).toBe(false)
  })
})

describe('a version of a project that git has', () => {
  it('is checked out without running what the repository names: filters, a monitor of files, hooks', async () => {
    const world = await makeWorld({ 'project/a.txt': 'text', 'project/.gitattributes': '* filter=x\n' })
    const { root, project } = world
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args])
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'x')
    const evil = `touch '${join(root, 'ran')}'; cat`
    for (const name of ['filter.x.smudge', 'filter.x.clean', 'core.fsmonitor']) git('config', name, evil)
    git('config', 'filter.x.required', 'true')
    await copyVersion({ kind: 'ref', ref: 'HEAD', project }, join(root, 'copy'))
    expect(await readFile(join(root, 'copy', 'a.txt'), 'utf8')).toBe('text')
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })
})
