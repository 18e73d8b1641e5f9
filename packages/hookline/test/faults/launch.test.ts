import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'
import { fire, openFor, printed, sessionStart, told } from './fire.ts'
import { fireInHost } from './fire-in-host.ts'

// Not here: 59 for folders whose names are no UTF-8 (options and events carry paths as text), 62 for descriptors above
// 15 that the host inherited (Node's spawn hands them on, and nothing in Node can close them).

const NO_DECISION = { halt: false, blocked: false, permission: null, reason: null, updatedInput: null, context: [] }

const SHELLS = [
  ['with a shell', { shell: true }],
  ['without a shell', { shell: false }],
] as const

describe('scripts that do not start', () => {
  it('reliability 49: a script that is not executable is reported with what to do', async () => {
    const { line, decision, record } = await fire('.claude/guard.sh', {
      files: { 'project/.claude/guard.sh': 'echo no >&2; exit 2' },
    })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 126 })
    expect(decision).toMatchObject(NO_DECISION)
    expect(told(record)).toMatch(/chmod \+x/)
  })

  it('reliability 49: a script that is not executable is reported with what to do, without a shell too', async () => {
    const files = { 'project/guard.sh': 'exit 2' }
    const { line, decision, record } = await fire('./guard.sh', { files, shell: false })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: null })
    expect(decision).toMatchObject(NO_DECISION)
    expect(told(record)).toMatch(/chmod \+x/)
  })

  it('reliability 49: a program that is a pipe does not hold up the event', async () => {
    const { engine, world } = await openFor('PreToolUse', ['./guard'])
    const pipe = join(world.project, 'guard')
    execFileSync('/bin/sh', ['-c', 'mkfifo -m 755 guard'], { cwd: world.project })
    const dispatched = engine.dispatch(bashCall)
    const settled = await Promise.race([dispatched.then(() => true), pause(3000, false)])
    await (await open(pipe, 'r+')).close() // lets go of whoever waits for it
    expect(await dispatched).toMatchObject({ hooks: [{ outcome: 'non_blocking_error', exitCode: 126 }] })
    expect(settled).toBe(true)
  })

  it('reliability 50: a script with CRLF line endings is reported as one', async () => {
    const files = { 'project/guard.sh': '#!/bin/sh\r\nexit 2\r\n' }
    const { line, decision, record } = await fire('./guard.sh', { files })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 127 })
    expect(decision).toMatchObject(NO_DECISION)
    expect(told(record)).toMatch(/CRLF/)
  })

  it('reliability 50: a script with CRLF line endings is reported as one, also below a quoted path', async () => {
    const files = { 'project/my hooks/guard.sh': '#!/usr/bin/env bash\r\nexit 2\r\n' }
    const { record } = await fire(`"$CLAUDE_PROJECT_DIR/my hooks/guard.sh" --strict`, { files })
    expect(told(record)).toMatch(/CRLF/)
  })

  it.each(SHELLS)(
    'reliability 51: a script without a first line of its own runs as a shell script, %s',
    async (_, options) => {
      const world = await makeWorld({
        'project/.claude/settings.json': { hooks: { PreToolUse: [commands('./guard')] } },
      })
      await chmod(await put(world, 'project/guard', 'echo no >&2; exit 2\n'), 0o755)
      const engine = await openOn(world, options)
      const { decision, hooks } = await engine.dispatch(bashCall)
      expect(hooks).toMatchObject([{ outcome: 'blocking', exitCode: 2 }])
      expect(decision.reason).toBe('no')
    },
  )

  it.each(SHELLS)(
    'reliability 52: a script whose interpreter is missing is reported with its name, %s',
    async (_, options) => {
      const files = { 'project/guard': '#!/opt/no-such/interpreter3\nexit 2\n' }
      const { line, decision, record } = await fire('./guard', { files, ...options })
      expect(line).toMatchObject({ outcome: 'non_blocking_error' })
      expect(decision).toMatchObject(NO_DECISION)
      expect(told(record)).toContain('/opt/no-such/interpreter3')
    },
  )

  it('reliability 52: a script whose interpreter env cannot find is reported with its name', async () => {
    const files = { 'project/guard': '#!/usr/bin/env no-such-interpreter3\nexit 2\n' }
    const { line, record } = await fire('./guard', { files })
    expect(line).toMatchObject({ outcome: 'non_blocking_error' })
    expect(told(record)).toContain('no-such-interpreter3')
  })
})

describe('commands as they are written', () => {
  const WRITTEN = [
    `printf '%s\\n' "it's \\"quoted\\"" 'a $HOME \`date\`' "$((1 + 1))" $(echo sub)`,
    'echo one\necho two\n\n# a comment\necho three',
    `echo '🪝 — ñ' "ümlaut"`,
    'echo trailing\\',
    `echo '%PATH%' '!x' "*" -n -e '\\n' && echo "a;b|c&d"`,
    `cat <<'END'\n$HOME 'kept' "kept"\nEND`,
  ]

  it.each(WRITTEN)('reliability 53: the shell gets %j as it is written', async (command) => {
    const { record, world } = await fire(command)
    const expected = execFileSync('/bin/sh', ['-c', command], { cwd: world.project, encoding: 'utf8' })
    expect(printed(record)).toBe(expected.trim())
  })

  it.each(WRITTEN)('reliability 53: a shell prefix gets %j as one word', async (command) => {
    const { record } = await fire(command, { env: { ...process.env, CLAUDE_CODE_SHELL_PREFIX: '/bin/sh -c' } })
    expect(printed(record)).toBe(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).trim())
  })

  it('reliability 53: a project whose name is shell text is a value, not text', async () => {
    const world = await makeWorld()
    const project = join(world.root, `it's "a" $(touch pwned) \`touch pwned\`; touch pwned #`)
    await mkdir(join(project, '.claude'), { recursive: true })
    const settings = { hooks: { PreToolUse: [commands('printf %s "$CLAUDE_PROJECT_DIR"')] } }
    await writeFile(join(project, '.claude', 'settings.json'), JSON.stringify(settings))
    const engine = await openOn({ ...world, project })
    const record = await engine.dispatch(bashCall)
    expect(printed(record)).toBe(project)
    expect(existsSync(join(project, 'pwned'))).toBe(false)
  })

  it('reliability 53: what the event carries is never part of a command', async () => {
    const text = `$(touch pwned) '; touch pwned; '`
    const event = { ...bashCall, tool_input: { command: text }, cwd_hint: text, session_id: text }
    const { record, world, line } = await fire('cat', { event })
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
    expect(JSON.parse(printed(record) ?? '')).toMatchObject(event)
    expect(existsSync(join(world.project, 'pwned'))).toBe(false)
  })

  it('reliability 54: a command that is empty or has a NUL in it is invalid, and the others run', async () => {
    const { engine, record } = await fire(['', ' \n', 'echo a\0b', 'echo ran'])
    expect(record.hooks).toMatchObject([
      { verdict: 'invalid', because: expect.stringMatching(/empty/) },
      { verdict: 'invalid', because: expect.stringMatching(/empty/) },
      { verdict: 'invalid', because: expect.stringMatching(/NUL/) },
      { verdict: 'ran', outcome: 'success' },
    ])
    expect(engine.problems).toHaveLength(3)
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-06' }, { rule: 'V-HK-06' }, { rule: 'V-HK-06' }])
  })

  it('reliability 54: a NUL in a value of the event reaches the hook as data', async () => {
    const { record } = await fire('cat', { event: { ...bashCall, tool_input: { command: 'a\0b' } } })
    expect(JSON.parse(printed(record) ?? '')).toMatchObject({ tool_input: { command: 'a\0b' } })
  })

  it('reliability 55: a command that is longer than the system takes fails, and decides nothing', async () => {
    const { line, decision } = await fire(`: ${'x'.repeat(200_000)}; exit 2`)
    expect(line).toMatchObject({ verdict: 'ran', outcome: 'non_blocking_error', exitCode: null })
    expect(decision).toMatchObject(NO_DECISION)
  })

  it('reliability 55: a command that is longer than the system takes is told as just that', async () => {
    const { record } = await fire(`: ${'x'.repeat(200_000)}`)
    expect(told(record)).toMatch(/command.*too long/)
    expect(told(record)).not.toMatch(/PATH/)
  })

  it('reliability 59: paths with spaces and leading dashes reach the hook and come back as they are', async () => {
    const input = { file_path: '-rf', other: '/tmp/with space/ñ\n🪝', command: '--help' }
    const back = `node -e 'let t="";process.stdin.on("data",(d)=>(t+=d)).on("end",()=>console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",updatedInput:JSON.parse(t).tool_input}})))'`
    const { decision } = await fire(back, { event: { ...bashCall, tool_input: input } })
    expect(decision.updatedInput).toEqual(input)
  })

  it('reliability 59: a script below a folder with a space or a leading dash runs', async () => {
    const script = '#!/bin/sh\nprintf "%s|" "$0" "$@"\n'
    const files = { 'project/my hooks/guard': script, 'project/-rf': script }
    const { record } = await fire([`'my hooks/guard' -rf -- 'a b'`, './-rf'], { files })
    expect(printed(record, 0)).toBe('my hooks/guard|-rf|--|a b|')
    expect(printed(record, 1)).toBe('./-rf|')
  })

  it('reliability 59: words are split and passed on as they are without a shell', async () => {
    const files = { 'project/my hooks/guard': '#!/bin/sh\nprintf "%s|" "$@"\n' }
    const { record } = await fire(`"my hooks/guard" -rf -- 'a b' $HOME ~ *`, { files, shell: false })
    expect(printed(record)).toBe('-rf|--|a b|$HOME|~|*|')
  })

  it('reliability 59: a script whose name is no UTF-8 runs', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('./guard-*')] } },
    })
    const name = Buffer.concat([Buffer.from(join(world.project, 'guard-')), Buffer.from([0xe9])])
    await writeFile(name, '#!/bin/sh\necho "$0"\n', { mode: 0o755 })
    const engine = await openOn(world)
    expect(printed(await engine.dispatch(bashCall))).toBe('./guard-\uFFFD')
    await rm(name)
  })
})

describe('where a hook runs', () => {
  it.each(['auto', 'pool', 'direct'] as const)(
    'a guard whose folder is gone runs in the project, and that is told: %s',
    async (launcher) => {
      const { engine, world } = await openFor('PreToolUse', ['pwd >&2; exit 2'], { launcher })
      for (let times = 0; times < 3; times++) {
        const record = await engine.dispatch({ ...bashCall, cwd: '/no/such/folder' })
        expect(record.decision).toMatchObject({ blocked: true, reason: expect.stringContaining(world.project) })
        const warning = 'the working directory /no/such/folder does not exist; it ran in the project'
        expect(record.hooks[0]?.warnings).toEqual([warning])
      }
    },
  )

  it('a guard without a shell whose folder is gone runs in the project', async () => {
    const event = { ...bashCall, cwd: '/no/such/folder' }
    const { line, decision } = await fire('sh -c "exit 2"', { event, shell: false })
    expect(decision).toMatchObject({ blocked: true })
    expect(line.warnings).toEqual([expect.stringContaining('it ran in the project')])
  })

  it.each(['auto', 'pool', 'direct'] as const)(
    'reliability 58: a guard whose project is removed runs in the folder above, and that is told: %s',
    async (launcher) => {
      const { engine, world } = await openFor('PreToolUse', ['pwd >&2; exit 2'], { launcher })
      for (const cwd of [undefined, join(world.project, 'deep/er'), '/no/such/folder']) {
        await rm(world.project, { recursive: true, force: true })
        const record = await engine.dispatch({ ...bashCall, ...(cwd === undefined ? {} : { cwd }) })
        expect(record.decision).toMatchObject({ blocked: true, reason: expect.stringContaining(world.root) })
        const warning = `the working directory ${cwd ?? world.project} does not exist; it ran in ${world.root}`
        expect(record.hooks[0]?.warnings).toEqual([warning])
      }
    },
  )

  it('a guard whose folder is a file runs in the project', async () => {
    const { engine, world } = await openFor('PreToolUse', ['exit 2'], { files: { 'project/file': 'text' } })
    const cwd = join(world.project, 'file')
    const record = await engine.dispatch({ ...bashCall, cwd })
    expect(record.decision).toMatchObject({ blocked: true })
    expect(record.hooks[0]?.warnings).toEqual([`the working directory ${cwd} is not a folder; it ran in the project`])
  })

  it.skipIf(process.getuid?.() === 0)('a guard whose folder may not be entered runs in the project', async () => {
    const { engine, world } = await openFor('PreToolUse', ['exit 2'], { files: { 'project/closed/file': 'text' } })
    const cwd = join(world.project, 'closed')
    await chmod(cwd, 0o000)
    onTestFinished(() => chmod(cwd, 0o700))
    const record = await engine.dispatch({ ...bashCall, cwd })
    expect(record.decision).toMatchObject({ blocked: true })
    expect(record.hooks[0]?.warnings).toEqual([expect.stringContaining('may not be entered; it ran in the project')])
  })
})

describe('what a hook inherits', () => {
  it('reliability 56: an environment that is larger than the system takes fails, and decides nothing', async () => {
    const huge = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`HUGE_${i}`, 'x'.repeat(100_000)]))
    const { line, decision } = await fire('exit 2', { env: { ...process.env, ...huge } })
    expect(line).toMatchObject({ verdict: 'ran', outcome: 'non_blocking_error', exitCode: null })
    expect(decision).toMatchObject(NO_DECISION)
  })

  it('reliability 56: an environment that is larger than the system takes is explained', async () => {
    const { record } = await fire('exit 2', { env: { ...process.env, HUGE: 'x'.repeat(200_000) } })
    expect(told(record)).toMatch(/environment.*too long/)
    expect(told(record)).not.toMatch(/PATH/)
  })

  it.each(SHELLS)('reliability 57: a hook finds its programs without PATH, HOME and SHELL, %s', async (_, options) => {
    const { line } = await fire('cat /dev/null', { env: {}, ...options })
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
  })

  it('reliability 57: a hook has a HOME and a PATH although its host has none', async () => {
    const { record } = await fire('env', { env: {} })
    expect(printed(record)).toMatch(new RegExp(`^HOME=${homedir()}$`, 'm'))
    expect(printed(record)).toMatch(/^PATH=.*\/bin/m)
  })

  it('reliability 57: a tilde is not expanded by us', async () => {
    const { record } = await fire('echo ~ ~/x', { env: { PATH: process.env.PATH }, shell: false })
    expect(printed(record)).toBe('~ ~/x')
  })

  it('reliability 60: a project file sets no variable of its hooks', async () => {
    const env = {
      LD_PRELOAD: '/tmp/evil.so',
      NODE_OPTIONS: '--bad',
      BASH_ENV: './evil',
      GIT_DIR: '/tmp/evil',
      MINE: '1',
    }
    const hook = { type: 'command', command: 'env', env }
    const settings = { env, hooks: { PreToolUse: [{ hooks: [hook], env }] } }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': settings }), {
      env: { PATH: process.env.PATH },
    })
    const record = await engine.dispatch(bashCall)
    expect(printed(record)).toContain('CLAUDE_PROJECT_DIR=')
    expect(printed(record)).not.toMatch(/LD_PRELOAD|NODE_OPTIONS|BASH_ENV|GIT_DIR|MINE/)
  })

  it("reliability 60: the variables of the host's own hook are not passed on", async () => {
    const env = { ...process.env, CLAUDE_PLUGIN_ROOT: '/other', CLAUDE_ENV_FILE: '/other/file' }
    const { record } = await fire('env', { env })
    expect(printed(record)).not.toMatch(/CLAUDE_PLUGIN_ROOT|CLAUDE_ENV_FILE/)
  })

  it('reliability 62: files that the host has open are closed to a hook', async () => {
    const { engine, world } = await openFor('PreToolUse', ['ls -l /proc/self/fd'], {
      files: { 'secret.txt': 'secret' },
    })
    const secret = await open(join(world.root, 'secret.txt'))
    const record = await engine.dispatch(bashCall)
    await secret.close()
    expect(printed(record)).toContain(' 0 -> ')
    expect(printed(record)).not.toContain('secret.txt')
  })

  it('reliability 62: files that the host inherited are closed to a hook', async () => {
    const inherited = [3, 4, 5, 6, 7, 8, 9].map((fd) => `${fd}</etc/passwd`).join(' ')
    const record = await fireInHost('ls -l /proc/self/fd', (host) => ['sh', '-c', `exec ${inherited}; exec ${host}`])
    expect(printed(record)).toContain(' 0 -> ')
    expect(printed(record)).not.toContain('/etc/passwd')
  })

  it('reliability 63: signals that the host ignores are not ignored by a hook', async () => {
    const record = await fireInHost('cat /proc/self/status', (host) => [
      'sh',
      '-c',
      `trap '' HUP INT QUIT TERM USR1 PIPE; exec ${host}`,
    ])
    expect(printed(record)).toMatch(/^SigIgn:\t0+$/m)
    expect(printed(record)).toMatch(/^SigBlk:\t0+$/m)
  })

  it('reliability 64: time zone and locale are passed through', async () => {
    const own = { TZ: 'Pacific/Chatham', LANG: 'C', LC_ALL: 'C', PYTHONUTF8: '1' }
    const { record } = await fire('date +%z; env', { env: { ...process.env, ...own } })
    expect(printed(record)).toMatch(/^\+1[23]45$/m)
    for (const [name, value] of Object.entries(own)) expect(printed(record)).toMatch(`\n${name}=${value}`)
  })

  it('reliability 64: what a hook reads and writes is UTF-8 whatever the locale', async () => {
    const env = { ...process.env, LANG: 'C', LC_ALL: 'C' }
    const { record } = await fire('cat', { env, event: { ...bashCall, tool_input: { command: 'echo ñ 🪝' } } })
    expect(JSON.parse(printed(record) ?? '')).toMatchObject({ tool_input: { command: 'echo ñ 🪝' } })
  })
})

describe('files for variables', () => {
  const starting = (command: string) => fire(command, { event: sessionStart })

  it('reliability 61: an environment file is private, and so is its folder', async () => {
    const { decision } = await starting('stat -c %a "$CLAUDE_ENV_FILE" "$(dirname "$CLAUDE_ENV_FILE")"')
    expect(decision.context).toEqual(['600\n700'])
  })

  it('reliability 61: what an environment file says is read by bash, not by the engine', async () => {
    const { engine, world } = await starting(
      `printf '%s\\n' 'export ONE=$(touch sourced; echo 1)' "export LINES_='a\nb=c'" >> "$CLAUDE_ENV_FILE"`,
    )
    expect(existsSync(join(world.project, 'sourced'))).toBe(false)
    expect(await engine.readEnvironment()).toMatchObject({ ONE: '1', LINES_: 'a\nb=c' })
    expect(process.env).not.toHaveProperty('ONE')
  })

  it.each([
    ['removes', 'rm "$CLAUDE_ENV_FILE"'],
    ['turns into a folder', 'rm "$CLAUDE_ENV_FILE"; mkdir "$CLAUDE_ENV_FILE"'],
    ['turns into a dangling link', 'ln -sf /no/such/file "$CLAUDE_ENV_FILE"'],
  ])('reliability 61: an environment file that its hook %s does not break the event', async (_, spoil) => {
    const { line, decision, engine } = await starting(`${spoil}; echo context`)
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
    expect(decision.context).toEqual(['context'])
    expect(await engine.readEnvironment()).toEqual({})
  })

  it('reliability 61: an environment file that its hook turns into a pipe does not hold up the event', async () => {
    const { engine } = await openFor('SessionStart', [
      `rm "$CLAUDE_ENV_FILE"; mkfifo "$CLAUDE_ENV_FILE"; (sleep 20; : <> "$CLAUDE_ENV_FILE") >/dev/null 2>&1 & echo context`,
    ])
    const started = performance.now()
    const { decision } = await engine.dispatch(sessionStart)
    expect(performance.now() - started).toBeLessThan(18_000)
    expect(decision.context).toEqual(['context'])
  })

  it('reliability 61: every hook has an environment file of its own, which goes with the session', async () => {
    const writing = (name: string): string => `echo "export ${name}=1" > "$CLAUDE_ENV_FILE"; echo "$CLAUDE_ENV_FILE"`
    const { decision, engine } = await fire([writing('A'), writing('B')], { event: sessionStart })
    const [one = '', other = ''] = decision.context
    expect(one).not.toBe(other)
    expect([existsSync(one), existsSync(other)]).toEqual([true, true])
    await engine.close()
    expect([existsSync(one), existsSync(other)]).toEqual([false, false])
  })
})
