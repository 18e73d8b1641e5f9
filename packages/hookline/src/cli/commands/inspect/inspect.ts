import { findShippedPage } from '../../../files/shipped.ts'
import { type RunningInspector, startInspector } from '../../../inspect/inspector.ts'
import { markInspector } from '../../../inspect/running.ts'
import { LOOPBACK_HOSTS, type ServerOptions } from '../../../inspect/server.ts'
import { listLogs } from '../../input/log-source.ts'
import {
  type EngineFlags,
  PLACE_FLAGS,
  readArguments,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { print, printJson, tell } from '../../start/print.ts'
import { watchConfiguration } from './configuration.ts'
import { openBrowser } from './open-browser.ts'
import { planTranscripts } from './transcripts.ts'

export const usage = `hookline inspect [flags]
hookline inspect --transcripts [FILE|DIR …] [flags]

Opens a page in your browser that shows what hooks did, what they would do, and
what they cost. It reads the log and the settings files, and changes neither. The
page is for this machine and this user alone; the printed link works once.

  hookline inspect
  hookline inspect --last
  hookline inspect --log hooks.jsonl --no-open --port 4747

With --transcripts it shows sessions of Claude Code that no log has: what
happened then, and what today's hooks would do. Nothing is run.

Without --log: the log of HOOKLINE_LOG, else all below ~/.hookline. What Claude
Code does is recorded after hookline tap install.

  --last                   open the page at the newest session
  --session ID             open it at this session; the beginning will do
  --log FILE               a log, or a folder with logs (repeatable)
  --transcripts            read transcripts, those of this project unless some
                           are named, and plan today's hooks for their events
  --port N                 the port; default: a free one
  --host ADDRESS           127.0.0.1 or ::1, the addresses that only this
                           machine reaches; default: 127.0.0.1
  --no-open                print the address and open no browser
  --project DIR            the project whose hooks are shown; default: here
  --home DIR               where user settings and logs are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  show the project's hooks as if they were trusted
  --stdin                  end when stdin ends: for programs that start it
  --json                   print the address, the link and the token as JSON

Scripts ask the same with a header: curl -H "X-Hookline-Token: TOKEN"
ADDRESS/api/sessions. It ends with Ctrl+C, and after 30 minutes without a page.

Exit codes: 0 ended; 1 a mistake in the call, or a port that is taken.
`

const FLAGS = {
  ...PLACE_FLAGS,
  last: { type: 'boolean' },
  session: { type: 'string' },
  log: { type: 'string', multiple: true },
  transcripts: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  'no-open': { type: 'boolean' },
  stdin: { type: 'boolean' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

type InspectFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

const IDLE_MS = 30 * 60_000

/** Runs `hookline inspect`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  if (!flags.transcripts) refusePositionals(positionals)
  if (flags.transcripts && flags.log !== undefined) throw new UsageError('--transcripts and --log exclude each other.')
  if (flags.last && flags.session !== undefined) throw new UsageError('--last and --session exclude each other.')
  const planned = flags.transcripts ? await planTranscripts(positionals, toEngineFlags(flags)) : null
  try {
    return await serve(planned === null ? flags : { ...flags, log: [planned.file] })
  } finally {
    await planned?.remove()
  }
}

/** Serves the page until an interrupt, or until nobody looks any more. */
async function serve(flags: InspectFlags): Promise<number> {
  const ending = new AbortController()
  const inspector = await startInspector({ ...(await toInspectorOptions(flags)), onIdle: () => ending.abort('idle') })
  const interrupt = (): void => ending.abort('interrupt')
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const unmark = await leaveMark(inspector, flags)
  try {
    const path = await findFirstView(inspector, flags)
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
    transcripts: flags.transcripts === true,
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
