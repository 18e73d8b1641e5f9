import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { parseArgs } from 'node:util'
import { makeFolders, readErrorCode, replaceFile } from 'hookline/internal'
import { makeKey } from './keys.ts'
import { makeTokenReader, type ReadToken } from './oidc.ts'
import { makeToken } from './routes.ts'
import { isLoopback, type ServerOptions, startServer } from './server.ts'
import { DEFAULT_TENANT, type FleetStore, openStore } from './store/store.ts'
import { openStream, type RecordStream } from './stream/record-stream.ts'

const USAGE = `hookline-fleet serve [flags]
hookline-fleet token [--data DIR] [--store URL] [--tenant NAME]

Keeps what hooks did on the machines of a team. serve starts a whole server on
SQLite in a folder, and prints its address and the command that enrols a
machine. token makes one more token: each enrols one machine, within a day.

  --data DIR           folder of the data; default: ./fleet-data
  --store URL          postgres://…: a database in place of the folder's files
  --stream URL         nats://…, several with commas: JetStream in front of
                       PostgreSQL; records are acknowledged once it has them
  --stream-replicas N  copies of a record in the stream; default: 3 in a
                       cluster of NATS, 1 otherwise
  --tenant NAME        tenant that the token is for; default: default
  --host HOST          default: 127.0.0.1, this machine alone
  --port N             default: 8787; 0: a free one
  --tls-cert FILE      certificate and key. Machines elsewhere send by https
  --tls-key FILE       alone: give both here, or put a proxy in front
  --oidc-issuer URL    people may show tokens of this issuer in place of keys
  --oidc-audience NAME audience that such a token has: required with it
  --oidc-claim NAME    claim with the roles of a person; default: groups
  --max-batches N      batches that a machine may send in a minute before it is
                       told to slow down; default: 600
  --quiet              no line for each request
  --help               print this

Exit codes: 0; 1 a mistake in the call, or it cannot start.
`

/** A mistake of the caller, as a sentence. */
class CallError extends Error {}

const DEFAULT_MAX_BATCHES = 600
/** Rights that nobody else has to what a server writes. */
const OTHERS_RIGHTS = 0o077
const ADMIN_KEY = 'admin.key'
const OWNERS_FILE = 0o600
const OWNERS_FOLDER = 0o700

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args)
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const [act, ...more] = positionals
  const given = positionals.map((word) => `"${word}"`).join(' ')
  if (more.length > 0 || (act !== 'serve' && act !== 'token'))
    throw new CallError(`it takes serve or token${given === '' ? '' : `, not ${given}`}. See hookline-fleet --help.`)
  process.umask(OTHERS_RIGHTS)
  const folder = resolve(values.data ?? 'fleet-data')
  const address = readStore(values)
  if (act === 'token' && address === null && !existsSync(join(folder, 'server.db')))
    throw new CallError(`there is no fleet in ${folder}: name the folder of its data with --data.`)
  makeDataFolder(folder)
  const options = act === 'serve' ? await readOptions(values) : null
  const store = await openStore(address ?? folder)
  try {
    const { token, expiresAt } = await makeToken(store, await store.addTenant(values.tenant ?? DEFAULT_TENANT))
    if (options !== null) return await serve(values, { ...options, folder, store, token })
    process.stdout.write(`${token}\n`)
    process.stderr.write(`It enrols one machine until ${expiresAt}: hookline ship enrol URL ${token}\n`)
    return 0
  } finally {
    await store.close()
  }
}

/** Address of a database; null: the folder has the data. */
function readStore({ store }: Flags): string | null {
  if (store === undefined) return null
  if (/^postgres(?:ql)?:\/\//.test(store) && URL.canParse(store)) return store
  throw new CallError('--store must be an address such as postgres://user@host/database. A folder goes with --data.')
}

function makeDataFolder(folder: string): void {
  try {
    makeFolders(folder, { mode: OWNERS_FOLDER })
  } catch (error) {
    throw new CallError(`${folder} cannot be made a folder (${readErrorCode(error)}): choose another one with --data.`)
  }
}

type Flags = ReturnType<typeof parseFlags>['values']

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        store: { type: 'string' },
        stream: { type: 'string' },
        'stream-replicas': { type: 'string' },
        tenant: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'oidc-issuer': { type: 'string' },
        'oidc-audience': { type: 'string' },
        'oidc-claim': { type: 'string' },
        'max-batches': { type: 'string' },
        quiet: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new CallError(`${error instanceof Error ? error.message : String(error)}. See hookline-fleet --help.`)
  }
}

type ServeOptions = Pick<ServerOptions, 'host' | 'port' | 'maxBatchesPerMinute' | 'tls' | 'readToken'>

/** Reads what serve is told, before anything is opened. */
async function readOptions(flags: Flags): Promise<ServeOptions> {
  const port = Number(flags.port ?? 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CallError('--port must be a number from 0 to 65535.')
  const maxBatchesPerMinute = Number(flags['max-batches'] ?? DEFAULT_MAX_BATCHES)
  if (!Number.isInteger(maxBatchesPerMinute) || maxBatchesPerMinute < 1)
    throw new CallError('--max-batches must be a whole number from 1.')
  const host = flags.host ?? '127.0.0.1'
  return { host, port, maxBatchesPerMinute, tls: readTls(flags), readToken: await readIssuer(flags) }
}

async function serve(
  flags: Flags,
  { folder, store, token, ...options }: ServeOptions & { folder: string; store: FleetStore; token: string },
): Promise<number> {
  const adminKey = await keepAdminKey(folder)
  const note = (line: object): void => {
    if (!(flags.quiet && 'method' in line)) process.stderr.write(`${JSON.stringify(line)}\n`)
  }
  const stream = await openFlaggedStream(flags)
  const server = await startServer({ ...options, store, stream, adminKey, note }).catch(async (error: unknown) => {
    await stream?.stop()
    throw error
  })
  process.stdout.write(
    [
      `Fleet at ${server.url}, data in ${flags.store === undefined ? folder : 'PostgreSQL'}${stream === undefined ? '' : ', behind a stream'}.`,
      ...(isLoopback(options.host)
        ? [`Page:      ${server.url}page/open?key=${adminKey}`, `Machines:  ${server.url}v1/machines?key=${adminKey}`]
        : [`Page:      ${server.url}page/, which asks for a key: yours is in ${join(folder, ADMIN_KEY)}`]),
      `Enrol one: hookline ship enrol ${server.url} ${token}`,
      'Ctrl+C stops it.',
      '',
    ].join('\n'),
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await server.stop()
  return 0
}

/** The stream in front of the store. Servers of one stream share one database, which a folder of files cannot be. */
async function openFlaggedStream(flags: Flags): Promise<RecordStream | undefined> {
  const { store, stream: url, 'stream-replicas': count } = flags
  if (url === undefined) {
    if (count !== undefined) throw new CallError('--stream-replicas goes with --stream.')
    return undefined
  }
  if (store === undefined) throw new CallError('--stream goes with --store postgres://…: its servers share a database.')
  const replicas = count === undefined ? null : Number(count)
  if (replicas !== null && ![1, 3, 5].includes(replicas)) throw new CallError('--stream-replicas must be 1, 3 or 5.')
  return openStream({ url, replicas })
}

const DEFAULT_CLAIM = 'groups'

/** Reader of the tokens of the issuer that is configured. */
async function readIssuer(flags: Flags): Promise<ReadToken | undefined> {
  const { 'oidc-issuer': issuer, 'oidc-audience': audience, 'oidc-claim': claim = DEFAULT_CLAIM } = flags
  if (issuer === undefined && audience === undefined && flags['oidc-claim'] === undefined) return undefined
  if (issuer === undefined || audience === undefined)
    throw new CallError('--oidc-issuer and --oidc-audience go together.')
  return makeTokenReader({ issuer, audience, claim })
}

function readTls({ 'tls-cert': cert, 'tls-key': key }: Flags) {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new CallError('--tls-cert and --tls-key go together.')
  const tls = { cert: readPem('--tls-cert', cert), key: readPem('--tls-key', key) }
  try {
    createSecureContext(tls)
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error)
    throw new CallError(`${cert} and ${key} are not a certificate and its key, as PEM: ${because}.`)
  }
  return tls
}

function readPem(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CallError(`${flag} ${file} cannot be read (${readErrorCode(error)}).`)
  }
}

/** The administrator's secret: made once, and kept beside the data for its owner alone. */
async function keepAdminKey(folder: string): Promise<string> {
  const file = join(folder, ADMIN_KEY)
  try {
    const key = readFileSync(file, 'utf8').trim()
    if (key !== '') return key
  } catch (error) {
    if (readErrorCode(error) !== 'ENOENT') throw error
  }
  const key = makeKey()
  await replaceFile(file, `${key}\n`, { mode: OWNERS_FILE, followLinks: false })
  return key
}

/** Codes of the system for a host that is not one of this machine's. */
const FOREIGN_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'])

function describeError(error: unknown): string {
  if (error instanceof CallError) return error.message
  const code = readErrorCode(error)
  if (code === 'EADDRINUSE') return 'the port is taken: choose another with --port, or 0 for a free one.'
  if (FOREIGN_HOST.has(code)) return '--host is not an address of this machine.'
  if (code === 'EACCES') return 'the port or the folder may not be used by you: choose others with --port and --data.'
  return error instanceof Error ? error.message : String(error)
}

// Last: what stands behind it would not be there yet.
process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`hookline-fleet: ${describeError(error)}\n`)
  return 1
})
