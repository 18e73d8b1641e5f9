import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findServing } from '../../src/resident/serve.ts'
import { ended, program } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { commands, put } from '../support/project.ts'
import { SHELLS } from '../support/shells.ts'
import { bashEvent, type CallOptions, call, callCold, expectWays, makeServedHome, startCall } from './resident.ts'

const GUARD =
  'read -r event; case $event in *"rm -rf"*) echo "no: $event" >&2; exit 2 ;; esac; echo "{\\"systemMessage\\": \\"seen\\"}"'

describe('a call that the resident answers', () => {
  it.each(SHELLS.map((shell) => [shell.filter((word) => word !== '-c').join(' '), shell] as const))(
    'ends with the same bytes as the cold way, started by %s',
    async (_, shell) => {
      const served = await makeServedHome({ PreToolUse: [commands(GUARD)], Stop: [commands('echo stop >&2; exit 2')] })
      const through = shell.filter((word) => word !== '-c')
      const events: readonly (readonly [string, CallOptions])[] = [
        [bashEvent('rm -rf x'), {}],
        [bashEvent('ls'), {}],
        [bashEvent('rm -rf \u200b "quoted" \\ back\nline'), {}],
        [bashEvent('ls', { tool_name: 'unheard_of', tool_input: { path: 'x' } }), {}],
        ['', {}],
        ['{"broken', {}],
        ['{"hookline_probe":"n1"}', {}],
        [bashEvent('ls'), { args: ['bridge', 'run', 'codex', 'Nothing'] }],
        [bashEvent('ls'), { args: ['bridge', 'run', 'codex', 'PreToolUse', '--attended'] }],
        [JSON.stringify({ session_id: 's1', hook_event_name: 'Stop' }), { args: ['bridge', 'run', 'codex', 'Stop'] }],
        [bashEvent('ls', { pad: 'x'.repeat(300_000) }), {}],
        [bashEvent(`rm -rf ${'y'.repeat(50_000)}`), {}],
      ]
      for (const [input, options] of events) {
        const [coldly, warmly] = ['s1', 's2'].map((id) => input.replace('"s1"', `"${id}"`)) as [string, string] // some things are told once a session
        const cold = callCold(served, coldly, { ...options, through })
        const warm = call(served, warmly, { ...options, through })
        expect({ ...warm, stdout: warm.stdout.replaceAll(/\bs2\b/g, 's1') }).toEqual(cold)
      }
      const isKnown = !/zsh|mksh/.test(shell.join(' '))
      await expectWays(served, isKnown ? { served: events.length } : { declined: events.length })
    },
  )

  it.each([
    ['is left unread, as plugins of opencode, Kilo and Pi leave it', '2>/dev/null', { served: 2 }],
    ['is closed', '2>&-', { declined: 2 }],
  ])('ends as the cold way does where stderr %s', async (_, redirection, ways) => {
    const served = await makeServedHome({ PreToolUse: [commands(GUARD)] })
    const line = ['/bin/sh', '-c', `exec "$0" bridge run codex PreToolUse --proof ${redirection}`, served.launcher]
    for (const input of [bashEvent('rm -rf x'), bashEvent('ls')]) {
      const cold = callCold(served, input, { line })
      const warm = call(served, input.replace('"s1"', '"s2"'), { line })
      expect({ ...warm, stdout: warm.stdout.replaceAll(/\bs2\b/g, 's1') }).toEqual(cold)
    }
    await expectWays(served, ways)
  })

  it('is looked at when no other program has its outputs, as the one that reads its stdin has', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(GUARD)] })
    await put(served.world, 'bin/dd', '#!/bin/sh\n/bin/dd "$@"\nwhile [ ! -e "$HOME/go" ]; do sleep 0.05; done\n')
    const pid = findServing(served.place) ?? 0
    const line = ['/bin/sh', '-c', 'exec "$0" bridge run codex PreToolUse 2>&-', served.launcher]
    process.kill(pid, 'SIGSTOP')
    const env = { PATH: `${served.world.root}/bin:${process.env.PATH}` }
    const answer = startCall(served, bashEvent('ls'), { line, env })
    const payloads = () => readdirSync(served.place.slots).map((name) => join(served.place.slots, name, 'stdin'))
    await until('its stdin was read', () => payloads().some((path) => existsSync(path) && statSync(path).size > 0))
    process.kill(pid, 'SIGCONT')
    expect(call(served, bashEvent('ls')).code).toBe(0) // the resident has come to the first call before
    writeFileSync(join(served.home, 'go'), '')
    expect((await answer).code).toBe(0)
    await expectWays(served, { served: 1, declined: 1 })
  })

  it('shows hooks the environment, folder, mask, limits and arguments of its caller', async () => {
    const dump = 'cat >/dev/null; { pwd; umask; ulimit -a; env | grep -v "^CLAUDE_PID=" | sort; } > "$DUMP"'
    const served = await makeServedHome({ PreToolUse: [commands(dump)] })
    const seen = (text: string): string => text.replace(/hookline-[\w.-]+/g, 'hookline-temp')
    for (const more of [{}, { ODD: 'a b\nc "\'$', EMPTY: '', PWD: '/nowhere', OLDPWD: '/tmp', SHLVL: '4', _: 'x' }]) {
      const [cold, warm] = ['cold', 'warm'].map((name) => {
        const env = { ...more, DUMP: join(served.world.root, 'dump') }
        const end = name === 'cold' ? callCold : call
        expect(end(served, bashEvent('ls'), { env }).code).toBe(0)
        const text = readFileSync(env.DUMP, 'utf8')
        rmSync(env.DUMP)
        return seen(text).replace(/^HOOKLINE_RESIDENT=off\n/m, '')
      })
      expect(warm).toBe(cold)
    }
    await expectWays(served, { served: 2 })
  })

  it('reads settings, scripts and trust as they are when the call comes', async () => {
    const served = await makeServedHome({ PreToolUse: [commands('exit 0')] })
    const settings = join(served.home, '.claude/settings.json')
    expect(call(served, bashEvent('ls')).stdout).not.toContain('deny')
    const script = join(served.world.root, 'guard.sh')
    writeFileSync(script, '#!/bin/sh\necho first >&2; exit 2\n')
    chmodSync(script, 0o700)
    writeFileSync(settings, JSON.stringify({ hooks: { PreToolUse: [commands(script)] } }))
    const next = bashEvent('ls', { session_id: 's2' }) // a session keeps the guards that it began with
    expect(call(served, next).stdout).toContain('first')
    writeFileSync(script, '#!/bin/sh\necho second >&2; exit 2\n')
    expect(call(served, next).stdout).toContain('second')
    writeFileSync(settings, '{ "hooks": {')
    expect(call(served, next)).toEqual(callCold(served, next))
    await expectWays(served, { served: 4 })
  })

  it('is recorded as answered by the resident, and as nothing else where it is not', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(GUARD)] })
    const file = join(served.home, 'log.jsonl')
    const env = { HOOKLINE_LOG: file }
    call(served, bashEvent('ls'), { env })
    callCold(served, bashEvent('ls'), { env })
    const hosts = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).record.host)
    expect(hosts).toEqual([{ client: 'codex', launcher: 'resident' }, { client: 'codex' }])
    writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0]}\n`)
    const shown = await ended(process.execPath, [program, 'log', 'show', 'last', file], { env: { HOME: served.home } })
    expect(shown.stdout + shown.stderr).toMatch(/host +codex, by the resident engine/)
  })

  it('does late work of async hooks as the cold way does', async () => {
    const mark = 'cat >/dev/null; sleep 0.2; touch late'
    const served = await makeServedHome({ PreToolUse: [{ hooks: [{ type: 'command', command: mark, async: true }] }] })
    expect(call(served, bashEvent('ls')).code).toBe(0)
    await expect.poll(() => existsSync(join(served.project, 'late')), { timeout: 30_000 }).toBe(true)
    await expectWays(served, { served: 1 })
  })
})
