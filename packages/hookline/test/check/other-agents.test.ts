import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectWith, validate } from '../support/validate.ts'

/** Findings in one file of a project that is named. */
async function findingsOf(path: string, content: object | string, ...flags: string[]) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const world = await projectWith({ [path]: text })
  const { code, stdout } = await validate(world, join(world.project, path), '--json', ...flags)
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; severity: string; message: string }[] }
  const own = findings.filter(({ rule }) => rule === 'V-HK-52')
  return { code, own: own.map(({ severity, message }) => `${severity}: ${message}`), all: findings.length }
}

const hooks = (event: string, hook: object = {}) => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command: 'true', ...hook }] }] },
})

describe('a file of another agent', () => {
  it.each([
    ['.cursor/hooks.json', { version: 1, hooks: { sessionStart: [{ command: 'true' }] } }, 'Cursor'],
    ['.codex/hooks.json', hooks('PreToolUse'), 'Codex'],
    ['.gemini/settings.json', hooks('BeforeTool'), 'Gemini CLI'],
    ['.qwen/settings.json', hooks('PreToolUse'), 'Qwen Code'],
    ['.factory/hooks.json', { PreToolUse: [{ hooks: [] }] }, 'Droid'],
    ['.windsurf/hooks.json', { hooks: { pre_run_command: [{ command: 'true' }] } }, 'Windsurf'],
    ['hooks/hooks-codex.json', hooks('SessionStart'), 'Codex'],
    ['extension/hooks/hooks.json', hooks('BeforeAgent'), 'Gemini CLI'],
    ['.cursor/skills/a/SKILL.md', '---\nname: a\nhooks: {}\n---\n', 'Cursor'],
  ])('is told whose it is, and nothing else where it is right: %s', async (path, content, title) => {
    const { code, own, all } = await findingsOf(path, content)
    expect({ code, all }).toEqual({ code: 0, all: 1 })
    expect(own).toEqual([expect.stringContaining(`note: This is a file of ${title} (`)])
  })

  it.each([
    ['.codex/hooks.json', { model: 'x', ...hooks('Stop') }, 1, 'has "model" at its top'],
    ['.codex/hooks.json', hooks('Stop', { timeout: 1.5 }), 1, '"timeout" that is not a whole number'],
    ['.codex/hooks.json', '{ "hooks": {} // mine\n }', 1, 'is not plain JSON'],
    ['.codex/hooks.json', { hooks: { Stop: [{ matcher: 'x' }] } }, 1, 'needs a "hooks" list'],
    ['.codex/hooks.json', hooks('sessionStart'), 0, 'Did you mean "SessionStart"?'],
    ['.gemini/settings.json', hooks('PreToolUse'), 0, '"PreToolUse" is not a known event of Gemini CLI'],
    ['.gemini/settings.json', hooks('BeforeTool', { timeout: 30 }), 0, 'Write 30000.'],
    ['.cursor/hooks.json', { version: 1, hooks: { Stop: [{ command: 'true' }] } }, 0, 'Did you mean "stop"?'],
    ['.cursor/hooks.json', { hooks: { stop: { command: 'true' } } }, 1, '"stop" must be a list'],
  ])('is checked by the tables of its agent: %s %j', async (path, content, code, words) => {
    const found = await findingsOf(path, content)
    expect(found.code).toBe(code)
    expect(found.own.join('\n')).toContain(words)
  })

  it.each([
    ['.claude/settings.json', { hooks: { sessionStart: [] } }],
    ['codex-tools/.claude/settings.json', hooks('Stop')],
    ['codex/hooks/hooks.json', hooks('Stop')],
    ['hooks/hooks.json', { hooks: { ...hooks('Stop').hooks, PreToolUse: [], BeforeTool: [] } }],
  ])('is none that may be for Claude Code: %s', async (path, content) => {
    expect((await findingsOf(path, content)).own).toEqual([])
  })

  it('is whatever --for says', async () => {
    const { own } = await findingsOf('my/settings.json', hooks('Stop', { timeout: 5000 }), '--for', 'codex')
    expect(own.join()).toMatch(/file of Codex.*Write 5\./)
    await expect(findingsOf('a.json', {}, '--for', 'codx')).rejects.toThrow('Did you mean "codex"?')
  })

  it('is found by --for alone, where it is there', async () => {
    const world = await projectWith({ '.codex/hooks.json': JSON.stringify(hooks('Stop')) })
    expect((await validate(world, '--for', 'codex')).stdout).toContain('.codex/hooks.json')
    await expect(validate(world, '--for', 'cursor')).rejects.toThrow('there is no file of Cursor here')
  })
})
