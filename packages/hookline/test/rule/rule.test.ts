import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideByRules } from '../../src/rule/decide.ts'
import { matchRule } from '../../src/rule/match.ts'
import { formatRule, parseRule } from '../../src/rule/rule.ts'
import { makeWorld } from '../support/project.ts'
import { behaviorOf, NOWHERE, type RuleTexts, rulesWith } from './support.ts'

const { project, home } = NOWHERE

/** Whether an allow rule lets the call run, and whether a deny rule refuses it. */
async function standing(rule: string, toolName: string, input: unknown): Promise<{ allows: boolean; denies: boolean }> {
  const call = { toolName, input }
  const allowed = await decideByRules(rulesWith({ allow: [rule] }), call)
  const denied = await decideByRules(rulesWith({ deny: [rule] }), call)
  return { allows: allowed?.behavior === 'allow', denies: denied?.behavior === 'deny' }
}

describe('reading a rule', () => {
  it.each([
    ['Bash', 'Bash', 'any'],
    [' Bash ', 'Bash', 'any'],
    ['Bash(*)', 'Bash', 'any'],
    ['Bash(npm run test:*)', 'Bash', 'command'],
    ['Bash(echo "(")', 'Bash', 'command'],
    ['Read(./src/**)', 'Read', 'path'],
    ['Edit(//etc/**)', 'Edit', 'path'],
    ['Write(~/notes)', 'Write', 'path'],
    ['WebFetch(domain:example.com)', 'WebFetch', 'domain'],
    ['Task(explorer)', 'Task', 'agent'],
    ['mcp__github', 'mcp__github', 'any'],
    ['mcp__github__*', 'mcp__github', 'any'],
    ['mcp__github__create_issue', 'mcp__github__create_issue', 'any'],
    ['MyTool', 'MyTool', 'any'],
  ])('takes %j', (text, toolName, kind) => {
    expect(parseRule(text)).toMatchObject({ toolName, specifier: { kind } })
  })

  it.each([
    ['', null, '"" is not a valid rule: it starts with no tool; write Tool or Tool(specifier).'],
    ['*', null, '"*" is not a valid rule: it starts with no tool; write Tool or Tool(specifier).'],
    ['(x)', null, '"(x)" is not a valid rule: it starts with no tool; write Tool or Tool(specifier).'],
    ['Bash(rm', 'Bash', '"Bash(rm" is not a valid rule: its closing parenthesis is missing.'],
    [
      'Bash rm',
      'Bash',
      '"Bash rm" is not a valid rule: " rm" does not belong after a tool; write Tool or Tool(specifier).',
    ],
    ['Bash(rm) x', 'Bash', '"Bash(rm) x" is not a valid rule: its closing parenthesis is missing.'],
    ['Bash()', 'Bash', '"Bash()" is not a valid rule: its parentheses are empty; write "Bash" alone for all calls.'],
    ['bash(rm:*)', 'Bash', '"bash(rm:*)" is not a valid rule: no tool is called "bash"; did you mean "Bash".'],
    ['MyTool(x)', 'MyTool', '"MyTool(x)" is not a valid rule: MyTool takes no specifier; write "MyTool" alone.'],
    [
      'mcp__a__b(x)',
      'mcp__a__b',
      '"mcp__a__b(x)" is not a valid rule: mcp__a__b takes no specifier; write "mcp__a__b" alone.',
    ],
    ['mcp__*', 'mcp__', '"mcp__*" is not a valid rule: write "mcp__server" for all tools of a server.'],
    ['WebFetch(https://x.y)', 'WebFetch', 'write a host such as WebFetch(domain:example.com)'],
    ['Read(!x)', 'Read', 'a pattern cannot start with "!"'],
    [7, null, '7 is not a valid rule; write a string such as "Bash(npm test:*)".'],
    [{ tool: 'Bash' }, null, '{"tool":"Bash"} is not a valid rule; write a string such as "Bash(npm test:*)".'],
  ])('refuses %j in words', (text, toolName, fault) => {
    const parsed = parseRule(text)
    expect(parsed).toMatchObject({ toolName, fault: expect.stringContaining(fault) })
  })

  it('never throws, and keeps the text of what it takes', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'Bash', 'Read', 'WebFetch', 'mcp__'), (text, start) => {
        const parsed = parseRule(`${start}${text}`)
        if (!('fault' in parsed)) expect(parsed.text).toBe(`${start}${text}`.trim())
      }),
    )
  })

  it('puts a rule of two parts together', () => {
    expect(formatRule({ toolName: 'Bash', ruleContent: 'ls:*' })).toBe('Bash(ls:*)')
    expect(formatRule({ toolName: 'Bash' })).toBe('Bash')
  })
})

describe('what rules for files mean', () => {
  it.each([
    ['Edit(./src/**)', `${project}/src/a.ts`, true],
    ['Edit(./src/**)', `${project}/src/deep/er/a.ts`, true],
    ['Edit(./src/**)', `${project}/other/src/a.ts`, false],
    ['Edit(./src/**)', `${project}/src/../../x`, false],
    ['Edit(./src/**)', `${project}/srcs/a.ts`, false],
    ['Edit(src/**)', `${project}/src/a.ts`, true],
    ['Edit(src/**)', `${project}/x/src/a.ts`, false],
    ['Edit(./src)', `${project}/src/a.ts`, true],
    ['Edit(./src/)', `${project}/src/a.ts`, true],
    ['Edit(src/*.ts)', `${project}/src/a.ts`, true],
    ['Edit(src/*.ts)', `${project}/src/deep/a.ts`, false],
    ['Edit(src/**/*.ts)', `${project}/src/a.ts`, true],
    ['Edit(src/**/*.ts)', `${project}/src/x/y/a.ts`, true],
    ['Edit(*.md)', `${project}/docs/a.md`, true],
    ['Edit(*.md)', `${home}/a.md`, false],
    ['Edit(.env)', `${project}/a/b/.env`, true],
    ['Edit(.env)', `${project}/.env.local`, false],
    ['Edit(./.env)', `${project}/a/.env`, false],
    ['Edit(**/.env)', `${project}/a/.env`, true],
    ['Edit(a?.[tj]s)', `${project}/ab.ts`, true],
    ['Edit(a?.[!t]s)', `${project}/ab.ts`, false],
    ['Edit(a[0-9].ts)', `${project}/a7.ts`, true],
    ['Edit(a\\*)', `${project}/a*`, true],
    ['Edit(a\\*)', `${project}/ab`, false],
    ['Edit(//etc/**)', '/etc/passwd', true],
    ['Edit(/etc/**)', '/etc/passwd', true],
    ['Edit(~/notes/**)', `${home}/notes/a`, true],
    ['Edit(~/notes/**)', `${project}/notes/a`, false],
    ['Edit(~)', `${home}/x`, true],
    ['Edit(../sibling/**)', '/hookline-nowhere/sibling/a', true],
    ['Edit(.)', `${project}/a`, true],
    ['Edit(//**)', '/anything', true],
    ['Edit', '/anything', true],
  ])('%s for %s: %s', async (rule, file_path, expected) => {
    expect(await standing(rule, 'Edit', { file_path })).toEqual({ allows: expected, denies: expected })
    expect(await standing(rule, 'Write', { file_path })).toEqual({ allows: expected, denies: expected })
  })

  it('take a path after one slash for absolute when they allow, and for either when they deny', async () => {
    expect(await standing('Edit(/src/**)', 'Edit', { file_path: `${project}/src/a` })).toEqual({
      allows: false,
      denies: true,
    })
  })

  it('let Edit count for Write and Read for searches, and not the other way round', async () => {
    const file_path = `${project}/a`
    expect(await standing('Write(a)', 'Edit', { file_path })).toEqual({ allows: false, denies: false })
    expect(await standing('Read(a)', 'Edit', { file_path })).toEqual({ allows: false, denies: false })
    expect(await standing('Read(//etc/**)', 'Grep', { pattern: 'x', path: '/etc' })).toEqual({
      allows: true,
      denies: true,
    })
    expect(await standing('Read(//etc/**)', 'Glob', { pattern: '/etc/*.conf' })).toEqual({ allows: true, denies: true })
    expect((await standing('Read(secret)', 'Grep', { pattern: 'x', glob: 'secret' })).denies).toBe(true)
    expect(await standing('Grep(//etc/**)', 'Read', { file_path: '/etc/passwd' })).toEqual({
      allows: false,
      denies: false,
    })
  })

  it('are unsure of a call that names no file', async () => {
    expect(await standing('Edit(./src/**)', 'Edit', {})).toEqual({ allows: false, denies: false })
    expect(await behaviorOf({ toolName: 'Edit', input: {} }, { deny: ['Edit(x)'] })).toBe('ask')
  })

  it('follow links: they cannot lead out of what is allowed, nor around what is denied', async () => {
    const world = await makeWorld({ 'project/src/a': '', 'project/.env': '', 'elsewhere/secret': '' })
    const at = (name: string): string => join(world.project, name)
    await symlink(join(world.root, 'elsewhere'), at('src/out'))
    await symlink(at('.env'), at('src/innocent'))
    await symlink(at('src'), join(world.root, 'way-in'))
    await symlink(world.project, join(world.root, 'project-alias'))
    const behavior = (texts: RuleTexts, path: string, folders = world) =>
      behaviorOf({ toolName: 'Edit', input: { file_path: path } }, texts, folders)
    expect(await behavior({ allow: ['Edit(./src/**)'] }, at('src/a'))).toBe('allow')
    expect(await behavior({ allow: ['Edit(./src/**)'] }, at('src/out/secret'))).toBe('ask')
    expect(await behavior({ allow: ['Edit(./src/out/**)'] }, at('src/out/secret'))).toBe('ask')
    expect(await behavior({ allow: ['Edit(./src/**)'] }, at('src/innocent'))).toBe('ask')
    expect(await behavior({ allow: ['Edit(./src/**)'] }, join(world.root, 'way-in/a'))).toBe('allow')
    const alias = { ...world, project: join(world.root, 'project-alias') }
    expect(await behavior({ allow: ['Edit(./src/**)'] }, join(alias.project, 'src/a'), alias)).toBe('allow')
    expect(await behavior({ deny: ['Edit(.env)'] }, at('src/innocent'))).toBe('deny')
    expect(await behavior({ deny: ['Edit(./src/innocent)'] }, at('.env'))).toBe('deny')
    expect(await behavior({ deny: ['Edit(./src/out/*)'] }, join(world.root, 'elsewhere/secret'))).toBe('deny')
    expect(await behavior({ deny: ['Edit(./src/**)'] }, join(world.root, 'way-in/new'))).toBe('deny')
    expect(await behavior({ deny: ['Edit(.env)'] }, join(alias.project, '.env'))).toBe('deny')
  })

  it('do not hang on links that lead in circles', async () => {
    const world = await makeWorld()
    await symlink(join(world.project, 'b'), join(world.project, 'a'))
    await symlink(join(world.project, 'a'), join(world.project, 'b'))
    await mkdir(join(world.project, 'c'))
    await writeFile(join(world.project, 'c/x'), '')
    const call = { toolName: 'Edit', input: { file_path: join(world.project, 'a') } }
    expect(await behaviorOf(call, { deny: ['Edit(c)'] }, world)).toBe('allow')
  })

  it('take time in proportion to a hostile pattern', async () => {
    const rule = `Edit(${'**/a/'.repeat(100)}b)`
    expect(await standing(rule, 'Edit', { file_path: `${project}/${'a/'.repeat(1500)}c` })).toEqual({
      allows: false,
      denies: false,
    })
  })
})

describe('what other rules mean', () => {
  it.each([
    ['WebFetch(domain:example.com)', 'https://example.com/x', true, true],
    ['WebFetch(domain:example.com)', 'https://EXAMPLE.com./x', true, true],
    ['WebFetch(domain:Example.com)', 'http://example.com:8080', true, true],
    ['WebFetch(domain:example.com)', 'https://www.example.com', false, true],
    ['WebFetch(domain:*.example.com)', 'https://www.example.com', true, true],
    ['WebFetch(domain:*.example.com)', 'https://a.b.example.com', false, true],
    ['WebFetch(domain:*.example.com)', 'https://example.com', false, false],
    ['WebFetch(domain:example.com)', 'https://notexample.com', false, false],
    ['WebFetch(domain:example.com)', 'https://example.com.evil.org', false, false],
    ['WebFetch(domain:example.com)', 'https://example.com@evil.org', false, false],
    ['WebFetch(domain:example.com)', 'ftp://example.com', false, true],
    ['WebFetch(domain:*)', 'https://evil.org', true, true],
    ['WebFetch(domain:example.com)', 'https://ex%61mple.com', true, true],
    ['WebFetch(domain:example.com)', 'https://example\uff0ecom', true, true],
    ['WebFetch(domain:example.com)', 'https://user:secret@example.com:1', true, true],
    ['WebFetch(domain:bücher.example)', 'https://xn--bcher-kva.example', true, true],
    ['WebFetch(domain:xn--bcher-kva.example)', 'https://BÜCHER.example.', true, true],
    ['WebFetch(domain:10.0.0.1)', 'http://[::ffff:10.0.0.1]/', false, true],
    ['WebFetch(domain:10.0.0.1)', 'http://[::ffff:a00:1]/', false, true],
    ['WebFetch(domain:10.0.0.1)', 'http://[64:ff9b::10.0.0.1]/', false, true],
    ['WebFetch(domain:10.0.0.1)', 'http://167772161/', true, true],
    ['WebFetch(domain:10.1)', 'http://10.0.0.1/', true, true],
    ['WebFetch(domain:10.0.0.1)', 'http://10.0.0.2/', false, false],
    ['WebFetch(domain:[::1])', 'http://[0:0:0:0:0:0:0:1]/', true, true],
    ['WebFetch(domain:fe80::1)', 'http://[fe80:0::1]/', true, true],
  ])('%s for %s', async (rule, url, allows, denies) => {
    expect(await standing(rule, 'WebFetch', { url })).toEqual({ allows, denies })
  })

  it.each(['localhost', 'localhost.', '127.0.0.1', '127.1', '[::1]', '::1', '0.0.0.0', '127.0.0.*'])(
    'know the machine itself by every name when they deny domain:%s',
    async (host) => {
      const names = [
        ...[
          'localhost',
          'LOCALHOST.',
          'localhost..',
          'app.localhost',
          'localhost.localdomain',
          '127.0.0.1',
          '127.0.0.1.',
        ],
        ...[
          '127.1',
          '127.0.1',
          '0x7f.1',
          '0x7f000001',
          '2130706433',
          '017700000001',
          '0177.0.0.1',
          '127.9.8.7',
          '0',
          '0.0.0.0',
        ],
        ...[
          '[::1]',
          '[0:0:0:0:0:0:0:1]',
          '[::]',
          '[::ffff:127.0.0.1]',
          '[::ffff:7f00:1]',
          '[::127.0.0.1]',
          'user:x@127.1:8080',
        ],
        ...[
          '１２７.0.0.1',
          '①②⑦.0.0.1',
          'ｌocalhost',
          '127。0。0。1',
          '%31%32%37.1',
          'ip6-localhost',
          '[64:ff9b::7f00:1]',
        ],
      ]
      const denied = async (hosts: readonly string[]): Promise<string[]> => {
        const calls = hosts.map((name) => standing(`WebFetch(domain:${host})`, 'WebFetch', { url: `http://${name}/` }))
        const found = await Promise.all(calls)
        return hosts.filter((_name, at) => found[at]?.denies)
      }
      expect(await denied(names)).toEqual(names)
      expect(await denied(['example.com', '128.0.0.1', 'notlocalhost', '[::2]', 'localhost.example.com'])).toEqual([])
    },
  )

  it('allow no other name of the machine than the one they name', async () => {
    const allows = async (host: string, url: string): Promise<boolean> =>
      (await standing(`WebFetch(domain:${host})`, 'WebFetch', { url })).allows
    expect(await allows('localhost', 'http://localhost:1/')).toBe(true)
    expect(await allows('localhost', 'http://127.0.0.1/')).toBe(false)
    expect(await allows('127.0.0.1', 'http://127.1/')).toBe(true)
    expect(await allows('127.0.0.1', 'http://[::1]/')).toBe(false)
  })

  it('are unsure of an address that is none', async () => {
    const call = { toolName: 'WebFetch', input: { url: 'example.com' } }
    expect(await behaviorOf(call, { deny: ['WebFetch(domain:example.com)'] })).toBe('ask')
  })

  it.each([
    ['mcp__github', 'mcp__github__create_issue', true],
    ['mcp__github__*', 'mcp__github__create_issue', true],
    ['mcp__github__create_issue', 'mcp__github__create_issue', true],
    ['mcp__github__create', 'mcp__github__create_issue', false],
    ['mcp__git', 'mcp__github__create_issue', false],
    ['mcp__github__create', 'mcp__github__create__all', false],
    ['mcp__github', 'Bash', false],
  ])('%s for %s: %s', async (rule, toolName, expected) => {
    expect(await standing(rule, toolName, {})).toEqual({ allows: expected, denies: expected })
  })

  it.each([
    ['mcp__my__server', 'my__server', 'mcp__my__server__read', true],
    ['mcp__my__server__*', 'my__server', 'mcp__my__server__read', true],
    ['mcp__my__server__read', 'my__server', 'mcp__my__server__read', true],
    ['mcp__my__server__', 'my__server__', 'mcp__my__server____read', true],
    ['mcp__my__server', 'my', 'mcp__my__server__read', false],
    ['mcp__my__other', 'my__server', 'mcp__my__server__read', false],
  ])('%s for a tool of the server %s: %s %s', async (text, server, name, expected) => {
    const call = { toolName: name, server, input: {} }
    expect(await behaviorOf(call, { allow: [text] })).toBe(expected ? 'allow' : 'ask')
    expect(await behaviorOf(call, { deny: [text] })).toBe(expected ? 'deny' : 'allow')
  })

  it('Task(explorer) for a subagent of that kind only', async () => {
    expect(await standing('Task(explorer)', 'Task', { subagent_type: 'explorer' })).toEqual({
      allows: true,
      denies: true,
    })
    expect(await standing('Task(explorer)', 'Task', { subagent_type: 'writer' })).toEqual({
      allows: false,
      denies: false,
    })
  })

  it('never throw, whatever the input', async () => {
    const rules = rulesWith({ deny: ['Bash(a)', 'Edit(a)', 'Read(a)', 'WebFetch(domain:a)', 'Task(a)'] }).deny
    const toolNames = fc.constantFrom(
      'Bash',
      'Edit',
      'Read',
      'Glob',
      'Grep',
      'WebFetch',
      'Task',
      'Other',
      'constructor',
    )
    await fc.assert(
      fc.asyncProperty(toolNames, fc.anything(), async (toolName, input) => {
        for (const rule of rules)
          expect(['yes', 'no', 'unsure']).toContain(await matchRule(rule, { toolName, input }, NOWHERE))
      }),
    )
  })
})
