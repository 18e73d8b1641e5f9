import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { BEHAVIORS, type Behavior } from 'hookline/rules'
import { describe, expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { decidePermission } from '../../src/permission/decide.ts'
import { PERMISSION_MODES, type PermissionMode } from '../../src/permission/modes.ts'
import { addArguments } from '../../src/permission/permission-rules.ts'
import { describeCause, formatNobodyToAsk, formatRuleRefusal } from '../../src/permission/words.ts'
import { decide, NOWHERE, rulesWith, TOOLS } from './support.ts'

/** A call of each kind of tool, and the rules that mean the one or the other input of it. */
const KINDS = {
  readOnly: { tool: TOOLS.Read, input: (name: string) => ({ file_path: `${NOWHERE.project}/${name}` }) },
  edits: { tool: TOOLS.Edit, input: (name: string) => ({ file_path: `${NOWHERE.project}/${name}` }) },
  other: { tool: TOOLS.Bash, input: (name: string) => ({ command: name }) },
}

/** Every way in which rules can mean an input: none, some, or all behaviors. */
const SUBSETS: readonly (readonly Behavior[])[] = Array.from({ length: 8 }, (_, bits) =>
  BEHAVIORS.filter((__, bit) => (bits >> bit) % 2 === 1),
)

interface Row {
  readonly hook: Behavior | null
  readonly mode: PermissionMode
  readonly kind: keyof typeof KINDS
  readonly onOriginal: readonly Behavior[]
  /** Null: no hook rewrote the input. */
  readonly onFinal: readonly Behavior[] | null
}

const rows: Row[] = [null, ...BEHAVIORS].flatMap((hook) =>
  PERMISSION_MODES.flatMap((mode) =>
    (['readOnly', 'edits', 'other'] as const).flatMap((kind) =>
      SUBSETS.flatMap((onOriginal) => [null, ...SUBSETS].map((onFinal) => ({ hook, mode, kind, onOriginal, onFinal }))),
    ),
  ),
)

/** What the rules in words come to: the strictest of all objections; without one, any consent. */
function expectedOf({ hook, mode, kind, onOriginal, onFinal }: Row): Behavior {
  const final = onFinal ?? onOriginal
  const objections = [...onOriginal, ...final, ...(hook ? [hook] : [])]
  if (mode === 'plan' && kind !== 'readOnly') objections.push('deny')
  const consents = {
    hook: hook === 'allow',
    rule: final.includes('allow'),
    bypass: mode === 'bypassPermissions',
    edit: (mode === 'acceptEdits' || mode === 'auto') && kind === 'edits',
    look: kind === 'readOnly',
  }
  for (const objection of ['deny', 'ask'] as const) if (objections.includes(objection)) return objection
  return Object.values(consents).includes(true) ? 'allow' : 'ask'
}

async function decidedOf({ hook, mode, kind, onOriginal, onFinal }: Row): Promise<Behavior> {
  const { tool, input } = KINDS[kind]
  const rule = (name: string): string => `${tool.name}(${name})`
  const textsFor = (behavior: Behavior): string[] => [
    ...(onOriginal.includes(behavior) ? [rule('original')] : []),
    ...(onFinal?.includes(behavior) ? [rule('final')] : []),
  ]
  const rules = rulesWith({ allow: textsFor('allow'), ask: textsFor('ask'), deny: textsFor('deny') })
  const originalInput = input('original')
  const finalInput = onFinal === null ? originalInput : input('final')
  return (await decidePermission({ tool, originalInput, finalInput, hook, rules, mode })).behavior
}

const SEVERITY: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 }

describe('the decision on a call', () => {
  it('follows from hook, rules, mode and rewriting in every combination', async () => {
    const decided = await Promise.all(rows.map(decidedOf))
    const wrong = rows.filter((row, at) => decided[at] !== expectedOf(row))
    expect(wrong).toEqual([])
    expect(rows).toHaveLength(4 * 6 * 3 * 8 * 9)
    expect(rows).toHaveLength(5184)
    expect(new Set(rows.map(expectedOf))).toEqual(new Set(BEHAVIORS))
  })

  const anyRule = fc.constantFrom(
    ...['Bash', 'Bash(ls)', 'Bash(ls:*)', 'Bash(rm:*)', 'Bash(git * main)', 'Read', 'Read(*.env)', 'Read(//**)'],
    ...[
      'Edit',
      'Edit(./src/**)',
      'Edit(~/x)',
      'Write(a)',
      'WebFetch(domain:*.example.com)',
      'Task(explorer)',
      'mcp__a',
    ],
  )
  const anyCall = fc.oneof(
    fc.record({
      tool: fc.constant(TOOLS.Bash),
      input: fc.record({ command: fc.constantFrom('ls', 'ls -a; rm x', 'git push main', '$X', 'rm "', 'sudo rm x') }),
    }),
    fc.record({
      tool: fc.constantFrom(TOOLS.Read, TOOLS.Edit, TOOLS.Write),
      input: fc.record({
        file_path: fc.constantFrom('a', 'src/a.env', '/etc/passwd', `${NOWHERE.home}/x`, '.git/config'),
      }),
    }),
    fc.constant({ tool: TOOLS.WebFetch, input: { url: 'https://www.example.com/' } }),
    fc.constant({ tool: TOOLS.Bash, input: {} }),
  )
  const anyRules = fc.record({
    allow: fc.array(anyRule, { maxLength: 4 }),
    ask: fc.array(anyRule, { maxLength: 2 }),
    deny: fc.array(anyRule, { maxLength: 2 }),
  })

  it.each(['deny', 'ask'] as const)('never gets milder by one %s rule more', async (behavior) => {
    const hooks = fc.constantFrom(null, ...BEHAVIORS)
    const modes = fc.constantFrom(...PERMISSION_MODES)
    await fc.assert(
      fc.asyncProperty(anyCall, anyRules, anyRule, hooks, modes, async ({ tool, input }, texts, more, hook, mode) => {
        const call = { tool, originalInput: input, finalInput: input, hook, mode }
        const before = await decidePermission({ ...call, rules: rulesWith(texts) })
        const rules = rulesWith({ ...texts, [behavior]: [...texts[behavior], more] })
        const after = await decidePermission({ ...call, rules })
        expect(SEVERITY[after.behavior]).toBeGreaterThanOrEqual(SEVERITY[before.behavior])
      }),
      { numRuns: 500 },
    )
  })

  it('leaves what a deny rule may mean to a person, also in the mode without questions and against a hook', async () => {
    const rules = rulesWith({ allow: ['Bash'], deny: ['Bash(rm:*)'] })
    const call = { tool: TOOLS.Bash, originalInput: { command: '$X' }, finalInput: { command: '$X' }, rules }
    expect(await decidePermission({ ...call, hook: 'allow', mode: 'bypassPermissions' })).toEqual({
      behavior: 'ask',
      because: { by: 'rule', rule: rules.deny[0], certain: false },
    })
  })

  it('prefers the deny rule that surely means the call', async () => {
    const rules = rulesWith({ deny: ['Bash(git push:*)', 'Bash(rm:*)'] })
    expect((await decide('Bash', { command: '$X; rm x' }, { rules })).because).toMatchObject({
      rule: { text: 'Bash(rm:*)' },
    })
  })

  it('lets a tool look around in the project only', async () => {
    const rules = rulesWith({})
    expect((await decide('Read', { file_path: `${NOWHERE.project}/a` }, { rules })).behavior).toBe('allow')
    expect((await decide('Read', { file_path: `${NOWHERE.project}-other/a` }, { rules })).behavior).toBe('ask')
    expect((await decide('Read', { file_path: '/etc/passwd' }, { rules })).behavior).toBe('ask')
    expect((await decide('Grep', { pattern: 'x' }, { rules })).behavior).toBe('allow')
    expect((await decide('Grep', { pattern: 'x', path: '/etc' }, { rules })).behavior).toBe('ask')
    expect((await decide('Glob', { pattern: '**/*.ts' }, { rules })).behavior).toBe('allow')
    expect((await decide('Glob', { pattern: '../**' }, { rules })).behavior).toBe('ask')
    expect((await decide('Glob', { pattern: '/etc/*' }, { rules })).behavior).toBe('ask')
    expect((await decide('WebFetch', { url: 'https://example.com' }, { rules })).behavior).toBe('ask')
    expect((await decide('Read', {}, { rules })).behavior).toBe('ask')
  })

  it('counts further folders as the project', async () => {
    const rules = { ...rulesWith({}), directories: ['/hookline-nowhere/shared'] }
    const input = { file_path: '/hookline-nowhere/shared/a' }
    expect((await decide('Read', input, { rules })).behavior).toBe('allow')
    expect((await decide('Edit', input, { rules, mode: 'acceptEdits' })).behavior).toBe('allow')
  })

  it.each([
    '.git/hooks/pre-commit',
    '.claude/settings.json',
    'sub/.Git/config',
    '.hookline/trust.json',
    '.mcp.json',
    'plugin/.MCP.json',
    'plugin/.claude-plugin/plugin.json',
  ])('does not accept edits of %s by the mode alone', async (name) => {
    const input = { file_path: `${NOWHERE.project}/${name}` }
    expect((await decide('Write', input, { rules: rulesWith({}), mode: 'acceptEdits' })).behavior).toBe('ask')
    expect(
      (await decide('Write', input, { rules: rulesWith({ allow: ['Edit(./**)'] }), mode: 'acceptEdits' })).behavior,
    ).toBe('allow')
  })

  it('asks for an edit whose file it does not know', async () => {
    const tool = { name: 'Rename', readOnly: false, edits: true }
    const call = { tool, originalInput: {}, finalInput: {}, hook: null, rules: rulesWith({}) }
    expect((await decidePermission({ ...call, mode: 'acceptEdits' })).behavior).toBe('ask')
  })

  it('follows links before it says that a file is in the project', async () => {
    const world = await makeWorld({ 'elsewhere/secret': 'x' })
    await symlink(join(world.root, 'elsewhere'), join(world.project, 'folder'))
    await symlink(join(world.root, 'elsewhere/not-yet'), join(world.project, 'dangling'))
    await mkdir(join(world.project, 'src'))
    await writeFile(join(world.project, 'src/a'), '')
    await symlink(join(world.project, 'src'), join(world.project, 'alias'))
    const rules = rulesWith({}, world)
    const behaviorOf = async (name: string): Promise<Behavior> =>
      (await decide('Write', { file_path: join(world.project, name) }, { rules, mode: 'acceptEdits' })).behavior
    expect(await behaviorOf('folder/secret')).toBe('ask')
    expect(await behaviorOf('folder/new')).toBe('ask')
    expect(await behaviorOf('dangling')).toBe('ask')
    expect(await behaviorOf('alias/a')).toBe('allow')
    expect(await behaviorOf('src/new/deep')).toBe('allow')
  })

  it('says who decided', async () => {
    const rules = rulesWith({ deny: ['Bash(rm:*)'] })
    const refused = await decide('Bash', { command: 'rm x' }, { rules })
    expect(formatRuleRefusal('Bash', refused.because)).toBe('Permission to use Bash was denied by the rule Bash(rm:*).')
    const unsure = await decide('Bash', { command: '$X' }, { rules })
    expect(describeCause(unsure.because)).toBe('since the rule Bash(rm:*) may apply to it')
    const asked = await decide('Bash', { command: 'ls' }, { rules })
    expect(formatNobodyToAsk('Bash', asked.because)).toBe(
      'Permission to use Bash was denied: approval is required in the mode default, and there is no user to answer. ' +
        'The user can allow it with a rule in "permissions.allow" of a settings file, or with --allowed-tools.',
    )
    const hooked = { by: 'hook' } as const
    for (const because of [unsure.because, hooked]) {
      expect(formatNobodyToAsk('Bash', because)).toMatch(
        /there is no user to answer\. No rule that allows it lifts that/,
      )
      expect(formatNobodyToAsk('Bash', because)).not.toContain('--allowed-tools')
    }
    const planned = await decide('Bash', { command: 'ls' }, { rules, mode: 'plan' })
    expect(formatRuleRefusal('Bash', planned.because)).toBe('Permission to use Bash was denied in the mode plan.')
  })

  it('takes rules of the command line, and tells of those it cannot read', () => {
    const { rules, faults } = addArguments(rulesWith({}), { allow: ['Edit', 'Bash('], deny: ['Bash(rm:*)'] })
    expect(rules.allow).toMatchObject([{ text: 'Edit', source: 'argument' }])
    expect(rules.deny).toMatchObject([{ text: 'Bash(rm:*)', source: 'argument' }])
    expect(faults).toEqual(['"Bash(" is not a valid rule: its closing parenthesis is missing.'])
  })
})
