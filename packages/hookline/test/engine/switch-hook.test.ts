import { expect, it } from 'vitest'
import { bashCall, commands, engineWith, makeWorld, openOn } from '../support/project.ts'

const blocks = { PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }] }

it('does not run a hook that was switched off for the session, and says why', async () => {
  const engine = await engineWith(blocks)

  expect(engine.switchHook('project:PreToolUse:0:0', { off: true })).toBe(true)
  const { decision, hooks } = await engine.dispatch(bashCall)

  expect(decision.blocked).toBe(false)
  expect(hooks).toMatchObject([{ verdict: 'disabled', because: 'it was switched off for this session' }])
})

it('runs it when it is switched on again', async () => {
  const engine = await engineWith(blocks)
  engine.switchHook('project:PreToolUse:0:0', { off: true })
  engine.switchHook('project:PreToolUse:0:0', { off: false })

  expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
})

it('does not switch off what policy put there', async () => {
  const engine = await openOn(await makeWorld({ 'managed.json': { hooks: blocks } }))

  expect(engine.switchHook('managed:PreToolUse:0:0', { off: true })).toBe(false)
  expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
})

it('knows nothing of a hook that is not there', async () => {
  expect((await engineWith(blocks)).switchHook('user:Stop:0:0', { off: true })).toBe(false)
})
