import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currentHookTypes } from '../../src/protocol/current/hook-types.ts'
import { findingsIn, projectWith, validateUnchosen } from '../support/validate.ts'

const good = { type: 'command', command: 'true' }
const frontmatter = (name: string) =>
  `---\nname: ${name}\ndescription: d\nhooks: ${JSON.stringify({ PreToolUse: [{ hooks: [good] }] })}\n---\nText.\n`

describe('hooks in the frontmatter of a plugin', () => {
  const FILES = { 'plugin/.claude-plugin/plugin.json': '{"name":"p"}' }

  it.each(['plugin/agents/x.md', 'plugin/commands/x.md', 'plugin/commands/sub/x.md'])(
    'are warned of once where Claude Code does not run them: %s',
    async (file) => {
      const findings = await findingsIn({ ...FILES, [file]: frontmatter('x') }, 'current')
      expect(findings).toMatchObject([{ rule: 'V-HK-47', severity: 'warning', file }])
    },
  )

  it('are fine in its skills', async () => {
    expect(await findingsIn({ ...FILES, 'plugin/skills/x/SKILL.md': frontmatter('x') }, 'current')).toEqual([])
  })
})

describe('a file of a plugin that nothing reads', () => {
  const hooks = { PreToolUse: [{ hooks: [{ ...good, command: '"$CLAUDE_PLUGIN_ROOT"/missing.sh' }] }] }

  it.each(['p/settings.json', 'p/.claude-plugin/hooks/hooks.json'])(
    'is told to be that first, and its scripts are not looked for: %s',
    async (file) => {
      const text = JSON.stringify({ hooks })
      const world = await projectWith({ 'p/.claude-plugin/plugin.json': '{"name":"p"}', [file]: text })
      const { code, stdout } = await validateUnchosen(
        world,
        join(world.project, file),
        '--profile',
        'current',
        '--json',
      )
      const rules = JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule)
      expect({ code, rules }).toEqual({ code: 0, rules: ['V-HK-48'] })
    },
  )
})

describe('no finding', () => {
  const FIELDS = Object.entries(currentHookTypes).flatMap(([type, { fields, required, ...rest }]) =>
    'inFiles' in rest ? [] : Object.keys(fields).map((field) => [field, type, required] as const),
  )
  it.each(FIELDS)('calls %s of a %s hook ignored where it costs the file', async (field, type, required) => {
    const sound = Object.fromEntries(required.map((name) => [name, name === 'url' ? 'http://127.0.0.1:1/' : 'x']))
    for (const value of [null, 0, -1, 'word', ['x', 1], { a: 1 }]) {
      const hook = { type, ...sound, [field]: value }
      const settings = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } })
      const findings = await findingsIn({ '.claude/settings.json': settings }, 'current')
      if (!findings.some(({ loss }) => loss === 'file')) continue
      expect(findings.map(({ message }) => message).join('\n')).not.toMatch(/default holds|is ignored/)
    }
  })
})
