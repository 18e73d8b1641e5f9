import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../src/index.ts'
import { tooWide } from '../support/command.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { bashCall, type Content, makeWorld, openOn } from '../support/project.ts'

const group = (hook: object, matcher?: string) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] })
const settings = (...groups: object[]) => ({ 'project/.claude/settings.json': { hooks: { PreToolUse: groups } } })
const sound = { type: 'command', command: 'touch executed' }

const SKILL = '.claude/skills/tidy/SKILL.md'
const SPENT_SKILL =
  '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: touch executed, once: true }\n---\n'

interface Fixture {
  readonly files: Record<string, Content>
  readonly args?: readonly string[]
  /** Which line of the explanation shows it. */
  readonly at?: number
  /** Where the hook comes from; the project's settings unless said. */
  readonly from?: { readonly scope: string; readonly file: string }
}

/** For every verdict but those of a policy a configuration, and what to suppose, in which a hook meets it. */
const FIXTURES: Record<Exclude<Verdict, 'policy-off'>, Fixture> = {
  ran: { files: settings(group(sound, 'Bash')) },
  backgrounded: { files: settings(group({ ...sound, async: true })) },
  'matcher-miss': { files: settings(group(sound, 'Write')) },
  untrusted: { files: settings(group(sound)), args: [] },
  disabled: { files: { ...settings(group(sound)), 'home/.claude/settings.json': { disableAllHooks: true } } },
  duplicate: { files: settings(group(sound), group(sound)), at: 1 },
  invalid: { files: settings(group({ type: 'banana' })) },
  unsupported: { files: settings(group({ type: 'prompt', prompt: 'Fine?' })) },
  'once-spent': {
    files: { [`project/${SKILL}`]: SPENT_SKILL },
    args: ['--trust', '--component', SKILL, '--again'],
    from: { scope: 'skill', file: SKILL },
  },
  'not-reached': {
    files: settings(group(sound), group({ type: 'command', command: 'true' })),
    args: ['--trust', '--halts', 'project:PreToolUse:0:0'],
    at: 1,
  },
}

describe('hookline explain', () => {
  it.each(Object.entries(FIXTURES))(
    'shows the verdict %s with file, line and scope, and runs nothing',
    async (verdict, fixture) => {
      const world = await makeWorld(fixture.files)
      const args = ['explain', 'PreToolUse', 'tool_name=Bash', ...(fixture.args ?? ['--trust'])]
      const printed = await hookline(world, [...args, '--json'])
      const line = JSON.parse(printed.stdout).hooks[fixture.at ?? 0]
      const { scope, file } = fixture.from ?? { scope: 'project', file: '.claude/settings.json' }
      expect(line).toMatchObject({ verdict, scope, file, line: expect.any(Number) })
      const shown = await hookline(world, args, { env: { COLUMNS: '80' } })
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file}:${line.line}`) })
      expect(tooWide(shown.stdout)).toEqual([])
      if (!line.planned && verdict !== 'matcher-miss') expect(shown.stdout).toMatch(/ {4}because {2}\S/)
      await expect(readFile(join(world.project, 'executed'))).rejects.toThrow('ENOENT')
    },
  )

  it('shows once-spent where a session has come that far', async () => {
    const engine = await openOn(await makeWorld({ [`project/${SKILL}`]: SPENT_SKILL }))
    await engine.activate(SKILL)
    await engine.dispatch(bashCall)
    expect(engine.explain(bashCall).hooks).toMatchObject([
      { verdict: 'once-spent', because: 'it runs once per session' },
    ])
  })

  it('supposes what the record then says of a halt, in either order', async () => {
    const world = await makeWorld({
      ...settings(
        group({ type: 'command', command: `echo '{"continue": false}'` }),
        group(sound),
        group(sound, 'Write'),
      ),
    })
    const halts = 'project:PreToolUse:0:0'
    for (const order of ['sequential', 'parallel'] as const) {
      const engine = await openOn(world, { order })
      const supposed = engine.explain(bashCall, { halts }).hooks.map(({ verdict }) => verdict)
      const { hooks } = await engine.dispatch(bashCall)
      expect(supposed).toEqual(hooks.map(({ verdict }) => verdict))
      expect(supposed[1]).toBe(order === 'sequential' ? 'not-reached' : 'ran')
    }
  })

  it('says what would run when the hook that is to halt would not', async () => {
    const world = await makeWorld(settings(group(sound)))
    const refused = await hookline(world, ['explain', 'PreToolUse', 'tool_name=Bash', '--trust', '--halts', 'nobody'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('project:PreToolUse:0:0') })
  })
})
