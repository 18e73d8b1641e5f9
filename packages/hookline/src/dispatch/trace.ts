import { callHost, type HostNotes, tellOnce } from './host-listeners.ts'
import type { Stage } from './pipe.ts'
import type { TraceContext, TraceSource } from './settled.ts'

/** Version, trace, span and flags; `ff` is not a version, and neither of the two numbers is zero. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACESTATE = /^[\x20-\x7e]{1,512}$/

/** Gives hooks that are processes the span that their event happens in. */
export const tracing: Stage = {
  environment: (session, { following }, env) => {
    const trace = findTrace(session, following.trace)
    return trace === null ? env : withTrace(env, trace)
  },
}

/** The span that an event happens in; null: there is none. What is malformed does not count, and is told once. */
function findTrace(
  session: HostNotes & { readonly options: { readonly trace: TraceSource | null } },
  given: TraceContext | undefined,
): TraceContext | null {
  const source = given ?? session.options.trace
  const trace = typeof source === 'function' ? callHost(session, 'trace', source) : source
  if (trace === null || trace === undefined) return null
  const { traceparent, tracestate } = trace
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) {
    tellOnce(session, 'traceparent', 'The traceparent of the host is malformed: hooks do not get it.')
    return null
  }
  if (tracestate === undefined || tracestate === '') return { traceparent }
  if (typeof tracestate === 'string' && TRACESTATE.test(tracestate)) return { traceparent, tracestate }
  tellOnce(session, 'tracestate', 'The tracestate of the host is malformed: hooks do not get it.')
  return { traceparent }
}

/** An environment of hooks with a span; whatever the host was started in is not theirs then. */
function withTrace(env: NodeJS.ProcessEnv, { traceparent, tracestate }: TraceContext): NodeJS.ProcessEnv {
  const { TRACESTATE: _hosts, ...others } = env
  return { ...others, TRACEPARENT: traceparent, ...(tracestate === undefined ? {} : { TRACESTATE: tracestate }) }
}
