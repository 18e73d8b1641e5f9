import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { findNamedSubjects, findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { commands, makeWorld } from '../support/project.ts'
import { findingsIn } from '../support/validate.ts'

const settings = (hooks: object): string => JSON.stringify({ hooks })

async function rulesWith(files: Record<string, string>): Promise<string[]> {
  const world = await makeWorld(files)
  const findings = await check(await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource('classic')))
  return findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule, file }) => `${rule} ${file.split('/').at(-1)}`)
}

const on = (matcher: string, command: string): object => ({ matcher, ...commands(command) })

describe('hooks that run the same thing', () => {
  it.each<[string, object[], number]>([
    ['are found under one matcher', [on('Bash', 'true'), on('Bash', 'true')], 1],
    ['are found where matchers meet', [on('Bash', 'true'), on('Ba.*', 'true'), on('*', 'true')], 2],
    ['are not duplicates where matchers never meet', [on('Edit', 'true'), on('Write', 'true')], 0],
    ['are not duplicates where it cannot be told', [on('Edit', 'true'), on('tool == "Write"', 'true')], 0],
    ['are found in one group', [{ matcher: 'Bash', ...commands('true', 'true') }], 1],
  ])('%s', async (_name, groups, count) => {
    const rules = await rulesWith({ 'project/.claude/settings.json': settings({ PreToolUse: groups }) })
    expect(rules).toEqual(Array(count).fill('V-HK-23 settings.json'))
  })

  it('are found over several files, where the later one does nothing, and never the managed one', async () => {
    const text = settings({ Stop: [commands('true')] })
    expect(
      await rulesWith({ 'project/.claude/settings.json': text, 'project/.claude/settings.local.json': text }),
    ).toEqual(['V-HK-23 settings.json'])
    expect(await rulesWith({ 'project/.claude/settings.json': text, 'managed.json': text })).toEqual([
      'V-HK-23 settings.json',
    ])
  })

  it('are no duplicates when their conditions differ', async () => {
    const hook = { type: 'command', command: 'true' }
    const files = (...rules: string[]) => ({
      '.claude/settings.json': settings({
        PreToolUse: [{ matcher: 'Bash', hooks: rules.map((one) => ({ ...hook, if: one })) }],
      }),
    })
    expect(await findingsIn(files('Bash(git push *)', 'Bash(gh pr *)'), 'current')).toEqual([])
    expect(await findingsIn(files('Bash(git push *)', 'Bash(git push *)'), 'current')).toMatchObject([
      { rule: 'V-HK-23' },
    ])
  })

  it('are no duplicates in files that were named and do not count together', async () => {
    const text = settings({ Stop: [commands('true')] })
    const world = await makeWorld({
      'project/templates/a/settings.json': text,
      'project/templates/b/settings.json': text,
    })
    const named = [join(world.project, 'templates')]
    expect(
      await check(await findNamedSubjects(named, { ...world, plugins: [] }, makeProfileSource('classic'))),
    ).toEqual([])
  })

  it('are no duplicates in a skill that may not be active', async () => {
    const skill = '---\nhooks:\n  Stop:\n    - hooks: [{type: command, command: "true"}]\n---\n'
    const text = settings({ Stop: [commands('true')] })
    expect(
      await rulesWith({ 'project/.claude/settings.json': text, 'project/.claude/skills/a/SKILL.md': skill }),
    ).toEqual([])
  })
})

describe('hooks that rewrite an input', () => {
  const rewrite = (word: string): string =>
    `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"${word}"}}}'`

  it.each<[string, string, string, string[]]>([
    ['meet', 'Bash', 'B.*', ['V-HK-22 settings.json']],
    ['do not meet', 'Bash', 'Write', []],
  ])('are found when they %s', async (_name, one, other, rules) => {
    const text = settings({ PreToolUse: [on(one, rewrite('a')), on(other, rewrite('b'))] })
    expect(await rulesWith({ 'project/.claude/settings.json': text })).toEqual(rules)
  })

  it('are named with the place of the other one', async () => {
    const text = settings({ PreToolUse: [on('Bash', rewrite('a'))] })
    const world = await makeWorld({
      'project/.claude/settings.json': text,
      'home/.claude/settings.json': text.replaceAll('"a', '"b'),
    })
    const [finding] = await check(await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource('classic')))
    expect(finding).toMatchObject({
      rule: 'V-HK-22',
      path: join(world.home, '.claude', 'settings.json'),
      message: expect.stringContaining('.claude/settings.json:1'),
    })
  })
})
