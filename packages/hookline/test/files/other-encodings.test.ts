import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld, put } from '../support/project.ts'

/** A settings file of an editor that writes Latin-1: `name` has a byte that is not UTF-8. */
const LATIN = Buffer.concat([
  Buffer.from('{"name":"caf'),
  Buffer.from([0xe9]),
  Buffer.from('","hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}\n'),
])

const EDITS: Readonly<Record<string, readonly [path: string, ...args: string[]]>> = {
  'hookline add': ['project/.claude/settings.json', 'add', 'Stop', '--command', 'echo two', '--yes'],
  'hookline remove': ['project/.claude/settings.json', 'remove', '--event', 'Stop', '--command', 'true', '--yes'],
  'hookline wrap install': ['project/.claude/settings.json', 'wrap', 'install', '--yes'],
  'hookline tap install': ['project/.claude/settings.json', 'tap', 'install', '--scope', 'project', '--yes'],
  'hookline bridge install': ['home/.gemini/settings.json', 'bridge', 'install', 'gemini', '--yes'],
  'hookline bridge uninstall': ['home/.gemini/settings.json', 'bridge', 'uninstall', 'gemini', '--yes'],
}

describe('a file that is not UTF-8', () => {
  it.each(Object.entries(EDITS))('is left to the byte by %s, which says so', async (_name, [path, ...args]) => {
    const world = await makeWorld()
    const file = await put(world, path, LATIN)
    const { code, stderr } = await hooklineInProcess(world, [...args])
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not UTF-8 text')])
    expect(readFileSync(file).equals(LATIN)).toBe(true)
  })
})
