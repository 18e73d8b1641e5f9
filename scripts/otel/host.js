// A host with the OpenTelemetry SDK that is installed in a folder: fires two events inside a span of its own, and prints why the
// first was blocked: node host.js FOLDER ADDRESS

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openEngine } from 'hookline'
import { makeTelemetry } from 'hookline/otel'

const [folder = '', url = ''] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const api = load('@opentelemetry/api')
const end = start()
console.log(JSON.stringify({ reason: await fire() }))
await end()

/** Registers the SDK; the answer sends what is left. */
function start() {
  const { AsyncLocalStorageContextManager } = load('@opentelemetry/context-async-hooks')
  const { MeterProvider, PeriodicExportingMetricReader } = load('@opentelemetry/sdk-metrics')
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http')
  const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-http')
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracers = tracing(new OTLPTraceExporter({ url: `${url}/traces` }))
  api.trace.setGlobalTracerProvider(tracers)
  const exporter = new OTLPMetricExporter({ url: `${url}/metrics` })
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  api.metrics.setGlobalMeterProvider(meters)
  return () => Promise.all([tracers.shutdown(), meters.shutdown()])
}

/**
 * Makes the provider of tracers, which has other names in each version.
 * @param {object} exporter
 */
function tracing(exporter) {
  const { dependencies } = load('./package.json')
  if ('@opentelemetry/sdk-trace' in dependencies) {
    const { TracerProvider, BatchSpanProcessor } = load('@opentelemetry/sdk-trace')
    return new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  }
  const { BasicTracerProvider, BatchSpanProcessor } = load('@opentelemetry/sdk-trace-base')
  return new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
}

async function fire() {
  const places = { project: join(folder, 'project'), home: folder, managed: join(folder, 'none.json') }
  const engine = await openEngine({ ...places, trust: 'accepted', ...makeTelemetry(api) })
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
