import { beforeAll, describe, expect, it } from 'vitest'
import { type Engine, type EngineOptions, openEngine } from '../../src/index.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { DEFAULT_PROFILE, loadProfile } from '../../src/protocol/profiles.ts'
import { makeLastingWorld, put, removeWorld, type World } from '../support/project.ts'

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

/** The failure that every event is tried with. */
const USUAL = 'a silent crash'

/** An event that can be blocked, and one that cannot. */
const pickBoth = (all: readonly EventRow[]): EventRow[] =>
  [all.find(({ canBlock }) => canBlock), all.find(({ canBlock }) => !canBlock)].filter((row) => row !== undefined)

const rows = [...DEFAULT_PROFILE.events.values()]
const { events } = await loadProfile('current')
/** Every failure at an event that can be blocked and at one that cannot, and one failure at every event: `on-failure.test.ts` has all of all. */
const cases = Object.entries(FAILURES).flatMap(([what, failure]) =>
  (what === USUAL ? rows : pickBoth(rows)).map((row) => ({ what, failure, row })),
)

interface Engines {
  readonly open: Engine
  readonly closed: Engine
}

/** Engines on a project whose guards of all events fail in one way: one that lets it pass, and one that does not. */
async function enginesFailing(world: World, { command, outcome }: Failure): Promise<Engines> {
  const timeout = outcome === 'cancelled' ? 0.2 : 20
  const group = { hooks: [{ type: 'command', command, timeout }] }
  const hooks = Object.fromEntries(rows.map(({ name }) => [name, [group]]))
  await put(world, 'project/.claude/settings.json', { hooks })
  return openBoth(world)
}

async function openBoth({ project, home, managed }: World, further: EngineOptions = {}): Promise<Engines> {
  const options: EngineOptions = { project, home, managed, trust: 'accepted', ...further }
  return {
    open: await openEngine({ profile: 'classic', ...options }),
    closed: await openEngine({ profile: 'classic', ...options, failClosed: ['project'] }),
  }
}

async function closeBoth({ open, closed }: Engines): Promise<void> {
  await Promise.all([open.close(), closed.close()])
}

describe('a guard that fails', () => {
  const engines = new Map<string, Engines>()
  beforeAll(async () => {
    const world = await makeLastingWorld({ 'project/plain.txt': 'echo hi\n' })
    for (const [what, failure] of Object.entries(FAILURES)) engines.set(what, await enginesFailing(world, failure))
    return async () => {
      for (const both of engines.values()) await closeBoth(both)
      await removeWorld(world)
    }
  })

  it.each(cases)(
    'on $row.name by $what decides nothing unless its scope fails closed',
    async ({ what, failure, row }) => {
      const event = { hook_event_name: row.name, ...row.example }
      const open = await engines.get(what)?.open.dispatch(event)
      expect(open?.decision).toMatchObject({ blocked: false, permission: null, halt: false })
      expect(open?.hooks).toMatchObject([{ outcome: failure.outcome }])
      expect(open?.hooks[0]).not.toHaveProperty('failed')

      const closed = await engines.get(what)?.closed.dispatch(event)
      expect(closed?.decision.blocked).toBe(row.canBlock)
      expect(closed?.hooks).toMatchObject([{ outcome: failure.outcome }])
      if (row.canBlock) expect(closed?.hooks[0]?.failed).toMatch(failure.failed)
      else expect(closed?.hooks[0]).not.toHaveProperty('failed')
      expect(`${closed?.decision.reason} ${closed?.hooks[0]?.failed}`).not.toContain('denied')
    },
  )
})

describe('guards of current that fail', () => {
  /** They fail by JSON that is an error there. */
  const all = Object.entries({
    ...FAILURES,
    'an unreadable answer': { ...FAILURES['an unreadable answer'], command: `printf '{"broken":}'` } as Failure, // it is there
  })
  const allRows = [...events.values()]
  /** Events that failures count for by themselves, and one of the others of each kind, are tried with all of them. */
  const isTriedWithAll = (row: EventRow): boolean =>
    row.blocksOn === 'any-failure' || row.onTimeout === 'block' || pickBoth(allRows).includes(row)
  const failuresOf = (row: EventRow): Failure[] =>
    all.filter(([what]) => what === USUAL || isTriedWithAll(row)).map(([, failure]) => failure)
  const hooksOf = (row: EventRow): object[] =>
    failuresOf(row).map(({ command, outcome }) => ({
      type: 'command',
      command,
      timeout: outcome === 'cancelled' ? 0.3 : 20,
    }))
  const closes = ({ canBlock }: EventRow, isClosed: boolean): boolean => canBlock && isClosed
  /** Whether a failure blocks whoever has it. */
  const closesAnyway = ({ blocksOn, onTimeout }: EventRow, { outcome }: Failure): boolean =>
    blocksOn === 'any-failure' ? outcome === 'non_blocking_error' : onTimeout === 'block' && outcome === 'cancelled'

  let engines: Engines
  beforeAll(async () => {
    const hooks = Object.fromEntries(allRows.map((row) => [row.name, [{ hooks: hooksOf(row) }]]))
    const world = await makeLastingWorld({
      'project/.claude/settings.json': { hooks },
      'project/plain.txt': 'echo hi\n',
    })
    engines = await openBoth(world, { profile: 'current' })
    return async () => {
      await closeBoth(engines)
      await removeWorld(world)
    }
  })

  it.each(allRows)('on $name decide nothing unless their scope fails closed', async (row) => {
    const failures = failuresOf(row)
    for (const isClosed of [false, true]) {
      const engine = isClosed ? engines.closed : engines.open
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
