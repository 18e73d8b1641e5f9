import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answering, commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import type { ScriptSource } from '../../src/models/script.ts'
import { linesIn, type Printing, print as printByCommand, runAgent, scripted, transcripts } from '../support/command.ts'
import { print } from '../support/in-process.ts'
import { bash, worldWithHooks } from '../support/opened-agent.ts'

const oneCall: ScriptSource = { turns: [{ text: 'Looking.', tools: [bash('echo out')] }, { text: 'All fine.' }] }

describe('the output', () => {
  it('is the answer alone', async () => {
    expect(await printByCommand({ script: oneCall, args: ['Go', '--allowed-tools', 'Bash'] })).toEqual({
      code: 0,
      stdout: 'All fine.\n',
      stderr: '',
    })
  })

  it('is one result as JSON', async () => {
    const { stdout } = await print({
      script: oneCall,
      args: ['Go', '--allowed-tools', 'Bash', '--output-format', 'json'],
    })
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'All fine.',
      num_turns: 2,
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  it('tells of calls that were refused, whoever did', async () => {
    const tools = [
      bash('touch denied', 'by-rule'),
      bash('touch asked', 'by-ask'),
      bash('touch other', 'by-mode'),
      bash('touch hooked', 'by-hook'),
      bash('echo fine', 'made'),
    ]
    const world = await worldWithHooks({
      PreToolUse: [commands("grep -q hooked && { echo 'not today' >&2; exit 2; } || true")],
    })
    await put(world, 'project/.claude/settings.local.json', {
      permissions: { deny: ['Bash(touch denied)'], ask: ['Bash(touch asked)'], allow: ['Bash(echo:*)'] },
    })
    const script = { turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'Done.' }] }
    const text = await print({ world, script, args: ['Go', '--trust'] })
    expect(text).toMatchObject({ code: 0, stdout: 'Done.\n' })
    const lines = text.stderr.split('\n').filter((line) => line.startsWith('Not run: '))
    expect(lines).toEqual([
      expect.stringMatching(
        /^Not run: Bash \{"command":"touch denied"\}: .*denied by the rule Bash\(touch denied\) of /,
      ),
      expect.stringMatching(
        /^Not run: Bash .*touch asked.*approval is required by the rule.*No rule that allows it lifts/,
      ),
      expect.stringMatching(/^Not run: Bash .*touch other.*in the mode default.*--allowed-tools\.$/),
    ])
    expect(text.stderr).toMatch(/^\[.*\]: not today$/m)
    const json = await print({ world, script, args: ['Go', '--trust', '--output-format', 'json'] })
    const result = JSON.parse(json.stdout)
    expect(result).toMatchObject({ num_tool_calls: 5, subtype: 'success' })
    expect(result.permission_denials).toMatchObject([
      { tool_name: 'Bash', tool_use_id: 'by-rule', tool_input: { command: 'touch denied' } },
      { tool_name: 'Bash', tool_use_id: 'by-ask', tool_input: { command: 'touch asked' } },
      { tool_name: 'Bash', tool_use_id: 'by-mode', message: expect.stringContaining('--allowed-tools') },
      { tool_name: 'Bash', tool_use_id: 'by-hook', message: expect.stringContaining('not today') },
    ])
    const stream = await print({ world, script, args: ['Go', '--trust', '--output-format', 'stream-json'] })
    expect(linesIn(stream.stdout).at(-1)?.permission_denials).toHaveLength(4)
  })

  it('is everything that happens as JSON lines, hooks included, and the result last', async () => {
    const { stdout } = await printByCommand({
      world: await worldWithHooks({
        PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 0', statusMessage: 'looking at it' }] }],
        Stop: [commands(answering({ systemMessage: 'one more thing' }))],
      }),
      script: oneCall,
      args: ['Go', '--allowed-tools', 'Bash', '--trust', '--output-format', 'stream-json'],
    })
    const lines = linesIn(stdout)
    expect(lines[0]).toMatchObject({ type: 'system', subtype: 'init', source: 'startup', model: 'script:turns.json' })
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'All fine.' })
    expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(1)
    const told = lines.map(({ type, subtype = '', hook_event = '' }) => [type, subtype, hook_event].join(' ').trim())
    expect(told).toEqual([
      'system init',
      'system hook_decision SessionStart',
      'system hook_decision UserPromptSubmit',
      'user',
      'system hook_decision MessageDisplay',
      'assistant',
      'system hook_started PreToolUse',
      'system hook_progress PreToolUse',
      'system hook_result PreToolUse',
      'system hook_decision PreToolUse',
      'system hook_decision PostToolUse',
      'user',
      'system hook_decision PostToolBatch',
      'system hook_decision MessageDisplay',
      'assistant',
      'system hook_started Stop',
      'system hook_result Stop',
      'system hook_decision Stop',
      'system told',
      'system told',
      'system hook_decision SessionEnd',
      'result success',
    ])
    expect(lines).toContainEqual(expect.objectContaining({ subtype: 'told', to: 'user', text: 'one more thing' }))
  })

  it('holds no control characters of a model or a hook', async () => {
    const world = await worldWithHooks({ Stop: [commands(answering({ systemMessage: 'a\u001b]0;b\u0007c' }))] })
    const { stdout, stderr } = await print({ world, script: { turns: [{ text: 'd\u001b[2Je' }] } })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe('the prompt', () => {
  const echoed = async ({ args, input }: Pick<Printing, 'args' | 'input'>): Promise<unknown> => {
    const world = await makeWorld()
    await print({ world, ...(args ? { args } : {}), ...(input === undefined ? {} : { input }) })
    return transcripts(world)[0]?.flatMap(({ type, message }) => (type === 'user' ? [Object(message).content] : []))
  }

  it('is the argument, standard input, or both', async () => {
    expect(await echoed({ args: ['Explain', 'this'] })).toEqual(['Explain this'])
    expect(await echoed({ args: [], input: 'From a pipe\n' })).toEqual(['From a pipe'])
    expect(await echoed({ args: ['Explain'], input: 'a file\n' })).toEqual(['Explain\n\na file'])
  })

  it('is missed when there is none', async () => {
    expect(await print({ args: [] })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^hookline-agent: There is no prompt/),
    })
  })
})

describe('--fail-closed', () => {
  it.each([
    ['fails', { type: 'command', command: 'exit 1' }],
    ['times out', { type: 'command', command: 'sleep 30', timeout: 0.2 }],
    ['cannot run here', { type: 'http', url: 'http://127.0.0.1:1/' }],
  ])('refuses a call whose guard %s, and without it the call is made', async (_how, guard) => {
    const world = await worldWithHooks({ PreToolUse: [{ matcher: 'Bash', hooks: [guard] }] })
    const script = { turns: [{ tools: [bash('touch made')] }, { text: 'Done.' }] }
    const args = ['Go', '--trust', '--allowed-tools', 'Bash']
    const closed = await print({ world, script, args: [...args, '--fail-closed'] })
    expect(closed).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(closed.stderr).toContain('the hook failed and its scope fails closed')
    expect(existsSync(join(world.project, 'made'))).toBe(false)
    expect((await print({ world, script, args })).stderr).not.toContain('fails closed')
    expect(existsSync(join(world.project, 'made'))).toBe(true)
  })
})

describe('--guards', () => {
  it('refuses what the guards refuse, and without it the call is made', async () => {
    const world = await worldWithHooks({})
    await put(
      world,
      'home/.hookline/guards.json',
      JSON.stringify({ places: { system: [join(world.project, 'marked')] } }),
    )
    const script = { turns: [{ tools: [bash('touch marked'), bash('touch plain')] }, { text: 'Done.' }] }
    const args = ['Go', '--trust', '--allowed-tools', 'Bash']
    const guarded = await print({ world, script, args: [...args, '--guards'] })
    expect(guarded).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(guarded.stderr).toContain('system: writes marked')
    expect(existsSync(join(world.project, 'marked'))).toBe(false)
    expect(existsSync(join(world.project, 'plain'))).toBe(true)
    await print({ world, script, args })
    expect(existsSync(join(world.project, 'marked'))).toBe(true)
  })
})

describe('a session', () => {
  it('goes on with --continue and --resume: what was said is there, and SessionStart fires once', async () => {
    const world = await worldWithHooks({ SessionStart: [{ matcher: 'resume', ...commands('echo resumed >>started') }] })
    const first = await print({ world, args: ['First', '--trust', '--output-format', 'json'] })
    const { session_id } = JSON.parse(first.stdout)
    await print({ world, args: ['Second', '--trust', '--continue'] })
    const third = await print({ world, args: ['Third', '--trust', '--resume', session_id, '--output-format', 'json'] })
    expect(JSON.parse(third.stdout)).toMatchObject({ session_id, result: 'done' })
    expect(readFileSync(join(world.project, 'started'), 'utf8')).toBe('resumed\nresumed\n')
    const said = transcripts(world).map((lines) =>
      lines.flatMap(({ type, message }) => (type === 'user' ? [Object(message).content] : [])),
    )
    expect(said).toEqual([['First', 'Second', 'Third']])
  })

  it('that goes on with --continue does not run a once hook again that has run', async () => {
    const hook = 'hooks:\n  Stop:\n    - hooks:\n        - { type: command, once: true, command: echo ran >>stopped }'
    const world = await makeWorld({ 'project/.claude/commands/ship.md': `---\n${hook}\n---\nShip it.\n` })
    await print({ world, args: ['/ship', '--trust'] })
    await print({ world, args: ['/ship', '--trust', '--continue'] })
    expect(readFileSync(join(world.project, 'stopped'), 'utf8')).toBe('ran\n')
    await print({ world, args: ['/ship', '--trust'] })
    expect(readFileSync(join(world.project, 'stopped'), 'utf8')).toBe('ran\nran\n')
  })

  it('that is asked for and is not there is a mistake', async () => {
    expect(await print({ args: ['Go', '--continue'] })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no earlier session/),
    })
    expect(await print({ args: ['Go', '--resume', 'nope'] })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no session "nope"/),
    })
    expect(await print({ args: ['Go', '--resume', 'nope', '--continue'] })).toMatchObject({ code: 1 })
  })

  it('ends at once with /exit and /logout, and asks no model', async () => {
    const script = { turns: [{ error: 'the model was asked' }] }
    expect(await print({ script, args: ['/exit'] })).toMatchObject({ code: 0, stdout: 'Bye.\n' })
    expect(await print({ script, args: ['/logout'] })).toMatchObject({ code: 0, stdout: 'Signed out.\n' })
  })
})

describe('the hooks of a folder', () => {
  const hooks = { Stop: [commands('touch ran')] }

  it('that was never accepted do not run, and standard error says so', async () => {
    const world = await worldWithHooks(hooks)
    const { code, stderr } = await print({ world, args: ['Go'] })
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /This folder is not trusted yet, or has changed since: nothing that it configures runs \(\.claude\/settings\.json\)/,
    )
    expect(stderr).toMatch(/hookline trust accept/)
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })

  it('run with --trust, for this run only', async () => {
    const world = await worldWithHooks(hooks)
    expect(await print({ world })).toMatchObject({ code: 0, stderr: '' })
    await rm(join(world.project, 'ran'))
    await print({ world, args: ['Go'] })
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })

  it('are not missed where there are none', async () => {
    expect(await print({ args: ['Go'] })).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
  })
})

describe('the exit code', () => {
  it('is 2 when a hook stops the run, and its reason is said once', async () => {
    const world = await worldWithHooks({ Stop: [commands(answering({ continue: false, stopReason: 'lunch break' }))] })
    expect(await printByCommand({ world })).toEqual({ code: 2, stdout: '', stderr: 'lunch break\n' })
    const { code, stdout } = await print({ world, args: ['Go', '--trust', '--output-format', 'json'] })
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'error_stopped_by_hook',
      is_error: true,
      result: 'lunch break',
    })
    expect(transcripts(world)[0]?.at(-1)).toMatchObject({ type: 'result', subtype: 'error_stopped_by_hook' })
  })

  it('is 2 when a hook drops the prompt, or halts a compaction', async () => {
    const blocked = await print({
      world: await worldWithHooks({ UserPromptSubmit: [commands('echo no >&2; exit 2')] }),
    })
    expect(blocked).toMatchObject({ code: 2, stderr: expect.stringContaining('Original prompt: Go') })
    const halted = await worldWithHooks({ PreCompact: [commands(answering({ continue: false }))] })
    expect(await print({ world: halted, args: ['/compact', '--trust'] })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Stopped by hook'),
    })
  })

  it('is 1 when the model fails, with what it had said kept', async () => {
    const world = await makeWorld()
    const script = { turns: [{ text: 'I was about to', error: 'The provider is overloaded.' }] }
    expect(await print({ world, script })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The provider is overloaded.\n',
    })
    expect(JSON.stringify(transcripts(world)[0])).toContain('I was about to')
  })

  it('is 1 for a policy file that cannot be read, and nothing runs', async () => {
    const world = await worldWithHooks({ SessionStart: [commands('touch ran')] }, { 'managed.json': '{ no json' })
    const { code, stderr } = await print({ world })
    expect(code).toBe(1)
    expect(stderr).toContain('managed.json')
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })
})

describe('hooks in the background, in print mode', () => {
  const inBackground = (command: string) => ({ hooks: [{ type: 'command', command, async: true }] })

  it.each(['Stop', 'SessionEnd'])('of %s run to their end, and what they say is told', async (event) => {
    const world = await worldWithHooks({
      [event]: [inBackground(`sleep 0.3; touch finished; ${answering({ systemMessage: 'checked at last' })}`)],
    })
    const { code, stdout, stderr } = await print({ world, script: { turns: [{ text: 'Hello.' }] } })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello.\n', stderr: 'checked at last\n' })
    expect(existsSync(join(world.project, 'finished'))).toBe(true)
  })

  it('of current wake the model when they object and ask for it', async () => {
    const command = "test -e told && exit 0; touch told; echo 'the tests are red' >&2; exit 2"
    const hooks = [{ type: 'command', command, async: true, asyncRewake: true }]
    const world = await worldWithHooks({ Stop: [{ hooks }] })
    const script = { turns: [{ text: 'Done.' }, { text: 'Now they are green.' }] }
    const args = ['Go', '--trust', '--profile', 'current']
    expect(await print({ world, script, args })).toMatchObject({ code: 0, stdout: 'Now they are green.\n' })
    expect(JSON.stringify(transcripts(world)[0])).toContain('the tests are red')
  })
})

describe('the prompt, in print mode', () => {
  it('is standard input where that is not a terminal, also without -p', async () => {
    const world = await makeWorld()
    const model = await scripted(world, { turns: [{ text: 'Hello.' }] })
    const { code, stdout } = await runAgent(world, { args: model, input: 'Say hello' })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' })
    expect(JSON.stringify(transcripts(world)[0])).toContain('Say hello')
  })

  it('comes after what a SessionStart hook of current wants to be asked first', async () => {
    const first = { hookSpecificOutput: { hookEventName: 'SessionStart', initialUserMessage: 'Look around first' } }
    const world = await worldWithHooks({ SessionStart: [commands(answering(first))] })
    const script = { turns: [{ text: 'One lamp.' }, { text: 'Counted.' }] }
    const args = ['Count', '--trust', '--profile', 'current']
    expect(await print({ world, script, args })).toMatchObject({ code: 0, stdout: 'Counted.\n' })
    expect(JSON.stringify(transcripts(world)[0])).toMatch(/Look around first.*One lamp\..*Count.*Counted\./)
  })
})
