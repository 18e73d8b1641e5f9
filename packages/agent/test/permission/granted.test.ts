import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { readGrantedRules, rememberGranted } from '../../src/permission/granted.ts'

const STORE = '.hookline/granted.json'

describe('the rules that a person gave a folder', () => {
  it('are remembered for that folder alone, in a file that nobody else can read or write', async () => {
    const world = await makeWorld()
    const other = { ...world, project: world.root }
    expect(await rememberGranted(world, ['Bash(ls:*)'])).toBeNull()
    expect(await rememberGranted(world, ['Bash(ls:*)', 'Edit'])).toBeNull()
    expect(await rememberGranted(other, ['Read'])).toBeNull()
    expect([...(await readGrantedRules(world))]).toEqual(['Bash(ls:*)', 'Edit'])
    expect([...(await readGrantedRules(other))]).toEqual(['Read'])
    expect((await stat(join(world.home, STORE))).mode & 0o777).toBe(0o600)
    expect((await stat(join(world.home, '.hookline'))).mode & 0o777).toBe(0o700)
  })

  it('are remembered in a folder that others could write before', async () => {
    const world = await makeWorld()
    await mkdir(join(world.home, '.hookline'))
    await chmod(join(world.home, '.hookline'), 0o777)
    await rememberGranted(world, ['Edit'])
    expect([...(await readGrantedRules(world))]).toEqual(['Edit'])
    expect((await stat(join(world.home, '.hookline'))).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['others may write', (home: string) => chmod(join(home, STORE), 0o666)],
    ['its group may write', (home: string) => chmod(join(home, STORE), 0o620)],
    ['is in a folder that others may write', (home: string) => chmod(join(home, '.hookline'), 0o777)],
    [
      'is a link',
      async (home: string) => {
        await rename(join(home, STORE), join(home, 'elsewhere.json'))
        await symlink(join(home, 'elsewhere.json'), join(home, STORE))
      },
    ],
    ['is not JSON', (home: string) => writeFile(join(home, STORE), '{"')],
    ['has another shape', (home: string) => writeFile(join(home, STORE), '{"/": 7}')],
  ])('are not believed when the file %s', async (_what, spoil) => {
    const world = await makeWorld()
    await rememberGranted(world, ['Bash'])
    await spoil(world.home)
    expect([...(await readGrantedRules(world))]).toEqual([])
    const before = await readFile(join(world.home, 'elsewhere.json'), 'utf8').catch(() => '')
    expect(await rememberGranted(world, ['Edit'])).toBeNull()
    expect([...(await readGrantedRules(world))]).toContain('Edit')
    expect(await readFile(join(world.home, 'elsewhere.json'), 'utf8').catch(() => '')).toBe(before)
  })

  it('are told when they cannot be remembered', async () => {
    const world = await makeWorld({ 'home/.hookline': 'a file where a folder should be' })
    expect(await rememberGranted(world, ['Edit'])).toMatch(/\.hookline is not a folder; nothing was written\.$/)
  })
})
