import fc from 'fast-check'
import type { HookLine } from '../../src/protocol/record/record.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'

const SCRIPTS = ['./guard.sh', 'python3 "/a b/check.py"', 'npx lint', 'true']
const TOOLS = ['Bash', 'Edit', 'mcp__db__query']
const REASONS = [null, 'not on Fridays', 'no <b>force</b>', '']

/** A hook of an event, with any verdict and any end. */
const hookLine = fc
  .record({
    nth: fc.nat(3),
    verdict: fc.constantFrom<HookLine['verdict'][]>('ran', 'ran', 'ran', 'matcher-miss', 'untrusted', 'backgrounded'),
    outcome: fc.constantFrom('success', 'success', 'blocking', 'non_blocking_error', 'cancelled'),
    durationMs: fc.integer({ min: 0, max: 4000 }),
    startMs: fc.nat(20),
    timedOut: fc.boolean(),
    answer: fc.constantFrom(null, null, { suppressOutput: true }),
  })
  .map(({ nth, verdict, ...run }): HookLine => {
    const command = SCRIPTS[nth] ?? 'true'
    const line = ranHook(`project:PreToolUse:${nth}:0`, { ...run, command, matcher: TOOLS[nth % 3] ?? null })
    if (verdict === 'ran' || verdict === 'backgrounded') return { ...line, verdict }
    const { id, scope, file, type, matcher, warnings } = line
    return { id, verdict, scope, file, line: line.line, type, matcher, warnings, command }
  })

const event = fc.record({
  session: fc.constantFrom('alpha', 'beta', 'beta-2'),
  gapMs: fc.constantFrom(5, 900, 61_000),
  name: fc.constantFrom('PreToolUse', 'PreToolUse', 'PostToolUse'),
  tool: fc.constantFrom(...TOOLS),
  command: fc.constantFrom('ls', 'git push --force', 'שלום'),
  agentId: fc.constantFrom(undefined, undefined, 'a1', 'b2'),
  hooks: fc.uniqueArray(hookLine, { maxLength: 4, selector: ({ id }) => id }),
  blocked: fc.boolean(),
  reason: fc.constantFrom(...REASONS),
  context: fc.constantFrom<string[][]>([], [], ['remember the tests']),
  withInput: fc.boolean(),
})

/** The text of a log: events of a few sessions in the order of their times, now and then a line that is not a record. */
export const randomLog = fc
  .array(fc.oneof({ weight: 12, arbitrary: event }, { weight: 1, arbitrary: fc.constant('torn') }), {
    minLength: 1,
    maxLength: 40,
  })
  .filter((lines) => lines.some((line) => line !== 'torn')) // a file without any is no log to the commands
  .map((events) => {
    let at = Date.parse('2026-11-15T09:30:00.000Z')
    return events
      .map((one, nth) => {
        if (typeof one === 'string') return '{"record":{"version":2,\n'
        const {
          session: sessionId,
          gapMs,
          name,
          tool,
          command,
          agentId,
          hooks,
          blocked,
          reason,
          context,
          withInput,
        } = one
        at += gapMs
        const speaker = hooks[0]?.id ?? ''
        const record = recordWith({
          ...{ sessionId, id: `m/e/${nth}`, at: new Date(at).toISOString(), event: name, profile: 'current', hooks },
          ...(agentId === undefined ? {} : { agentId }),
          durationMs: Math.max(1, ...hooks.map(({ startMs = 0, durationMs = 0 }) => startMs + durationMs)),
          snapshot: `s${hooks.map(({ id }) => id).join()}`,
          decision: {
            ...{ blocked, permission: blocked ? 'deny' : null, reason: blocked ? reason : null, context },
            contextFrom: context.map(() => ({ hook: speaker, kind: 'context' as const })),
            messages: blocked ? [{ to: 'model' as const, text: reason ?? '', hook: speaker }] : [],
          },
        })
        const input = { hook_event_name: name, tool_name: tool, tool_input: { command }, cwd: '/home/dev/lamp' }
        return `${JSON.stringify({ record, input: withInput ? input : null })}\n`
      })
      .join('')
  })
