import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openModels } from '../../src/models/index.ts'
import type { AgentTask } from '../../src/run/ports.ts'
import { type ModelRequest, makeTemporaryProject, type ScriptedToolCall } from '../../src/testing/index.ts'
import { BOTH, serving, task } from './question.ts'

async function projectWith(files: Record<string, string | object>) {
  const project = await makeTemporaryProject(files)
  onTestFinished(project.remove)
  return project
}

/** What tools said, as the model is told in a request. */
function resultsIn({ body }: ModelRequest): string[] {
  const messages: { role: string; content: string | null | { type: string; content: unknown }[] }[] =
    Object(body).messages
  return messages.flatMap(({ role, content }) => {
    if (role === 'tool') return [String(content)]
    if (typeof content === 'string' || content === null) return []
    return content.filter(({ type }) => type === 'tool_result').map((part) => JSON.stringify(part.content))
  })
}

const verdict = (ok: boolean) => ({ tools: [{ name: 'Verdict', input: { ok, reason: 'seen' } }] })

/** Lets an agent call tools once, and gives what they said. */
async function calling(project: string, tools: ScriptedToolCall[], changes: Partial<AgentTask> = {}) {
  const server = await serving([{ tools }, verdict(true)])
  const reply = await openModels({ env: server.env }).runAgent(task(project, { model: 'openai/local', ...changes }))
  const last = server.requests[1]
  return { reply, results: last === undefined ? [] : resultsIn(last) }
}

describe.each(BOTH)('an agent of %s', (model) => {
  it('reads files over several turns and decides', async () => {
    const { path } = await projectWith({ 'src/a.ts': 'export const a = 1\n', 'test/a.test.ts': 'it("works")\n' })
    const server = await serving([
      {
        text: 'I look.',
        tools: [
          { name: 'Glob', input: { pattern: '**/*.ts' } },
          { name: 'Grep', input: { pattern: 'a = \\d' } },
        ],
      },
      { tools: [{ name: 'Read', input: { path: 'src/a.ts' } }] },
      verdict(false),
    ])
    const reply = await openModels({ env: server.env }).runAgent(task(path, { model }))
    expect(JSON.parse(reply.text ?? '')).toEqual({ ok: false, reason: 'seen' })
    expect(reply).toMatchObject({ turns: 3, usage: { inputTokens: 30, outputTokens: 15 }, model: model.split('/')[1] })
    const [, second, third] = server.requests
    expect(second && resultsIn(second).join()).toContain('src/a.ts:1: export const a = 1')
    expect(second && resultsIn(second).join()).toContain('test/a.test.ts')
    expect(third && resultsIn(third).join()).toMatch(/1(\t|\\t)export const a = 1/)
  })

  it('is offered nothing but reading and a verdict', async () => {
    const { path } = await projectWith({})
    const server = await serving([verdict(true)])
    await openModels({ env: server.env }).runAgent(task(path, { model }))
    const tools: { name?: string; function?: { name: string } }[] = Object(server.requests[0]?.body).tools
    expect(tools.map((tool) => tool.name ?? tool.function?.name)).toEqual(['Read', 'Grep', 'Glob', 'Verdict'])
  })

  it('is told so when it wants to write or run something, and goes on', async () => {
    const { path } = await projectWith({})
    const tools = ['Write', 'Bash', 'Edit'].map((name) => ({ name, input: { path: 'x', command: 'touch x' } }))
    const server = await serving([{ tools }, verdict(true)])
    const reply = await openModels({ env: server.env }).runAgent(task(path, { model }))
    expect(reply.turns).toBe(2)
    const told = server.requests[1] ? resultsIn(server.requests[1]) : []
    expect(told).toHaveLength(3)
    for (const result of told) expect(result).toMatch(/unavailable tool/)
  })

  it('may answer with a verdict in its text', async () => {
    const { path } = await projectWith({})
    const server = await serving([{ text: 'So: {"ok": true}' }])
    expect(await openModels({ env: server.env }).runAgent(task(path, { model }))).toMatchObject({
      text: 'So: {"ok": true}',
      turns: 1,
    })
  })

  it('is reminded when it says something else', async () => {
    const { path } = await projectWith({})
    const server = await serving([{ text: 'Let me think.' }, { text: '' }, verdict(true)])
    expect(await openModels({ env: server.env }).runAgent(task(path, { model }))).toMatchObject({ turns: 3 })
    expect(JSON.stringify(server.requests[1]?.body)).toContain('call Verdict if you know enough')
  })

  it('has no verdict when its turns are used up', async () => {
    const { path } = await projectWith({ a: 'a' })
    const server = await serving(() => ({ tools: [{ name: 'Read', input: { path: 'a' } }] }))
    const reply = await openModels({ env: server.env }).runAgent(task(path, { model }))
    expect(reply).toMatchObject({ text: null, turns: 50, usage: { inputTokens: 500, outputTokens: 250 } })
    expect(server.requests).toHaveLength(50)
  })

  it('asks again in the middle when that may help, and fails with the words of the provider otherwise', async () => {
    const { path } = await projectWith({ a: 'a' })
    const read = { tools: [{ name: 'Read', input: { path: 'a' } }] }
    const server = await serving([read, { status: 529 }, read, { status: 401, message: 'key revoked' }])
    await expect(openModels({ env: server.env }).runAgent(task(path, { model }))).rejects.toThrow(
      `${model} answered 401: key revoked`,
    )
    expect(server.requests).toHaveLength(4)
  })

  it('is left in the middle when the host gives up, and its connection closes', async () => {
    const { path } = await projectWith({ a: 'a' })
    const server = await serving([{ tools: [{ name: 'Read', input: { path: 'a' } }] }, { silent: true }])
    const giveUp = new AbortController()
    const reply = openModels({ env: server.env }).runAgent(task(path, { model, signal: giveUp.signal }))
    const request = await server.waitForRequest(1)
    giveUp.abort()
    await expect(reply).rejects.toBeInstanceOf(Error)
    expect(await request.ended).toBe('broken-off')
  })
})

describe('an agent', () => {
  it('cannot read what lies outside of its project, however it is named', async () => {
    const outer = await projectWith({
      'secret.txt': 'SECRET',
      'project/in.txt': 'inside',
      'project-2/other.txt': 'SECRET',
    })
    const path = join(outer.path, 'project')
    await symlink(join(outer.path, 'secret.txt'), join(path, 'link.txt'))
    await symlink(outer.path, join(path, 'folder'))
    const paths = [
      '../secret.txt',
      'x/../../secret.txt',
      join(outer.path, 'secret.txt'),
      join(path, '../project-2/other.txt'),
      'link.txt',
      'folder/secret.txt',
      'folder/project/../secret.txt',
      '/etc/passwd',
      '../missing.txt',
    ]
    const tools = paths.flatMap((one) => [
      { name: 'Read', input: { path: one } },
      { name: 'Grep', input: { pattern: 'SECRET|root', path: one } },
      { name: 'Glob', input: { pattern: '**', path: one } },
    ])
    const { results } = await calling(path, tools)
    expect(results).toHaveLength(paths.length * 3)
    for (const result of results) expect(result).toMatch(/is outside of the project/)
  })

  it('is told nothing from outside, whatever paths are made of', async () => {
    const outer = await projectWith({
      'secret.txt': 'SECRET',
      'project/in.txt': 'inside',
      'project/deep/in.txt': 'inside',
    })
    const path = join(outer.path, 'project')
    await symlink('../secret.txt', join(path, 'link.txt'))
    await symlink('../..', join(path, 'deep/up'))
    const names = [
      '..',
      '.',
      '',
      '/',
      'deep',
      'up',
      'project',
      'in.txt',
      'link.txt',
      'secret.txt',
      outer.path,
      '*',
      '~',
    ]
    const pathOf = fc.array(fc.constantFrom(...names), { maxLength: 6 }).map((parts) => parts.join('/'))
    const callOf = pathOf.chain((one) =>
      fc.constantFrom<ScriptedToolCall>(
        { name: 'Read', input: { path: one } },
        { name: 'Grep', input: { pattern: 'SECRET|inside', path: one } },
        { name: 'Glob', input: { pattern: one } },
        { name: 'Glob', input: { pattern: '**', path: one } },
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(callOf, { minLength: 20, maxLength: 40 }), async (tools) => {
        const { results } = await calling(path, tools)
        expect(results).toHaveLength(tools.length)
        expect(results.filter((result) => result.includes('SECRET'))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('finds nothing through links when it searches its project', async () => {
    const outer = await projectWith({ 'secret.txt': 'SECRET', 'project/in.txt': 'inside' })
    const path = join(outer.path, 'project')
    await symlink(join(outer.path, 'secret.txt'), join(path, 'link.txt'))
    await symlink(outer.path, join(path, 'folder'))
    const { results } = await calling(path, [
      { name: 'Grep', input: { pattern: 'SECRET|inside' } },
      { name: 'Glob', input: { pattern: '**' } },
    ])
    expect(results).toEqual(['in.txt:1: inside', 'in.txt'])
  })

  it('reads in a project that is itself reached through a link, by either of its names', async () => {
    const outer = await projectWith({ 'real/in.txt': 'inside' })
    await symlink(join(outer.path, 'real'), join(outer.path, 'alias'))
    const paths = ['in.txt', join(outer.path, 'alias/in.txt'), join(outer.path, 'real/in.txt')]
    const { results } = await calling(
      join(outer.path, 'alias'),
      paths.map((path) => ({ name: 'Read', input: { path } })),
    )
    expect(results).toEqual(['1\tinside', '1\tinside', '1\tinside'])
  })

  it('reads its transcript and no other', async () => {
    const outer = await projectWith({ 'mine.jsonl': '{"said": "hello"}', 'others.jsonl': 'SECRET', 'project/a': 'a' })
    const transcript = join(outer.path, 'mine.jsonl')
    const tools = [
      { name: 'Read', input: { path: transcript } },
      { name: 'Grep', input: { pattern: 'hello', path: transcript } },
      { name: 'Read', input: { path: join(outer.path, 'others.jsonl') } },
      { name: 'Grep', input: { pattern: 'S', path: outer.path } },
    ]
    const { results } = await calling(join(outer.path, 'project'), tools, { transcript })
    expect(results[0]).toBe('1\t{"said": "hello"}')
    expect(results[1]).toBe(`${transcript}:1: {"said": "hello"}`)
    expect(results.slice(2).every((result) => result.includes('outside of the project'))).toBe(true)
  })

  it('is told that a transcript is not there yet', async () => {
    const { path } = await projectWith({})
    const transcript = join(path, '..', 'never-written.jsonl')
    const { results } = await calling(path, [{ name: 'Read', input: { path: transcript } }], { transcript })
    expect(results).toEqual(['There is no transcript yet.'])
  })

  it('gets large files in parts, and is told how to go on', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}`)
    const { path } = await projectWith({ long: lines.join('\n'), wide: `${'x'.repeat(5000)}\n`.repeat(100) })
    const { results } = await calling(path, [
      { name: 'Read', input: { path: 'long' } },
      { name: 'Read', input: { path: 'long', offset: 2400, limit: 5000 } },
      { name: 'Read', input: { path: 'long', offset: 9999 } },
      { name: 'Read', input: { path: 'long', offset: 2, limit: 1 } },
      { name: 'Read', input: { path: 'wide' } },
    ])
    expect(results[0]).toMatch(/^1\tline 1\n.*\n1000\tline 1000\n\(1500 more lines, from offset 1001\)$/s)
    expect(results[1]).toMatch(/^2400\tline 2400\n.*\n2500\tline 2500$/s)
    expect(results[2]).toBe('long has 2500 lines.')
    expect(results[3]).toBe('2\tline 2\n(2498 more lines, from offset 3)')
    expect(results[4]?.length).toBeLessThan(70_000)
    expect(results[4]).toMatch(/more lines, from offset 33\)$/)
  })

  it('is refused what is no text, too large, or no file', async () => {
    const { path } = await projectWith({ 'a.bin': 'a\0b', empty: '', big: 'x'.repeat(10 * 1024 * 1024 + 1) })
    await mkdir(join(path, 'folder'))
    execFileSync('mkfifo', [join(path, 'pipe')])
    const tools = ['a.bin', 'big', 'folder', 'pipe', 'missing', 'empty'].map((one) => ({
      name: 'Read',
      input: { path: one },
    }))
    const { results } = await calling(path, tools)
    expect(results).toEqual([
      'a.bin: It is not a text file.',
      'big: It is too large: 10485761 bytes.',
      'folder: It is not a file.',
      'pipe: It is not a file.',
      'There is no missing.',
      'empty is empty.',
    ])
  })

  it('gets as many matches and files as are of use, and leaves out what nobody wrote', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`many/${String(n).padStart(3, '0')}`, 'match\n']),
    )
    const { path } = await projectWith({
      ...many,
      'node_modules/x/y': 'match',
      '.git/z': 'match',
      long: `match${'x'.repeat(999)}`,
    })
    const { results } = await calling(path, [
      { name: 'Grep', input: { pattern: 'match' } },
      { name: 'Glob', input: { pattern: 'many/*' } },
      { name: 'Glob', input: { pattern: '{y,z}' } },
      { name: 'Grep', input: { pattern: 'match', path: 'long' } },
    ])
    const [matches = '', files = '', skipped, long = ''] = results
    expect(matches.split('\n')).toHaveLength(101)
    expect(matches).toMatch(/there may be more/)
    expect(files.split('\n')).toHaveLength(201)
    expect(skipped).toBe('No file.')
    expect(long.length).toBeLessThan(320)
  })

  it('is told what is wrong with what it gave to a tool', async () => {
    const { path } = await projectWith({ a: 'a' })
    const { results } = await calling(path, [
      { name: 'Read', input: {} },
      { name: 'Grep', input: { pattern: '(' } },
      { name: 'Grep', input: { pattern: '(?=x)' } },
      { name: 'Grep', input: { pattern: 'x', path: 7 } },
      { name: 'Glob', input: { pattern: 3 } },
      { name: 'Grep', input: { pattern: 'nothing' } },
    ])
    expect(results[0]).toBe('Read needs a path.')
    expect(results[1]).toContain('is not a valid regular expression')
    expect(results[2]).toContain('uses look-around')
    expect(results[3]).toBe('path and glob have to be texts.')
    expect(results[4]).toBe('Glob needs a pattern.')
    expect(results[5]).toBe('No match.')
  })

  it.each([
    ['*.ts', ['a.ts', 'src/b.ts', 'src/deep/c.ts']],
    ['src/*.ts', ['src/b.ts']],
    ['./src/**/*.ts', ['src/b.ts', 'src/deep/c.ts']],
    ['**/deep/**', ['src/deep/c.ts', 'src/deep/d.js']],
    ['src/deep/[!d].?s', ['src/deep/c.ts']],
    ['**/{b,d}.{ts,js}', ['src/b.ts', 'src/deep/d.js']],
    ['a.t', []],
    ['a+ts', []],
  ])('finds the files of %s', async (pattern, found) => {
    const { path } = await projectWith({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'src/deep/d.js': '' })
    const { results } = await calling(path, [{ name: 'Glob', input: { pattern } }])
    expect(results).toEqual([found.join('\n') || 'No file.'])
  })
})
