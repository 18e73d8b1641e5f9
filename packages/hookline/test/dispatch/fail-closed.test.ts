import { beforeAll, describe, expect, it } from 'vitest'
import { type Engine, type EngineOptions, openEngine } from '../../src/index.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { loadProfile, PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { FAILURE_FILES, FAILURES, type Failure, makeFailingHook } from '../support/failures.ts'
import { makeLastingWorld, removeWorld } from '../support/project.ts'

const PROFILES = await Promise.all(
  PROFILE_NAMES.map(async (profile) => ({ profile, rows: [...(await loadProfile(profile)).events.values()] })),
)
const ALL = Object.values(FAILURES)

/** True if a failure blocks whichever scope has it. */
const isClosingAnyway = ({ blocksOn, onTimeout }: EventRow, { outcome }: Failure): boolean =>
  blocksOn === 'any-failure' ? outcome === 'non_blocking_error' : onTimeout === 'block' && outcome === 'cancelled'

/** Every failure at every event, in one place: what `onFailure` makes of them is in `test/faults/on-failure.test.ts`. */
describe.each(PROFILES)('guards of $profile that fail', ({ profile, rows }) => {
  let open: Engine
  let closed: Engine
  beforeAll(async () => {
    const group = { hooks: ALL.map((failure) => ({ type: 'command', ...makeFailingHook(failure) })) }
    const hooks = Object.fromEntries(rows.map(({ name }) => [name, [group]]))
    const world = await makeLastingWorld({ 'project/.claude/settings.json': { hooks }, ...FAILURE_FILES })
    const { project, home, managed } = world
    const options: EngineOptions = { project, home, managed, trust: 'accepted', profile }
    open = await openEngine(options)
    closed = await openEngine({ ...options, failClosed: ['project'] })
    return async () => {
      await Promise.all([open.close(), closed.close()])
      await removeWorld(world)
    }
  })

  it.each(rows)('on $name decide nothing unless their scope fails closed', async (row) => {
    const records = [open, closed].map((engine) => engine.dispatch({ hook_event_name: row.name, ...row.example }))
    for (const [at, { decision, hooks }] of (await Promise.all(records)).entries()) {
      const isClosed = at === 1 && row.canBlock
      const blocking = ALL.map((failure) => isClosed || isClosingAnyway(row, failure))
      if (profile === 'classic') expect(hooks.map(({ outcome }) => outcome)).toEqual(ALL.map(({ outcome }) => outcome))
      expect(hooks.map(({ failed }) => failed !== undefined)).toEqual(blocking)
      expect(decision).toMatchObject({ blocked: blocking.includes(true), halt: false })
      if (isClosed) for (const [nth, { failed }] of ALL.entries()) expect(hooks[nth]?.failed).toMatch(failed)
      else if (!blocking.includes(true)) expect(decision.permission).toBeNull()
      expect(`${decision.reason} ${hooks.map(({ failed }) => failed).join()}`).not.toMatch(/denied by|\bdenied:/)
    }
  })
})
