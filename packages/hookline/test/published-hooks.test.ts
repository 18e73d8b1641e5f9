import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bashCall, commands, engineWith } from './support/project.ts'

const program = fileURLToPath(new URL('../../../node_modules/.bin/cc-safety-net', import.meta.url))

describe('cc-safety-net, a published hook, runs unchanged', () => {
  const guard = { PreToolUse: [{ matcher: 'Bash', ...commands(`'${program}' hook --claude-code`) }] }

  it('refuses git reset --hard with its own reason', async () => {
    const engine = await engineWith(guard)
    const { decision, hooks } = await engine.dispatch({ ...bashCall, tool_input: { command: 'git reset --hard' } })
    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'blocking', exitCode: 0 }])
    expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: expect.stringMatching(/reset --hard/) })
  })

  it('lets git status pass', async () => {
    const engine = await engineWith(guard)
    const { decision, hooks } = await engine.dispatch({ ...bashCall, tool_input: { command: 'git status' } })
    expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'success' }])
    expect(decision).toMatchObject({ blocked: false, permission: null })
  })
})
