import { describe, expect, it } from 'vitest'
import { answering, bashCall, commands, engineWith } from '../support/project.ts'

const deciding = (permissionDecision: string): string =>
  answering({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: `so says ${permissionDecision}`,
    },
  })

const LEVELS = ['allow', 'ask', 'deny']
const pairs = LEVELS.flatMap((one) => LEVELS.map((other): [string, string] => [one, other]))

describe('decisions of two hooks about one call', () => {
  it.each(pairs)('come to the stricter of %s and %s, with its reason', async (one, other) => {
    const engine = await engineWith({ PreToolUse: [commands(deciding(one), `${deciding(other)}; true`)] })
    const { decision } = await engine.dispatch(bashCall)
    const stricter = LEVELS[Math.max(LEVELS.indexOf(one), LEVELS.indexOf(other))]
    const reasons = [one, other].filter((level) => level === stricter).map((level) => `so says ${level}`)
    expect(decision).toMatchObject({ permission: stricter, blocked: stricter === 'deny', reason: reasons.join('\n') })
  })

  it.each(LEVELS)('are %s when the other one has no opinion, or fails', async (level) => {
    const engine = await engineWith({ PreToolUse: [commands('true', deciding(level), 'exit 1')] })
    expect((await engine.dispatch(bashCall)).decision.permission).toBe(level)
  })
})

describe('what is told of a hook that failed', () => {
  it('is the first line of stderr for the user, and all of it in the verbose view alone', async () => {
    const engine = await engineWith({ PreToolUse: [commands("printf 'first\\nsecond\\n' >&2; exit 1")] })
    const { decision } = await engine.dispatch(bashCall)
    expect(decision.messages.map(({ to, text }) => [to, text])).toEqual([
      ['user', 'Failed with non-blocking status code: first'],
      ['verbose', 'Failed with non-blocking status code: first\nsecond'],
    ])
  })

  it('is told once when stderr is one line', async () => {
    const engine = await engineWith({ PreToolUse: [commands('echo only >&2; exit 1')] })
    const { decision } = await engine.dispatch(bashCall)
    expect(decision.messages.map(({ to }) => to)).toEqual(['user'])
  })
})
