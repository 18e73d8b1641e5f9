import { describe, expect, it } from 'vitest'
import { findingsIn, oneCommand } from '../support/validate.ts'

/** What is wrong with a matcher; a note is none. */
async function messagesOn(event: string, matcher: unknown): Promise<string[]> {
  const findings = await findingsIn(oneCommand(event, 'true', { matcher }))
  return findings.filter(({ severity }) => severity !== 'note').map(({ rule, message }) => `${rule} ${message}`)
}

describe('a matcher', () => {
  it.each([
    ['PreToolUse', 'Edit|Write'],
    ['PreToolUse', 'mcp__memory__store'],
    ['PreToolUse', 'mcp__.*__write.*'],
    ['PreToolUse', 'Notebook.*'],
    ['PreToolUse', '^(Edit|Write)$'],
    ['PreToolUse', 'tool == "Anything"'],
    ['PreToolUse', '*'],
    ['SessionStart', 'startup|resume'],
    ['SubagentStop', 'my-own-agent'],
    ['Stop', ''],
    ['Stop', '*'],
    ['Stop', '.*'],
    ['UserPromptSubmit', '.*'],
    ['PreToolUse', 'EnterWorktree|ExitWorktree|PowerShell'],
  ])('passes: %s %s', async (event, matcher) => {
    expect(await messagesOn(event, matcher)).toEqual([])
  })

  it.each([
    ['PreToolUse', 'bash', 'V-HK-18 "bash" is not a known tool. Did you mean "Bash"?'],
    ['PreToolUse', 'Edit|Wrte', 'V-HK-18 "Wrte" is not a known tool. Did you mean "Write"?'],
    ['PreToolUse', 'mcp__memory', 'V-HK-18 "mcp__memory" names an MCP server'],
    ['PreToolUse', 'mcp__', 'V-HK-18 "mcp__" is not the name of a tool. The tools of all MCP servers: "mcp__.*".'],
    [
      'PreToolUse',
      'mcp__memory__',
      'V-HK-18 "mcp__memory__" names an MCP server, and no tool is called so. Its tools: "mcp__memory__.*".',
    ],
    [
      'PreToolUse',
      'deploy',
      'V-HK-18 "deploy" is not a known tool. A tool of your host: "hookline": {"tools": ["deploy"]}',
    ],
    ['PreToolUse', 'Bash(git push *)', 'V-HK-18 The matcher matches no known tool. It is tested against the name only'],
    ['PreToolUse', 'Edit, Write', 'V-HK-18 The matcher matches no known tool. Did you mean "Edit|Write"?'],
    ['SessionStart', 'start', 'V-HK-18 "start" is not a known value of source. Did you mean "startup"?'],
    ['PreToolUse', 'Edit|', 'V-HK-30 '],
    ['PreToolUse', 7, 'V-HK-09 '],
    ['Stop', 'Bash', 'V-HK-19 Stop takes no matcher'],
    ['SessionStart', 'tool == "Bash"', 'V-HK-09 '],
  ])('is found: %s %s', async (event, matcher, start) => {
    const [message, ...rest] = await messagesOn(event, matcher)
    expect(message?.slice(0, start.length)).toBe(start)
    expect(rest).toEqual([])
  })

  it('is told of once, however many hooks its group has', async () => {
    const hooks = ['true', 'false'].map((command) => ({ type: 'command', command }))
    const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'bash', hooks }] } })
    expect(await findingsIn({ '.claude/settings.json': text })).toHaveLength(1)
  })
})

describe('tools of a host of its own', () => {
  const matching = (matcher: string): object => ({
    hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] },
  })

  it.each(['deploy', 'Bash|deploy', 'dep.*'])('are known once they are declared: %s', async (matcher) => {
    const declared = { hookline: { tools: ['deploy'] }, ...matching(matcher) }
    expect(await findingsIn({ '.claude/settings.json': JSON.stringify(declared) })).toEqual([])
    const elsewhere = {
      '.claude/settings.json': JSON.stringify(matching(matcher)),
      '.claude/settings.local.json': JSON.stringify({ hookline: { tools: ['deploy'] } }),
    }
    expect(await findingsIn(elsewhere)).toEqual([])
  })

  it('are declared in a list of strings', async () => {
    const [finding] = await findingsIn({ '.claude/settings.json': JSON.stringify({ hookline: { tools: 'deploy' } }) })
    expect(finding).toMatchObject({ rule: 'V-HK-28', message: expect.stringContaining('hookline.tools') })
  })
})

describe('a pattern that cannot be decided', () => {
  it.each(['classic', 'current'] as const)('is told what to write instead: %s', async (profile) => {
    const [finding] = await findingsIn(oneCommand('PreToolUse', 'true', { matcher: '(E)dit\\1' }), profile)
    expect(finding?.message).toContain('as in "Edit|Write", or match everything and look at tool_name in the hook.')
  })
})

describe.each(['classic', 'current'] as const)('keys that only people read, under %s', (profile) => {
  it.each(['id', 'name', 'description', '_comment', '// why', '#'])('are a note at most: %s', async (key) => {
    const hooks = {
      PreToolUse: [{ [key]: 'x', hooks: [{ type: 'command', command: 'true', [key]: 'x' }] }],
      [key]: 'x',
    }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify({ hooks }) }, profile)
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([])
  })

  it.each(['timeuot', 'match', 'enabled'])('are no others: %s', async (key) => {
    const hooks = { PreToolUse: [{ [key]: 'x', hooks: [{ type: 'command', command: 'true', [key]: 'x' }] }] }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify({ hooks }) }, profile)
    expect(findings.map(({ rule }) => rule)).toEqual(['V-HK-17', 'V-HK-16'])
  })
})

describe('the place of a fault in a matcher', () => {
  const inJson = (matcher: string): Record<string, string> => ({
    '.claude/settings.json': `{ "hooks": { "PreToolUse": [\n{ "matcher": ${matcher}, "hooks": [] }, { "matcher": ${matcher}, "hooks": [{ "type": "command", "command": "true" }] }] } }`,
  })

  it.each([
    ['"Edit(?=x)"', '(?=x)'],
    ['"\\"\\u0041\\"\\\\d(?=x)"', '(?=x)'],
    ['"tool == \\"Bash\\" && tool_input.command matches \\"\\\\s(?=x)\\""', '(?=x)'],
    ['"tool == \\"Bash\\" && also"', 'also'],
  ])('is exact where characters are escaped: %s', async (matcher, fault) => {
    const files = inJson(matcher)
    const finding = (await findingsIn(files)).at(-1)
    const source = files['.claude/settings.json']?.split('\n')[1] ?? ''
    expect(finding).toMatchObject({ rule: 'V-HK-09', line: 2, column: source.lastIndexOf(fault) + 1 })
  })

  it.each(['Edit(?=x)', '"Edit(?=x)"', "'Edit(?=x)'"])('is exact in frontmatter: %s', async (matcher) => {
    const text = `---\nname: a\nhooks:\n  PreToolUse:\n    - matcher: ${matcher}\n      hooks:\n        - {type: command, command: "true"}\n---\n`
    const [finding] = await findingsIn({ '.claude/skills/a/SKILL.md': text })
    const source = text.split('\n')[4] ?? ''
    expect(finding).toMatchObject({ rule: 'V-HK-09', line: 5, column: source.indexOf('(?=x)') + 1 })
  })
})
