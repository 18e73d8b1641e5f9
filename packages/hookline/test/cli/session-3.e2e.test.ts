import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readStreamLines } from '../../src/text/lines.ts'
import { placesOf, program } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const MAX_ANSWER_BYTES = 1024 * 1024

/** A session that is written to and read as text. */
class Session {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<unknown>

  constructor(world: World) {
    const child = spawn(process.execPath, [program, 'session', '--trust', ...placesOf(world, 'session')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    this.#lines = readStreamLines(child.stdout as AsyncIterable<Buffer>, MAX_ANSWER_BYTES)
    onTestFinished(() => void child.kill('SIGKILL'))
  }

  send(...lines: string[]): void {
    this.#child.stdin?.write(lines.map((line) => `${line}\n`).join(''))
  }

  async next(): Promise<string> {
    return String((await this.#lines.next()).value)
  }

  ask(line: string): Promise<string> {
    this.send(line)
    return this.next()
  }

  async askFor(line: object): Promise<Record<string, unknown>> {
    return JSON.parse(await this.ask(JSON.stringify(line)))
  }

  /** Says that it speaks version 3. */
  async agree(): Promise<this> {
    expect(await this.askFor({ control: 'hello', session: 3 })).toMatchObject({ hello: { session: 3, speaks: [2, 3] } })
    return this
  }
}

const worldWith = (hooks: object): Promise<World> => makeWorld({ 'project/.claude/settings.json': { hooks } })
const before = (input: string): string => `{"control":"before","call":{"name":"Tool","input":${input}}}`

/** Hooks that answer with what a program makes of the input. */
const node = (body: string): string =>
  `node -e 'const {tool_input: input} = JSON.parse(require("fs").readFileSync(0)); ${body}'`
const rewriting = (input: string): string =>
  node(
    `console.log(JSON.stringify({hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: ${input}}}))`,
  )

const ODD = '{"2": 12345678901234567890, "1":1.0,"deep": [1.50, {"x":-0.0}],"text":"\\u0041\\/","big":1e400}'

describe('what a host wrote', () => {
  it('is neither changed nor sent back while hooks are silent, and they see it as it was written', async () => {
    const world = await worldWith({ PreToolUse: [commands('cat > seen')], PostToolUse: [commands('cat > seen')] })
    const session = await new Session(world).agree()
    const seen = (): string => readFileSync(join(world.root, 'project/seen'), 'utf8')
    const verdict = JSON.parse(await session.ask(before(ODD))).before
    expect(verdict).toEqual({ ended: 'cleared', unchanged: true, texts: [], halt: null })
    expect(seen()).toContain(`"tool_input":${ODD}`)
    await session.ask(`{"hook_event_name":"PreToolUse","tool_name":"T","tool_input":${ODD},"more":1.0}`)
    expect(seen()).toContain(`"tool_input":${ODD}`)
    expect(seen()).toContain('"more":1.0')
    const call = `"call":{"name":"Tool","input":${ODD}}`
    const after = await session.ask(`{"control":"after",${call},"outcome":{"output":${ODD},"durationMs":1}}`)
    expect(JSON.parse(after).after).toEqual({ ended: 'ran', unchanged: true, replaced: false, texts: [], halt: null })
    expect(seen()).toContain(`"tool_response":${ODD}`)
  })

  it('stays unchanged whatever it is', { timeout: 60_000 }, async () => {
    const session = await new Session(
      await worldWith({ PreToolUse: [{ matcher: 'Tool', ...commands('true') }] }),
    ).agree()
    const inputs = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), 30)
    for (const input of inputs)
      expect(JSON.parse(await session.ask(before(JSON.stringify(input))))).toMatchObject({
        before: { unchanged: true },
      })
  })

  it('comes back with what a hook changed, and with everything else as it was written', async () => {
    const world = await worldWith({ PreToolUse: [commands(rewriting('{...input, text: "B"}'))] })
    const session = await new Session(world).agree()
    const changed = ODD.replace('"\\u0041\\/"', '"B"')
    expect(compact(await session.ask(before(ODD)))).toContain(`"unchanged":false,"input":${compact(changed)}`)
    expect(
      compact(await session.ask(`{"hook_event_name":"PreToolUse","tool_name":"T","tool_input":${ODD}}`)),
    ).toContain(`"updatedInput":${compact(changed)}`)
  })

  it('is sent back to a client that speaks version 2, as it was written too', async () => {
    const session = new Session(await worldWith({}))
    expect(await session.ask(before(ODD))).toContain(`"input":${ODD}`)
    expect(await session.askFor({ control: 'hello', session: 4 })).toEqual({
      error: expect.stringMatching(/protocol 4 .* speaks 2 and 3/),
    })
  })
})

describe('a key that stands twice', () => {
  const twice = ['{"command":"ls","command":"rm"}', '{"a":[{"x":1,"\\u0078":2}]}', '{"__proto__":1,"__proto__":2}']

  it.each(twice)('is refused where a hook listens, told, and never shown: %s', async (input) => {
    const world = await worldWith({
      PreToolUse: [{ matcher: 'Tool', ...commands('cat > seen') }],
      PostToolUse: [{ matcher: 'Tool', ...commands('cat > after') }],
    })
    const session = await new Session(world).agree()
    const answer = JSON.parse(await session.ask(before(input)))
    expect(answer.before).toMatchObject({
      ended: 'refused',
      by: 'hook',
      reason: expect.stringContaining('stands twice'),
    })
    expect(answer.notices.join()).toContain('stands twice')
    const event = `{"hook_event_name":"PreToolUse","tool_name":"Tool","tool_input":${input}}`
    expect(JSON.parse(await session.ask(event)).decision).toMatchObject({ blocked: true })
    expect(existsSync(join(world.root, 'project/seen'))).toBe(false)

    const after = await session.ask(
      `{"control":"after","call":{"name":"Tool","input":{}},"outcome":{"output":${input},"durationMs":1}}`,
    )
    const read: unknown = JSON.parse(input)
    expect(JSON.parse(after).after).toMatchObject({ output: read, replaced: true })
    const seen = readFileSync(join(world.root, 'project/after'), 'utf8')
    expect(JSON.parse(seen).tool_response).toEqual(read)
    expect(after).toContain(
      seen.slice(seen.indexOf('"tool_response":') + '"tool_response":'.length, seen.lastIndexOf('}')),
    )
  })

  it.each(twice)('stays as it was written where no hook listens: %s', async (input) => {
    const session = await new Session(
      await worldWith({ PreToolUse: [{ matcher: 'Other', ...commands('true') }] }),
    ).agree()
    expect(JSON.parse(await session.ask(before(input)))).toMatchObject({
      before: { ended: 'cleared', unchanged: true },
    })
    const call = '"call":{"name":"Tool","input":{}}'
    const after = await session.ask(`{"control":"after",${call},"outcome":{"output":${input},"durationMs":1}}`)
    expect(JSON.parse(after)).toMatchObject({ after: { unchanged: true } })
  })

  it.each([
    '{"control":"env","control":"before","call":{"name":"Tool","input":{}}}',
    '{"control":"before","call":{"name":"Tool","name":"Other","input":{}}}',
    '{"control":"batch","calls":[{"name":"Tool","name":"Other","input":{},"response":""}]}',
    '{"control":"register","hooks":{"Stop":[],"Stop":[]}}',
    '{"control":"after","call":{"name":"T","input":{}},"outcome":{"output":1,"output":2}}',
  ])('outside of what a call holds is an error: %s', async (line) => {
    const session = await new Session(await worldWith({})).agree()
    expect(JSON.parse(await session.ask(line))).toEqual({ error: expect.stringContaining('stands twice') })
  })
})

describe('numbers that no double holds', () => {
  const opening = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{'
  const python = [
    'import json,sys; given=json.load(sys.stdin)["tool_input"]; given["more"]=1',
    'print(json.dumps({"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":given}}))',
  ]

  it.each([
    ['JavaScript', rewriting('{...input, more: 1}')],
    ['a text', `sed 's/.*"tool_input":{\\([^}]*\\)}.*/${opening}\\1,"more":1}}}/'`],
    ['Python', `python3 -c '${python.join('; ')}'`],
  ])('stay in the rewrite of a hook that echoes them in %s', async (_, hook) => {
    const session = await new Session(await worldWith({ PreToolUse: [commands(hook)] })).agree()
    expect(compact(await session.ask(before('{"big":1e400,"small":-1E999,"one":1.0}')))).toContain(
      '"input":{"big":1e400,"small":-1E999,"one":1.0,"more":1}',
    )
  })
})

/** Without the spaces between values: the texts of these tests have none inside. */
const compact = (text: string): string => text.replaceAll(' ', '')

describe('lines', () => {
  it('that cannot be read are named, and those behind them are answered', async () => {
    const session = new Session(await worldWith({}))
    session.send('{"control":"env"}', '', '{"id":1,"a":NaN}', '{"control":"env","id":"a\u2028b"}')
    const answers = [await session.next(), await session.next(), await session.next()].map((line) => JSON.parse(line))
    expect(answers).toEqual([
      { env: {} },
      { line: 3, error: expect.stringMatching(/^Line 3 is not JSON: /) },
      { id: 'a\u2028b', env: {} },
    ])
  })

  it('wait when more of them come than can be under way, and can be cancelled meanwhile', {
    timeout: 60_000,
  }, async () => {
    const world = await worldWith({ Stop: [commands('until test -e go; do sleep 0.1; done')] })
    const session = new Session(world)
    session.send('{"control":"register","hooks":{},"id":"first"}')
    await session.next()
    const stop = { hook_event_name: 'Stop', stop_hook_active: false }
    const many = Array.from({ length: 1005 }, (_, id) => JSON.stringify({ ...stop, id }))
    session.send(...many, '{"control":"cancel","target":1004,"id":"cancel"}')
    expect(await session.next()).toBe('{"id":"cancel","cancelled":true}')
    session.send(
      ...Array.from({ length: 990 }, (_, id) => JSON.stringify({ control: 'cancel', target: id, id: `c${id}` })),
    )
    await put(world, 'project/go', '')
    const answers = new Map<unknown, Record<string, unknown>>()
    while (answers.size < 1005 + 990) {
      const answer = JSON.parse(await session.next())
      answers.set(answer.id, answer)
    }
    expect(answers.get(1004)).toMatchObject({ cancelled: true })
    expect(answers.get(1003)).toMatchObject({ record: { event: 'Stop' } })
  })
})

describe('calls over the wire', () => {
  it('have a schema, names and a turn, as those of guardCall', async () => {
    const halt = `echo '{"continue":false,"stopReason":"enough"}'`
    const world = await worldWith({
      PreToolUse: [
        { matcher: 'Bash', ...commands(rewriting('{command: 1}')) },
        { matcher: 'Stopper', ...commands(halt) },
      ],
      UserPromptSubmit: [commands('echo remember this')],
      Stop: [commands('test -e stopped || { touch stopped; echo go on >&2; exit 2; }')],
    })
    const session = await new Session(world).agree()
    const schema = { type: 'object', properties: { cmd: { type: 'string' } } }
    const call = { name: 'shell', input: { cmd: 'ls' }, schema }
    const names = { shell: { name: 'Bash', fields: { cmd: 'command' } } }
    expect(await session.askFor({ control: 'before', call, names })).toMatchObject({
      before: { ended: 'refused', by: 'input', reason: expect.stringContaining('cannot be called so') },
    })
    const { schema: _, ...loose } = call
    expect(await session.askFor({ control: 'before', call: loose, names })).toMatchObject({
      before: { ended: 'cleared', input: { cmd: 1 } },
    })
    expect(await session.askFor({ control: 'before', call, names: 'nobody' })).toMatchObject({
      error: expect.stringContaining('not a known agent'),
    })

    const { turn } = await session.askFor({ control: 'turn' })
    expect(await session.askFor({ control: 'submit', turn, prompt: 'hello' })).toMatchObject({
      submit: { ended: 'submitted', texts: [expect.stringContaining('remember this')] },
      halted: null,
    })
    expect(await session.askFor({ control: 'mayStop', turn })).toMatchObject({
      mayStop: { ended: 'continued', texts: [expect.stringContaining('go on')] },
    })
    expect(await session.askFor({ control: 'mayStop', turn })).toMatchObject({ mayStop: { ended: 'stopped' } })
    await session.askFor({ control: 'before', turn, call: { name: 'Stopper', input: {} } })
    expect(await session.askFor({ control: 'before', turn, call: { name: 'Read', input: {} } })).toMatchObject({
      before: { ended: 'refused', by: 'turn', halt: 'enough' },
    })
    expect(await session.askFor({ control: 'late', turn })).toMatchObject({ late: [], halted: 'enough' })
    expect(await session.askFor({ control: 'endTurn', turn })).toEqual({ ended: true })
    expect(await session.askFor({ control: 'mayStop', turn })).toMatchObject({
      error: expect.stringContaining('not an open turn'),
    })
  })
})
