import type { LogEntry } from 'hookline/internal'
import { z } from 'zod'

/** Facts of a record as they were stored: names and figures that a machine sent, none of which is taken for granted. */
const FACTS = z.object({
  at: z.string().catch(''),
  event: z.string().catch(''),
  agent: z.string().optional().catch(undefined),
  tool: z.string().optional().catch(undefined),
  client: z.string().optional().catch(undefined),
  engine: z.string().catch(''),
  profile: z.string().catch(''),
  project: z.string().catch(''),
  projectName: z.string().catch(''),
  ms: z.number().catch(0),
  outcome: z.string().catch('passed'),
  hooks: z.array(z.unknown()).catch([]),
})

const HOOK_FACTS = z.object({
  key: z.string(),
  scope: z.string().catch('?'),
  type: z.string().nullable().catch(null),
  verdict: z.string(),
  outcome: z.enum(['success', 'blocking', 'non_blocking_error', 'cancelled']).optional().catch(undefined),
  failed: z.literal(true).optional().catch(undefined),
  timedOut: z.literal(true).optional().catch(undefined),
  exit: z.number().optional().catch(undefined),
  ms: z.number().optional().catch(undefined),
})

type EntryRecord = LogEntry['record']
type EntryHook = EntryRecord['hooks'][number]
type EntryDecision = EntryRecord['decision']

const NOTHING_DECIDED: EntryDecision = {
  ...{ halt: false, stopReason: null, blocked: false, permission: null, reason: null, interrupt: false },
  ...{ updatedInput: null, updatedPermissions: null, updatedToolOutput: null, instructions: null },
  ...{ context: [], contextFrom: [], messages: [] },
}

/** Decisions by the word that facts have for them. */
const DECISIONS: Readonly<Record<string, Partial<EntryDecision>>> = {
  halted: { halt: true, blocked: true },
  denied: { blocked: true, permission: 'deny' },
  blocked: { blocked: true },
  deferred: { permission: 'defer' },
  asked: { permission: 'ask' },
  allowed: { permission: 'allow' },
}

/** Makes an entry of facts: what hooks did, when and for how long, without a word of anybody. */
export function toEntry(stored: unknown, { id, session }: { readonly id: string; readonly session: string }): LogEntry {
  const facts = FACTS.parse(stored ?? {})
  const decided = Object.hasOwn(DECISIONS, facts.outcome) ? DECISIONS[facts.outcome] : {}
  const record: EntryRecord = {
    version: 2,
    id,
    at: facts.at,
    durationMs: facts.ms,
    sessionId: session,
    ...(facts.agent === undefined ? {} : { agentId: facts.agent }),
    event: facts.event,
    profile: facts.profile as EntryRecord['profile'], // the name of a table that this server need not know
    ...(facts.client === undefined ? {} : { host: { client: facts.client } }),
    engine: facts.engine,
    project: { name: facts.projectName, pathHash: facts.project },
    decision: { ...NOTHING_DECIDED, ...decided },
    hooks: facts.hooks.flatMap((hook) => toHook(hook)),
  }
  const input = facts.tool === undefined ? null : { hook_event_name: facts.event, tool_name: facts.tool }
  return { record, input, partial: true }
}

function toHook(stored: unknown): EntryHook[] {
  const parsed = HOOK_FACTS.safeParse(stored)
  if (!parsed.success) return []
  const { key, scope, type, verdict, outcome, failed, timedOut, exit, ms } = parsed.data
  const line = {
    ...{ id: key, verdict, scope, file: null, line: null, matcher: null, type, warnings: [] },
    ...(outcome === undefined ? {} : { outcome, answer: null, timedOut: timedOut ?? false, signal: null }),
    ...(exit === undefined ? {} : { exitCode: exit }),
    ...(failed === undefined ? {} : { failed: 'failed' }),
    ...(ms === undefined ? {} : { durationMs: ms }),
  }
  return [line as EntryHook] // words of another version are shown as they are
}
