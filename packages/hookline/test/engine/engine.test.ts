import { writeFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Progress } from '../../src/index.ts'
import { processesWith, until } from '../support/processes.ts'
import { answering, bashCall, commands, engineWith, makeWorld, openOn, put } from '../support/project.ts'

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const

describe('following an event', () => {
  it('tells what starts, its status message, what ended, and last the record', async () => {
    const hook = { type: 'command', command: 'echo done', statusMessage: 'looking' }
    const engine = await engineWith({ Stop: [{ hooks: [hook] }] })
    const told: Progress[] = []
    for await (const progress of engine.stream(stop)) told.push(progress)
    expect(told).toMatchObject([
      { type: 'hook_started', hook: 'project:Stop:0:0' },
      { type: 'hook_progress', hook: 'project:Stop:0:0', statusMessage: 'looking' },
      { type: 'hook_result', line: { verdict: 'ran', exitCode: 0 } },
      { type: 'decision', record: { event: 'Stop', hooks: [{ outcome: 'success' }] } },
    ])
  })

  it('ends the hooks when the follower leaves', async () => {
    const token = `leaving-${process.pid}`
    const engine = await engineWith({ Stop: [commands('sleep 20')] }, { env: { ...process.env, TOKEN: token } })
    for await (const progress of engine.stream(stop)) if (progress.type === 'hook_started') break
    await until('no process is left', () => processesWith(token).length === 0)
  })

  it('rejects an input that is no event, before anything runs', async () => {
    const engine = await engineWith({ PreToolUse: [commands('true')] })
    const noTool = { hook_event_name: 'PreToolUse' as string }
    await expect(engine.dispatch(noTool)).rejects.toThrow('PreToolUse: tool_name is missing.')
    await expect(async () => {
      for await (const _ of engine.stream(noTool)) throw new Error('told something')
    }).rejects.toThrow('PreToolUse: tool_name is missing.')
    await expect(engine.dispatch({ hook_event_name: 'PreToolUses' as string })).rejects.toThrow(
      'Did you mean "PreToolUse"?',
    )
  })
})

describe('aborting', () => {
  it('resolves as cancelled and leaves no process', async () => {
    const token = `aborting-${process.pid}`
    const engine = await engineWith(
      { Stop: [commands('sleep 20 & sleep 21')] },
      { env: { ...process.env, TOKEN: token } },
    )
    const host = new AbortController()
    const dispatched = engine.dispatch(stop, { signal: host.signal })
    await until('the hook runs', () => processesWith(token).length >= 3)
    host.abort()
    expect(await dispatched).toMatchObject({
      decision: { blocked: false },
      hooks: [{ outcome: 'cancelled', timedOut: false }],
    })
    await until('no process is left', () => processesWith(token).length === 0)
  })

  it('starts nothing when it came first', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('touch ran')] } } })
    const engine = await openOn(world)
    const { hooks } = await engine.dispatch(stop, { signal: AbortSignal.abort() })
    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'cancelled' }])
    await expect(stat(join(world.project, 'ran'))).rejects.toThrow('ENOENT')
  })
})

describe('function hooks', () => {
  it('answer with the same object that a command prints', async () => {
    const engine = await engineWith({})
    await engine.on(
      'PreToolUse',
      ({ tool_input }) => ({ decision: 'block', reason: `not ${JSON.stringify(tool_input)}` }),
      {
        matcher: 'Bash',
      },
    )
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ permission: 'deny', reason: 'not {"command":"ls"}' })
    expect(hooks).toMatchObject([
      { id: 'session:PreToolUse:0:0', scope: 'session', type: 'function', file: null, line: null },
    ])
  })

  it('may answer with text or with nothing', async () => {
    const engine = await engineWith({})
    await engine.on('UserPromptSubmit', () => '  it is Monday ')
    await engine.on('UserPromptSubmit', () => undefined)
    const { decision } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })
    expect(decision.context).toEqual(['it is Monday'])
    expect(decision.contextFrom).toEqual([{ hook: 'session:UserPromptSubmit:0:0', kind: 'stdout' }])
  })

  it('fail alone when they throw, and are ended at their timeout', async () => {
    const engine = await engineWith({})
    let aborted = false
    await engine.on('Stop', () => {
      throw new Error('out of cheese')
    })
    await engine.on(
      'Stop',
      (_input, { signal }) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))),
      {
        timeout: 0.05,
      },
    )
    await engine.on('Stop', async () => ({ decision: 'block', reason: 'still here' }))
    const { decision, hooks } = await engine.dispatch(stop)
    expect(hooks).toMatchObject([
      { outcome: 'non_blocking_error' },
      { outcome: 'cancelled', timedOut: true },
      { outcome: 'blocking' },
    ])
    expect(decision).toMatchObject({ blocked: true, reason: 'still here' })
    expect(decision.messages[0]).toMatchObject({ to: 'user', text: expect.stringContaining('out of cheese') })
    expect(aborted).toBe(true)
  })

  it('are gone when they are removed, and belong to their loop', async () => {
    const engine = await engineWith({})
    const main = await engine.on('PreToolUse', () => ({}))
    await engine.on('PreToolUse', () => ({}), { agent: 'a-1' })
    const seen = async (event: object) => (await engine.dispatch({ ...bashCall, ...event })).hooks.map(({ id }) => id)
    expect(await seen({})).toEqual(['session:PreToolUse:0:0'])
    expect(await seen({ agent_id: 'a-1' })).toEqual(['session:PreToolUse:1:0'])
    main.remove()
    expect(await seen({})).toEqual([])
  })

  it('do not share what they do to the event', async () => {
    const engine = await engineWith({})
    await engine.on('Stop', (input) => {
      ;(input as Record<string, unknown>).stop_hook_active = true
    })
    await engine.on('Stop', ({ stop_hook_active }) => ({ systemMessage: String(stop_hook_active) }))
    const { hooks, decision } = await engine.dispatch(stop)
    expect(hooks[0]).toMatchObject({ outcome: 'non_blocking_error' })
    expect(decision.messages.map(({ text }) => text)).toContain('false')
  })
})

describe('session hooks', () => {
  it('are written as in a settings file; a bad entry is reported and the others run', async () => {
    const engine = await engineWith({})
    const { problems } = await engine.register({
      Stop: [commands('true'), { hooks: [{ type: 'banana' as 'command', command: 'true' }] }],
    })
    expect(problems).toMatchObject([{ rule: 'V-HK-05' }])
    const { hooks } = await engine.dispatch(stop)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'invalid'])
  })

  it('obey managed switches only', async () => {
    const lines = async (files: Record<string, object>) => {
      const engine = await openOn(await makeWorld(files))
      await engine.on('Stop', () => ({}))
      return (await engine.dispatch(stop)).hooks.map(({ verdict }) => verdict)
    }
    expect(await lines({ 'project/.claude/settings.json': { disableAllHooks: true } })).toEqual(['ran'])
    expect(await lines({ 'managed.json': { allowManagedHooksOnly: true } })).toEqual(['policy-off'])
  })
})

describe('failing closed', () => {
  const failing = {
    'a timeout': ['sleep 20', /timed out/],
    'a crash': ['exit 3', /exit code 3/],
    'broken JSON': ['echo "{"', /cannot be read/],
  } as const

  it.each(Object.entries(failing))('blocks on %s, and says failed instead of denied', async (_what, [command, how]) => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 0.3 }] }] }
    const open = await (await engineWith(hooks)).dispatch(bashCall)
    expect(open.decision.blocked).toBe(false)
    expect(open.hooks[0]).not.toHaveProperty('failed')

    const closed = await (await engineWith(hooks, { failClosed: ['project'] })).dispatch(bashCall)
    expect(closed.decision).toMatchObject({ blocked: true, reason: expect.stringMatching(how) })
    expect(closed.hooks[0]).toMatchObject({ failed: expect.stringMatching(how), outcome: open.hooks[0]?.outcome })
    expect(JSON.stringify(closed)).not.toContain('denied')
  })

  it('leaves other scopes and events that cannot block alone', async () => {
    const engine = await engineWith(
      { SessionEnd: [commands('exit 3')], Stop: [commands('exit 3')] },
      { failClosed: ['user'] },
    )
    expect((await engine.dispatch(stop)).decision.blocked).toBe(false)
    expect((await engine.dispatch({ hook_event_name: 'SessionEnd', reason: 'other' })).decision.blocked).toBe(false)
  })
})

describe('hooks in the background', () => {
  it('are delivered once, and what the end of the session cuts off is returned by closing', async () => {
    const token = `background-${process.pid}`
    const engine = await engineWith(
      {
        Stop: [{ hooks: [{ type: 'command', command: answering({ systemMessage: 'late' }), async: true }] }],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'sleep 25', async: true }] }],
      },
      { env: { ...process.env, TOKEN: token } },
    )
    await engine.dispatch(stop)
    expect(await engine.drain()).toMatchObject([
      { hook: 'project:Stop:0:0', messages: [{ to: 'user', text: 'late' }, {}] },
    ])
    expect(engine.takeDeliveries()).toEqual([])
    await engine.dispatch({ hook_event_name: 'SessionEnd', reason: 'other' })
    expect(await engine.close()).toMatchObject([
      { hook: 'project:SessionEnd:0:0', dropped: [expect.stringContaining('ended')] },
    ])
    expect(processesWith(token)).toEqual([])
  })

  it('are read as JSON after the line that sent them there', async () => {
    const answer = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'late' } }
    const engine = await engineWith({
      UserPromptSubmit: [commands(`echo '{"async": true}'; ${answering(answer)}`)],
    })
    await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })
    expect(await engine.drain()).toMatchObject([{ context: ['late'], messages: [{ to: 'verbose' }], dropped: [] }])
  })
})

describe('the debug log', () => {
  it('is off unless its category is asked for, and tells an event in a few lines', async () => {
    const log = async (categories: string[]) => {
      const lines: string[] = []
      const write = (line: string) => lines.push(line)
      const engine = await engineWith(
        { PostToolUse: [{ matcher: 'Write', ...commands('echo hi') }] },
        { debug: { categories, write } },
      )
      await engine.dispatch({ hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: {} })
      return lines
    }
    expect(await log(['api'])).toEqual([])
    expect(await log(['hooks'])).toEqual([
      '[DEBUG] Executing hooks for PostToolUse:Write',
      '[DEBUG] Getting matching hook commands for PostToolUse with query: Write',
      '[DEBUG] Found 1 hook matchers in settings',
      '[DEBUG] Matched 1 hooks for query "Write"',
      '[DEBUG] Found 1 hook commands to execute',
      '[DEBUG] Executing hook command: echo hi with timeout 600000ms',
      '[DEBUG] Hook command completed with status 0: hi',
      expect.stringMatching(
        /^\[DEBUG\] Answer of project:PostToolUse:0:0 after [\d.]+ms read as text or nothing: success$/,
      ),
    ])
  })

  it('names no query where the event takes no matcher, and when a background hook was registered', async () => {
    const lines: string[] = []
    const debug = { categories: ['hooks'], write: (line: string) => lines.push(line) }
    const engine = await engineWith(
      { Stop: [{ hooks: [{ type: 'command', command: 'true', async: true }] }] },
      { debug },
    )
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(lines.filter((line) => /query|null/.test(line))).toEqual([])
    expect(lines).toContain('[DEBUG] Getting matching hook commands for Stop')
    expect(lines).toContainEqual(
      expect.stringMatching(/^\[DEBUG\] Background hook registered: project:Stop:0:0 at \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    )
  })
})

describe('the special commands', () => {
  const settings = (command: string) => ({
    statusLine: { type: 'command', command },
    fileSuggestion: { type: 'command', command },
  })

  it('get JSON and answer with lines', async () => {
    const engine = await openOn(
      await makeWorld({ 'project/.claude/settings.json': settings("printf '  one \\n\\n two\\n'") }),
    )
    expect(await engine.runStatusLine({ model: 'x' })).toBe('one\ntwo')
    expect(await engine.suggestFiles('src')).toEqual(['one', 'two'])
    const echo = await openOn(await makeWorld({ 'project/.claude/settings.json': settings('cat') }))
    expect(await echo.runStatusLine({ model: 'x' })).toBe('{"model":"x"}')
    expect(JSON.parse((await echo.suggestFiles('src'))[0] ?? '')).toMatchObject({
      query: 'src',
      session_id: echo.sessionId,
    })
  })

  it('say nothing when they fail, are switched off or are not trusted', async () => {
    const files = { 'project/.claude/settings.json': settings('echo x; exit 1') }
    const errors: string[] = []
    const failing = await openOn(await makeWorld(files), {
      debug: { categories: ['hooks'], write: (line) => errors.push(line) },
    })
    expect(await failing.runStatusLine({})).toBeNull()
    expect(await failing.suggestFiles('x')).toEqual([])
    expect(errors).toEqual([
      '[ERROR] statusLine failed: exit code 1: x',
      '[ERROR] fileSuggestion failed: exit code 1: x',
    ])
    const off = await openOn(
      await makeWorld({ 'project/.claude/settings.json': { ...settings('echo x'), disableAllHooks: true } }),
    )
    expect(await off.runStatusLine({})).toBeNull()
    const untrusted = await openOn(await makeWorld({ 'project/.claude/settings.json': settings('echo x') }), {
      trust: 'stored',
    })
    expect(await untrusted.runStatusLine({})).toBeNull()
  })
})

describe('adding a hook to a file', () => {
  it('is active at once and leaves the rest of the file as it is', async () => {
    const before = '{\n  // ours\n  "model": "x", // keep\n  "hooks": {\n    "Stop": []\n  }\n}\n'
    const world = await makeWorld({ 'project/.claude/settings.json': before })
    const engine = await openOn(world)
    await engine.add('project', { event: 'Stop', hook: { type: 'command', command: 'exit 2' } })
    expect((await engine.dispatch(stop)).decision.blocked).toBe(true)
    const after = await readFile(join(world.project, '.claude/settings.json'), 'utf8')
    expect(after).toContain('// ours')
    expect(after).toContain('"model": "x", // keep')
    expect(await engine.listChanges()).toEqual([])
  })

  it('does not let unreviewed edits of the same file slip in', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: {} } })
    const engine = await openOn(world)
    await put(world, 'project/.claude/settings.json', { hooks: { Stop: [commands('echo planted')] } })
    await engine.add('project', { event: 'Stop', hook: { type: 'command', command: 'echo mine' } })
    expect((await engine.dispatch(stop)).hooks.map(({ command }) => command)).toEqual(['echo mine'])
    expect(await engine.listChanges()).toMatchObject([
      { file: '.claude/settings.json', diff: expect.stringContaining('planted') },
    ])
  })

  it('refuses what is not sound and what cannot be edited, and writes nothing', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': '{ broken' })
    const engine = await openOn(world)
    const hook = { event: 'Stop', hook: { type: 'command', command: 'true' } }
    await expect(engine.add('project', hook)).rejects.toThrow('fix it first')
    await expect(engine.add('local', { ...hook, event: 'Stopp' })).rejects.toThrow('Did you mean "Stop"?')
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).toBe('{ broken')
    await expect(stat(join(world.project, '.claude/settings.local.json'))).rejects.toThrow('ENOENT')
  })
})

describe('reviewing changes', () => {
  it('notices an edit once, shows the difference, and runs it only when accepted', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const engine = await openOn(world)
    await engine.dispatch(stop)
    await put(world, 'project/.claude/settings.json', { hooks: { Stop: [commands('exit 2')] } })
    const noticed = await engine.dispatch(stop)
    expect(noticed.notices).toEqual([expect.stringContaining('.claude/settings.json changed on disk')])
    expect(noticed.decision.blocked).toBe(false)
    expect((await engine.dispatch(stop)).notices).toBeUndefined()
    expect(await engine.listChanges()).toMatchObject([
      { kind: 'changed', diff: expect.stringMatching(/-.*true[\s\S]*\+.*exit 2/) },
    ])
    expect(await engine.accept()).toBe(1)
    expect((await engine.dispatch(stop)).decision.blocked).toBe(true)
  })

  it('tells what a hook edits with the next event, however early the hook does it', async () => {
    const settings = 'project/.claude/settings.json'
    const world = await makeWorld({ [settings]: { hooks: { Stop: [commands('true')] } } })
    const engine = await openOn(world)
    await engine.on('PreToolUse', () => {
      writeFileSync(join(world.root, settings), JSON.stringify({ hooks: {} }))
      return undefined
    })
    await engine.dispatch(stop) // after a process has run, every event looks
    expect((await engine.dispatch(bashCall)).notices).toBeUndefined()
    const [next, last] = [await engine.dispatch(stop), await engine.dispatch(stop)]
    expect([next.notices ?? [], last.notices ?? []].flat()).toEqual([expect.stringContaining('changed on disk')])
  })

  it('does not mind edits that concern somebody else', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const engine = await openOn(world)
    await engine.dispatch(stop)
    const path = join(world.project, '.claude/settings.json')
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), permissions: {} }))
    expect((await engine.dispatch(stop)).notices).toBeUndefined()
    expect(await engine.listChanges()).toEqual([])
  })
})
