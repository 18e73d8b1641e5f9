import { describe, expect, it } from 'vitest'
import { findingsIn } from '../support/validate.ts'

async function messagesOn(permissions: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const findings = await findingsIn({ '.claude/settings.json': JSON.stringify({ permissions }) })
  return findings.filter(({ rule }) => rule === 'V-HK-54').map(({ severity, message }) => `${severity}: ${message}`)
}

describe('a permission rule about effects', () => {
  it.each(['deny', 'ask'])('is named under %s with the hosts that do not know it', async (list) => {
    const [message] = await messagesOn({ [list]: ['Deletes(~/**)'] })
    expect(message).toContain('note: "Deletes(~/**)" protects nothing in Claude Code and other agents')
  })

  it('is said to allow nothing', async () => {
    expect(await messagesOn({ allow: ['Reads'] })).toEqual([
      'warning: "Reads" allows nothing: rules about effects only deny or ask. Remove it.',
    ])
  })

  it.each([
    ['Changes(databases:drop)', 'write a system'],
    ['Sends(http://x/y)', 'write a host'],
    ['Deletes()', 'parentheses are empty'],
    ['Deletes(~/**', 'closing parenthesis is missing'],
    ['deletes(~/**)', 'did you mean "Deletes"'],
  ])('%s is wrong, and does not count', async (text, says) => {
    const [message] = await messagesOn({ deny: [text] })
    expect(message).toContain(says)
    expect(message).toMatch(/^warning: .* The rule does not count\.$/)
  })

  it('is no other rule', async () => {
    expect(await messagesOn({ deny: ['Bash(rm:*)', 'Read(.env)', 'mcp__files'] })).toEqual([])
  })
})

describe('a condition about effects', () => {
  it('is named with the client that never runs the hook', async () => {
    const hook = { type: 'command', command: 'true', if: 'Deletes(~/**)' }
    const settings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } })
    const findings = await findingsIn({ '.claude/settings.json': settings }, 'current')
    expect(findings.filter(({ rule }) => rule === 'V-HK-54')).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('Claude Code has no tool "Deletes"') },
    ])
  })
})
