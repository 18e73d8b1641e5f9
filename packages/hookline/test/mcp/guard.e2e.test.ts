import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { remoteServer } from '../../../agent/test/mcp/remote-server.ts'
import { config, realServer, smallServer, variable } from '../../../agent/test/mcp/support.ts'
import { runAgent, scripted } from '../../../agent/test/support/command.ts'
import { serve } from '../../../agent/test/tools/server.ts'
import { program as hookline, placesOf } from '../support/command.ts'
import { pageAsRun, pagePath } from '../support/page.ts'
import { processesWith, until } from '../support/processes.ts'
import { answering, commands, makeWorld, put, type World } from '../support/project.ts'

const statelessServer = fileURLToPath(new URL('../../../agent/test/fixtures/stateless-server.js', import.meta.url))

const settings = (hooks: object): Record<string, object> => ({ 'project/.claude/settings.json': { hooks } })

/** The words of a guarded server: a command, or flags that name another one. */
function guardOf(world: World, server: readonly string[]): string[] {
  const words = server[0]?.startsWith('--') ? server : ['--', ...server]
  return [hookline, 'mcp', 'everything', '--trust', ...placesOf(world), ...words]
}

/** The SDK's own client, on the real server behind the guard. */
async function connected(
  world: World,
  client = new Client({ name: 'sdk', version: '9' }),
  server: readonly string[] = [process.execPath, realServer],
): Promise<Client> {
  const args = guardOf(world, server)
  const env = { ...process.env, HOOKLINE_LOG: join(world.root, 'log.jsonl') } as Record<string, string>
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  onTestFinished(() => client.close())
  return client
}

const small = (...habits: string[]): string[] => {
  const { command, args } = Object(smallServer(habits))
  return [command, ...args]
}

/** A guard that is talked to line by line. */
async function started(world: World, server: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, guardOf(world, server), { env: { ...process.env, ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  child.stdin.on('error', () => {}) // it may have ended
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stderr = text(child.stderr)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const send = (message: object): unknown => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  return { child, stderr, ended, send, next }
}

const HELLO = {
  ...{ id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** A plugin with a guard, enabled by the user. */
const PLUGIN = {
  'home/.claude/settings.json': { enabledPlugins: { 'guard@market': true } },
  'home/plugin/.claude-plugin/plugin.json': { name: 'guard', version: '1.0.0' },
  'home/plugin/hooks/hooks.json': { hooks: { PreToolUse: [commands('echo "no, says the plugin" >&2; exit 2')] } },
}

describe('hookline mcp', () => {
  it('guards a real server for a real client', async () => {
    const redacts = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: '(kept back)' } }
    const world = await makeWorld(
      settings({
        PreToolUse: [{ matcher: 'mcp__everything__get-env', ...commands('echo it stays here >&2; exit 2') }],
        PostToolUse: [{ matcher: 'mcp__everything__(echo|get-structured-content)', ...commands(answering(redacts)) }],
      }),
    )
    const client = await connected(world)
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    const sum = await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } })
    expect(sum.content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }])
    const env = await client.callTool({ name: 'get-env', arguments: {} })
    expect(env).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('it stays here') }] })
    const echo = await client.callTool({ name: 'echo', arguments: { message: 'x' } })
    expect(echo.content).toEqual([{ type: 'text', text: '(kept back)' }])
    const structured = await client.callTool({ name: 'get-structured-content', arguments: { location: 'Chicago' } })
    expect(structured).toEqual({ content: [{ type: 'text', text: '(kept back)' }], isError: true })
    await client.close()
    const log = readFileSync(join(world.root, 'log.jsonl'), 'utf8').trim().split('\n')
    expect(new Set(log.map((line) => JSON.parse(line).record.host.client))).toEqual(new Set(['sdk']))
  })

  it('passes progress on, and has the user of the client asked', async () => {
    const asks = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }
    const world = await makeWorld(settings({ PreToolUse: [commands(answering(asks))] }))
    const client = new Client({ name: 'sdk', version: '9' }, { capabilities: { elicitation: { form: {} } } })
    const questions: string[] = []
    const answers = ['accept', 'decline'] as const
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message)
      return { action: answers[questions.length - 1] ?? 'cancel' }
    })
    await connected(world, client)
    const progress: number[] = []
    const call = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } }
    const done = await client.callTool(call, { onprogress: (one) => progress.push(one.progress) })
    expect(done.isError).toBeUndefined()
    expect(progress[0]).toBe(1) // the client drops the last one where it comes together with the result
    expect(await client.callTool(call)).toMatchObject({ isError: true })
    expect(questions).toHaveLength(2)
    expect(questions[0]).toContain('"trigger-long-running-operation"')
  })

  it('has the user asked in the revision without initialize too', async () => {
    const asks = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }
    const world = await makeWorld(settings({ PreToolUse: [commands(answering(asks))] }))
    const capabilities = { elicitation: { form: {} } }
    const client = new Client({ name: 'sdk', version: '9' }, { capabilities, versionNegotiation: { mode: 'auto' } })
    const answers = ['decline', 'accept'] as const
    let asked = 0
    client.setRequestHandler('elicitation/create', () => ({ action: answers[asked++] ?? 'cancel' }))
    await connected(world, client, [process.execPath, statelessServer])
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    const call = { name: 'add', arguments: { a: 1, b: 2 } }
    expect(await client.callTool(call)).toMatchObject({ isError: true })
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: 'text', text: '3' }] })
    expect(asked).toBe(2)
  })

  it('guards a server of the agent, whose own hooks are elsewhere', async () => {
    const guarded = await makeWorld(settings({ PreToolUse: [commands('echo guarded >&2; exit 2')] }))
    const world = await makeWorld({
      'servers.json': config({ small: { command: process.execPath, args: guardOf(guarded, small()) } }),
    })
    const model = await scripted(world, { turns: [{ tools: [{ name: 'mcp__small__say', input: { text: 'x' } }] }] })
    const args = ['-p', 'Say it.', '--mcp-config', 'servers.json', '--allowed-tools', 'mcp__small', ...model]
    const { stdout } = await runAgent(world, { args: [...args, '--output-format', 'stream-json'] })
    expect(stdout).toContain('PreToolUse:mcp__everything__say hook error')
  })

  it('passes a result of 10 MB on', async () => {
    const world = await makeWorld(settings({ PostToolUse: [commands('cat > /dev/null')] }))
    const { send, next, child, ended } = await started(world, small())
    send({ id: 1, method: 'tools/call', params: { name: 'say', arguments: { text: 'x'.repeat(10_000_000) } } })
    const { result } = await next()
    expect(result.content[0].text).toHaveLength('you said '.length + 10_000_000)
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('answers what is open when the server dies, and says so', async () => {
    const { send, next, ended, stderr } = await started(await makeWorld(), small())
    send({ id: 'd', method: 'tools/call', params: { name: 'die' } })
    const reason = 'The MCP server "everything" ended (exit code 7).'
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 'd', error: { code: -32_000, message: reason } })
    expect(await ended).toBe(1)
    expect(await stderr).toBe(`hookline mcp: ${reason}\n`)
  })

  it.each([
    ['the settings of the user cannot be read', { 'home/.claude/settings.json': '{"hooks": {' }],
    ['a plugin of the user refuses it', PLUGIN],
    ['the file of a plugin cannot be read', { ...PLUGIN, 'home/plugin/hooks/hooks.json': '{' }],
  ])('makes no call while %s', async (_, files) => {
    const world = await makeWorld(files)
    const registry = {
      version: 2,
      plugins: { 'guard@market': [{ scope: 'user', installPath: join(world.home, 'plugin') }] },
    }
    await put(world, 'home/.claude/plugins/installed_plugins.json', registry)
    const { send, next } = await started(world, small())
    send(HELLO)
    await next()
    send({ id: 1, method: 'tools/call', params: { name: 'say' } })
    const { result } = await next()
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toMatch(/no, says the plugin|hookline validate shows what is wrong\. Then restart/)
  })

  it('makes no call while the system has no room to start a guard', async () => {
    const hook = { type: 'command', command: 'exit 2', timeout: 1 }
    const world = await makeWorld(settings({ PreToolUse: [{ hooks: [hook] }] }))
    const { send, next, child } = await started(world, small())
    send(HELLO)
    await next()
    execFileSync('prlimit', ['--pid', String(child.pid), '--nofile=20'])
    send({ id: 1, method: 'tools/call', params: { name: 'say' } })
    expect(await next()).toMatchObject({ error: { message: expect.stringContaining('could not be started') } })
  })

  it('says that a server cannot be started', async () => {
    const { send, next, ended, stderr } = await started(await makeWorld(), ['./nowhere'])
    send(HELLO)
    expect(await next()).toMatchObject({ id: 0, error: { message: expect.stringContaining('could not be started') } })
    expect(await ended).toBe(1)
    expect((await stderr).trim().split('\n')).toHaveLength(1)
  })

  it.each(['closes its end', 'terminates it'])('leaves nothing behind when the client %s', async (how) => {
    const token = `hookline-mcp-guard-${process.pid}-${how.replaceAll(' ', '-')}`
    const world = await makeWorld(settings({ PreToolUse: [commands('sleep 50')] }))
    const { send, next, child, ended } = await started(world, small('stays', 'has-a-child'), { MCP_TOKEN: token })
    send(HELLO)
    await next()
    send({ id: 1, method: 'tools/call', params: { name: 'say' } })
    await until('the hook runs', () => processesWith(token).length >= 4)
    if (how === 'closes its end') child.stdin.end()
    else child.kill('SIGTERM')
    expect(await ended).toBe(how === 'closes its end' ? 0 : 130)
    expect(processesWith(token)).toEqual([])
  })

  it('leaves no server behind when it is killed', async () => {
    const token = `hookline-mcp-guard-${process.pid}-killed`
    const { send, next, child } = await started(await makeWorld(), small('stays', 'has-a-child'), { MCP_TOKEN: token })
    send(HELLO)
    await next()
    child.kill('SIGKILL')
    await until('all have ended', () => processesWith(token).length === 0)
  })
})

describe('hookline mcp --url', () => {
  it('guards a real server over HTTP, which may ask in the middle of a call', async () => {
    const { url, authorizations } = await remoteServer()
    const world = await makeWorld(
      settings({ PreToolUse: [commands('grep -q \'"b":13\' && { echo unlucky >&2; exit 2; }; exit 0')] }),
    )
    const client = new Client({ name: 'sdk', version: '9' }, { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { a: 4 } }))
    const header = `Authorization: Bearer ${variable('REMOTE_KEY')}`
    process.env.REMOTE_KEY = 'k3y'
    onTestFinished(() => {
      delete process.env.REMOTE_KEY
    })
    await connected(world, client, ['--url', url, '--header', header])
    const texts = []
    for (const input of [{ a: 2, b: 3 }, { b: 3 }, { a: 1, b: 13 }]) {
      const { content } = await client.callTool({ name: 'add', arguments: input })
      texts.push(Object(content)[0].text)
    }
    expect(texts).toEqual(['5', '7', expect.stringContaining('unlucky')])
    expect(new Set(authorizations)).toEqual(new Set(['Bearer k3y']))
  })

  it('answers a call with an error when the server breaks down, and goes on', async () => {
    const remote = await remoteServer()
    const client = await connected(await makeWorld(), undefined, ['--url', remote.url])
    remote.breakDown()
    const call = client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    await expect(call).rejects.toThrow('answered 503')
    await expect(client.listTools()).rejects.toThrow('answered 503')
  })

  it('takes a stream up again that breaks off, behind its last event', async () => {
    const asked: unknown[] = []
    const url = await serve((request, response) => {
      asked.push([request.method, request.headers['last-event-id']])
      request.resume()
      if (request.method === 'GET' && request.headers['last-event-id'] === undefined)
        return response.writeHead(405).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (request.method === 'POST') return response.end('retry: 1\nid: 7\ndata:\n\n')
      return response.end('id: 8\ndata: {"jsonrpc":"2.0","id":1,\ndata: "result":{"content":[]}}\n\n')
    })
    const { send, next, child, ended } = await started(await makeWorld(), ['--url', url])
    send({ id: 1, method: 'tools/call', params: { name: 'x' } })
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [] } })
    expect(asked).toEqual([
      ['POST', undefined],
      ['GET', '7'],
    ])
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it.each([
    [['--url', 'ftp://127.0.0.1/'], 'must be an address'],
    [['--url', 'http://me:s3cret@127.0.0.1/'], 'holds credentials'],
    [['--url', 'http://127.0.0.1/', '--header', 's3cret'], "'NAME: VALUE'"],
    [['--url', 'http://127.0.0.1/', '--header', `A: ${variable('NOT_SET_HERE')}`], 'NOT_SET_HERE is not set'],
    [['--header', 'A: s3cret', '--', 'true'], 'with --url'],
  ])('refuses %j, and repeats no secret', async (words, fault) => {
    const { ended, stderr } = await started(await makeWorld(), words)
    expect(await ended).toBe(1)
    expect(await stderr).toContain(fault)
    expect(await stderr).not.toContain('s3cret')
  })
})

describe('docs/mcp-guard.md', () => {
  it('shows what its commands print', { timeout: 120_000 }, async () => {
    const { root } = await makeWorld({
      'bin/npx': `#!/bin/sh\nexec '${process.execPath}' '${realServer}'\n`, // the only thing the page asks of it
    })
    const page = await pageAsRun('mcp-guard.md', { bin: join(root, 'bin') })
    await expect(page).toMatchFileSnapshot(pagePath('mcp-guard.md'))
  })
})
