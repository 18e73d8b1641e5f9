import { setTimeout as pause } from 'node:timers/promises'
import { type OpenedEngine, openReadable } from '../../../bridges/open-readable.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { McpGuard } from '../../../mcp/guard.ts'
import { FAULTS, isId, makeErrorAnswer, readClientFacts } from '../../../mcp/message.ts'
import { RemoteServer } from '../../../mcp/remote-server.ts'
import { type McpServer, startServer } from '../../../mcp/server-process.ts'
import { findHeaderFault } from '../../../text/http.ts'
import { isObject } from '../../../text/json.ts'
import { type Line, readStreamLines } from '../../../text/lines.ts'
import {
  CLOSING_FLAGS,
  CLOSING_USAGE,
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  MODEL_FLAGS,
  MODEL_USAGE,
  readArguments,
  refusePositionals,
  SOURCE_FLAGS,
  SOURCE_USAGE,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { provideModels, tellMissingModel } from '../../start/models.ts'
import { fillDriverDefaults, tellProblems } from '../../start/opening.ts'
import { forwardLine, outliveReader, tell, waitForReader } from '../../start/print.ts'

export const usage = `hookline mcp NAME [flags] -- COMMAND [ARGUMENTS]
hookline mcp NAME --url URL [flags]

Runs an MCP server behind hooks, for clients that have none. The client starts
this in the server's place, and talks to it as to the server:

  hookline mcp files -- npx -y @modelcontextprotocol/server-filesystem .
  hookline mcp wiki --url https://wiki.example/mcp --header 'X-Key: \${KEY}'

Hooks see every call of a tool as mcp__NAME__TOOL: PreToolUse before the server
does, PostToolUse and PostToolUseFailure after it. Everything else passes as it
was written. Where a hook wants the user to be asked, the client's user is; a
client that cannot ask gets a refusal.

  --url URL                a server over streamable HTTP, in place of a command
  --header 'NAME: VALUE'   sent to it (repeatable); \${VAR} stands for a variable
                           of the environment
${MODEL_USAGE}${CLOSING_USAGE}${SOURCE_USAGE}${ENGINE_USAGE}
Exit codes: 0 the client has ended the connection; 1 the server has, or a mistake
in the call; 130 interrupted; 3 a fault of Hookline.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...MODEL_FLAGS,
  ...CLOSING_FLAGS,
  ...SOURCE_FLAGS,
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
} as const

/** Longer messages are not passed on. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** Milliseconds that calls under way may still take when the client closes its end. */
const LAST_CALLS_MS = 2000

/** Runs `hookline mcp`. */
export async function run(args: string[]): Promise<number> {
  const split = args.includes('--') ? args.indexOf('--') : args.length
  const { values, positionals } = readArguments(args.slice(0, split), FLAGS)
  const command = args.slice(split + 1)
  const [name, ...rest] = positionals
  refusePositionals(rest)
  if (name === undefined) throw new UsageError('which server? Its name comes first: hookline mcp NAME -- COMMAND.')
  if (!/^[\w-]+$/.test(name))
    throw new UsageError(`"${name}" cannot be part of the name of a tool. Use letters, digits, "_" and "-".`)
  const start = chooseServer(command, values)
  const options = toEngineOptions(values) // a mistake is told before the first message

  const lines = readStreamLines(process.stdin, MAX_MESSAGE_BYTES)
  const first = await lines.next()
  if (first.done === true) return 0
  const { engine, unread } = await openFor(first.value, { ...fillDriverDefaults(options), ...provideModels(values) })
  const server = await start()
  try {
    tellProblems(engine)
    tellMissingModel(engine, values satisfies EngineFlags)
    return await connect({ name, engine, closed: describeClosed(unread), server, lines, first: first.value })
  } finally {
    process.stdin.destroy() // the client may keep its end open
    await Promise.all([server.close(), engine.close()])
  }
}

/** Chooses how the server is reached. Mistakes are told now; it is started, or spoken to, with the first message. */
function chooseServer(
  command: readonly string[],
  { url, header = [] }: { readonly url?: string | undefined; readonly header?: readonly string[] | undefined },
): () => Promise<McpServer> {
  if (url === undefined) {
    if (command.length === 0)
      throw new UsageError('which server? Put its command behind --, or its address behind --url.')
    if (header.length > 0) throw new UsageError('--header is for a server with --url.')
    return () => startServer(command, MAX_MESSAGE_BYTES)
  }
  if (command.length > 0) throw new UsageError('a server has a command or a --url, not both.')
  const address = URL.canParse(url) ? new URL(url) : null
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new UsageError('--url must be an address that begins with http:// or https://.')
  if (address.username !== '' || address.password !== '')
    throw new UsageError('--url holds credentials. Pass them with --header, by a variable of the environment.')
  const headers = Object.fromEntries(header.map(parseHeader))
  return async () =>
    new RemoteServer({
      url: address,
      headers,
      longest: MAX_MESSAGE_BYTES,
      tell: (text) => tell(`hookline mcp: ${text}\n`),
    })
}

/** A header as it was written, with the variables that it names. No message repeats its value, which may be a secret. */
function parseHeader(written: string): [string, string] {
  const [, name = '', text = ''] = /^([^:\s]+):\s*(.*)$/s.exec(written) ?? []
  if (name === '') throw new UsageError("--header is written 'NAME: VALUE'.")
  const value = text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const set = process.env[variable]
    if (set === undefined) throw new UsageError(`--header ${name}: the variable ${variable} is not set.`)
    return set
  })
  if (findHeaderFault(name, value) !== null)
    throw new UsageError(`--header ${name} cannot be sent: it is not a valid header.`)
  return [name.toLowerCase(), value]
}

/** Opens the engine for the client that sent this line. Where it cannot be, the client is told too. */
async function openFor(line: Line, options: Parameters<typeof openReadable>[0]): Promise<OpenedEngine> {
  const message = parseMessage(line)
  try {
    return await openReadable({ ...options, host: readClientFacts(message).host ?? { client: 'mcp' } })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (isId(message.id)) forwardLine(makeErrorAnswer(message.id, FAULTS.closed, reason))
    throw error
  }
}

function parseMessage(line: Line): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = Buffer.isBuffer(line) ? JSON.parse(line.toString()) : null
    return isObject(message) ? message : {}
  } catch {
    return {} // the guard says so
  }
}

interface Connection {
  readonly name: string
  readonly engine: Engine
  /** Reason why no call is made; null: there is none. */
  readonly closed: string | null
  readonly server: McpServer
  /** Lines of the client after the first. */
  readonly lines: AsyncGenerator<Line>
  readonly first: Line
}

/** Passes messages between the two until one of them ends. Resolves with the exit code. */
async function connect({ name, engine, closed, server, lines, first }: Connection): Promise<number> {
  let keepsUp = true
  const guard = new McpGuard(
    { name, engine, closed },
    {
      toClient: (line) => {
        keepsUp = forwardLine(line)
      },
      toServer: (line) => server.send(line),
      tell: (sentence) => tell(`hookline mcp: ${sentence}\n`),
    },
  )
  const take = (line: Line): void => {
    if (Buffer.isBuffer(line)) guard.fromClient(line)
    else guard.refuseLong(line.tooLong)
  }
  const relayClient = async (): Promise<'client'> => {
    take(first)
    for await (const line of lines) {
      take(line)
      await server.waitUntilCaughtUp()
    }
    await waitForCalls(guard.waitUntilIdle())
    return 'client'
  }
  const relayServer = async (): Promise<string> => {
    for await (const line of server.readLines()) {
      if (!Buffer.isBuffer(line)) return `sent a message that is too long (${line.tooLong} bytes)`
      guard.fromServer(line)
      await waitForReader(keepsUp)
    }
    return server.end()
  }
  const gone = new Promise<'client'>((resolve) => outliveReader(() => resolve('client')))
  let interrupt = (): void => {}
  const interrupted = new Promise<'interrupted'>((resolve) => {
    interrupt = () => resolve('interrupted')
  })
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt).once('SIGHUP', interrupt)
  const end = await Promise.race([relayClient(), gone, interrupted, relayServer().then((why) => ({ why }))])
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt)
  if (typeof end === 'object') {
    tell(`hookline mcp: The MCP server "${name}" ${end.why}.\n`)
    await waitForCalls(guard.endServer(end.why))
    return 1
  }
  guard.abandon()
  await waitForCalls(guard.waitUntilIdle())
  return end === 'client' ? 0 : 130
}

/** Reason why no call is made while files cannot be read that hooks may stand in; null: all can be. */
function describeClosed(unread: readonly string[]): string | null {
  return unread.length === 0 ? null : `${unread.join('. ')}. Then restart the MCP server.`
}

/** Waits for hooks that see the end of calls, but not for ever: closing the engine ends them. */
async function waitForCalls(calls: Promise<void>): Promise<void> {
  await Promise.race([calls, pause(LAST_CALLS_MS, null, { ref: false })])
}
