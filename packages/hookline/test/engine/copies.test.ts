import { describe, expect, it } from 'vitest'
import { answering, bashCall, makeWorld, openOn } from '../support/project.ts'

const settings = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } })
const guard = { type: 'command', command: 'echo guarding >&2; exit 3' }

/** An engine of `current` with these hooks of the user, the project and the user in the project. */
async function engineOf(user: object[], project: object[], local: object[] = []) {
  const world = await makeWorld({
    'home/.claude/settings.json': settings(...user),
    'project/.claude/settings.json': settings(...project),
    'project/.claude/settings.local.json': settings(...local),
  })
  return openOn(world, { profile: 'current' })
}

describe('copies of a hook', () => {
  it('that differ are a problem of the engine and a warning of the hook that runs', async () => {
    const engine = await engineOf([{ ...guard, onFailure: 'block', timeout: 20 }], [guard], [{ ...guard, timeout: 5 }])
    const told = 'user:PreToolUse:0:0 and 1 more runs the same and differs in timeout, onFailure'
    expect(engine.problems).toEqual([
      expect.objectContaining({
        severity: 'warning',
        file: '.claude/settings.local.json',
        message: expect.stringContaining(told),
      }),
    ])
    const { hooks, decision } = await engine.dispatch(bashCall)
    expect(decision.blocked).toBe(true)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['duplicate', 'duplicate', 'ran'])
    expect(hooks.map(({ warnings }) => warnings)).toEqual([[], [], [expect.stringContaining(told)]])
  })

  it('that are alike are no problem', async () => {
    const engine = await engineOf([guard], [guard], [{ ...guard, statusMessage: 'looking' }])
    expect(engine.problems).toEqual([])
    expect((await engine.dispatch(bashCall)).hooks.flatMap(({ warnings }) => warnings)).toEqual([])
  })

  it('by which a project would have another shell read the text are hooks of their own', async () => {
    const engine = await engineOf([{ ...guard, onFailure: 'block' }], [{ ...guard, shell: 'powershell' }])
    const { hooks, decision } = await engine.dispatch(bashCall)
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'ran'])
    expect(decision.blocked).toBe(true)
  })

  it('of a project do not change what an http hook of the user sends', async () => {
    const { createServer } = await import('node:http')
    const sent: (string | undefined)[] = []
    const server = createServer(({ headers }, response) => {
      sent.push(headers.authorization)
      response.end(headers.authorization === 'right' ? JSON.stringify({ decision: 'block' }) : '{}')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as { port: number } // of a server that listens
    const http = { type: 'http', url: `http://127.0.0.1:${port}/` }
    try {
      const engine = await engineOf(
        [{ ...http, headers: { authorization: 'right' } }],
        [{ ...http, headers: { authorization: 'wrong' } }],
      )
      const { decision, hooks } = await engine.dispatch(bashCall)
      expect(sent).toEqual(['right'])
      expect(decision.blocked).toBe(true)
      expect(hooks.at(-1)?.warnings.join()).toContain('differs in headers')
      await engine.close()
    } finally {
      server.close()
    }
  })

  it('wait for their answer unless all are in the background', async () => {
    const deny = { type: 'command', command: answering({ decision: 'block' }) }
    const engine = await engineOf([deny], [{ ...deny, async: true }])
    expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
  })
})
