import { setFlagsFromString } from 'node:v8'
import { findShippedPage } from '../../files/shipped.ts'
import { type RunningInspector, startInspector } from '../../inspect/inspector.ts'
import { markInspector } from '../../inspect/running.ts'
import { LOOPBACK_HOSTS, type ServerOptions } from '../../inspect/server.ts'
import { type EngineFlags, toEngineOptions, UsageError } from '../start/flags.ts'
import { print, printJson, tell } from '../start/print.ts'
import { listLogs } from './log-source.ts'
import { openBrowser } from './open-browser.ts'
import { watchConfiguration } from './watched-configuration.ts'

/** A log that was made for one look. */
export interface MadeLog {
  readonly file: string
  /** Words on what it shows. */
  readonly note: string
  /** The page that is opened first; that of all sessions by default. */
  readonly view?: string
  readonly remove: () => Promise<void>
}

/** Flags of commands that open the inspector. */
export interface InspectFlags extends EngineFlags {
  readonly last?: boolean | undefined
  readonly session?: string | undefined
  readonly log?: readonly string[] | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly 'no-open'?: boolean | undefined
  readonly stdin?: boolean | undefined
  readonly json?: boolean | undefined
}

const IDLE_MS = 30 * 60_000

/** Serves the page of a log that was made for it, and removes the log behind it. */
export async function showMadeLog(made: MadeLog, flags: InspectFlags): Promise<number> {
  try {
    return await serveInspector({ ...flags, log: [made.file] }, made)
  } finally {
    await made.remove()
  }
}

/** Serves the page until an interrupt, or until nobody looks any more. */
export async function serveInspector(flags: InspectFlags, made?: MadeLog): Promise<number> {
  setFlagsFromString('--interrupt-budget=400000') // V8 spends as long on quick code as a first answer takes: three times later
  const ending = new AbortController()
  const inspector = await startInspector({
    ...(await toInspectorOptions(flags)),
    transcripts: made?.note,
    onIdle: () => ending.abort('idle'),
  })
  const interrupt = (): void => ending.abort('interrupt')
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const unmark = await leaveMark(inspector, flags)
  try {
    const path = made?.view ?? (await findFirstView(inspector, flags))
    await announce(inspector, path, flags)
    const stopOffering = offerLinks(inspector, path, { flags, onEnd: interrupt })
    await waitUntilAborted(ending.signal)
    stopOffering()
    if (ending.signal.reason === 'idle') tell('No page was open for 30 minutes. The inspector has ended.\n')
    return 0
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await unmark()
    await inspector.close()
  }
}

async function toInspectorOptions(flags: InspectFlags) {
  const configuration = watchConfiguration(toEngineFlags(flags))
  const { log = [] } = flags
  const { places } = await listLogs(log, flags)
  return {
    findLogs: async () => (await listLogs(log, flags)).found,
    places,
    configuration,
    host: parseHost(flags.host),
    port: parsePort(flags.port),
    idleMs: IDLE_MS,
    pageFolder: findShippedPage(),
  }
}

function toEngineFlags({ project, home, plugin, settings, trust }: InspectFlags): EngineFlags {
  return { project, home, plugin, settings, trust }
}

function parsePort(text: string | undefined): number {
  if (text === undefined) return 0
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`--port must be a number from 1 to 65535, not "${text}".`)
  return port
}

function parseHost(text: string | undefined): ServerOptions['host'] {
  const host = LOOPBACK_HOSTS.find((one) => one === text || `[${one}]` === text)
  if (text === undefined || host !== undefined) return host
  throw new UsageError(
    `--host must be ${LOOPBACK_HOSTS.join(' or ')}, not "${text}": the page is for this machine alone.`,
  )
}

/** The address of the view that the flags ask for. Throws a UsageError for a session that was not recorded. */
async function findFirstView(inspector: RunningInspector, { session, last, stdin }: InspectFlags): Promise<string> {
  if (session === undefined && !last) return '/'
  const found = session === undefined ? await inspector.findNewestSession() : await inspector.findSession(session)
  if (found !== null) return `/session/${encodeURIComponent(found)}`
  if (session === undefined) return '/'
  if (stdin) return `/session/${encodeURIComponent(session)}` // the first event is still to come
  throw new UsageError(`no recorded session has the id "${session}". hookline log --sessions lists them.`)
}

async function announce(inspector: RunningInspector, path: string, flags: InspectFlags): Promise<void> {
  const { address, token } = inspector
  if (flags.json) return void printJson({ address, link: inspector.makeLink(path), token })
  const isOpened = flags['no-open'] !== true && (await openBrowser(inspector.makeLink(path), process.env))
  const link = inspector.makeLink(path)
  print(
    isOpened
      ? `The inspector is open in your browser: ${address}\nFor another browser, this link works once: ${link}\n`
      : `Open this link in your browser, it works once: ${link}\n`,
  )
  tell('Ctrl+C stops it.\n')
}

/** Lets other commands of the user know where the page is. */
async function leaveMark({ address }: RunningInspector, flags: InspectFlags): Promise<() => Promise<void>> {
  const { roots } = await listLogs(flags.log ?? [], flags)
  const { home } = toEngineOptions({ home: flags.home })
  return markInspector(home, { address, logs: roots })
}

/** Prints a new link for each Enter, where a user sits in front of the terminal or a program holds stdin. */
function offerLinks(
  inspector: RunningInspector,
  path: string,
  { flags, onEnd }: { readonly flags: InspectFlags; readonly onEnd: () => void },
): () => void {
  const { stdin } = process
  if (!stdin.isTTY && !flags.stdin) return () => {}
  const offer = (): void => void print(`This link works once: ${inspector.makeLink(path)}\n`)
  stdin.on('data', offer)
  if (flags.stdin) stdin.once('end', onEnd)
  return () => {
    stdin.off('data', offer).off('end', onEnd)
    stdin.pause()
  }
}

function waitUntilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}
