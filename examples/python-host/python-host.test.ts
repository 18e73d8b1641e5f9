import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

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

  it('refuses a call that a hook wants asked about, and says that the hooks of a folder are not trusted', async () => {
    const project = await mkdtemp(join(tmpdir(), 'hookline-python-'))
    onTestFinished(() => rm(project, { recursive: true, force: true }))
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }
    const asking = { type: 'command', command: `echo '${JSON.stringify(answer)}'` }
    await mkdir(join(project, '.claude'))
    const settings = { hooks: { PreToolUse: [{ hooks: [asking] }] } }
    await writeFile(join(project, '.claude/settings.json'), JSON.stringify(settings))
    const script = [
      'import sys',
      'from agent import call',
      'from hookline import Hooks',
      'for flags in [["--trust"], []]:',
      '    with Hooks(sys.argv[1], *flags) as hooks: print(call(hooks, "echo ran")[0])',
    ].join('\n')
    const args = ['-c', script, project]
    const { stdout, stderr } = await promisify(execFile)('python3', args, { env, cwd: path('.'), timeout: 30_000 })
    expect(stdout).toBe('Refused: the user has to be asked\nran\n')
    expect(stderr).toContain('This folder is not trusted yet')
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
