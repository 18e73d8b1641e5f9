import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answering, commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { print, runAgent } from '../support/in-process.ts'
import { bash, worldWithHooks } from '../support/opened-agent.ts'

beforeAll(() => void vi.stubEnv('TMPDIR', '/tmp')) // a short name: what is printed is broken into lines
afterAll(() => void vi.unstubAllEnvs())

describe('the arguments', () => {
  it.each([
    [['Go', '--no-such-flag'], /no-such-flag/],
    [['Go', '--output-format', 'xml'], /--output-format is text, json or stream-json, not "xml"/],
    [
      ['Go', '--permission-mode', 'yolo'],
      /--permission-mode is one of default, plan, acceptEdits, auto, dontAsk, bypassPermissions/,
    ],
    [['Go', '--fork-session'], /--fork-session needs a session: add --continue or --resume ID\./],
    [['Go', '--init', '--maintenance'], /--init and --maintenance exclude each other\./],
    [['Go', '--worktree', '../x', '--trust'], /"\.\.\/x" is not a valid name for a worktree/],
    [['Go', '--worktree', 'x'], /Error creating worktree: .*not a git repository/],
    [['Go', '--max-turns', 'many'], /--max-turns is a whole number above 0/],
    [['Go', '--debug', 'everything'], /"everything" is not a category of --debug\. Categories: hooks, api\./],
    [['Go', '--allowed-tools', 'Bash('], /is not a valid rule/],
    [['Go', '--settings', 'none.json'], /none\.json does not exist/],
    [['Go', '--profile', 'modern'], /There is no profile "modern"\. Profiles: classic, current\./],
  ])('%j are a mistake that is explained in a line', async (args, words) => {
    const { code, stdout, stderr } = await print({ args })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(words)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('--profile current ends a run at a call that a hook defers, and --resume asks hooks again', async () => {
    const defer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }
    const world = await worldWithHooks({ PreToolUse: [commands(`test -e decided || ${answering(defer)}`)] })
    const args = ['--trust', '--profile', 'current', '--output-format', 'json', '--allowed-tools', 'Bash']
    const script = { turns: [{ tools: [bash('touch mark')] }] }
    const first = await print({ world, script, args: ['Go', ...args] })
    const result = JSON.parse(first.stdout)
    expect([first.code, result]).toMatchObject([
      0,
      {
        subtype: 'success',
        is_error: false,
        stop_reason: 'tool_deferred',
        deferred_tool_use: { id: 'toolu_1', name: 'Bash', input: { command: 'touch mark' } },
      },
    ])
    expect(first.stderr).toContain('Bash is left open')
    expect(existsSync(join(world.project, 'mark'))).toBe(false)
    await put(world, 'project/decided', '')
    const again = ['Go on', ...args, '--resume', result.session_id]
    const later = await print({ world, script: { turns: [{ text: 'Marked.' }] }, args: again })
    expect(JSON.parse(later.stdout)).toMatchObject({ result: 'Marked.' })
    expect(existsSync(join(world.project, 'mark'))).toBe(true)
  })

  it('--max-turns ends a run that takes longer', async () => {
    const script = { turns: [{ tools: [bash('true')] }, { tools: [bash('true')] }] }
    const { code, stderr } = await print({ script, args: ['Go', '--allowed-tools', 'Bash', '--max-turns', '1'] })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Stopped after 1 turns, as many as were allowed.\n' })
  })

  it('--allowed-tools and --disallowed-tools take rules, with commas or one by one', async () => {
    const world = await makeWorld()
    const tools = [bash('echo a, b', 'a'), bash('touch mark', 'b'), bash('rm mark', 'c')]
    const args = [
      'Go',
      '--allowed-tools',
      'Bash(echo:*),Bash(touch:*)',
      '--allowed-tools',
      'Bash(rm:*)',
      '--disallowed-tools',
      'Bash(rm:*)',
    ]
    await print({ world, script: { turns: [{ tools }] }, args })
    expect(existsSync(join(world.project, 'mark'))).toBe(true)
  })

  it('--permission-mode plan runs nothing that changes something, bypassPermissions everything', async () => {
    for (const [mode, there] of [
      ['plan', false],
      ['default', false],
      ['bypassPermissions', true],
    ] as const) {
      const world = await makeWorld()
      await print({
        world,
        script: { turns: [{ tools: [bash('touch mark')] }] },
        args: ['Go', '--permission-mode', mode],
      })
      expect(existsSync(join(world.project, 'mark'))).toBe(there)
    }
  })

  it('--settings adds hooks for one run', async () => {
    const world = await makeWorld()
    const own = await put(world, 'own.json', { hooks: { Stop: [commands(answering({ systemMessage: 'own hook' }))] } })
    expect(await print({ world, args: ['Go', '--settings', own] })).toMatchObject({ code: 0, stderr: 'own hook\n' })
  })

  it('--plugin adds the hooks of a plugin', async () => {
    const hooks = { Stop: [commands('echo "from $(basename "$CLAUDE_PLUGIN_ROOT")" >&2; exit 1')] }
    const world = await makeWorld({ 'plugins/lamp/hooks/hooks.json': { hooks } })
    const { stderr } = await print({ world, args: ['Go', '--plugin', join(world.root, 'plugins/lamp')] })
    expect(stderr).toBe('Failed with non-blocking status code: from lamp\n')
  })

  it('--debug hooks,api logs both on standard error', async () => {
    const world = await worldWithHooks({ Stop: [commands('true')] })
    const script = { turns: [{ text: 'Hello.', usage: { inputTokens: 12, outputTokens: 3 } }] }
    const both = await print({ world, script, args: ['Go', '--trust', '--debug', 'hooks,api'] })
    expect(both.stdout).toBe('Hello.\n')
    expect(both.stderr).toMatch(/^\[DEBUG\] Asking script:turns\.json: 1 messages, \d+ tools$/m)
    expect(both.stderr).toMatch(/^\[DEBUG\] script:turns\.json answered in \d+ ms: 12 tokens in, 3 out$/m)
    expect(both.stderr).toMatch(/^\[DEBUG\] Executing hooks for Stop/m)
    const api = await print({
      world,
      script: { turns: [{ error: 'over\nloaded' }] },
      args: ['Go', '--trust', '--debug', 'api'],
    })
    expect(api.stderr).toMatch(/^\[WARN\] script:turns\.json failed after \d+ ms: over\\nloaded$/m)
    expect(api.stderr).not.toContain('Executing hooks')
  })

  it.each([
    [['--debug', '-p', 'Go', '--trust']],
    [['-p', 'Go', '--trust', '--debug']],
    [['-p', '--trust', '--debug', 'Go on, please']],
    [['-p', 'Go', '--trust', '--debug=']],
  ])('%j logs everything', async (args) => {
    const world = await worldWithHooks({ Stop: [commands('true')] })
    const { stdout, stderr } = await runAgent(world, {
      args: [...args, '--model', `script:${await put(world, 'turns.json', { turns: [{ text: 'Hello.' }] })}`],
    })
    expect(stdout).toBe('Hello.\n')
    expect(stderr).toMatch(/^\[DEBUG\] Asking script:/m)
    expect(stderr).toMatch(/^\[DEBUG\] Executing hooks for Stop/m)
  })

  it('say what to do where no model is configured, and that nothing was answered', async () => {
    const world = await worldWithHooks({ SessionStart: [commands('touch started')] })
    for (const format of ['text', 'json', 'stream-json']) {
      const { code, stdout, stderr } = await runAgent(world, {
        args: ['-p', 'Go', '--trust', '--output-format', format],
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^hookline-agent: No model is configured.*ANTHROPIC_API_KEY.*--model/)
    }
    expect(existsSync(join(world.project, 'started'))).toBe(false)
  })

  it('--help and --version say what it is', async () => {
    const world = await makeWorld()
    const help = await runAgent(world, { args: ['--help'] })
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^hookline-agent: /) })
    expect(await runAgent(world, { args: ['--version'] })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})
