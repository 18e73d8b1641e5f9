/**
 * `npm run otel`: sends the telemetry of an engine through the real OpenTelemetry SDK, 2 and 3, to a receiver on loopback, and
 * prints the spans that arrived. Needs the registry, and a build.
 */

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readCall } from './read-options.js'
import { ROOT } from './tools.js'

readCall(import.meta.url, {}) // it has no options

/** Versions of the SDK: its packages, and the Node that they run on. */
const SDKS = [
  {
    node: 20,
    packages: {
      '@opentelemetry/api': '1.9.0',
      '@opentelemetry/context-async-hooks': '2.12.0',
      '@opentelemetry/exporter-metrics-otlp-http': '0.223.0',
      '@opentelemetry/exporter-trace-otlp-http': '0.223.0',
      '@opentelemetry/sdk-metrics': '2.12.0',
      '@opentelemetry/sdk-trace-base': '2.12.0',
    },
  },
  {
    node: 22,
    packages: {
      '@opentelemetry/api': '1.10.0',
      '@opentelemetry/context-async-hooks': '3.1.1',
      '@opentelemetry/exporter-metrics-otlp-http': '0.301.0',
      '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
      '@opentelemetry/sdk-metrics': '3.1.1',
      '@opentelemetry/sdk-trace': '3.1.1',
    },
  },
]
const SECRET = 'words-of-a-hook'
const STATUS_ERROR = 2

/** @typedef {{ name: string, spanId: string, parentSpanId?: string, traceId: string, status: { code?: number }, startTimeUnixNano: string, endTimeUnixNano: string }} SentSpan */
/** @typedef {{ traces: any[], metrics: any[] }} Received */

for (const sdk of SDKS) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-otel-'))
  try {
    console.log(`OpenTelemetry SDK ${sdk.packages['@opentelemetry/sdk-metrics']}`)
    const program = install(folder, sdk)
    const { received, reason } = await run(program, folder)
    report(received, reason)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The Node to run it with.
 * @param {string} folder
 * @param {typeof SDKS[number]} sdk
 */
function install(folder, { packages, node }) {
  const isOlder = Number(process.versions.node.split('.')[0]) < node
  const own = `node-${process.platform}-${process.arch}` // `node` itself would have to run a script to get it
  const dependencies = { ...packages, ...(isOlder ? { [own]: String(node) } : {}) }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const args = ['install', '--no-audit', '--no-fund', '--silent', '--engine-strict=false']
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error('The packages of OpenTelemetry could not be installed.')
  return isOlder ? join(folder, 'node_modules', own, 'bin/node') : process.execPath
}

/**
 * Has a host fire two events inside a span of its own, with a receiver for what it sends.
 * @param {string} program
 * @param {string} folder
 */
async function run(program, folder) {
  /** @type {Received} */
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
  const project = join(folder, 'project')
  mkdirSync(join(project, '.claude'), { recursive: true })
  const hook = (/** @type {string} */ command, more = {}) => ({ hooks: [{ type: 'command', command, ...more }] })
  const hooks = {
    PreToolUse: [hook(`echo "${SECRET} $TRACEPARENT" >&2; exit 2`), hook('exit 1')],
    Stop: [hook('sleep 0.1', { async: true })],
  }
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }))
  const host = join(ROOT, 'scripts/otel/host.js')
  const { stdout } = await promisify(execFile)(program, [host, folder, `http://127.0.0.1:${port}/v1`], {
    timeout: 60_000,
  })
  server.close()
  return { received, reason: JSON.parse(stdout).reason }
}

/**
 * @param {Received} received
 * @param {string} reason
 */
function report(received, reason) {
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
  const failed = spans.filter(({ status }) => status.code === STATUS_ERROR)
  deepEqual(
    failed.map(({ name }) => name),
    ['hook project:PreToolUse:1:0'],
  )
  const sent = JSON.stringify(received)
  ok(!sent.includes(SECRET), 'content was sent')
  for (const name of ['event.duration', 'hook.duration', 'blocks', 'failures'])
    match(sent, new RegExp(`"hookline.${name}"`))
  for (const name of ['event.duration', 'hook.duration']) {
    const [first, ...rest] = boundariesOf(received, `hookline.${name}`)
    deepEqual([first, rest.at(-1)], [0.001, 60])
  }
  console.log('All spans and metrics arrived over OTLP/HTTP, without content.\n')
}

/**
 * The edges of the buckets of a histogram, as they were sent.
 * @param {Received} received
 * @param {string} name
 * @returns {number[]}
 */
function boundariesOf({ metrics }, name) {
  const all = metrics.flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap((/** @type {any} */ one) =>
      one.scopeMetrics.flatMap((/** @type {any} */ { metrics }) => metrics),
    ),
  )
  return all.find((metric) => metric.name === name)?.histogram.dataPoints[0].explicitBounds ?? []
}
