import { makeTapReader } from '../log/tapped-record.ts'
import { VERSION } from '../text/version.ts'
import type { StateAnswer } from './api.ts'
import { Logs } from './logs.ts'
import { loadPage } from './page.ts'
import { type Routes, type RunningServer, type ServerOptions, startServer } from './server.ts'
import { type Configuration, makeConfigurationRoutes, makeRecordRoutes } from './views.ts'

/** Options of an inspector. */
export interface InspectorOptions {
  /** Finds the logs. */
  readonly findLogs: () => Promise<readonly string[]>
  /** Places in which they are looked for, in words. */
  readonly places: string
  readonly configuration: Configuration
  /** Words on what is shown where the log was made of transcripts. */
  readonly transcripts?: string | undefined
  readonly host?: ServerOptions['host']
  readonly port: number
  readonly idleMs: number
  readonly onIdle: () => void
  /** Folder with the files of the page. */
  readonly pageFolder: URL
}

/** An inspector that runs. */
export interface RunningInspector extends Omit<RunningServer, 'send'> {
  /** State of the logs, once they were read. */
  readonly readState: () => Promise<StateAnswer>
  /** Finds a session by its id or the beginning of it. */
  readonly findSession: (id: string) => Promise<string | null>
  /** The session with the newest event. */
  readonly findNewestSession: () => Promise<string | null>
}

/** Milliseconds between two looks at the logs while a page is open. */
const LOOK_MS = 100

/** Starts the inspector: reads logs in the background, and serves the page. */
export async function startInspector(options: InspectorOptions): Promise<RunningInspector> {
  const page = await loadPage(options.pageFolder)
  const logs = new Logs(options.findLogs, await makeTapReader())
  const first = readFirst(logs)
  let look: NodeJS.Timeout | null = null
  const server = await startServer({
    page,
    routes: makeRoutes(logs, options),
    host: options.host,
    port: options.port,
    idleMs: options.idleMs,
    onIdle: options.onIdle,
    onWatched: (isWatched) => {
      if (look !== null) clearInterval(look)
      look = isWatched ? setInterval(() => void lookForNews(logs, server), LOOK_MS) : null
    },
  })
  options.configuration.watch(() => server.send({ changed: [], isConfigured: true }))
  void first.then(() => options.configuration.list()).catch(() => {}) // told to the one who asks
  return {
    port: server.port,
    address: server.address,
    token: server.token,
    makeLink: server.makeLink,
    readState: async () => {
      await first
      return describeState(logs, options)
    },
    findSession: async (id) => {
      await first
      return (await logs.findSession(id))?.id ?? null
    },
    findNewestSession: async () => {
      await first
      return logs.listSessions()[0]?.id ?? null
    },
    close: async () => {
      if (look !== null) clearInterval(look)
      await server.close()
      await first
      await logs.close()
    },
  }
}

/** Reads all logs, and keeps what was learnt. Never rejects: what cannot be read is told on the page. */
async function readFirst(logs: Logs): Promise<void> {
  await logs.update().catch(() => {}) // each log says what is wrong with it
  void logs.save()
}

async function lookForNews(logs: Logs, server: RunningServer): Promise<void> {
  const changed = await logs.update().catch(() => new Set<string>()) // each log says what is wrong with it
  if (changed.size > 0) server.send({ changed: [...changed] })
}

function makeRoutes(logs: Logs, options: InspectorOptions): Routes {
  const { configuration } = options
  return {
    state: { method: 'GET', answer: async () => describeState(logs, options) },
    ...makeRecordRoutes(logs, configuration),
    ...makeConfigurationRoutes(logs, configuration),
  }
}

function describeState(logs: Logs, { configuration, places, transcripts }: InspectorOptions): StateAnswer {
  const { torn, foreign, partial } = logs.skipped
  const states = logs.states
  return {
    version: VERSION,
    project: configuration.project,
    views: ['sessions', 'hooks', 'cost', 'compare'],
    logs: states,
    places,
    events: logs.events,
    sessions: logs.listSessions().length,
    notes: [
      ...(transcripts === undefined ? [] : [transcripts]),
      ...states.flatMap(({ problem }) => (problem === null ? [] : [problem])),
      ...(torn + foreign === 0 ? [] : [describeSkipped(torn + foreign)]),
      ...(partial === 0 ? [] : [`${count(partial, 'record lacks', 'records lack')} the hooks that did not run.`]),
    ],
    reading: logs.isReading,
    transcripts: transcripts !== undefined,
  }
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

function describeSkipped(lines: number): string {
  return `${lines === 1 ? '1 line is not a record and was' : `${lines} lines are not records and were`} skipped.`
}
