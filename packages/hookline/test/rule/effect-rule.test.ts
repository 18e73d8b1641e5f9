import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCondition } from '../../src/rule/condition.ts'
import { decideByRules } from '../../src/rule/decide.ts'
import * as effects from '../../src/rule/effect-match.ts'
import { parseRule, type Rule } from '../../src/rule/rule.ts'

let home = ''
let project = ''

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-effect-rule-')))
  project = join(home, 'shop')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(home, 'Documents'))
  writeFileSync(join(home, 'Documents', 'notes.txt'), 'x')
  writeFileSync(join(project, '.env'), 'KEY=made-up\n')
  writeFileSync(join(project, 'package.json'), '{"scripts":{"reset":"rm -rf ~/Documents"}}')
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

function toRule(text: string): Rule {
  const rule = parseRule(text)
  if ('fault' in rule) throw new Error(rule.fault)
  return rule
}

async function decide(rule: string, command: string, { tool = 'Bash', input = { command } as object } = {}) {
  const rules = { allow: [toRule('Bash')], ask: [], deny: [toRule(rule)], project, home }
  const decision = await decideByRules(rules, { toolName: tool, input })
  return decision?.behavior ?? null
}

// Nothing of this is run: text is handed to a function, and its answer is looked at.
describe('a rule about effects', () => {
  it.each([
    ['Deletes(~/Documents/**)', 'rm -rf ~/Documents', 'deny'],
    ['Deletes(~/Documents/**)', 'cd ~ && rm -rf Documents/notes.txt', 'deny'],
    ['Deletes(~/Documents/**)', 'npm run reset', 'deny'],
    ['Deletes(~/Documents/**)', 'cd ~ && rm -rf .', 'deny'],
    ['Deletes(~/Documents/**)', '[ -d x ] && rm -rf ~/Documents', 'ask'],
    ['Deletes(~/Documents/**)', 'rm -rf "$X"', 'ask'],
    ['Deletes(~/Documents/**)', 'rm -rf dist', 'allow'],
    ['Deletes(~/Documents/**)', "echo 'rm -rf ~/Documents'", 'allow'],
    ['Deletes', 'rm -rf dist', 'deny'],
    ['Deletes', 'ls', 'allow'],
    ['Reads(.env)', 'cat .env', 'deny'],
    ['Reads(.env)', 'python3 -c \'print(open(".env").read())\'', 'deny'],
    ['Reads(.env)', 'ls -la .env', 'allow'],
    ['Writes(~/.bashrc)', 'echo x >> ~/.bashrc', 'deny'],
    ['Writes(~/.bashrc)', 'echo x >> a.txt', 'allow'],
    ['Sends(*)', 'curl -d @a.json https://api.example.com', 'deny'],
    ['Sends(*.example.net)', 'curl -d @a.json https://api.example.com', 'allow'],
    ['Sends(*.example.com)', 'curl -d @a.json https://api.example.com', 'deny'],
    ['Runs(terraform:*)', 'env A=1 terraform apply', 'deny'],
    ['Runs(terraform:*)', "grep terraform README.md; echo 'terraform apply'", 'allow'],
    ['Changes(database:drop)', 'psql shop -c "DROP TABLE users"', 'deny'],
    ['Changes(database:drop)', 'psql shop -c "select 1 -- drop table users"', 'allow'],
    ['Changes(git)', 'git reset --hard', 'deny'],
    ['Changes(git:*)', 'git status', 'allow'],
  ] as const)('%s as deny: %s is answered with %s', async (rule, command, behavior) => {
    expect(await decide(rule, command)).toBe(behavior)
  })

  it('means every tool that has the effect', async () => {
    expect(await decide('Reads(.env)', '', { tool: 'Read', input: { file_path: join(project, '.env') } })).toBe('deny')
    const path = join(home, 'Documents')
    expect(await decide('Deletes(~/**)', '', { tool: 'mcp__files__delete', input: { path } })).toBe('deny')
  })

  it('never allows a call', async () => {
    const rules = { allow: [toRule('Deletes(~/**)'), toRule('Reads')], ask: [], deny: [], project, home }
    expect(await decideByRules(rules, { toolName: 'Bash', input: { command: 'rm -rf ~/Documents' } })).toBeNull()
  })

  it('asks about a text that nobody can read', async () => {
    expect(await decide('Deletes(~/**)', 'a '.repeat(600_000))).toBe('ask')
  })

  it.each([
    ['Changes(databases:drop)', 'write a system'],
    ['Sends(http://x/y)', 'write a host'],
    ['Deletes()', 'parentheses are empty'],
    ['deletes(~/**)', 'did you mean "Deletes"'],
  ])('%s is refused with what to write', (text, says) => {
    const rule = parseRule(text)
    expect('fault' in rule ? rule.fault : '').toContain(says)
  })

  it('is a condition of hooks that holds where a call has, or may have, the effect', () => {
    const fits = (rule: string, command: string) =>
      readCondition(rule, effects).judge({ toolNames: ['Bash'], input: { command } }, { project, home }).fits
    expect(fits('Deletes(~/**)', 'rm -rf ~/Documents')).toBe(true)
    expect(fits('Deletes(~/**)', 'npm run reset')).toBe(true)
    expect(fits('Deletes(~/**)', 'git status')).toBe(false)
    expect(fits('Deletes(~/**)', 'some-program-of-theirs --go')).toBe(true)
  })
})
