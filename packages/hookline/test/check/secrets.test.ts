import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { run as explain } from '../../src/cli/commands/explain/explain.ts'
import { run as list } from '../../src/cli/commands/list/list.ts'
import { run as trust } from '../../src/cli/commands/trust/trust.ts'
import { run as validate } from '../../src/cli/commands/validate/validate.ts'
import { projectWith } from '../support/validate.ts'

const SECRETS = ['hunter2', 'headerSecret9', 'split-secret']

const hook = {
  type: 'http',
  url: 'http://me:hunter2@127.0.0.1:9/hook',
  headers: { 'X-Own': 'headerSecret9', 'X-Split': 'a\nsplit-secret', Authorization: 'Bearer $TOKEN' },
  timeuot: 5,
}
const FILES = { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }, null, 2) }

const CALLS: readonly [name: string, run: (args: string[]) => Promise<number>, args: string[]][] = [
  ...[[], ['--json'], ...['github', 'sarif', 'junit'].map((format) => ['--format', format])].map(
    (args) => ['validate', validate, args] as [string, typeof validate, string[]],
  ),
  ['list', list, ['--trust']],
  ['list', list, ['--json']],
  ['explain', explain, ['PreToolUse', '--trust']],
  ['explain', explain, ['PreToolUse', '--trust', '--json']],
  ['trust', trust, []],
  ['trust', trust, ['--json']],
]

describe('what is printed about an http hook', () => {
  it.each(CALLS)('holds none of its secrets: %s %o %j', async (_name, run, args) => {
    const world = await projectWith(FILES)
    const kept: string[] = []
    const keep = (text: unknown) => kept.push(String(text)) > 0
    const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
    for (const spy of spies) spy.mockImplementation(keep)
    const { project, home, managed } = world
    try {
      await run([...args, '--profile', 'current', '--project', project, '--home', home, '--managed', managed])
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    const said = kept.join('')
    expect(said.length).toBeGreaterThan(20)
    expect(SECRETS.filter((secret) => said.includes(secret))).toEqual([])
  })

  it('says which variable a header sends, and what cannot be sent, each in one sentence', async () => {
    const world = await projectWith(FILES)
    const kept: string[] = []
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => kept.push(String(text)) > 0)
    const { project, home, managed } = world
    const places = ['--profile', 'current', '--project', project, '--home', home, '--managed', managed]
    try {
      await validate(['--json', ...places])
      await trust(places)
    } finally {
      spy.mockRestore()
    }
    const [found = '', ...shown] = kept
    expect(JSON.parse(found).findings).toMatchObject([
      { rule: 'V-HK-35', message: expect.stringContaining('its url holds credentials') },
      { rule: 'V-HK-35', message: 'Nothing is sent: the value of the header "X-Split" has a line break in it.' },
      { rule: 'V-HK-16', message: expect.stringContaining('"timeuot" is not a field of a hook') },
    ])
    expect(shown.join('')).toContain('$TOKEN')
    expect(await readFile(join(project, '.claude/settings.json'), 'utf8')).toContain('hunter2')
  })
})

describe('the address of an http hook', () => {
  it.each([
    ['not an address', 'is no address'],
    ['ftp://127.0.0.1/hook', 'only http and https addresses can be asked'],
    ['file:///tmp/hook', 'only http and https addresses can be asked'],
    ['http://me@127.0.0.1/', 'its url holds credentials'],
  ])('is told of in one sentence: %s', async (url, sentence) => {
    const { findingsIn } = await import('../support/validate.ts')
    const content = { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(content) }, 'current')
    expect(findings).toMatchObject([{ rule: 'V-HK-35', severity: 'error', message: expect.stringContaining(sentence) }])
  })
})
