import type { RecordedEvent } from '../dispatch/pipe.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { makeHookKey } from '../protocol/record/hook-key.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { toLoggedEvent } from '../record/log-line.ts'
import { makeRedactor } from '../record/redact.ts'

/** Parts of a record that leave the machine, the least first. */
export const LEVELS = ['counts', 'facts', 'redacted', 'full'] as const

/** One of them. */
export type Level = (typeof LEVELS)[number]

/** Record of an event as a level has it: facts without a word of anybody, and a body that can be dropped. */
export interface Portion {
  readonly facts: Facts
  /** JSON of the record and its event, as a line of a log has them; null where the level has none. */
  readonly body: string | null
}

/** Facts of a record: names, figures and digests. No input, no text, no command. */
export interface Facts {
  readonly id?: string
  readonly lateOf?: string
  /** Beginning of the event; of `counts` the hour. */
  readonly at: string
  readonly event: string
  readonly session?: string
  readonly agent?: string
  readonly tool?: string
  readonly client?: string
  readonly engine: string
  readonly profile: string
  /** Digest of the project's path, and the name of its folder. */
  readonly project?: string
  readonly projectName?: string
  readonly snapshot?: string
  readonly ms: number
  readonly outcome: EventOutcome
  readonly rewritten?: true
  readonly hooks: readonly HookFacts[]
}

/** Outcome of an event, the strictest first that holds. */
export type EventOutcome = 'halted' | 'denied' | 'blocked' | 'deferred' | 'asked' | 'allowed' | 'passed'

/** Facts of a hook that ran, or that should have and did not. */
export interface HookFacts {
  /** Key of the hook, as `hookline list` has it. */
  readonly key: string
  readonly scope: string
  readonly type?: string
  readonly verdict: string
  readonly outcome?: string
  readonly failed?: true
  readonly timedOut?: true
  readonly exit?: number
  readonly ms?: number
}

/** Verdicts of hooks that an event did not concern. */
const UNCONCERNED: ReadonlySet<string> = new Set(['matcher-miss', 'once-spent'])

/** Makes what takes of the records of a segment as much as a level allows. */
export function makePortioner(level: Level, env: NodeJS.ProcessEnv): (event: RecordedEvent) => Portion {
  const writeBody = level === 'counts' || level === 'facts' ? () => null : makeBodyWriter(level, env)
  return (event) => ({
    facts: level === 'counts' ? takeCounts(event.record) : takeFacts(event.record, event.input),
    body: writeBody(event),
  })
}

/** Records after which a body has all configured hooks again: its reader looks no further back. */
const MAX_CONFIGURED_DISTANCE = 100
const MAX_TOLD_SNAPSHOTS = 256

/** Makes what writes bodies as lines of a log: of hooks that did not run, the first of them and each hundredth tell. */
function makeBodyWriter(level: Level, env: NodeJS.ProcessEnv): (event: RecordedEvent) => string {
  const write = level === 'full' ? JSON.stringify : makeRedactor(env)
  /** Numbers of the bodies that told the hooks of a snapshot last. */
  const told = new Map<string, number>()
  let count = 0
  return ({ record, input, configured }) => {
    const { digest } = configured
    const event = toLoggedEvent(record, input, configured)
    const last = told.get(digest)
    count++
    if (event.places === undefined || (last !== undefined && count - last < MAX_CONFIGURED_DISTANCE))
      return write(event)
    if (told.size >= MAX_TOLD_SNAPSHOTS) told.clear()
    told.set(digest, count)
    return write({ ...event, configured: configured.lines })
  }
}

function takeFacts(record: DispatchRecord, input: EventInput): Facts {
  const { id, lateOf, sessionId, agentId, host, project, snapshot, decision } = record
  const { tool_name: tool } = input
  return {
    id,
    ...(lateOf === undefined ? {} : { lateOf }),
    at: record.at,
    event: record.event,
    session: sessionId,
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(typeof tool === 'string' ? { tool: tool.slice(0, MAX_NAME_CHARS) } : {}),
    ...(host === undefined ? {} : { client: host.client }),
    ...takeCommon(record),
    project: project.pathHash,
    projectName: project.name.slice(0, MAX_NAME_CHARS),
    snapshot,
    ...(isRewriting(decision) ? { rewritten: true } : {}),
    hooks: record.hooks
      .filter(({ verdict }) => !UNCONCERNED.has(verdict))
      .map((line) => toHookFacts(record.event, line)),
  }
}

const MAX_NAME_CHARS = 256

/** Figures alone: an hour in place of the time, and no word about who, where or what. */
function takeCounts(record: DispatchRecord): Facts {
  const ran = record.hooks.filter(({ verdict }) => verdict === 'ran')
  return {
    at: `${record.at.slice(0, 'yyyy-mm-ddThh'.length)}:00:00.000Z`,
    event: record.event,
    ...takeCommon(record),
    hooks: ran.map((line) => toHookFacts(record.event, line)),
  }
}

function takeCommon({ engine, profile, durationMs, decision }: DispatchRecord) {
  return { engine, profile, ms: durationMs, outcome: nameOutcome(decision) }
}

function isRewriting({ updatedInput, updatedToolOutput }: Decision): boolean {
  return updatedInput !== null || (updatedToolOutput !== null && updatedToolOutput !== undefined)
}

function nameOutcome({ halt, blocked, permission }: Decision): EventOutcome {
  if (halt) return 'halted'
  if (permission === 'deny') return 'denied'
  if (blocked) return 'blocked'
  if (permission === 'defer') return 'deferred'
  if (permission === 'ask') return 'asked'
  return permission === 'allow' ? 'allowed' : 'passed'
}

function toHookFacts(event: string, line: HookLine): HookFacts {
  const { scope, type, verdict, outcome, failed, timedOut, exitCode, durationMs } = line
  return {
    key: makeHookKey(event, line),
    scope,
    ...(type === null ? {} : { type }),
    verdict,
    ...(outcome === undefined ? {} : { outcome }),
    ...(failed === undefined ? {} : { failed: true }),
    ...(timedOut === true ? { timedOut: true } : {}),
    ...(typeof exitCode === 'number' && exitCode !== 0 ? { exit: exitCode } : {}),
    ...(durationMs === undefined ? {} : { ms: durationMs }),
  }
}
