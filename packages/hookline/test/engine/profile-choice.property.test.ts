import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decision, type DispatchRecord, type EngineOptions, openEngine } from '../../src/index.ts'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { answering, makeWorld, put, type World } from '../support/project.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)

/** What a hook may say; the exit code decides which of the profiles listens to it. */
const ANSWERS: readonly object[] = [
  { decision: 'block', reason: 'no' },
  { decision: 'approve' },
  { continue: false, stopReason: 'enough' },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } },
  { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', interrupt: true } } },
  { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
]
const command = fc.oneof(
  fc.constantFrom('true', 'exit 1', 'echo no >&2; exit 2', 'echo "{"', 'python3 /nowhere.py'),
  fc
    .tuple(fc.constantFrom(...ANSWERS), fc.constantFrom(0, 1, 2))
    .map(([answer, code]) => `${answering(answer)}; exit ${code}`),
)
const hook = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('command'), command }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('command'), command, onFailure: fc.constantFrom('block', 'continue') }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { type: 'http', url: 'http://127.0.0.1:9/' },
      { type: 'command', command: 'exit 2', if: 'Bash(ls)' },
      { type: 'command', command: 'false', args: ['x'] },
      { type: 'prompt', prompt: 'ok?' },
    ),
  },
)
const group = fc.record({
  matcher: fc.constantFrom(undefined, '*', 'Bash', 'Read, Bash', 'tool == "Bash"'),
  hooks: fc.array(hook, { minLength: 1, maxLength: 2 }),
})
const groups = fc.array(group, { maxLength: 2 })
const choice = fc.constantFrom<unknown>(undefined, 'classic', 'current', 'later', null)

const SEVERITY: Readonly<Record<string, number>> = { null: 0, allow: 0, ask: 1, defer: 2, deny: 3 }
const isMilder = (one: Decision, other: Decision): boolean =>
  (other.halt && !one.halt) ||
  (other.blocked && !one.blocked) ||
  (other.interrupt && !one.interrupt) ||
  (SEVERITY[`${one.permission}`] ?? 0) < (SEVERITY[`${other.permission}`] ?? 0)

/** What an event comes to; null: the engine refuses to open, since policy would not hold. */
async function fired(world: World, input: object, options: EngineOptions): Promise<DispatchRecord | null> {
  const { project, home, managed } = world
  const engine = await openEngine({ project, home, managed, env: { PATH: process.env.PATH }, ...options }).catch(
    () => null,
  )
  if (engine === null) return null
  try {
    return await engine.dispatch({ hook_event_name: '', ...input })
  } finally {
    await engine.close()
  }
}

describe(`a project that chooses a profile (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('makes no guard of the user or of policy weaker, trusted or not', { timeout: 240_000 }, async () => {
    const rows = [...(await loadProfile('classic')).events.values()]
    const world = await makeWorld()
    const configuration = fc.record({
      row: fc.oneof(fc.constantFrom(...rows.filter(({ canBlock }) => canBlock)), fc.constantFrom(...rows)),
      user: groups,
      managed: groups,
      project: groups,
      chosen: fc.record({
        user: choice,
        managed: fc.constantFrom<unknown>(undefined, undefined, 'classic', 'current', 7),
        project: choice,
      }),
      trust: fc.constantFrom('accepted' as const, 'accepted' as const, 'refused' as const),
    })
    await fc.assert(
      fc.asyncProperty(configuration, async ({ row, user, managed, project, chosen, trust }) => {
        const settings = (hooks: unknown, profile: unknown): object => ({
          ...(profile === undefined ? {} : { hookline: { profile } }),
          hooks: { [row.name]: hooks },
        })
        const input = { ...row.example, hook_event_name: row.name }
        await put(world, 'home/.claude/settings.json', settings(user, chosen.user))
        await put(world, 'managed.json', settings(managed, chosen.managed))
        await put(world, 'project/.claude/settings.json', {})
        const alone = await fired(world, input, { trust })
        await put(world, 'project/.claude/settings.json', settings(project, chosen.project))
        const together = await fired(world, input, { trust })
        expect(together === null).toBe(alone === null)
        if (alone === null || together === null) return
        expect(isMilder(together.decision, alone.decision)).toBe(false)
        for (const line of alone.hooks) {
          const now = together.hooks.find(({ id }) => id === line.id)
          expect(now?.profile).toBe(line.profile)
          if (now?.verdict !== 'duplicate') expect([now?.verdict, now?.exitCode]).toEqual([line.verdict, line.exitCode])
        }
      }),
      { numRuns: 60, seed },
    )
  })
})
