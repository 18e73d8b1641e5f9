import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ProjectPool } from '../../src/scratch/project-pool.ts'
import { until } from '../support/processes.ts'
import { makeWorld } from '../support/project.ts'

/** A project with files, a script, a folder, a link and a repository. */
async function projectOf() {
  const world = await makeWorld({
    'project/kept.txt': 'kept',
    'project/edited.txt': 'before',
    'project/removed/inner.txt': 'inner',
    'project/run.sh': '#!/bin/sh\n',
    'project/node_modules/x/index.js': 'x',
  })
  await symlink('kept.txt', join(world.project, 'link'))
  execFileSync('git', ['init', '-q', world.project])
  return world
}

it('gives one copy again and again, with what was changed in it put back', async () => {
  const { project } = await projectOf()
  const pool = new ProjectPool(project)
  const places: string[] = []
  const use = (act: (copy: string) => Promise<void>) =>
    pool.use(async ({ project: copy, folder }) => {
      places.push(folder)
      await act(copy)
    })
  await use(async (copy) => {
    await writeFile(join(copy, 'edited.txt'), 'after')
    await writeFile(join(copy, 'new.txt'), 'new')
    await mkdir(join(copy, 'made/deep'), { recursive: true })
    await rm(join(copy, 'removed'), { recursive: true })
    await chmod(join(copy, 'run.sh'), 0o600)
    await rm(join(copy, 'link'))
    await writeFile(join(copy, 'link'), 'a file now')
    await writeFile(join(copy, '.git/HEAD'), 'ref: refs/heads/other\n')
    await writeFile(join(copy, '../transcript.jsonl'), 'beside it')
  })
  await use(async (copy) => {
    expect(await readFile(join(copy, 'edited.txt'), 'utf8')).toBe('before')
    expect(await readFile(join(copy, 'removed/inner.txt'), 'utf8')).toBe('inner')
    expect((await stat(join(copy, 'run.sh'))).mode & 0o111).not.toBe(0)
    expect((await lstat(join(copy, 'link'))).isSymbolicLink()).toBe(true)
    expect(await readFile(join(copy, '.git/HEAD'), 'utf8')).toBe(await readFile(join(project, '.git/HEAD'), 'utf8'))
    for (const gone of ['new.txt', 'made', '../transcript.jsonl'])
      await expect(lstat(join(copy, gone))).rejects.toThrow('ENOENT')
    expect((await lstat(join(copy, 'node_modules'))).isSymbolicLink()).toBe(true)
  })
  await use(async () => {})
  expect(new Set(places).size).toBe(1)
  await pool.close()
})

it.each([
  ['no other copy while one is in use that was dear to make', 0, 1],
  ['a copy for each that needs one at the same time, where these are cheap', 60_000, 3],
])('makes %s', async (_, dearMs, copies) => {
  const { project } = await projectOf()
  const pool = new ProjectPool(project, { dearMs })
  const places = new Set<string>()
  let [now, most] = [0, 0]
  const use = () =>
    pool.use(async ({ folder }) => {
      places.add(folder)
      most = Math.max(most, ++now)
      await until('as many as may be are there', () => most === copies)
      now--
    })
  await Promise.all([use(), use(), use()])
  expect({ most, copies: places.size }).toEqual({ most: copies, copies })
  await pool.close()
})

it('makes a new copy where the project itself was edited meanwhile', async () => {
  const { project } = await projectOf()
  const pool = new ProjectPool(project)
  const places: string[] = []
  await pool.use(async ({ project: copy, folder }) => {
    places.push(folder)
    await writeFile(join(copy, 'edited.txt'), 'by a hook')
    await writeFile(join(project, 'edited.txt'), 'by the user')
  })
  await pool.use(async ({ project: copy, folder }) => {
    places.push(folder)
    expect(await readFile(join(copy, 'edited.txt'), 'utf8')).toBe('by the user')
  })
  expect(new Set(places).size).toBe(2)
  await pool.close()
})
