/**
 * `npm run otel`: sends the telemetry of an engine through the real OpenTelemetry SDK to a receiver on loopback, and prints
 * the spans that arrived. Needs the registry, and a build.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './tools.js'

/** The newest that run on Node 20. */
const PACKAGES = {
  '@opentelemetry/api': '1.9.0',
  '@opentelemetry/exporter-metrics-otlp-http': '0.223.0',
  '@opentelemetry/exporter-trace-otlp-http': '0.223.0',
  '@opentelemetry/sdk-metrics': '2.12.0',
  '@opentelemetry/sdk-trace-node': '2.12.0',
}
const SECRET = 'words-of-a-hook'

/** @typedef {{ name: string, spanId: string, parentSpanId?: string, traceId: string, status: { code?: number }, startTimeUnixNano: string, endTimeUnixNano: string }} SentSpan */

const folder = mkdtempSync(join(tmpdir(), 'hookline-otel-'))
try {
  install()
  const { api, received, reason } = await run()
  report(api, received, reason)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function install() {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }))
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The packages of OpenTelemetry could not be installed.')
}

/** Fires two events inside a span of the host. */
async function run() {
  const load = createRequire(join(folder, 'package.json'))
  const api = load('@opentelemetry/api')
  /** @type {{ traces: any[], metrics: any[] }} */
  const received = { traces: [], metrics: [] }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received[request.url === '/v1/traces' ? 'traces' : 'metrics'].push(JSON.parse(text))
      response.end('{}')
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const url = `http://127.0.0.1:${port}/v1`
  const { NodeTracerProvider, BatchSpanProcessor } = load('@opentelemetry/sdk-trace-node')
  const { MeterProvider, PeriodicExportingMetricReader } = load('@opentelemetry/sdk-metrics')
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http')
  const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-http')
  const traces = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/traces` }))
  const tracers = new NodeTracerProvider({ spanProcessors: [traces] })
  tracers.register()
  const metrics = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${url}/metrics` }) })
  const meters = new MeterProvider({ readers: [metrics] })
  api.metrics.setGlobalMeterProvider(meters)
  const reason = await fire(api)
  await Promise.all([tracers.shutdown(), meters.shutdown()])
  server.close()
  return { api, received, reason }
}

/** @param {any} api */
async function fire(api) {
  const dist = join(ROOT, 'packages/hookline/dist')
  const { openEngine } = await import(pathToFileURL(join(dist, 'index.js')).href)
  const { telemetry } = await import(pathToFileURL(join(dist, 'adapters/otel.js')).href)
  const project = join(folder, 'project')
  mkdirSync(join(project, '.claude'), { recursive: true })
  const hook = (/** @type {string} */ command, more = {}) => ({ hooks: [{ type: 'command', command, ...more }] })
  const hooks = {
    PreToolUse: [hook(`echo "${SECRET} $TRACEPARENT" >&2; exit 2`), hook('exit 1')],
    Stop: [hook('sleep 0.1', { async: true })],
  }
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }))
  const places = { project, home: folder, managed: join(folder, 'none.json') }
  const engine = await openEngine({ ...places, trust: 'accepted', ...telemetry(api) })
  return api.trace.getTracer('host').startActiveSpan('turn', async (/** @type {any} */ span) => {
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
    const { decision } = await engine.dispatch(call)
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    span.end()
    await engine.drain()
    await engine.close()
    return decision.reason
  })
}

/**
 * @param {any} api
 * @param {{ traces: any[], metrics: any[] }} received
 * @param {string} reason
 */
function report(api, received, reason) {
  /** @type {SentSpan[]} */
  const spans = received.traces.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((/** @type {any} */ one) => one.scopeSpans.flatMap((/** @type {any} */ { spans }) => spans)),
  )
  const nameOf = (/** @type {string | undefined} */ id) => spans.find(({ spanId }) => spanId === id)?.name ?? '-'
  for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    const ms = (Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6).toFixed(1)
    console.log(`${name.padEnd(30)} under ${nameOf(parentSpanId).padEnd(20)} ${ms.padStart(8)} ms`)
  }
  const pairs = spans.map(({ name, parentSpanId }) => `${name} < ${nameOf(parentSpanId)}`).sort()
  deepEqual(pairs, [
    'hook project:PreToolUse:0:0 < hooks PreToolUse',
    'hook project:PreToolUse:1:0 < hooks PreToolUse',
    'hook project:Stop:0:0 < hooks Stop',
    'hooks PreToolUse < turn',
    'hooks Stop < turn',
    'turn < -',
  ])
  equal(new Set(spans.map(({ traceId }) => traceId)).size, 1)
  const turn = spans.find(({ name }) => name === 'turn')
  equal(reason, `${SECRET} 00-${turn?.traceId}-${turn?.spanId}-01`)
  const failed = spans.filter(({ status }) => status.code === api.SpanStatusCode.ERROR)
  deepEqual(
    failed.map(({ name }) => name),
    ['hook project:PreToolUse:1:0'],
  )
  const sent = JSON.stringify(received)
  ok(!sent.includes(SECRET), 'content was sent')
  for (const name of ['event.duration', 'hook.duration', 'blocks', 'failures'])
    match(sent, new RegExp(`"hookline.${name}"`))
  console.log('All spans and metrics arrived over OTLP/HTTP, without content.')
}
