import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hookline, placesOf, program, tooWide } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const PLAIN = { NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }
const FILE = '.claude/hooks/guard.hooktest.yaml'

const REFUSES = `#!/bin/sh
grep -q '"command":"rm ' && { echo 'no rm here' >&2; exit 2; }
exit 0
`

const CASES = `cases:
  - name: refuses rm
    event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: rm x } }
    expect: { decision: { blocked: true } } # the guard
  - name: lets ls through
    event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: ls } }
    expect: { decision: { blocked: false } }
`

function guarded(cases = CASES, script = REFUSES): Promise<World> {
  return makeWorld({
    'project/.claude/hooks/guard.sh': script,
    'project/.claude/settings.json': {
      hooks: { PreToolUse: [commands('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh')] },
    },
    [`project/${FILE}`]: cases,
  })
}

const timeless = (text: string): string => text.replaceAll(/\d+ ms/g, 'N ms')

describe('hookline test', () => {
  it('holds hooks against their cases', async () => {
    const { code, stdout } = await hookline(await guarded(), ['test', '--trust'], { env: PLAIN })
    expect(code).toBe(0)
    expect(timeless(stdout)).toBe(`${FILE}
  pass  refuses rm  N ms
  pass  lets ls through  N ms

2 passed, N ms
`)
  })

  it('shows what was expected and what was seen', async () => {
    const world = await guarded(CASES, '#!/bin/sh\nexit 0\n')
    const { code, stdout } = await hookline(world, ['test', '--trust'], { env: PLAIN })
    expect(code).toBe(1)
    expect(tooWide(stdout)).toEqual([])
    expect(timeless(stdout)).toContain(`  FAIL  refuses rm  N ms
        line 2: decision.blocked
        - true
        + false
        "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh: ran, success, exit 0
`)
  })

  it.each([
    ['tap', /^TAP version 13\n1\.\.2\nok 1 - refuses rm\nok 2 - lets ls through\n$/],
    [
      'junit',
      /<testsuite name="hookline" tests="2" failures="0"[\s\S]*<testcase name="refuses rm" classname="\.claude/,
    ],
    ['json', /^\{"passed":true,"durationMs":[\d.]+,"cases":\[\{"file":"\.claude/],
  ])('reports as %s', async (reporter, expected) => {
    const { code, stdout } = await hookline(await guarded(), ['test', '--trust', '--reporter', reporter], {
      env: PLAIN,
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(expected)
  })

  it('writes what was seen with --update, and passes then', async () => {
    const world = await guarded(CASES, '#!/bin/sh\nexit 0\n')
    expect((await hookline(world, ['test', '--trust', '--update'], { env: PLAIN })).code).toBe(0)
    expect(await readFile(join(world.project, FILE), 'utf8')).toBe(
      CASES.replace('{ decision: { blocked: true } } # the guard', '{ decision: { blocked: false } } # the guard'),
    )
    expect((await hookline(world, ['test', '--trust'], { env: PLAIN })).code).toBe(0)
  })

  it('writes a case from a fired event with --new, and that passes', async () => {
    const world = await guarded()
    const args = ['test', '--new', 'PreToolUse', 'tool_name=Bash', 'tool_input.command=rm -rf /', '--trust']
    const { stdout } = await hookline(world, args, { env: PLAIN })
    expect(stdout).toContain('Wrote a case to .claude/hooks/hooks.hooktest.yaml\n')
    const written = await readFile(join(world.project, '.claude/hooks/hooks.hooktest.yaml'), 'utf8')
    expect(written).toContain('name: PreToolUse Bash rm -rf /\n')
    expect((await hookline(world, ['test', '--trust'], { env: PLAIN })).stdout).toContain('3 passed')
  })

  it('writes a case from the log', async () => {
    const world = await guarded()
    const env = { ...PLAIN, HOOKLINE_LOG: join(world.root, 'log.jsonl') }
    for (const command of ['ls', 'rm -rf build'])
      await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', `tool_input.command=${command}`, '--trust'], {
        env,
      })
    const { stdout } = await hookline(world, ['log', '--text', 'rm -rf', '--to-test'], { env })
    expect(stdout).toContain('- name: PreToolUse Bash rm -rf build\n')
    await put(world, `project/${FILE}`, stdout)
    expect((await hookline(world, ['test', '--trust'], { env: PLAIN })).stdout).toContain('1 passed')
  })

  it('runs the first case that hookline init writes', async () => {
    const world = await makeWorld()
    await hookline(world, ['init', '--event', 'PreToolUse', '--matcher', 'Write|Edit', '--name', 'first'], {
      env: PLAIN,
    })
    const { code, stdout } = await hookline(world, ['test', '--trust'], { env: PLAIN })
    expect(stdout).toContain('pass  first.sh runs and objects to nothing')
    expect(code).toBe(0)
  })

  it.each([
    [['test'], 'are not trusted yet, so they are not run. See hookline trust, or use --trust.'],
    [['test', 'nowhere.hooktest.yaml', '--trust'], 'There is no file'],
    [['test', '--reporter', 'loud', '--trust'], '--reporter must be pretty, json, junit, tap, not "loud".'],
    [['test', '--new', 'Stopp', '--trust'], '"Stopp" is not an event. Did you mean "Stop"?'],
    [['test', '--new', 'Stop', '--file', 'x.yaml', '--trust'], '"x.yaml" must end in .hooktest.yaml'],
  ])('calls %j a mistake', async (args, message) => {
    const { code, stderr } = await hookline(await guarded(), args, { env: PLAIN })
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })

  it('runs again whenever a file changes with --watch, until it is interrupted', async () => {
    const world = await guarded(CASES, '#!/bin/sh\nexit 0\n')
    const args = [program, 'test', '--trust', '--watch', ...placesOf(world, 'test')]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...PLAIN },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    let seen = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text
    })
    await until('the first run', () => seen.includes('1 passed, 1 failed'))
    await put(world, 'project/.claude/hooks/guard.sh', REFUSES)
    await until('the second run', () => seen.includes('2 passed'))
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
