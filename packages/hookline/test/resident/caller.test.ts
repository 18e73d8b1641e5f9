import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hasReader, type SeenCaller } from '../../src/resident/caller.ts'
import { makeWorld } from '../support/project.ts'

it.runIf(process.platform === 'linux').each([
  ['are both read', ['pipe', 'pipe'], true],
  ['go nowhere', ['ignore', 'pipe'], false],
  ['are the bell, and what was there', ['bell', 'pipe'], true],
  ['are read, and the bell in the place of one that is closed', ['pipe', 'bell'], false],
] as const)('sees who reads the outputs of a shell that rings: they %s', async (_, outputs, isRead) => {
  const { root } = await makeWorld()
  const path = join(root, 'bell')
  execFileSync('mkfifo', [path])
  const bell = openSync(path, constants.O_RDWR)
  const shell = spawn('sleep', ['60'], { stdio: ['ignore', ...outputs.map((one) => (one === 'bell' ? bell : one))] })
  onTestFinished(() => {
    shell.kill()
    closeSync(bell)
  })
  const caller: SeenCaller = { pid: shell.pid ?? 0, began: '', args: [], entry: null, env: {}, cwd: root }
  expect(hasReader(caller, path)).toBe(isRead)
})
