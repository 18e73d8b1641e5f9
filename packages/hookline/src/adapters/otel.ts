import type { Attributes, Context, Counter, Histogram, Span, Tracer } from '@opentelemetry/api'
import type { EngineOptions } from '../engine/options.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { collectSecrets, makeRedactor } from '../record/redact.ts'
import { VERSION } from '../text/version.ts'

/** Part of `@opentelemetry/api` that is used. */
type Api = Pick<typeof import('@opentelemetry/api'), 'context' | 'metrics' | 'SpanStatusCode' | 'trace' | 'TraceFlags'>

/** Options of telemetry. */
export interface TelemetryOptions {
  /** Reasons, and what hooks run, go along without secrets; without it nothing that a user, a model or a hook wrote does. */
  readonly content?: boolean | undefined
}

/** Spans whose late hooks may still end; of older ones they stand under the span of the host. */
const MAX_EVENTS = 1000
const INSTRUMENTATION_NAME = 'hookline'
/** Names of tools come from models and servers, and may be of any length. */
const MAX_TOOL_NAME_LENGTH = 256
/** From 1 ms to a minute: the usual ones begin at 5 s, and nearly every hook ends before. */
const DURATION_BOUNDARIES_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * The options of an engine whose events become spans under the host's current span, with one below for each hook that ran, and
 * metrics; commands find the current span as TRACEPARENT: `openEngine({ ...telemetry(api) })` with
 * `import * as api from '@opentelemetry/api'`.
 */
export function makeTelemetry(
  api: Api,
  { content = false }: TelemetryOptions = {},
): Pick<EngineOptions, 'onRecord' | 'trace'> {
  const tracer = api.trace.getTracer(INSTRUMENTATION_NAME, VERSION)
  const meters = makeMeters(api)
  const tellingOf = content ? makeTeller(process.env) : () => NOT_TOLD
  const events = new Map<string, Context>()
  return {
    trace: () => readCurrentTrace(api),
    onRecord: (record, input) => {
      const end = Date.parse(record.at) + record.durationMs
      const isLate = record.lateOf !== undefined
      const parent = (isLate && events.get(record.lateOf)) || api.context.active()
      const told = tellingOf(input)
      const span = isLate ? null : startEvent(tracer, record, { input, parent, told })
      const under = span === null ? parent : api.trace.setSpan(parent, span)
      for (const line of record.hooks) if (hasRun(line)) addHookSpan(api, tracer, { line, record, under, told })
      measureEvent(meters, record)
      if (span === null) return
      if (record.hooks.some(({ verdict }) => verdict === 'backgrounded')) rememberContext(events, record.id, under)
      span.end(end)
    },
  }
}

/** A text as it is sent; undefined: it is not. */
type TellText = (text: string | null) => string | undefined

const NOT_TOLD: TellText = () => undefined

/** Tells texts about an event without its secrets, and those of an environment. */
function makeTeller(env: NodeJS.ProcessEnv): (input: EventInput) => TellText {
  const redacted = makeRedactor(env)
  return (input) => {
    const secrets = collectSecrets(input)
    return (text) => (text === null ? undefined : String(JSON.parse(redacted(text, secrets))))
  }
}

/** The host's current span, as hooks get it; null when there is none. */
function readCurrentTrace({ trace, TraceFlags, context }: Api) {
  const span = trace.getSpanContext(context.active())
  if (span === undefined) return null
  const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    tracestate: span.traceState?.serialize() || undefined,
  }
}

interface EventSpan {
  readonly input: EventInput
  readonly parent: Context
  readonly told: TellText
}

function startEvent(tracer: Tracer, record: DispatchRecord, { input, parent, told }: EventSpan): Span {
  const { decision, event } = record
  const attributes: Attributes = {
    'gen_ai.conversation.id': record.sessionId,
    'gen_ai.agent.id': record.agentId,
    'gen_ai.tool.name': readTextValue(input.tool_name)?.slice(0, MAX_TOOL_NAME_LENGTH),
    'gen_ai.tool.call.id': readTextValue(input.tool_use_id),
    'hookline.record.id': record.id,
    'hookline.event': event,
    'hookline.profile': record.profile,
    'hookline.snapshot': record.snapshot,
    'hookline.decision.blocked': decision.blocked,
    'hookline.decision.halt': decision.halt,
    'hookline.decision.permission': decision.permission ?? undefined,
    'hookline.decision.rewritten': decision.updatedInput !== null || decision.updatedToolOutput !== null,
    'hookline.hooks.configured': record.hooks.length,
    'hookline.hooks.ran': record.hooks.filter(hasRun).length,
    'hookline.decision.reason': told(decision.reason ?? decision.stopReason),
  }
  return tracer.startSpan(`hooks ${event}`, { startTime: Date.parse(record.at), attributes }, parent)
}

interface HookSpan {
  readonly line: HookLine
  readonly record: DispatchRecord
  readonly under: Context
  readonly told: TellText
}

function addHookSpan({ SpanStatusCode }: Api, tracer: Tracer, { line, record, under, told }: HookSpan): void {
  const { startMs = 0, durationMs = 0 } = line
  const startTime = Date.parse(record.at) + startMs
  const fault = nameFault(line)
  const attributes: Attributes = {
    'hookline.hook.id': line.id,
    'hookline.hook.type': line.type ?? undefined,
    'hookline.hook.scope': line.scope,
    'hookline.hook.outcome': line.outcome,
    'hookline.hook.late': record.lateOf === undefined ? undefined : true,
    'hookline.hook.runs': told(readRuns(line)),
    'process.exit.code': line.exitCode ?? undefined,
    'gen_ai.response.model': line.model,
    'gen_ai.usage.input_tokens': line.inputTokens,
    'gen_ai.usage.output_tokens': line.outputTokens,
    'error.type': fault,
  }
  const span = tracer.startSpan(`hook ${line.id}`, { startTime, attributes }, under)
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(startTime + durationMs)
}

interface Meters {
  readonly events: Histogram
  readonly hooks: Histogram
  readonly blocks: Counter
  readonly failures: Counter
}

function makeMeters({ metrics }: Api): Meters {
  const meter = metrics.getMeter(INSTRUMENTATION_NAME, VERSION)
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: DURATION_BOUNDARIES_SECONDS } }
  return {
    events: meter.createHistogram('hookline.event.duration', {
      ...seconds,
      description: 'From an event to its decision',
    }),
    hooks: meter.createHistogram('hookline.hook.duration', { ...seconds, description: 'How long hooks run' }),
    blocks: meter.createCounter('hookline.blocks', { description: 'Events that hooks blocked, denied or halted' }),
    failures: meter.createCounter('hookline.failures', { description: 'Hooks that failed or were late' }),
  }
}

function measureEvent(
  { events, hooks, blocks, failures }: Meters,
  { event, decision, durationMs, ...record }: DispatchRecord,
): void {
  const of = { 'hookline.event': event }
  if (record.lateOf === undefined) events.record(durationMs / 1000, of)
  if (decision.blocked || decision.halt) blocks.add(1, of)
  for (const line of record.hooks) {
    if (!hasRun(line)) continue
    const fault = nameFault(line)
    const attributes = { ...of, 'hookline.hook.type': line.type ?? '', 'hookline.hook.scope': line.scope }
    hooks.record((line.durationMs ?? 0) / 1000, attributes)
    if (fault !== undefined) failures.add(1, { ...attributes, 'error.type': fault })
  }
}

const hasRun = ({ outcome }: HookLine): boolean => outcome !== undefined

/** Names how a hook failed; undefined when it did not. */
function nameFault({ timedOut, outcome, failed }: HookLine): string | undefined {
  if (timedOut) return 'timeout'
  return outcome === 'non_blocking_error' || failed !== undefined ? 'failed' : undefined
}

function rememberContext(events: Map<string, Context>, id: string, under: Context): void {
  const [oldest] = events.keys()
  if (events.size >= MAX_EVENTS && oldest !== undefined) events.delete(oldest)
  events.set(id, under)
}

const readTextValue = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
