import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { eventsOfAllProfiles } from '../support/profiles.ts'
import { makeWorld, openOn, put, type World } from '../support/project.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)
const events = await eventsOfAllProfiles()

/** A hook as people write them, sound or not; nothing here starts a process that lasts. */
const hook = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('command'), command: fc.constantFrom(':', 'true', 'exit 2', '') }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { type: 'prompt', prompt: 'ok?' },
      { type: 'http', url: 'x' },
      { type: 'mcp_tool', server: 's', tool: 't' },
      { type: 'command', command: ':', if: 'Bash(ls)' },
      { type: 'command', command: ':', if: 'Bash(' },
      { type: 'command', command: 'true', args: [] },
      { type: 'command', command: 'exit 1', onFailure: 'block' },
      { type: 'command', command: ':', async: true, asyncRewake: true },
      {},
      null,
      7,
      'x',
    ),
  },
)
const matcher = fc.constantFrom(undefined, '', '*', 'Bash', 'Edit|Write', '^B', '[', 'tool == "Bash"', '!x', 'startup')
const group = fc.oneof(
  { weight: 6, arbitrary: fc.record({ matcher, hooks: fc.array(hook, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ matcher, command: fc.constantFrom(':', '') }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>({ matcher: 'Bash' }, 5, null, { hooks: {} }, { matcher: 3, hooks: [{}] }),
  },
)
const groups = fc.oneof(
  { weight: 8, arbitrary: fc.array(group, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({}, 'x') },
)

/** How many hooks a list of groups configures: a malformed group counts as one. */
function configured(written: unknown): number {
  if (!Array.isArray(written)) return 1
  return written
    .map((one) => (Array.isArray(one?.hooks) ? one.hooks.length : 1))
    .reduce((sum: number, count: number) => sum + count, 0)
}

describe(`the record (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('has one line for every configured hook, as its plan has, and the published shape', {
    timeout: 120_000,
  }, async () => {
    const world: World = await makeWorld()
    const scope = fc.record({ hooks: groups, disableAllHooks: fc.constantFrom(undefined, true, false) })
    const configuration = fc.record({
      event: fc.constantFrom(...events),
      project: scope,
      local: scope,
      user: scope,
      trust: fc.constantFrom('accepted' as const, 'refused' as const),
    })
    await fc.assert(
      fc.asyncProperty(configuration, async ({ event: { profile, row }, project, local, user, trust }) => {
        const settings = ({ hooks, disableAllHooks }: typeof project) => ({
          disableAllHooks,
          hooks: { [row.name]: hooks },
        })
        await put(world, 'project/.claude/settings.json', settings(project))
        await put(world, 'project/.claude/settings.local.json', settings(local))
        await put(world, 'home/.claude/settings.json', settings(user))
        const engine = await openOn(world, { trust, profile })
        const explained = engine.explain({ hook_event_name: row.name, ...row.example })
        const record = await engine.dispatch({ hook_event_name: row.name, ...row.example })
        await engine.drain()
        await engine.close()
        const wanted = [local, project, user].map(({ hooks }) => configured(hooks))
        expect(record.hooks).toHaveLength(wanted.reduce((sum, count) => sum + count, 0))
        expect(explained.hooks.map(({ id }) => id)).toEqual(record.hooks.map(({ id }) => id))
        expect(new Set(record.hooks.map(({ id }) => id)).size).toBe(record.hooks.length)
        expect(record.profile).toBe(profile)
        expect(recordSchema.safeParse(JSON.parse(JSON.stringify(record)))).toMatchObject({ success: true })
      }),
      { numRuns: 150, seed },
    )
  })
})
