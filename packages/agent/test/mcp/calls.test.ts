import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answering, commands, makeWorld, type World } from '../../../hookline/test/support/project.ts'
import { openAgent, textsOf } from '../support/opened-agent.ts'
import { config, realServer, smallServer } from './support.ts'

const everything = { command: process.execPath, args: [realServer, 'stdio'] }

const echo = { name: 'mcp__everything__echo', input: { message: 'hello' }, id: 'toolu_1' }
const allowedTools = ['mcp__everything', 'mcp__small']

function worldWith(hooks: object, mcpServers: object = { everything }): Promise<World> {
  return makeWorld({ 'project/.claude/settings.json': { hooks }, 'project/.mcp.json': config(mcpServers) })
}

/** The files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths.filter((path) => statSync(path).isFile() && readFileSync(path, 'utf8').includes(text))
}

describe('a real server', () => {
  it('is called under its name, with the schema that it wrote', async () => {
    const world = await worldWith({})
    const { agent, requests } = await openAgent({ turns: [{ tools: [echo] }] }, { world, allowedTools })
    await expect(agent.run('Say hello.')).resolves.toMatchObject({ success: true })
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['Echo: hello'])
    const spec = requests[0]?.tools.find(({ name }) => name === 'mcp__everything__get-sum')
    expect(spec?.inputSchema).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a', 'b'],
    })
  })

  it('is not called when a hook refuses', async () => {
    const refuse = { matcher: 'mcp__everything__.*', ...commands('echo no servers today >&2; exit 2') }
    const world = await worldWith({ PreToolUse: [refuse] })
    const { agent, requests, events } = await openAgent({ turns: [{ tools: [echo] }] }, { world, allowedTools })
    await agent.run('Say hello.')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('no servers today')
    expect(events.filter(({ type }) => type === 'tool_started')).toEqual([])
  })

  it('has its output rewritten by a hook, which sees what the server answered', async () => {
    const rewrite = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'nothing to hear' } }
    const hooks = { PostToolUse: [commands(`cat > seen.json; ${answering(rewrite)}`)] }
    const world = await worldWith(hooks)
    const { agent, requests } = await openAgent({ turns: [{ tools: [echo] }] }, { world, allowedTools })
    await agent.run('Say hello.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['nothing to hear'])
    expect(JSON.parse(await readFile(join(world.project, 'seen.json'), 'utf8'))).toMatchObject({
      tool_name: 'mcp__everything__echo',
      tool_response: { content: [{ type: 'text', text: 'Echo: hello' }] },
    })
  })

  it.each([
    [
      'blocks in an object',
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      'one\ntwo',
    ],
    ['blocks alone', [{ type: 'text', text: 'one' }], 'one'],
    [
      'an image',
      { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      '[image, image/png: not shown]',
    ],
    ['a resource', { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'in it' } }] }, 'in it'],
    ['a value', { content: [], structuredContent: { lit: true } }, '{"lit":true}'],
    ['a shape of its own', { lit: true }, '{"lit":true}'],
    ['blocks that are none', { content: [{ type: 'text' }] }, '{"content":[{"type":"text"}]}'],
  ])("has its output replaced by %s, which the model reads as it would the server's", async (_what, output, read) => {
    const rewrite = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: output } }
    const world = await worldWith({ PostToolUse: [commands(answering(rewrite))] })
    const { agent, requests } = await openAgent({ turns: [{ tools: [echo] }] }, { world, allowedTools })
    await agent.run('Say hello.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual([read])
  })

  it('leaves nothing of an output that a hook replaced, on disk or in what is told', async () => {
    const rewrite = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: '(kept back)' } }
    const world = await worldWith({ PostToolUse: [commands(answering(rewrite))] })
    const secret = { ...echo, input: { message: 'canary' } }
    const { agent, events, transcript } = await openAgent({ turns: [{ tools: [secret] }] }, { world, allowedTools })
    await agent.run('Say it.')
    const [line] = (await transcript()).filter(({ toolUseResult }) => toolUseResult !== undefined)
    expect(line).toMatchObject({ toolUseResult: '(kept back)' })
    await agent.close()
    const answered = `Echo: ${secret.input.message}` // what the model said stays, and so does what it asked for
    const messages = events.filter(({ type }) => type === 'message')
    expect(JSON.stringify(messages)).not.toContain(answered)
    expect(filesWith(world.root, answered)).toEqual([])
  })

  it('checks the input itself, and its complaint is a failed call', async () => {
    const hooks = { PostToolUseFailure: [commands('cat >&2; exit 2')] }
    const sum = { ...echo, name: 'mcp__everything__get-sum', input: { a: 'one' } }
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [sum] }] },
      { world: await worldWith(hooks), allowedTools },
    )
    await agent.run('Add.')
    const [result, feedback] = requests[1]?.messages.at(-1)?.content ?? []
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('expected number') })
    expect(JSON.stringify(feedback)).toContain('PostToolUseFailure:mcp__everything__get-sum')
  })
})

describe('a call', () => {
  const say = { name: 'mcp__small__say', input: { text: 'yes' }, id: 'toolu_1' }

  it('comes to all texts of the answer', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const { agent, requests } = await openAgent({ turns: [{ tools: [say] }] }, { world, allowedTools })
    await agent.run('Say yes.')
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['you said yes\ntwice'])
  })

  it('fails with what the server says of its failure', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const fail = { ...say, name: 'mcp__small__fail' }
    const { agent, requests } = await openAgent({ turns: [{ tools: [fail] }] }, { world, allowedTools })
    await agent.run('Fail.')
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true, content: 'it went wrong' }])
  })

  it.each(['garbles', 'misnames'])('fails when the server %s its answer', async (habit) => {
    const world = await worldWith({}, { small: smallServer([habit]) })
    const { agent, requests } = await openAgent({ turns: [{ tools: [say] }] }, { world, allowedTools })
    await expect(agent.run('Say yes.')).resolves.toMatchObject({ success: true })
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true }])
  })

  it('needs a permission, for nothing says that the tool is harmless', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const { agent, requests } = await openAgent({ turns: [{ tools: [say] }] }, { world })
    await agent.run('Say yes.')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('Permission to use mcp__small__say was denied')
  })

  it('is over when the user interrupts it', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const controller = new AbortController()
    const ask = { ...say, name: 'mcp__small__ask' }
    const elicit = () => {
      controller.abort()
      return new Promise<never>(() => {})
    }
    const { agent } = await openAgent({ turns: [{ tools: [ask] }] }, { world, allowedTools, elicit })
    await expect(agent.run('Ask.', { signal: controller.signal })).resolves.toMatchObject({
      subtype: 'error_interrupted',
    })
  })
})

describe('tools', () => {
  it('that are forbidden by the name of their server are not offered', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const { agent, requests } = await openAgent({}, { world, disallowedTools: ['mcp__small'] })
    await agent.run('Hello.')
    expect(requests[0]?.tools.filter(({ name }) => name.startsWith('mcp__'))).toEqual([])
  })

  it('that a server adds later are offered from then on', async () => {
    const world = await worldWith({}, { small: smallServer() })
    const grow = { name: 'mcp__small__grow', input: {}, id: 'toolu_1' }
    const { agent, requests } = await openAgent({ turns: [{ tools: [grow] }] }, { world, allowedTools })
    const offered = (): boolean => requests.at(-1)?.tools.some(({ name }) => name === 'mcp__small__grown') ?? false
    while (!offered()) await agent.run('Grow.')
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('mcp__small__grown')
  })
})
