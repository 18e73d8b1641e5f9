import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES } from '../src/protocol/profiles.ts'
import { bashCall, commands, engineWith, makeWorld, openOn } from './support/project.ts'

const installed = (path: string): string => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url))

/** Calls that cc-safety-net refuses, with what it says, and calls that it lets pass. */
const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>, refusal: RegExp | null])[] = [
  ['Bash', { command: 'git reset --hard' }, /reset --hard/],
  ['Bash', { command: 'bash -c "git push --force origin main"' }, /force/],
  ['Bash', { command: 'git status' }, null],
]

describe.each(PROFILE_NAMES)('published hooks run unchanged under %s', (profile) => {
  const guard = { PreToolUse: [commands(`'${installed('.bin/cc-safety-net')}' hook --claude-code`)] }

  it.each(CALLS)('cc-safety-net judges %s %j', async (tool_name, tool_input, refusal) => {
    const engine = await engineWith(guard, { profile })
    const { decision, hooks } = await engine.dispatch({ ...bashCall, tool_name, tool_input })
    const outcome = refusal === null ? 'success' : 'blocking'
    expect(hooks).toMatchObject([{ verdict: 'ran', outcome, exitCode: 0, warnings: [] }])
    if (refusal === null) expect(decision).toMatchObject({ blocked: false, permission: null })
    else expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: expect.stringMatching(refusal) })
  })

  it('ccstatusline draws its line', async () => {
    const command = `'${process.execPath}' '${installed('ccstatusline/dist/ccstatusline.js')}'`
    const world = await makeWorld({ 'project/.claude/settings.json': { statusLine: { type: 'command', command } } })
    const engine = await openOn(world, { profile, env: { ...process.env, HOME: world.home } })
    const { project } = world
    const status = {
      session_id: 's',
      cwd: project,
      model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet' },
      workspace: { current_dir: project, project_dir: project },
    }
    expect(await engine.runStatusLine(status)).toMatch(/Model:\s*Sonnet/)
  })
})
