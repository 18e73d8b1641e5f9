import { describe, expect, it } from 'vitest'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { DEFAULT_PROFILE, loadProfile } from '../../src/protocol/profiles.ts'
import { type Content, makeWorld, openOn } from '../support/project.ts'

interface Failure {
  readonly command: string
  readonly outcome: string
  readonly failed: RegExp
}

/** The ways in which a guard fails to decide. */
const FAILURES: Readonly<Record<string, Failure>> = {
  'not found': { command: './gone.sh', outcome: 'non_blocking_error', failed: /exit code 127/ },
  'not executable': { command: './plain.txt', outcome: 'non_blocking_error', failed: /exit code 126/ },
  'a silent crash': { command: 'exit 1', outcome: 'non_blocking_error', failed: /exit code 1$/ },
  'a crash with stderr': { command: 'echo oops >&2; exit 70', outcome: 'non_blocking_error', failed: /exit code 70/ },
  'a timeout': { command: 'sleep 20', outcome: 'cancelled', failed: /timed out/ },
  'an unreadable answer': { command: 'printf "{broken"', outcome: 'success', failed: /cannot be read/ },
  'an answer that does not fit': { command: `printf '{"continue":"no"}'`, outcome: 'success', failed: /does not fit/ },
  'a signal': { command: 'kill -9 $$', outcome: 'non_blocking_error', failed: /killed by SIGKILL/ },
}

const rows = [...DEFAULT_PROFILE.events.values()]
const { events } = await loadProfile('current')
const cases = Object.entries(FAILURES).flatMap(([what, failure]) => rows.map((row) => ({ what, failure, row })))

async function failing({ command, outcome }: Failure, event: string, failClosed: boolean) {
  const timeout = outcome === 'cancelled' ? 0.2 : 20
  const hooks = { [event]: [{ hooks: [{ type: 'command', command, timeout }] }] }
  const files: Record<string, Content> = {
    'project/.claude/settings.json': { hooks },
    'project/plain.txt': 'echo hi\n',
  }
  return openOn(await makeWorld(files), failClosed ? { failClosed: ['project'] } : {})
}

describe('a guard that fails', () => {
  it.each(cases)('on $row.name by $what decides nothing unless its scope fails closed', async ({ failure, row }) => {
    const event = {
      hook_event_name: row.name,
      ...row.example,
    }
    const open = await (await failing(failure, row.name, false)).dispatch(event)
    expect(open.decision).toMatchObject({ blocked: false, permission: null, halt: false })
    expect(open.hooks).toMatchObject([{ outcome: failure.outcome }])
    expect(open.hooks[0]).not.toHaveProperty('failed')

    const closed = await (await failing(failure, row.name, true)).dispatch(event)
    expect(closed.decision.blocked).toBe(row.canBlock)
    expect(closed.hooks).toMatchObject([{ outcome: failure.outcome }])
    if (row.canBlock) expect(closed.hooks[0]?.failed).toMatch(failure.failed)
    else expect(closed.hooks[0]).not.toHaveProperty('failed')
    expect(`${closed.decision.reason} ${closed.hooks[0]?.failed}`).not.toContain('denied')
  })
})

describe('guards of current that fail', () => {
  /** They fail by JSON that is an error there. */
  const failures = Object.values({
    ...FAILURES,
    'an unreadable answer': { ...FAILURES['an unreadable answer'], command: `printf '{"broken":}'` } as Failure, // it is there
  })
  const all = failures.map(({ command, outcome }) => ({
    type: 'command',
    command,
    timeout: outcome === 'cancelled' ? 0.3 : 20,
  }))
  const closes = ({ canBlock }: EventRow, isClosed: boolean): boolean => canBlock && isClosed
  /** Whether a failure blocks whoever has it. */
  const closesAnyway = ({ blocksOn, onTimeout }: EventRow, { outcome }: Failure): boolean =>
    blocksOn === 'any-failure' ? outcome === 'non_blocking_error' : onTimeout === 'block' && outcome === 'cancelled'

  it.each([...events.values()])('on $name decide nothing unless their scope fails closed', async (row) => {
    const files: Record<string, Content> = {
      'project/.claude/settings.json': { hooks: { [row.name]: [{ hooks: all }] } },
      'project/plain.txt': 'echo hi\n',
    }
    const world = await makeWorld(files)
    for (const isClosed of [false, true]) {
      const engine = await openOn(world, { profile: 'current', ...(isClosed ? { failClosed: ['project'] } : {}) })
      const { decision, hooks } = await engine.dispatch({ hook_event_name: row.name, ...row.example })
      const blocking = failures.map((failure) => closes(row, isClosed) || closesAnyway(row, failure))
      expect(hooks.map(({ failed }) => failed !== undefined)).toEqual(blocking)
      expect(decision).toMatchObject({ blocked: blocking.includes(true), halt: false })
      if (closes(row, isClosed)) {
        for (const [at, { failed }] of failures.entries()) expect(hooks[at]?.failed).toMatch(failed)
      }
      expect(hooks.map(({ failed }) => failed).join()).not.toContain('denied')
    }
  })
})
