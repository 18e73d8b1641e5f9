import * as z from 'zod'
import type { EffectMerge } from '../effect.ts'
import type { Profile } from '../profile.ts'
import type { DispatchRecord, Verdict } from '../record/record.ts'

/** The closed set of what can become of a configured hook. */
const verdicts = [
  'ran',
  'matcher-miss',
  'untrusted',
  'policy-off',
  'disabled',
  'duplicate',
  'invalid',
  'unsupported',
  'once-spent',
  'backgrounded',
  'not-reached',
] as const satisfies readonly Verdict[]

const message = z.strictObject({
  to: z.enum(['model', 'user', 'verbose']).describe('the widest reader; a wider one implies the narrower'),
  text: z.string(),
  hook: z.string().describe('the id of the hook it comes from'),
})

const json = z.record(z.string(), z.unknown())

const decision = z.strictObject({
  halt: z.boolean().describe('a hook answered continue: false'),
  stopReason: z.string().nullable(),
  blocked: z.boolean().describe('the event can block and some hook blocked or denied it'),
  permission: z.enum(['allow', 'deny', 'ask', 'defer']).nullable(),
  reason: z.string().nullable().describe('the bare reasons of the winning level, joined'),
  interrupt: z.boolean(),
  updatedInput: json.nullable(),
  updatedPermissions: z.array(json).nullable(),
  updatedToolOutput: z.unknown().describe('null when no hook replaced the output'),
  context: z.array(z.string()).describe('texts for the model, in configuration order'),
  contextFrom: z.array(z.strictObject({ hook: z.string(), kind: z.enum(['context', 'stdout']) })),
  instructions: z.string().nullable().describe('for a compaction'),
  messages: z.array(message),
  retry: z.boolean().optional().describe('this and the following: only in profiles that have it'),
  sessionTitle: z.string().nullable().optional(),
  initialUserMessage: z.string().nullable().optional(),
  displayContent: z.string().nullable().optional(),
  worktreePath: z.string().nullable().optional(),
  watchPaths: z.array(z.string()).nullable().optional().describe('null: no hook said anything; empty: none any more'),
  reloadSkills: z.boolean().optional(),
  suppressOriginalPrompt: z.boolean().optional(),
  elicitation: z
    .strictObject({ action: z.enum(['accept', 'decline', 'cancel']), content: json.nullable() })
    .nullable()
    .optional(),
  terminalSequences: z.array(z.string()).optional(),
  classifierContext: z.string().nullable().optional().describe('for the classifier that judges later calls'),
})

const hookLine = z.strictObject({
  id: z.string(),
  verdict: z.enum(verdicts),
  planned: z.literal(true).optional().describe('would run; nothing was executed'),
  because: z.string().optional().describe('why it did not run'),
  scope: z.string(),
  profile: z.string().optional().describe('the one that it was read under; older records do not say it'),
  file: z.string().nullable().describe('relative to the project inside it'),
  line: z.number().nullable(),
  matcher: z.string().nullable(),
  type: z.string().nullable(),
  command: z.string().optional(),
  wrapped: z.literal(true).optional().describe('the command is written inside of hookline wrap, for other agents'),
  args: z.array(z.string()).optional().describe('of a command that no shell reads'),
  shell: z.string().optional().describe('which one reads the command, where it is not the usual one'),
  prompt: z.string().optional(),
  url: z.string().optional().describe('where the event is sent, without credentials and query'),
  server: z.string().optional().describe('the MCP server'),
  tool: z.string().optional().describe('its tool'),
  outcome: z.enum(['success', 'blocking', 'non_blocking_error', 'cancelled']).optional(),
  failed: z.string().optional().describe('how a fail-closed hook failed; it blocked without having decided'),
  exitCode: z.number().nullable().optional(),
  signal: z.string().nullable().optional(),
  notStarted: z.string().optional().describe('why its program never ran: it could not be started'),
  timedOut: z.boolean().optional(),
  startMs: z
    .number()
    .optional()
    .describe('milliseconds from the beginning of the event; missing: it was never started'),
  durationMs: z.number().optional(),
  stdoutBytes: z.number().optional().describe('what the hook wrote, kept or not'),
  stderrBytes: z.number().optional(),
  truncated: z.boolean().optional(),
  stdoutTail: z.string().optional().describe('the end of what was kept, without secrets; only where the host asked'),
  stderrTail: z.string().optional(),
  launcher: z
    .enum(['pool', 'direct', 'warm'])
    .optional()
    .describe('whether a resident shell started it, or the host itself; warm: its interpreter was started ahead'),
  model: z.string().optional().describe('the model that answered'),
  inputTokens: z.number().optional().describe('what it read, over all questions, where the provider says so'),
  outputTokens: z.number().optional(),
  turns: z.number().optional().describe('how many an agent took'),
  attempts: z.number().optional().describe('how often a model was asked, when more than once'),
  answer: json.nullable().optional(),
  warnings: z.array(z.string()),
})

/** The published shape of a dispatch record; a test holds it equal to the interface. */
export const recordSchema = z.strictObject({
  version: z.literal(2),
  id: z.string().describe('machine/epoch/seq; what is delivered twice has the same one'),
  lateOf: z
    .string()
    .optional()
    .describe('the id of the record that this one adds to: how a hook ended in the background'),
  at: z.string().describe('when the event began'),
  durationMs: z.number().describe('until there was a decision'),
  sessionId: z.string(),
  agentId: z.string().optional().describe('the subagent that it happened in'),
  event: z.string(),
  profile: z.string(),
  host: z
    .strictObject({
      client: z.string(),
      version: z.string().optional(),
      launcher: z.literal('resident').optional().describe('the resident engine answered, and not a process of its own'),
    })
    .optional()
    .describe('the program that opened the engine'),
  engine: z.string().describe('the version of Hookline'),
  project: z.strictObject({ name: z.string(), pathHash: z.string() }),
  snapshot: z.string().describe('a digest of the hooks that are configured for the event'),
  decision,
  hooks: z.array(hookLine),
  notices: z.array(z.string()).optional().describe('what belongs to no hook; each said once'),
}) satisfies z.ZodType<DispatchRecord>

/**
 * The shape of the records that a profile makes: of its own events alone, with the effects of these and the fields of its own
 * hook types. `recordSchema` fits the records of every profile that comes with the package.
 */
export function recordSchemaFor(profile: Pick<Profile, 'name' | 'events' | 'hookTypes'>) {
  const effects = [...profile.events.values()].flatMap(({ effects = {} }) => Object.entries(effects))
  const own = effects.filter(([name]) => !Object.hasOwn(decision.shape, name))
  const fields = Object.values(profile.hookTypes).flatMap((type) => Object.keys(type.fields))
  const ownFields = fields.filter((name) => !Object.hasOwn(hookLine.shape, name))
  return recordSchema.extend({
    event: z.enum([...profile.events.keys()]),
    profile: z.literal(profile.name),
    decision: decision.extend(
      Object.fromEntries(own.map(([name, { merge }]) => [name, EFFECT_SCHEMAS[merge].optional()])),
    ),
    hooks: z.array(hookLine.extend(Object.fromEntries(ownFields.map((name) => [name, z.unknown().optional()])))),
  })
}

/** Values of an effect by how several answers become one. */
const EFFECT_SCHEMAS: Readonly<Record<EffectMerge, z.ZodType>> = {
  first: z.unknown(),
  last: z.unknown(),
  all: z.array(z.unknown()).nullable(),
  any: z.boolean(),
  joined: z.string().nullable(),
  list: z.array(z.unknown()),
  refusal: z.unknown(),
}
