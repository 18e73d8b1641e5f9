import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { judgeHere, openSurroundings } from '../../src/guards/surroundings.ts'
import { makeWorld, put } from '../support/project.ts'

/** Ways to write a home and a project: by a link on the way, with `..` in it, with a slash too many. */
const SPELLINGS: readonly ((path: string, root: string) => string)[] = [
  (path) => path,
  (path, root) => path.replace(root, join(root, 'linked')),
  (path, root) => path.replace(root, `${root}/project/..`),
  (path) => `${path}/`,
  (path) => `/${path}`,
]

it.each(SPELLINGS.map((spell) => [String(spell), spell]))(
  'judges alike where home and project are written as %s',
  async (_, spell) => {
    const world = await makeWorld({
      'home/Documents/notes.txt': 'notes',
      'project/dist/a.js': '',
    })
    const { root, home, project } = world
    mkdirSync(join(project, '.git'))
    symlinkSync(root, join(root, 'linked'))
    const allow = [{ guard: 'delete', path: '~/scratch/**', reason: 'experiments' }]
    await put(world, 'home/.hookline/guards.json', JSON.stringify({ allow }))
    const [asHome, asProject] = [spell(home, root), spell(project, root)]
    const here = await openSurroundings({ folder: asProject, home: asHome, managed: '', now: Date.now() })
    const judge = (command: string) => judgeHere(here, { tool: 'Bash', input: { command } }).answer
    for (const there of ['~', `'${home}'`, `'${asHome}'`])
      expect([there, judge(`rm -rf ${there}/Documents`)]).toEqual([there, 'deny'])
    expect(judge('rm -rf ~')).toBe('deny')
    expect(judge('echo x >> ~/.bashrc')).toBe('deny')
    expect(judge('rm -rf ~/scratch/a')).toBe('pass')
    for (const there of ['.', `'${project}'`, `'${asProject}'`])
      expect([there, judge(`rm -rf ${there}/dist`)]).toEqual([there, 'pass'])
    expect(judge('find . -name "*.log" -delete')).toBe('pass')
  },
)
