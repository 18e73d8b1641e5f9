import { AsyncLocalStorage } from 'node:async_hooks'
import * as api from '@opentelemetry/api'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeTelemetry, type TelemetryOptions } from '../../src/adapters/otel.ts'
import { printed } from '../faults/fire.ts'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

interface SeenSpan {
  readonly name: string
  readonly parent: string | undefined
  readonly id: string
  readonly start: number
  readonly attributes: api.Attributes
  end?: number
  status?: number
}

const spans: SeenSpan[] = []
const measured: [name: string, value: number, attributes: api.Attributes][] = []

/** As much of an SDK as shows what it is given; `npm run otel` asks the real one. */
class SeenTracer implements api.Tracer {
  startSpan(name: string, options: api.SpanOptions = {}, context = api.context.active()): api.Span {
    const id = String(spans.length + 1).padStart(16, '0')
    const start = Number(options.startTime ?? 0)
    const attributes = Object.fromEntries(
      Object.entries(options.attributes ?? {}).filter(([, value]) => value !== undefined),
    )
    const seen: SeenSpan = { name, id, start, attributes, parent: api.trace.getSpanContext(context)?.spanId }
    spans.push(seen)
    const span = api.trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: id, traceFlags: 1 })
    return Object.assign(span, {
      setStatus: ({ code }: api.SpanStatus) => Object.assign(seen, { status: code }),
      end: (end: number) => Object.assign(seen, { end }),
    }) as api.Span // what is not asked for stays as it is
  }

  startActiveSpan<Act extends (span: api.Span) => unknown>(name: string, ...rest: unknown[]): ReturnType<Act> {
    const span = this.startSpan(name)
    const act = rest.at(-1) as Act
    return api.context.with(api.trace.setSpan(api.context.active(), span), () => act(span)) as ReturnType<Act>
  }
}

const storage = new AsyncLocalStorage<api.Context>()
api.context.setGlobalContextManager({
  active: () => storage.getStore() ?? api.ROOT_CONTEXT,
  with: (context, act, self, ...args) => storage.run(context, () => act.apply(self, args)),
  bind: (_context, target) => target,
  enable() {
    return this
  },
  disable() {
    return this
  },
})
api.trace.setGlobalTracerProvider({ getTracer: () => new SeenTracer() })
const note = (name: string) => (value: number, attributes: api.Attributes) => measured.push([name, value, attributes])
const boundaries = new Map<string, readonly number[] | undefined>()
const meter = {
  createHistogram: (name: string, { advice }: api.MetricOptions = {}) => {
    boundaries.set(name, advice?.explicitBucketBoundaries)
    return { record: note(name) }
  },
  createCounter: (name: string) => ({ add: note(name) }),
}
const metered = { ...api, metrics: { getMeter: () => meter } } as unknown as typeof api // the rest is not used

afterAll(() => {
  api.context.disable()
  api.trace.disable()
})

/** Fires a call and an end inside a span of the host, and gives what was seen of it. */
async function traced(options: TelemetryOptions = {}) {
  spans.length = 0
  measured.length = 0
  const world = await makeWorld({
    'project/.claude/settings.json': {
      hooks: {
        PreToolUse: [
          commands('echo "span $TRACEPARENT" >&2; exit 2'),
          commands('exit 1'),
          { matcher: 'Read', ...commands('true') },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'exit 0', async: true }] }],
      },
    },
  })
  const engine = await openOn(world, { ...makeTelemetry(metered, options) })
  const record = await api.trace.getTracer('host').startActiveSpan('turn', async () => {
    const called = await engine.dispatch({ ...bashCall, tool_use_id: 't1' })
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    return called
  })
  await engine.drain()
  await engine.close()
  return record
}

const called = (name: string): SeenSpan | undefined => spans.find((span) => span.name === name)

describe('an engine with telemetry', () => {
  it('makes a span of each event under that of the host, and one below for each hook that ran, also in the background', async () => {
    const record = await traced()
    const [turn, event, stop] = [called('turn'), called('hooks PreToolUse'), called('hooks Stop')]
    expect([event?.parent, stop?.parent]).toEqual([turn?.id, turn?.id])
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['turn', undefined],
      ['hooks PreToolUse', turn?.id],
      ['hook project:PreToolUse:0:0', event?.id],
      ['hook project:PreToolUse:1:0', event?.id],
      ['hooks Stop', turn?.id],
      ['hook project:Stop:0:0', stop?.id],
    ])
    expect(event).toMatchObject({ start: Date.parse(record.at), end: Date.parse(record.at) + record.durationMs })
    expect(event?.attributes).toMatchObject({
      'gen_ai.conversation.id': record.sessionId,
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.call.id': 't1',
      'hookline.record.id': record.id,
      'hookline.decision.blocked': true,
      'hookline.decision.permission': 'deny',
      'hookline.hooks.configured': 3,
      'hookline.hooks.ran': 2,
    })
    const [guard, broken] = record.hooks
    expect(spans[2]).toMatchObject({ start: Date.parse(record.at) + (guard?.startMs ?? 0) })
    expect(spans[3]).toMatchObject({
      status: api.SpanStatusCode.ERROR,
      attributes: { 'error.type': 'failed', 'process.exit.code': 1 },
      end: Date.parse(record.at) + (broken?.startMs ?? 0) + (broken?.durationMs ?? 0),
    })
    expect(spans[5]?.attributes).toMatchObject({ 'hookline.hook.late': true, 'hookline.hook.outcome': 'success' })
  })

  it('leads from the span of the host into commands', async () => {
    const record = await traced()
    expect(printed(record) ?? record.decision.reason).toBe(`span 00-${'a'.repeat(32)}-${called('turn')?.id}-01`)
  })

  it('measures how long events and hooks take, what they block, and what fails', async () => {
    const record = await traced()
    const of = (name: string) =>
      measured.filter(([one]) => one === name).map(([, value, { 'hookline.event': event }]) => [event, value])
    expect(of('hookline.event.duration')).toHaveLength(2)
    expect(of('hookline.event.duration')[0]).toEqual(['PreToolUse', record.durationMs / 1000])
    expect(of('hookline.hook.duration').map(([event]) => event)).toEqual(['PreToolUse', 'PreToolUse', 'Stop'])
    expect(of('hookline.blocks')).toEqual([['PreToolUse', 1]])
    expect(of('hookline.failures')).toEqual([['PreToolUse', 1]])
  })

  it('sorts durations from 1 ms to 60 s, for events and for hooks', async () => {
    await traced()
    for (const name of ['hookline.event.duration', 'hookline.hook.duration']) {
      const edges = boundaries.get(name) ?? []
      expect([edges[0], edges.at(-1)]).toEqual([0.001, 60])
      expect(edges).toEqual([...new Set(edges)].sort((one, other) => one - other))
    }
  })

  it('cuts the name of a tool at 256 characters', async () => {
    spans.length = 0
    const engine = await openOn(await makeWorld(), { ...makeTelemetry(metered) })
    for (const length of [256, 257, 100_000]) await engine.dispatch({ ...bashCall, tool_name: 'x'.repeat(length) })
    expect(spans.map(({ attributes }) => String(attributes['gen_ai.tool.name']).length)).toEqual([256, 256, 256])
  })

  it('has nothing that a user, a model or a hook wrote, unless asked for it', async () => {
    await traced()
    const plain = JSON.stringify([spans, measured])
    for (const content of ['exit 2', 'span 00', 'echo', JSON.stringify(bashCall.tool_input)])
      expect(plain).not.toContain(content)
    await traced({ content: true })
    const full = JSON.stringify(spans)
    expect(full).toContain('span 00')
    expect(full).toContain('exit 2')
  })

  it('looks for secrets of the event, of the environment and of well-known shapes in what it sends', async () => {
    spans.length = 0
    vi.stubEnv('DEPLOY_TOKEN', 'lantern-of-the-hall')
    onTestFinished(() => void vi.unstubAllEnvs())
    const said = 'lantern-of-the-hall, key-of-the-cellar and sk-ant-0123456789abcdefghij'
    const engine = await openOn(await makeWorld(), { ...makeTelemetry(metered, { content: true }) })
    await engine.register({ PreToolUse: [commands(`echo '${said}' >&2; exit 2`)] })
    await engine.dispatch({ ...bashCall, tool_input: { command: 'ls', password: 'key-of-the-cellar' } })
    expect(called('hooks PreToolUse')?.attributes['hookline.decision.reason']).toBe(
      '[redacted], [redacted] and [redacted]',
    )
    expect(JSON.stringify(spans)).not.toMatch(/lantern|cellar|sk-ant/)
  })
})
