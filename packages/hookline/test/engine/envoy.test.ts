import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adding, envoy, NOTING, says, started, told, used } from '../support/envoy.ts'
import { until } from '../support/processes.ts'
import { put } from '../support/project.ts'

/**
 * What the agent of `examples/envoy` must do, one test for each requirement and named by it.
 *
 * Requirements that need a terminal are tested with the terminal of the reference agent: a startup hook changes the
 * first message; a resume hook runs on resume; a clear hook runs on /clear; feedback after a file was written; format
 * runs before test; suppressOutput hides output from the transcript.
 */

/** A script that prints what it was called with. */
const ARGV = 'console.log("argv", JSON.stringify(process.argv.slice(2)))'

const inOrder = ['one starts', 'one ends', 'two starts', 'two ends', 'three starts', 'three ends', '']
const noting = ['one', 'two', 'three'].map((name) => ({ matcher: '', command: `node noting.mjs ${name}` }))

describe('executor', () => {
  it.each([
    ['Parse simple command strings', 'node script.js', '[]'],
    ['Parse commands with quoted paths', 'node "./my script.ts.js"', '[]'],
    [
      'Parse commands with quoted arguments',
      'node script.js --arg "value with spaces"',
      '["--arg","value with spaces"]',
    ],
  ])('%s', async (_line, command, argv) => {
    const { engine } = await envoy({ SessionStart: [{ command }] }, { 'script.js': ARGV, 'my script.ts.js': ARGV })
    expect((await started(engine)).decision.context).toEqual([`argv ${argv}`])
  })

  it('Execute command with Bun.spawn: here with that of Node, and without a shell', async () => {
    const { engine } = await envoy({
      SessionStart: [{ command: 'node -p process.ppid' }, { command: 'echo $HOME && echo | cat' }],
    })
    expect((await started(engine)).decision.context).toEqual([String(process.pid), '$HOME && echo | cat'])
  })

  it('Pass JSON input via stdin', async () => {
    const script = `process.stdin.on('data', (bytes) => console.log('got', String(bytes).trim()))`
    const { engine, world } = await envoy({ SessionStart: [{ command: 'node read.js' }] }, { 'read.js': script })
    const [got = ''] = (await started(engine)).decision.context
    expect(JSON.parse(got.slice('got '.length))).toEqual({
      session_id: engine.sessionId,
      cwd: world.project,
      hook_event_name: 'SessionStart',
      source: 'startup',
    })
  })

  it('Capture raw stdout (no JSON parsing)', async () => {
    const { engine } = await envoy(
      { SessionStart: [{ command: 'node mixed.js' }] },
      { 'mixed.js': says('so: {"a": 1}') },
    )
    expect(await started(engine)).toMatchObject({ decision: { context: ['so: {"a": 1}'] }, hooks: [{ answer: null }] })
  })

  it('Capture raw stderr', async () => {
    const script = `console.error('first\\nsecond'); process.exitCode = 1`
    const { engine } = await envoy({ SessionStart: [{ command: 'node fails.js' }] }, { 'fails.js': script })
    const record = await started(engine)
    expect(told(record, 'verbose').join()).toContain('first\nsecond')
    expect(record.hooks[0]).toMatchObject({ stderrBytes: 13 })
  })

  it('Handle command not found', async () => {
    const { engine, lines } = await envoy({ SessionStart: [{ command: 'no-such-program-here --flag' }] })
    const record = await started(engine)
    expect(record.hooks[0]).toMatchObject({ verdict: 'ran', outcome: 'non_blocking_error' })
    expect(told(record, 'user').join()).toContain('no-such-program-here')
    expect(lines.join('\n')).toContain('[WARN] Hook project:SessionStart:0:0 failed')
  })

  it('Handle non-zero exit codes', async () => {
    const { engine } = await envoy({ SessionStart: [{ command: 'node -e "process.exit(3)"' }] })
    const { decision, hooks } = await started(engine)
    expect(hooks[0]).toMatchObject({ outcome: 'non_blocking_error', exitCode: 3 })
    expect(decision).toMatchObject({ halt: false, blocked: false, context: [] })
  })

  it('Wait for command completion without timeout', async () => {
    const script = `
      import { existsSync, watch } from 'node:fs'
      const end = () => existsSync('go') && (console.log('at last'), process.exit(0))
      watch('.', end)
      end()`
    const { engine, world, lines } = await envoy(
      { SessionStart: [{ command: 'node waits.mjs' }] },
      { 'waits.mjs': script },
    )
    const record = started(engine)
    await until('the hook runs', () => lines.some((line) => line.includes('Executing hook command')))
    await put(world, 'project/go', '')
    expect((await record).decision.context).toEqual(['at last'])
    expect(lines.join('\n')).toContain('Executing hook command: node waits.mjs with no timeout')
  })
})

describe('sessionStart', () => {
  it.each(['startup', 'resume', 'clear', 'compact'])(
    "Filter hooks by matcher ('startup', 'resume', 'clear', or undefined for all): %s",
    async (source) => {
      const sources = ['startup', 'resume', 'clear']
      const hooks = sources.map((matcher) => ({ matcher, command: `echo for ${matcher}` }))
      const { engine } = await envoy({ SessionStart: [...hooks, { command: 'echo for all' }] })
      const own = sources.includes(source) ? [`for ${source}`] : []
      expect((await started(engine, source)).decision.context).toEqual([...own, 'for all'])
    },
  )

  it('Execute multiple hooks sequentially in config order', async () => {
    const { engine, world } = await envoy({ SessionStart: noting }, { 'noting.mjs': NOTING })
    await started(engine)
    expect((await readFile(join(world.project, 'noted.txt'), 'utf8')).split('\n')).toEqual(inOrder)
  })

  it('Combine stdout from hooks', async () => {
    const { engine } = await envoy({ SessionStart: noting }, { 'noting.mjs': NOTING })
    expect((await started(engine)).decision.context.join('\n')).toBe('one\ntwo\nthree')
  })

  it('Handle hook failures gracefully (warn but continue)', async () => {
    const fails = { command: 'node -e "console.error(1); process.exit(1)"' }
    const { engine } = await envoy({ SessionStart: [fails, { command: 'echo fine' }] })
    const record = await started(engine)
    expect(record.decision).toMatchObject({ halt: false, context: ['fine'] })
    expect(told(record, 'user')).toHaveLength(1)
  })

  it('Return empty string when no hooks', async () => {
    const { engine } = await envoy({})
    expect((await started(engine)).decision.context.join('\n')).toBe('')
  })
})

describe('postToolUse', () => {
  it('Match hooks by regex pattern against tool names', async () => {
    const matchers = ['filesystem_.*_file', 'filesystem_write_file|filesystem_edit_file', '^shell', 'other']
    const { engine } = await envoy({
      PostToolUse: matchers.map((matcher) => ({ matcher, command: `echo ${matcher}` })),
    })
    const verdicts = async (tool: string) => (await used(engine, tool)).hooks.map(({ verdict }) => verdict)
    const miss = 'matcher-miss'
    expect(await verdicts('filesystem_write_file')).toEqual(['ran', 'ran', miss, miss])
    expect(await verdicts('filesystem_read_file')).toEqual(['ran', miss, miss, miss])
    expect(await verdicts('shell_run')).toEqual([miss, miss, 'ran', miss])
  })

  it('Execute multiple hooks sequentially in config order', async () => {
    const { engine, world } = await envoy({ PostToolUse: noting }, { 'noting.mjs': NOTING })
    await used(engine)
    expect((await readFile(join(world.project, 'noted.txt'), 'utf8')).split('\n')).toEqual(inOrder)
  })

  it('Parse JSON responses from stdout', async () => {
    const { engine } = await envoy({ PostToolUse: [{ command: 'node a.js' }] }, { 'a.js': adding('Formatted') })
    expect((await used(engine)).hooks[0]?.answer).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Formatted' },
    })
  })

  it('Combine multiple additionalContext values from hookSpecificOutput', async () => {
    const hooks = [{ command: 'node a.js' }, { command: 'node b.js' }]
    const { engine } = await envoy({ PostToolUse: hooks }, { 'a.js': adding('Formatted'), 'b.js': adding('Tested') })
    expect((await used(engine)).decision.context).toEqual(['Formatted', 'Tested'])
  })

  it('Collect systemMessage values', async () => {
    const hooks = [{ command: 'node a.js' }, { command: 'node b.js' }]
    const scripts = { 'a.js': says({ systemMessage: 'Disk is full' }), 'b.js': says({ systemMessage: 'It is late' }) }
    const { engine } = await envoy({ PostToolUse: hooks }, scripts)
    expect(told(await used(engine), 'user')).toEqual(['Disk is full', 'It is late'])
  })

  it('Detect continue: false and stop processing remaining hooks', async () => {
    const hooks = [{ command: 'node a.js' }, { command: 'node b.js' }]
    const scripts = {
      'a.js': adding('Tests failed', { continue: false, stopReason: 'Fix them' }),
      'b.js': adding('Later'),
    }
    const { engine } = await envoy({ PostToolUse: hooks }, scripts)
    const { decision } = await used(engine)
    expect(decision).toMatchObject({ halt: true, stopReason: 'Fix them', context: ['Tests failed'] })
  })

  it('Handle mixed JSON and plain text output', async () => {
    const hooks = [{ command: 'node a.js' }, { command: 'echo plain' }, { command: 'node c.js' }]
    const { engine } = await envoy(
      { PostToolUse: hooks },
      { 'a.js': adding('A'), 'c.js': `console.log(1); ${adding('C')}` },
    )
    const record = await used(engine)
    expect(record.decision.context).toEqual(['A'])
    expect(told(record, 'verbose').slice(1)).toEqual(['plain', expect.stringMatching(/^1\n\{.*"C"/)])
  })

  it('Respect suppressOutput flag (exclude from observationalOutput when true)', async () => {
    const hooks = [{ command: 'node loud.js' }, { command: 'node quiet.js' }]
    const scripts = { 'loud.js': adding('Loud'), 'quiet.js': adding('Quiet', { suppressOutput: true }) }
    const { engine } = await envoy({ PostToolUse: hooks }, scripts)
    const record = await used(engine)
    expect(record.decision.context).toEqual(['Loud', 'Quiet'])
    expect(told(record, 'verbose')).toEqual([expect.stringContaining('Loud')])
  })

  it('Stop executing hooks after first continue: false', async () => {
    const hooks = [{ command: 'node noting.mjs one' }, { command: 'node stop.js' }, { command: 'node noting.mjs two' }]
    const scripts = { 'noting.mjs': NOTING, 'stop.js': says({ continue: false }) }
    const { engine, world } = await envoy({ PostToolUse: hooks }, scripts)
    expect((await used(engine)).hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'ran', 'not-reached'])
    expect(await readFile(join(world.project, 'noted.txt'), 'utf8')).toBe('one starts\none ends\n')
  })
})
