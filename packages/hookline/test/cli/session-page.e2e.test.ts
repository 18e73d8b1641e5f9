import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeWorld } from '../support/project.ts'

const program = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url))
const page = readFileSync(new URL('../../../../docs/embedding.md', import.meta.url), 'utf8')

/** The blocks of the page's part about `current`: its hooks, and what is written and answered under either profile. */
const [, part = ''] = page.split('A session of `current` has its events')
const [, settings = '{}'] = /```json\n([\s\S]*?)```/.exec(part) ?? []
const sessions = [...part.matchAll(/```\n(> [\s\S]*?)```/g)].map(([, block = '']) => exchanges(block))

/** What is written, and the parts of the answer that the page shows. */
function exchanges(block: string): { readonly line: string; readonly shown: readonly string[] }[] {
  return block
    .split(/^> /m)
    .slice(1)
    .map((text) => {
      const [line = '', ...folded] = text.split('\n')
      const answer = folded.map((each) => each.trimStart()).join('')
      return { line, shown: answer.split(' … ').map((each) => each.trim()) }
    })
}

const specific = (hookEventName: string, fields: object) => ({ hookSpecificOutput: { hookEventName, ...fields } })

/** What the session answers, line by line. */
async function play(profile: string, lines: readonly string[]): Promise<string[]> {
  const defer = { permissionDecision: 'defer', permissionDecisionReason: 'Ada decides about releases' }
  const world = await makeWorld({
    'project/.claude/settings.json': JSON.parse(settings),
    'project/.claude/defer.json': specific('PreToolUse', defer),
    'project/.claude/cut.json': specific('PostToolUse', { updatedToolOutput: 'KEY=…' }),
    'project/.claude/display.json': specific('MessageDisplay', { displayContent: 'Fertig.' }),
  })
  const places = ['--project', world.project, '--home', world.home, '--managed', world.managed]
  const { stdout } = spawnSync(process.execPath, [program, 'session', '--trust', '--profile', profile, ...places], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: 30_000,
  })
  return stdout.trimEnd().split('\n')
}

/** Whether the parts stand in a text, one after the other. */
function holds(text: string, parts: readonly string[]): boolean {
  let at = 0
  return parts.every((part) => {
    const found = text.indexOf(part, at)
    at = found + part.length
    return found !== -1
  })
}

describe('the sessions on the page', () => {
  it.each([
    ['current', sessions[0] ?? []],
    ['classic', sessions[1] ?? []],
  ])('answer under %s as they say', async (profile, told) => {
    expect(told.length).toBeGreaterThan(0)
    const answers = await play(
      profile,
      told.map(({ line }) => line),
    )
    expect(answers).toHaveLength(told.length)
    for (const [at, { line, shown }] of told.entries()) {
      const answer = answers[at] ?? ''
      expect([line, holds(answer, shown) ? shown : answer]).toEqual([line, shown])
    }
  })
})
