import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../src/index.ts'
import { hookline, tooWide } from './support/command.ts'
import { bashCall, type Content, commands, makeWorld, openOn } from './support/project.ts'

const group = (hook: object, matcher?: string) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] })
const settings = (...groups: object[]) => ({ 'project/.claude/settings.json': { hooks: { PreToolUse: groups } } })
const sound = { type: 'command', command: 'touch executed' }

interface Fixture {
  readonly files: Record<string, Content>
  readonly args?: readonly string[]
  /** Which line of the explanation shows it. */
  readonly at?: number
}

/** A configuration in which a hook meets each verdict that can be told beforehand. */
const FIXTURES: Partial<Record<Verdict, Fixture>> = {
  ran: { files: settings(group(sound, 'Bash')) },
  backgrounded: { files: settings(group({ ...sound, async: true })) },
  'matcher-miss': { files: settings(group(sound, 'Write')) },
  untrusted: { files: settings(group(sound)), args: [] },
  'policy-off': { files: { ...settings(group(sound)), 'managed.json': { allowManagedHooksOnly: true } } },
  disabled: { files: { ...settings(group(sound)), 'home/.claude/settings.json': { disableAllHooks: true } } },
  duplicate: { files: settings(group(sound), group(sound)), at: 1 },
  invalid: { files: settings(group({ type: 'banana' })) },
  unsupported: { files: settings(group({ type: 'prompt', prompt: 'fine?' })) },
}

describe('hookline explain', () => {
  it.each(Object.entries(FIXTURES))(
    'shows the verdict %s with file, line and scope, and runs nothing',
    async (verdict, fixture) => {
      const world = await makeWorld(fixture.files)
      const args = ['explain', 'PreToolUse', 'tool_name=Bash', ...(fixture.args ?? ['--trust'])]
      const printed = await hookline(world, [...args, '--json'])
      const line = JSON.parse(printed.stdout).hooks[fixture.at ?? 0]
      expect(line).toMatchObject({ verdict, scope: 'project', file: '.claude/settings.json', line: expect.any(Number) })
      const shown = await hookline(world, args, { env: { COLUMNS: '80' } })
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`.claude/settings.json:${line.line}`) })
      expect(tooWide(shown.stdout)).toEqual([])
      if (!line.planned && verdict !== 'matcher-miss') expect(shown.stdout).toMatch(/ {4}because {2}\S/)
      await expect(readFile(join(world.project, 'executed'))).rejects.toThrow('ENOENT')
    },
  )

  it('shows once-spent and not-reached where a session has come that far', async () => {
    const skill =
      '---\nhooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: "true", once: true }\n---\n'
    const engine = await openOn(await makeWorld({ 'project/.claude/skills/tidy/SKILL.md': skill }), {
      order: 'sequential',
    })
    await engine.activate('.claude/skills/tidy/SKILL.md')
    await engine.dispatch(bashCall)
    expect(engine.explain(bashCall).hooks).toMatchObject([
      { verdict: 'once-spent', because: 'it runs once per session' },
    ])
    await engine.on('Stop', () => ({ continue: false }))
    await engine.register({ Stop: [commands('true')] })
    const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'not-reached'])
  })
})
