import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeResident } from '../../src/resident/standing.ts'
import { makeWorld } from '../support/project.ts'

const env = { PATH: process.env.PATH }

it.runIf(process.platform === 'linux').each([
  ['may be written by others', (path: string) => chmodSync(mkdirSync(path, { recursive: true }) ?? '', 0o777)],
  ['is not a folder', (path: string) => writeFileSync(path, '')],
  ['is not a folder', (path: string) => symlinkSync('/tmp', path)],
])('says that no call can be left where its folder %s', async (why, spoil) => {
  const { home } = await makeWorld({ 'home/.hookline/bin/hookline': '' })
  expect(describeResident(home, env)).toEqual({ state: 'not running', text: 'the next call of an agent starts it' })
  const path = join(home, '.hookline/resident')
  spoil(path)
  expect(describeResident(home, env)).toEqual({ state: 'off', text: `${path} ${why}: every event starts Node` })
})

it.runIf(process.platform === 'linux').each(['setsid', 'mkfifo'])(
  'says that nothing starts without %s',
  async (name) => {
    const { root, home } = await makeWorld({ 'home/.hookline/bin/hookline': '' })
    const other = { setsid: 'mkfifo', mkfifo: 'setsid' }[name] ?? ''
    mkdirSync(join(root, 'bin'))
    symlinkSync('/bin/true', join(root, 'bin', other))
    expect(describeResident(home, { PATH: `${join(root, 'bin')}:${root}` })).toEqual({
      state: 'off',
      text: `there is no ${name} on the PATH: every event starts Node`,
    })
  },
)
