import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { program } from './support/command.ts'
import { makeWorld } from './support/project.ts'

const client = fileURLToPath(new URL('../../../clients/python', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('the client for Python (skipped where there is no python3)', () => {
  it('passes its own tests against the built command, and leaves nothing open', { timeout: 400_000 }, async () => {
    const env = {
      ...process.env,
      HOOKLINE: `'${process.execPath}' '${program}'`,
      HOOKLINE_TRUST: '',
      PYTHONPATH: `${client}/src:${client}/tests`,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', `${client}/tests`]
    const { stderr } = await promisify(execFile)('python3', args, { env, timeout: 390_000 })
    expect(stderr).toMatch(/\nRan \d\d tests in [\s\S]*\nOK(?: \(skipped=\d+\))?\n$/)
    expect(stderr).not.toContain('ResourceWarning')
  })

  it('makes a hook of the program that the page shows', async () => {
    const page = await readFile(new URL('../../../docs/hooks-in-python.md', import.meta.url), 'utf8')
    const [, source = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? []
    const world = await makeWorld({ 'project/.claude/hooks/guard.py': source })
    const runHook = (command: string) =>
      spawnSync('python3', [join(world.root, 'project/.claude/hooks/guard.py')], {
        input: JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }),
        env: { ...process.env, PYTHONPATH: `${client}/src` },
        encoding: 'utf8',
      })
    expect(JSON.parse(runHook('git push --force').stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    expect(JSON.parse(runHook('git push').stdout).hookSpecificOutput.permissionDecision).toBe('ask')
    expect(runHook('ls')).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })
})
