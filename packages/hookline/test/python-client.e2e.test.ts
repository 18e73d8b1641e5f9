import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { program } from './support/command.ts'

const client = fileURLToPath(new URL('../../../clients/python', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('the client for Python (skipped where there is no python3)', () => {
  it('passes its own tests against the built command, and leaves nothing open', { timeout: 120_000 }, async () => {
    const env = {
      ...process.env,
      HOOKLINE: `'${process.execPath}' '${program}'`,
      HOOKLINE_TRUST: '',
      PYTHONPATH: `${client}/src`,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', `${client}/tests`]
    const { stderr } = await promisify(execFile)('python3', args, { env, timeout: 110_000 })
    expect(stderr).toMatch(/\nRan \d\d tests in [\s\S]*\nOK\n$/)
    expect(stderr).not.toContain('ResourceWarning')
  })
})
