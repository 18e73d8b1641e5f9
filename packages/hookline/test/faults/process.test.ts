import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { processesWith, until } from '../support/processes.ts'
import { answering, bashCall } from '../support/project.ts'
import { fire, openFor, printed, sessionStart, told } from './fire.ts'
import { fireInHost } from './fire-in-host.ts'

// Not here: 3 (D state needs a dead network file system), 22 on Windows (0xC0000005), 28 (a process id cannot be made
// to come round again), 30 (no depth variable in the protocol yet).

const DENY = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }
const NO_DECISION = { halt: false, blocked: false, permission: null, reason: null, updatedInput: null, context: [] }
/** `current` reads an answer whatever the exit code. */
const CLASSIC = { profile: 'classic' } as const
const TIMED_OUT = { verdict: 'ran', outcome: 'cancelled', timedOut: true, exitCode: null, signal: null }

/** A call whose input has this many bytes. */
const bigCall = (bytes: number) => ({ ...bashCall, tool_input: { command: 'x'.repeat(bytes) } })

const nothingLeft = (token: string) => until('nothing is left alive', () => processesWith(token).length === 0)

describe('hooks that do not end', () => {
  it('reliability 1: a hook that hangs is ended at its deadline and decides nothing', async () => {
    const { line, decision, tookMs, token } = await fire('sleep 30; exit 2', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(decision).toMatchObject(NO_DECISION)
    expect(decision.messages).toMatchObject([{ to: 'user', text: expect.stringMatching(/timed out/) }])
    expect(tookMs).toBeGreaterThan(400)
    expect(tookMs).toBeLessThan(8000)
    await nothingLeft(token)
  })

  it('reliability 1: a hook that hangs takes nothing from the answer of another', async () => {
    const { record, decision } = await fire(['sleep 30', answering(DENY)], { timeout: 0.5 })
    expect(record.hooks).toMatchObject([TIMED_OUT, { outcome: 'blocking', timedOut: false }])
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
  })

  it('reliability 1: a hook that objects only when it is told to end has not decided', async () => {
    const { line, decision } = await fire(`trap 'echo too late >&2; exit 2' TERM; sleep 30 & wait`, { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(decision).toMatchObject(NO_DECISION)
  })

  it('reliability 1: a hook that hangs blocks where its scope fails closed, as a failure', async () => {
    const { line, decision } = await fire('sleep 30', { timeout: 0.5, failClosed: ['project'] })
    expect(line).toMatchObject({ ...TIMED_OUT, failed: expect.stringMatching(/timed out/) })
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
  })

  it('reliability 2: a hook that ignores SIGTERM is killed, and the event settles', async () => {
    const { line, tookMs, token } = await fire(`trap '' TERM; sleep 30; exit 2`, { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(tookMs).toBeLessThan(8000)
    await nothingLeft(token)
  })

  it('reliability 2: a hook that ignores SIGTERM is killed when the host aborts', async () => {
    const { engine, world, token } = await openFor('PreToolUse', [`trap '' TERM; echo > ready; sleep 30`])
    const leaving = new AbortController()
    const dispatched = engine.dispatch(bashCall, leaving)
    await until('the hook runs', () => readdirSync(world.project).includes('ready'))
    leaving.abort()
    expect((await dispatched).hooks).toMatchObject([{ outcome: 'cancelled', timedOut: false }])
    await nothingLeft(token)
  })

  it('reliability 4: a child that holds the pipes of a dead shell is ended with it', async () => {
    const { line, tookMs, token } = await fire(`(trap '' TERM; sleep 30) & sleep 30`, { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(tookMs).toBeLessThan(8000)
    await nothingLeft(token)
  })

  it('reliability 8: a hook that stops itself is ended at its deadline', async () => {
    const { line, tookMs, token } = await fire('kill -STOP $$; exit 2', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(tookMs).toBeLessThan(8000)
    await nothingLeft(token)
  })

  it('reliability 8: a hook that stops itself and ignores SIGTERM is killed', async () => {
    const { line, token } = await fire(`trap '' TERM; kill -STOP $$; sleep 30`, { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    await nothingLeft(token)
  })

  it('reliability 15: a hook that trickles output to look alive has the same deadline', async () => {
    const { line, tookMs, token } = await fire('for i in $(seq 200); do printf .; sleep 0.1; done', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(line.stdoutBytes).toBeGreaterThan(0)
    expect(tookMs).toBeLessThan(8000)
    await nothingLeft(token)
  })

  it('reliability 25: the many processes of a hook are ended together', async () => {
    const { line, token } = await fire('for i in $(seq 50); do sleep 30 & done; wait', { timeout: 1 })
    expect(line).toMatchObject(TIMED_OUT)
    await nothingLeft(token)
  })
})

describe('hooks that leave somebody behind', () => {
  it('reliability 5: a hook that exits is done although a child of it holds its output, and the child is left alone', async () => {
    const { line, decision, tookMs, token } = await fire(`sleep 20 & ${answering(DENY)}`)
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 0, timedOut: false })
    expect(line.warnings).toEqual([expect.stringMatching(/left alone/)])
    expect(decision.permission).toBe('deny')
    expect(tookMs).toBeLessThan(15_000)
    expect(processesWith(token)).toHaveLength(1)
  })

  it('reliability 5: a child without our output is nothing to warn of', async () => {
    const { line, token } = await fire(`sleep 20 >/dev/null 2>&1 & exit 0`)
    expect(line).toMatchObject({ outcome: 'success', warnings: [] })
    expect(processesWith(token)).toHaveLength(1)
  })

  it('reliability 5: what a hook wrote just before it exited is all there', async () => {
    const { line } = await fire('sleep 20 & head -c 500000 /dev/zero | tr "\\0" x')
    expect(line).toMatchObject({ exitCode: 0, stdoutBytes: 500_000 })
  })

  it('reliability 6: a hook that becomes a daemon is done when it exits', async () => {
    const { line, decision, tookMs, token } = await fire(`setsid sh -c 'sleep 20 & sleep 20' & ${answering(DENY)}`)
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 0 })
    expect(line.warnings).toEqual([expect.stringMatching(/left alone/)])
    expect(decision.permission).toBe('deny')
    expect(tookMs).toBeLessThan(15_000)
    expect(processesWith(token).length).toBeGreaterThan(0)
  })

  it('reliability 6: a daemon does not keep a hook from being ended at its deadline', async () => {
    const { line, tookMs, token } = await fire('setsid sleep 20 & sleep 30', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(tookMs).toBeLessThan(8000)
    expect(processesWith(token)).toHaveLength(1)
  })

  it('reliability 6: a daemon that outlives a hook which was ended is reported', async () => {
    const { line } = await fire('setsid sleep 20 & sleep 30', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    expect(line.warnings).toEqual([expect.stringMatching(/process it started/)])
  })

  it('reliability 7: a child that writes on after its hook has ended cannot reach us', async () => {
    const { engine, line, tookMs, token } = await fire(`(for i in $(seq 200); do echo x; sleep 0.1; done) & echo done`)
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
    expect(tookMs).toBeLessThan(10_000)
    await nothingLeft(token)
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ outcome: 'success', exitCode: 0 }])
  })

  it('reliability 29: every process is reaped, however its hook ended', async () => {
    const ways = [
      'exit 0',
      'exit 2',
      'kill -KILL $$',
      'sleep 30',
      'kill -STOP $$',
      '(exit 3) & exit 0',
      'no-such-program',
    ]
    const { engine } = await fire(ways, { timeout: 0.5 })
    await Promise.all(Array.from({ length: 5 }, () => engine.dispatch(bashCall)))
    await until('no zombie is left', () => zombies().length === 0)
  })

  it('reliability 32: a background hook that ignores SIGTERM does not outlive the session, and delivers nothing', async () => {
    const command = `trap '' TERM; echo > ready; echo context; sleep 30`
    const { engine, world, token } = await openFor('SessionStart', [{ command, async: true }])
    expect((await engine.dispatch(sessionStart)).hooks).toMatchObject([{ verdict: 'backgrounded' }])
    await until('the hook runs', () => readdirSync(world.project).includes('ready'))
    const started = performance.now()
    expect(await engine.close()).toMatchObject([{ context: [], messages: [] }])
    expect(performance.now() - started).toBeLessThan(5000)
    await nothingLeft(token)
    expect(engine.takeDeliveries()).toEqual([])
  })

  it('reliability 32: a background hook that waits for its turn when the session ends does not start', async () => {
    const log: string[] = []
    const debug = { categories: ['hooks'], write: (line: string) => log.push(line) }
    const started = () => log.filter((line) => line.includes('Executing hook command')).length
    const { engine } = await openFor('Stop', [{ command: 'exec sleep 30', async: true }], { debug })
    for (let i = 0; i < 100; i++) await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    const before = started()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(100)
    await engine.close()
    expect(started()).toBe(before)
  })

  it('reliability 32: background hooks are bounded in number, and all end with the session', async () => {
    const { engine, token } = await openFor('Stop', [{ command: 'exec sleep 30', async: true }])
    const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
    for (let i = 0; i < 100; i++) await engine.dispatch(stop)
    await until('some run', () => processesWith(token).length > 0)
    expect(processesWith(token).length).toBeLessThan(100)
    await engine.close()
    await nothingLeft(token)
  })
})

describe('hooks and their input', () => {
  it('reliability 9: a hook that exits before it reads its input keeps its answer', async () => {
    const { engine } = await fire(answering(DENY), { event: bigCall(1_000_000) })
    for (let i = 0; i < 20; i++) {
      const { hooks, decision } = await engine.dispatch(bigCall(1_000_000))
      expect(hooks).toMatchObject([{ outcome: 'blocking', exitCode: 0, answer: DENY, warnings: [] }])
      expect(decision.permission).toBe('deny')
    }
  })

  it('reliability 9: a hook that exits 2 before it reads its input keeps its reason', async () => {
    const { line, decision } = await fire('echo no >&2; exit 2', { event: bigCall(1_000_000) })
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 2 })
    expect(decision.reason).toBe('no')
  })

  it('reliability 10: a hook that never reads 10 MB of input delays neither its deadline nor another hook', async () => {
    const { record, decision, tookMs, token } = await fire(['exec sleep 30', answering(DENY)], {
      event: bigCall(10_000_000),
      timeout: 1,
    })
    expect(record.hooks).toMatchObject([TIMED_OUT, { outcome: 'blocking' }])
    expect(decision.permission).toBe('deny')
    expect(tookMs).toBeLessThan(13_000)
    await nothingLeft(token)
  })

  it('reliability 11: a hook that closes its input and works on is no failure', async () => {
    const { line, decision } = await fire(`exec 0<&-; sleep 0.2; ${answering(DENY)}`, { event: bigCall(1_000_000) })
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 0, warnings: [] })
    expect(decision.permission).toBe('deny')
  })

  it('reliability 12: a hook that writes much before it reads much does not hang', async () => {
    const event = bigCall(1_000_000)
    const { line, record } = await fire('head -c 300000 /dev/zero | tr "\\0" x; echo; wc -c', { event })
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
    expect(Number(printed(record)?.split('\n').at(-1))).toBeGreaterThan(1_000_000)
  })

  it('reliability 23: a hook that asks for a password finds no terminal', async () => {
    const asking = `{ read -r word < /dev/tty; } 2>/dev/null && echo "asked" || echo "no terminal"`
    const record = await fireInHost(asking, (host) => ['script', '-qefc', host, '/dev/null'])
    expect(printed(record)).toBe('no terminal')
  })

  it('reliability 23: a hook that asks its input for more gets the end of it', async () => {
    const { record, line } = await fire('cat > /dev/null; read -r word || echo "end of input"')
    expect(line).toMatchObject({ outcome: 'success', exitCode: 0 })
    expect(printed(record)).toBe('end of input')
  })
})

describe('hooks and their output', () => {
  const GIBIBYTE = 2 ** 30

  it.each(['stdout', 'stderr'])(
    'reliability 13: a gibibyte on %s is counted, not kept, and the hook lives to object',
    async (stream) => {
      const memory = watchMemory()
      const write = `head -c ${GIBIBYTE} /dev/zero ${stream === 'stderr' ? '>&2' : ''}`
      const { line, decision } = await fire(`echo no >&2; ${write}; exit 2`, { timeout: 50 })
      expect(line).toMatchObject({ outcome: 'blocking', exitCode: 2, truncated: true })
      expect((line.stdoutBytes ?? 0) + (line.stderrBytes ?? 0)).toBe(GIBIBYTE + 3)
      expect(line.warnings).toContainEqual(expect.stringMatching(`${stream}: .*1048576 are kept`))
      expect(decision.reason).toMatch(/^no/)
      expect(memory.growth()).toBeLessThan(100 * 2 ** 20)
    },
  )

  it('reliability 14: one endless line is cut at the limit and is no answer', async () => {
    const { line, decision } = await fire(`printf '{"reason":"'; head -c 5000000 /dev/zero | tr '\\0' x; printf '"}'`)
    expect(line).toMatchObject({ outcome: 'success', truncated: true, stdoutBytes: 5_000_013, answer: null })
    expect(line.warnings).toContainEqual(expect.stringMatching(/not read as JSON/))
    expect(decision).toMatchObject({ ...NO_DECISION, permission: 'ask', reason: expect.stringMatching(/too long/) })
  })

  it('reliability 14: an answer in front of too much output is no answer, even if what is kept of it parses', async () => {
    const { line, decision } = await fire(`${answering(DENY)}; head -c 5000 /dev/zero | tr '\\0' ' '`, {
      outputLimit: 1000,
    })
    expect(line).toMatchObject({ outcome: 'success', truncated: true, answer: null })
    expect(line.warnings).toContainEqual(expect.stringMatching(/not read as JSON/))
    expect(decision).toMatchObject({ ...NO_DECISION, permission: 'ask', reason: expect.stringMatching(/too long/) })
  })

  it('reliability 16: a hook that closes its output early is waited for', async () => {
    const { line, decision } = await fire('exec >&- 2>&-; sleep 0.3; exit 2')
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 2 })
    expect(decision).toMatchObject({ blocked: true, reason: 'No stderr output' })
  })

  it('reliability 16: a hook that closes its output early and hangs is ended at its deadline', async () => {
    const { line, token } = await fire('exec >&- 2>&-; sleep 30', { timeout: 0.5 })
    expect(line).toMatchObject(TIMED_OUT)
    await nothingLeft(token)
  })

  const SEQUENCES = '\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b2J\x08 and\tblue'
  const sequences = { reason: SEQUENCES, systemMessage: SEQUENCES }

  it('reliability 24: control characters on stderr reach neither user nor model', async () => {
    const { decision, record } = await fire('cat words >&2; exit 2', { files: { 'project/words': SEQUENCES } })
    expectClean(decision.reason)
    expectClean(told(record))
  })

  it('reliability 24: control characters in plain output reach neither user nor model', async () => {
    const files = { 'project/words': SEQUENCES }
    const { decision } = await fire('cat words', { files, event: sessionStart })
    expectClean(decision.context.join())
    const { record } = await fire('cat words', { files })
    expectClean(told(record))
  })

  it('reliability 24: control characters in an answer reach neither user nor model', async () => {
    const { decision, record } = await fire('cat answer', {
      files: { 'project/answer': { ...sequences, decision: 'block' } },
    })
    expectClean(decision.reason)
    expectClean(told(record))
    const { decision: context } = await fire('cat answer', {
      files: { 'project/answer': { additionalContext: SEQUENCES } },
      event: sessionStart,
    })
    expectClean(context.context.join())
  })
})

describe('exit codes and signals', () => {
  it.each(['KILL', 'SEGV', 'ABRT'])(
    'reliability 17: a hook that dies of SIG%s has failed, and the signal is named',
    async (name) => {
      const { line, decision } = await fire(`ulimit -c 0; ${answering(DENY)}; kill -${name} $$`, CLASSIC)
      const signal = `SIG${name}`
      expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: null, signal, answer: null })
      expect(decision).toMatchObject(NO_DECISION)
      expect(decision.messages).toMatchObject([
        { to: 'user', text: expect.stringContaining(signal) },
        { to: 'verbose', text: JSON.stringify(DENY) },
      ])
    },
  )

  it('reliability 17: a hook that dies of a signal blocks where its scope fails closed, as a failure', async () => {
    const { line, decision } = await fire('kill -KILL $$', { failClosed: ['project'] })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', failed: expect.stringContaining('SIGKILL') })
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
  })

  it('reliability 17: a program that dies of a signal under its shell has failed too', async () => {
    const { line, decision } = await fire(`sh -c 'kill -KILL $$'; exit $?`)
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 137 })
    expect(decision).toMatchObject(NO_DECISION)
  })

  it('reliability 18: a program that does not exist denies nothing, and PATH is hinted at', async () => {
    const { line, decision, record } = await fire('hookline-no-such-program --check')
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 127 })
    expect(decision).toMatchObject(NO_DECISION)
    expect(told(record)).toMatch(/PATH/)
  })

  it('reliability 18: a program that cannot be executed denies nothing, and chmod is hinted at', async () => {
    const { line, decision, record } = await fire('./guard', { files: { 'project/guard': 'exit 2' } })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 126 })
    expect(decision).toMatchObject(NO_DECISION)
    expect(told(record)).toMatch(/chmod \+x/)
  })

  it.each(['cd . && hookline-no-such', 'X=1 hookline-no-such', 'if :; then hookline-no-such; fi', 'exit 127'])(
    'reliability 18: a hint names no word of the command that is not the missing program: %s',
    async (command) => {
      const { line, record } = await fire(command)
      expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 127 })
      expect(told(record)).not.toMatch(/no program (?!hookline-no-such)/)
    },
  )

  it('reliability 18: a program that does not exist blocks where its scope fails closed, as a failure', async () => {
    const { line, decision } = await fire('hookline-no-such-program', { failClosed: ['project'] })
    expect(line).toMatchObject({ outcome: 'non_blocking_error', failed: expect.stringMatching(/127/) })
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
  })

  it.each([
    [
      'a Python script that is missing',
      `echo "python3: can't open file '/x/guard.py': [Errno 2] No such file" >&2; exit 2`,
    ],
    ['a shell script that is missing', 'sh missing-guard.sh || exit 2'],
    ['a shell script with a syntax error', `sh -c 'if' || exit 2`],
  ])('reliability 19: %s blocks, and is told apart from a decision', async (_, command) => {
    const { line, decision } = await fire(command)
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 2 })
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
    expect(line.warnings).toContainEqual(expect.stringMatching(/could not start/))
  })

  it('reliability 19: an objection about a file that is missing is a decision', async () => {
    const { line } = await fire('echo "src/a.ts: No such file or directory; create it first" >&2; exit 2')
    expect(line).toMatchObject({ outcome: 'blocking', warnings: [] })
  })

  it.each([1, 3, 100, 255])('reliability 20: exit code %i is an error that stops nothing', async (code) => {
    const { line, decision } = await fire(`${answering(DENY)}; echo first >&2; echo second >&2; exit ${code}`, CLASSIC)
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: code, answer: null })
    expect(decision).toMatchObject(NO_DECISION)
    expect(decision.messages).toMatchObject([
      { to: 'user', text: 'Failed with non-blocking status code: first' },
      { to: 'verbose', text: 'Failed with non-blocking status code: first\nsecond' },
      { to: 'verbose', text: JSON.stringify(DENY) },
    ])
  })

  it('reliability 21: exit code 2 beats an allow on stdout', async () => {
    const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
    const { line, decision } = await fire(`${answering(allow)}; echo no >&2; exit 2`, CLASSIC)
    expect(line).toMatchObject({ outcome: 'blocking', exitCode: 2, answer: null })
    expect(line.warnings).toContainEqual(expect.stringMatching(/stdout is ignored/))
    expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: 'no' })
  })

  it('reliability 22: an exit code below zero is an error that stops nothing', async () => {
    const { line, decision } = await fire(`'${process.execPath}' -e 'process.exit(-2)'`)
    expect(line).toMatchObject({ outcome: 'non_blocking_error', exitCode: 254 })
    expect(decision).toMatchObject(NO_DECISION)
  })
})

describe('hooks that reach beyond themselves', () => {
  it('reliability 26: what a hook does to its own process reaches neither the next hook nor the host', async () => {
    const host = [process.umask(), process.cwd(), process.env.PATH]
    const show = 'umask; pwd; nice; ulimit -n; echo "$PATH"'
    const spoil = 'umask 0; cd /; ulimit -n 20; renice -n 5 $$ >/dev/null; PATH=/nowhere; export PATH'
    const { record } = await fire([show, spoil, `${show}; :`], { order: 'sequential' })
    expect(record.hooks).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }, { exitCode: 0 }])
    expect(printed(record, 0)).toContain(process.env.PATH)
    expect(printed(record, 2)).toBe(printed(record, 0))
    expect([process.umask(), process.cwd(), process.env.PATH]).toEqual(host)
  })

  it.each(['TERM', 'KILL'])(
    'reliability 27: a hook that sends SIG%s to its whole group reaches nobody else',
    async (name) => {
      const { record, decision } = await fire([`kill -${name} 0`, `sleep 0.3; ${answering(DENY)}`])
      expect(record.hooks).toMatchObject([{ signal: `SIG${name}` }, { outcome: 'blocking', exitCode: 0 }])
      expect(decision.permission).toBe('deny')
    },
  )

  it('reliability 31: a Stop hook can tell that it is the reason why the turn goes on', async () => {
    const event = { hook_event_name: 'Stop', stop_hook_active: false }
    const { engine, decision } = await fire(`grep -q '"stop_hook_active":true' || { echo more >&2; exit 2; }`, {
      event,
    })
    expect(decision).toMatchObject({ blocked: true, reason: 'more' })
    const again = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: true })
    expect(again.decision.blocked).toBe(false)
  })
})

/** Ids of ended children of this process that nobody has reaped. */
function zombies(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return /^State:\s+Z/m.test(status) && status.includes(`\nPPid:\t${process.pid}\n`)
    } catch {
      return false // gone
    }
  })
}

/** How many bytes this process has grown at most since now. */
function watchMemory(): { growth: () => number } {
  const start = process.memoryUsage.rss()
  let peak = start
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  return {
    growth: () => {
      clearInterval(look)
      return Math.max(peak, process.memoryUsage.rss()) - start
    },
  }
}

/** Words without anything that a terminal would act on. */
function expectClean(text: string | null): void {
  expect(text).toMatch(/red.*and\tblue/s)
  expect(text).not.toMatch(/[^\P{Cc}\n\t]/u)
}
