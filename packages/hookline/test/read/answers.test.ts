import { describe, expect, it } from 'vitest'
import type { DispatchRecord, Engine } from '../../src/index.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { answering, bashCall, commands, engineWith } from '../support/project.ts'

const rows = [...DEFAULT_PROFILE.events.values()]

/** An engine on which every event has this one hook. */
function everywhere(command: string): Promise<Engine> {
  return engineWith(Object.fromEntries(rows.map(({ name }) => [name, [commands(command)]])), { profile: 'classic' })
}

/** Fires every event once, one after the other. */
async function onEveryEvent(command: string): Promise<{ row: EventRow; record: DispatchRecord }[]> {
  const engine = await everywhere(command)
  const fired: { row: EventRow; record: DispatchRecord }[] = []
  for (const row of rows)
    fired.push({ row, record: await engine.dispatch({ hook_event_name: row.name, ...row.example }) })
  return fired
}

/** What one hook's answer to a call comes to. */
async function answered(answer: object, event: { hook_event_name: string } = bashCall) {
  const engine = await engineWith({ [event.hook_event_name]: [commands(answering(answer))] }, { profile: 'classic' })
  const { decision, hooks } = await engine.dispatch(event)
  return { decision, warnings: hooks[0]?.warnings }
}

describe('a hook that exits 2 without a word on stderr', () => {
  it.each([
    ['plain text', 'echo "  no $((1+1)) "; exit 2', 'no 2'],
    ['JSON with a reason', `${answering({ decision: 'block', reason: 'not this' })}; exit 2`, 'not this'],
    [
      'JSON of a permission',
      `${answering({ hookSpecificOutput: { permissionDecision: 'allow', permissionDecisionReason: 'not that' } })}; exit 2`,
      'not that',
    ],
    [
      'JSON of a dialog',
      `${answering({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'never' } } })}; exit 2`,
      'never',
    ],
    ['JSON without a reason', `${answering({ decision: 'block' })}; exit 2`, '{"decision":"block"}'],
    ['JSON that cannot be read', `printf '{"reason":'; exit 2`, '{"reason":'],
    ['nothing', 'exit 2', 'No stderr output'],
    ['white space', 'echo; exit 2', 'No stderr output'],
  ])('gives %s on stdout as its reason, on every event', async (_what, command, reason) => {
    for (const { row, record } of await onEveryEvent(command)) {
      const { decision, hooks } = record
      expect([row.name, decision.blocked, decision.reason]).toEqual([
        row.name,
        row.canBlock,
        row.canBlock ? reason : null,
      ])
      expect(decision.messages).toEqual([
        { to: row.reasonTo, text: `[${command}]: ${reason}`, hook: `project:${row.name}:0:0` },
      ])
      expect(decision).toMatchObject({ context: [], instructions: null, updatedInput: null })
      expect(hooks[0]).toMatchObject({ outcome: row.canBlock ? 'blocking' : 'non_blocking_error', answer: null })
    }
  })

  it('gives what stands on stderr, when something does', async () => {
    for (const { row, record } of await onEveryEvent('echo out; echo err >&2; exit 2'))
      expect(record.decision.reason).toBe(row.canBlock ? 'err' : null)
  })
})

describe('an answer that was cut at the limit of the output', () => {
  const CUT = `printf '{"systemMessage":"'; head -c 1500000 /dev/zero | tr '\\0' z; printf '"}'`

  it('asks the user where a permission is decided, and is a warning everywhere else', { timeout: 60_000 }, async () => {
    for (const { row, record } of await onEveryEvent(CUT)) {
      const { decision, hooks } = record
      const asks = row.name === 'PreToolUse' || row.name === 'PermissionRequest'
      const reason = `The answer of ${CUT} was too long to be read`
      expect([row.name, decision.permission, decision.reason]).toEqual([
        row.name,
        asks ? 'ask' : null,
        asks ? reason : null,
      ])
      expect(decision).toMatchObject({ blocked: false, halt: false })
      expect(hooks[0]).toMatchObject({ outcome: 'success', truncated: true, answer: null })
      expect(hooks[0]?.warnings).toContainEqual(expect.stringContaining(reason))
    }
  })

  it.each(['PreToolUse', 'PermissionRequest'])('of a %s hook is not undone by one that allows', async (event) => {
    const allow =
      event === 'PreToolUse' ? { permissionDecision: 'allow' } : { decision: { behavior: 'allow', updatedInput: {} } }
    const hook = answering({ hookSpecificOutput: { hookEventName: event, ...allow } })
    const engine = await engineWith({ [event]: [commands(CUT, hook)] })
    const { decision } = await engine.dispatch({ hook_event_name: event, tool_name: 'Bash', tool_input: {} })
    expect(decision).toMatchObject({ permission: 'ask', reason: expect.stringMatching(/too long to be read$/) })
  })

  it('blocks as a failure where the scope fails closed', async () => {
    const engine = await engineWith({ PreToolUse: [commands(CUT)] }, { failClosed: ['project'] })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
    expect(hooks[0]?.failed).toMatch(/too long to be read$/)
  })
})

describe('an answer with something wrong in it', () => {
  it('does not grant a call by decision "allow"', async () => {
    const { decision, warnings } = await answered({ decision: 'allow', reason: 'no objection' })
    expect(decision).toMatchObject({ blocked: false, permission: null, reason: null })
    expect(warnings).toEqual([
      expect.stringContaining('"allow" grants nothing'),
      'reason without a decision reaches nobody',
    ])
  })

  it('is not milder for a decision "allow" beside what it asks or denies', async () => {
    for (const permissionDecision of ['ask', 'deny'] as const) {
      const { decision } = await answered({
        decision: 'allow',
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision },
      })
      expect(decision.permission).toBe(permissionDecision)
    }
  })

  it('decides a call in the old form, and the record says that it is old', async () => {
    expect(await answered({ decision: 'approve' })).toMatchObject({
      decision: { permission: 'allow' },
      warnings: [expect.stringContaining('"approve" is the old form')],
    })
    expect(await answered({ decision: 'deny', reason: 'no' })).toMatchObject({
      decision: { permission: 'deny', reason: 'no' },
      warnings: [expect.stringContaining('"deny" is the old form')],
    })
  })

  it('has every fault named with its path', async () => {
    const { warnings } = await answered({
      continue: 'no',
      systemMessage: 7,
      decision: 'perhaps',
      hookSpecificOutput: { permissionDecision: 'maybe', updatedInput: 'ls' },
    })
    const paths = [
      'continue',
      'systemMessage',
      'decision',
      'hookSpecificOutput.hookEventName',
      'hookSpecificOutput.permissionDecision',
      'hookSpecificOutput.updatedInput',
    ]
    expect(warnings?.map((warning) => / fit: (\S+) /.exec(warning)?.[1])).toEqual(expect.arrayContaining(paths))
    expect(warnings).toHaveLength(paths.length)
  })

  it('has no endless list of faults or of fields that mean nothing', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at]))
    const { warnings } = await answered(many)
    expect(warnings).toHaveLength(21)
    expect(warnings?.at(-1)).toBe('and 480 more of this kind')
  })

  it('is warned of everything that its event does not honour, on every event', async () => {
    const nothing = { permissionDecision: 'deny', updatedPermissions: [], updatedInput: {}, behavior: 'deny' }
    for (const row of rows) {
      const event = { hook_event_name: row.name, ...row.example }
      const hookSpecificOutput = { hookEventName: row.name, ...nothing }
      const { warnings = [] } = await answered({ stopReason: 'x', ...nothing, hookSpecificOutput }, event)
      const silent = Object.keys(nothing).filter(
        (field) =>
          !row.answerFields.includes(field) && !warnings.some((one) => one.includes(`hookSpecificOutput.${field} `)),
      )
      expect([row.name, silent]).toEqual([row.name, []])
      for (const field of Object.keys(nothing))
        expect(warnings).toContainEqual(expect.stringMatching(`misplaced field: ${field} has no effect on ${row.name}`))
      expect(warnings).toContain('stopReason without continue: false reaches nobody')
    }
  })

  it('to a dialog is warned of what does not count beside its behavior', async () => {
    const event = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: {} }
    const dialog = (decision: object, more: object = {}) =>
      answered({ ...more, hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }, event)
    const denied = await dialog({ behavior: 'deny', updatedInput: {}, updatedPermissions: [], colour: 'red' })
    expect(denied.warnings).toEqual([
      'misplaced field: hookSpecificOutput.decision.updatedInput has no effect with "deny"',
      'misplaced field: hookSpecificOutput.decision.updatedPermissions has no effect with "deny"',
      'unknown field hookSpecificOutput.decision.colour is ignored',
    ])
    const allowed = await dialog({ behavior: 'allow', message: 'fine', interrupt: true }, { reason: 'fine' })
    expect(allowed.warnings).toEqual([
      'misplaced field: reason has no effect on PermissionRequest; answer hookSpecificOutput.decision.message instead',
      'misplaced field: hookSpecificOutput.decision.message has no effect with "allow"',
      'misplaced field: hookSpecificOutput.decision.interrupt has no effect with "allow"',
    ])
  })
})

it('JSON that cannot be read beside exit code 2 is warned of by what is wrong with it, where it would have counted', async () => {
  const engine = await engineWith(
    { PreToolUse: [commands(`printf '{"a":}'; echo no >&2; exit 2`)] },
    { profile: 'current' },
  )
  const { decision, hooks } = await engine.dispatch(bashCall)
  expect(decision).toMatchObject({ blocked: true, reason: 'no' })
  expect(hooks[0]?.warnings).toEqual([expect.stringContaining('stdout starts with { but cannot be read')])
})

describe('a hook that prints the event again', () => {
  it('is told so once, on every event, and decides nothing', async () => {
    for (const { row, record } of await onEveryEvent('cat')) {
      expect([row.name, record.hooks[0]?.warnings]).toEqual([
        row.name,
        [expect.stringContaining('the answer repeats the event')],
      ])
      expect(record.decision).toMatchObject({ blocked: false, permission: null, halt: false, updatedInput: null })
    }
  })

  it('still decides by what it adds', async () => {
    const add = `const e=JSON.parse(require('fs').readFileSync(0));e.hookSpecificOutput={hookEventName:e.hook_event_name,permissionDecision:'deny'};console.log(JSON.stringify(e))`
    const engine = await engineWith({ PreToolUse: [commands(`node -e "${add}"`)] })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision.permission).toBe('deny')
    expect(hooks[0]?.warnings).toHaveLength(1)
  })
})
