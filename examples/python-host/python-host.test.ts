import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('a host in Python (skipped where there is no python3)', () => {
  const HOOKLINE = `'${process.execPath}' '${path('../../packages/hookline/bin/hookline.js')}'`
  const env = { ...process.env, HOOKLINE, HOME: '/nonexistent', PYTHONDONTWRITEBYTECODE: '1' }

  it('refuses, runs and fails calls, hears background hooks, and stops', async () => {
    const { stdout, stderr } = await promisify(execFile)('python3', [path('agent.py')], { env, timeout: 30_000 })
    expect(stderr).toBe('')
    expect(stdout).toBe(`context: Lamps are green here.
rm -rf lamps
  Refused: name the files instead
echo "The lamp is $COLOUR"
  The lamp is green
false
  Command '['bash', '-c', 'false']' returned non-zero exit status 1.
shutdown now
  Not run.
The turn ends: This machine stays on
late: The command printed 18 characters.
`)
  })

  it('is told what is wrong with a line, and when the session has ended', async () => {
    const script = [
      'from hookline import Hooks, HooklineError',
      'with Hooks(".") as hooks:',
      '    try: hooks.fire("PreToolUse")',
      '    except HooklineError as error: print(error)',
      '    print(hooks.fire("Stop", stop_hook_active=False)["blocked"])',
      'with Hooks(".", "--no-such-flag") as hooks:',
      '    try: hooks.fire("Stop")',
      '    except HooklineError as error: print(error)',
    ].join('\n')
    const { stdout } = await promisify(execFile)('python3', ['-c', script], { env, cwd: path('.'), timeout: 30_000 })
    expect(stdout).toBe(`PreToolUse: tool_name is missing.
False
hookline session ended with code 1; stderr says why.
`)
  })
})
