import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { StreamFigures } from '../metrics.ts'
import { isFaultOfBatch, StoreError } from '../store/database.ts'
import { type PackedMessage, packMessages, type StreamedBatch, unpackMessage } from './message.ts'

/** Stream of batches that wait for the store, and stream of those that it cannot take. */
const WAITING = 'HOOKLINE_FLEET'
const ASIDE = 'HOOKLINE_FLEET_ASIDE'
const SUBJECT = 'hookline.fleet'
/**
 * Parts of the stream. A machine is in one of them, whose messages are stored one after the other, by whatever server asks first:
 * its records keep their order, and machines of other parts do not wait for it.
 */
const PARTS = 16
const MAX_STREAM_BYTES = 1024 * 1024 * 1024
/** Room that a message needs beside what is packed. */
const MESSAGE_ROOM_BYTES = 1024
const CONNECT_TIMEOUT_MS = 10_000
const START_TIMEOUT_MS = 30_000
const PUBLISH_TIMEOUT_MS = 10_000
/** Time after which a message whose server died is given to another one. */
const ACK_TIMEOUT_MS = 30_000
const PULL_MS = 10_000
const RETRY_MS = 500
/** Attempts to store a batch that the store itself refuses, before it is put aside. */
const MAX_ATTEMPTS = 3
const NANOSECONDS = 1_000_000
const CLUSTER_REPLICAS = 3

/** Settings of a stream. */
export interface StreamOptions {
  /** Addresses of servers of NATS, with commas between them. */
  readonly url: string
  /** Copies of each message; null: three where the servers are a cluster, one otherwise. */
  readonly replicas: number | null
}

/** Writer of a line of the log. */
type NoteLine = (line: Readonly<Record<string, unknown>>) => void

/** Taker of batches from a stream. Resolves once a batch is stored. */
export type StoreBatch = (streamed: StreamedBatch) => Promise<unknown>

/** A stream in front of the store: what it has taken is stored later, by this server or another one. */
export interface RecordStream {
  /** Resolves with the batches as they are in the stream, once it has them for good. */
  readonly publish: (streamed: StreamedBatch) => Promise<readonly PackedMessage[]>
  /** Starts to store what is in the stream. */
  readonly startStoring: (store: StoreBatch, note: NoteLine) => void
  /** Messages that wait, and those that the store could not take. */
  readonly measure: () => Promise<StreamFigures | 'away'>
  /** Resolves where the servers answer. */
  readonly check: () => Promise<void>
  /** Ends storing, finishes what is under way, and closes. */
  readonly stop: () => Promise<void>
}

/** Connects to servers of NATS, and makes the stream where there is none. Throws a StoreError that says what is missing. */
export async function openStream(options: StreamOptions): Promise<RecordStream> {
  const { connect, jetstream, jetstreamManager } = await loadClient()
  const connection = await connect(readConnection(options.url)).catch((error: unknown) => {
    throw new StoreError(`the stream cannot be reached: ${describe(error)}`)
  })
  try {
    const replicas = options.replicas ?? (connection.info?.cluster === undefined ? 1 : CLUSTER_REPLICAS)
    const manager = await retryUnready(async () => {
      const found = await jetstreamManager(connection)
      await makeStreams(found, replicas)
      return found
    })
    return new JetStream(connection, jetstream(connection), manager)
  } catch (error) {
    await connection.close()
    throw new StoreError(`the stream cannot be used: ${describe(error)}`)
  }
}

/** Tries again while servers that start at the same time choose their leader. */
async function retryUnready<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnready(error) || performance.now() > until) throw error
      await pause(RETRY_MS)
    }
  }
}

function isUnready(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('status' in error && error.status === 503)
}

async function loadClient() {
  try {
    const [{ connect }, { jetstream, jetstreamManager }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ])
    return { connect, jetstream, jetstreamManager }
  } catch {
    throw new StoreError(
      'a stream needs two packages beside this one: npm install @nats-io/transport-node @nats-io/jetstream',
    )
  }
}

/** Servers and credentials of addresses such as nats://user:password@host:4222 and tls://host. */
function readConnection(text: string) {
  const urls = text.split(',').map((address) => {
    if (!URL.canParse(address) || !/^(?:nats|tls):$/.test(new URL(address).protocol))
      throw new StoreError(
        `"${address.replace(/\/\/.*@/, '//…@')}" is not an address of NATS, such as nats://host:4222`,
      )
    return new URL(address)
  })
  return {
    servers: urls.map(({ host }) => host),
    name: 'hookline-fleet',
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
    ...readCredentials(urls),
  }
}

/** User and password of the first address that has them; a user alone is a token. */
function readCredentials(urls: readonly URL[]) {
  const found = urls.find(({ username }) => username !== '')
  if (found === undefined) return {}
  const [user, pass] = [decodeURIComponent(found.username), decodeURIComponent(found.password)]
  return pass === '' ? { token: user } : { user, pass }
}

async function makeStreams(manager: JetStreamManager, replicas: number): Promise<void> {
  const common = { num_replicas: replicas, storage: 'file', max_bytes: MAX_STREAM_BYTES, discard: 'new' } as const
  await addStream(manager, { ...common, name: WAITING, subjects: [`${SUBJECT}.waiting.*`], retention: 'workqueue' })
  await addStream(manager, { ...common, name: ASIDE, subjects: [`${SUBJECT}.aside`], retention: 'limits' })
  for (let part = 0; part < PARTS; part++)
    await manager.consumers.add(WAITING, {
      durable_name: nameConsumer(part),
      filter_subject: nameSubject(part),
      ack_policy: 'explicit',
      ack_wait: ACK_TIMEOUT_MS * NANOSECONDS,
      max_ack_pending: 1, // the next one of a part is given out once this one is stored
      max_deliver: -1,
    })
}

/** Makes a stream. Of several servers that start, one does it; one that is there stays as its owner has set it. */
async function addStream(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager['streams']['add']>[0],
): Promise<void> {
  const isThere = async () =>
    manager.streams.info(config.name).then(
      () => true,
      () => false,
    )
  if (await isThere()) return
  try {
    await manager.streams.add(config)
  } catch (error) {
    if (!(await isThere())) throw error
  }
}

const nameConsumer = (part: number): string => `store-${part}`
const nameSubject = (part: number): string => `${SUBJECT}.waiting.${part}`

/** The part of a machine. */
function choosePart(machine: string): number {
  return createHash('sha256').update(machine).digest().readUInt16BE(0) % PARTS
}

class JetStream implements RecordStream {
  readonly #connection: NatsConnection
  readonly #client: JetStreamClient
  readonly #manager: JetStreamManager
  readonly #ending = new AbortController()
  readonly #ended: Promise<null>
  #storing: Promise<unknown> = Promise.resolve()

  constructor(connection: NatsConnection, client: JetStreamClient, manager: JetStreamManager) {
    this.#connection = connection
    this.#client = client
    this.#manager = manager
    this.#ended = new Promise((resolve) => this.#ending.signal.addEventListener('abort', () => resolve(null)))
  }

  async publish(streamed: StreamedBatch): Promise<readonly PackedMessage[]> {
    const maxBytes = (this.#connection.info?.max_payload ?? 1024 * 1024) - MESSAGE_ROOM_BYTES
    const messages = packMessages(streamed, maxBytes)
    const subject = nameSubject(choosePart(streamed.batch.machine))
    for (const { bytes } of messages) await this.#client.publish(subject, bytes, { timeout: PUBLISH_TIMEOUT_MS })
    return messages
  }

  startStoring(store: StoreBatch, note: NoteLine): void {
    const parts = Array.from({ length: PARTS }, (_, part) => this.#storePart(part, { store, note }))
    this.#storing = Promise.all(parts)
  }

  measure(): Promise<StreamFigures | 'away'> {
    const found = Promise.all([WAITING, ASIDE].map((name) => this.#manager.streams.info(name)))
    return found.then(
      ([waiting, aside]) => ({ waiting: waiting?.state.messages ?? 0, aside: aside?.state.messages ?? 0 }),
      () => 'away', // another leader is being chosen, or no server is left
    )
  }

  async check(): Promise<void> {
    await this.#manager.streams.info(WAITING)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#storing
    await this.#connection.drain().catch(() => this.#connection.close()) // no server is there to be told
  }

  /** Stores the messages of a part, one after the other, until the server stops. */
  async #storePart(part: number, way: StoringWay): Promise<void> {
    let consumer: Consumer | null = null
    const failures = new Map<number, number>()
    while (!this.#ending.signal.aborted) {
      try {
        consumer ??= await this.#client.consumers.get(WAITING, nameConsumer(part))
        const message = await this.#pull(consumer)
        if (message !== null) await this.#storeMessage(message, { ...way, failures })
      } catch {
        consumer = null // the leader of the part has changed, or the servers are away
        await this.#wait()
      }
    }
  }

  /** The next message; null where none comes in time. One that comes while the server stops is given to another one. */
  #pull(consumer: Consumer): Promise<JsMsg | null> {
    return Promise.race([consumer.next({ expires: PULL_MS }), this.#ended])
  }

  async #storeMessage(message: JsMsg, { store, note, failures }: StoringWay & Failures): Promise<void> {
    try {
      await store(unpackMessage(message.data))
      failures.clear()
    } catch (error) {
      const count = (failures.get(message.seq) ?? 0) + 1
      failures.set(message.seq, count)
      note({ at: new Date().toISOString(), level: 'error', path: 'stream', because: describe(error) })
      if (!isFaultOfBatch(error) || count < MAX_ATTEMPTS) return message.nak(RETRY_MS)
      await this.#client.publish(`${SUBJECT}.aside`, message.data, { timeout: PUBLISH_TIMEOUT_MS })
      failures.delete(message.seq)
    }
    message.ack()
  }

  async #wait(): Promise<void> {
    await pause(RETRY_MS, undefined, { signal: this.#ending.signal }).catch(() => {}) // the server stops
  }
}

interface StoringWay {
  readonly store: StoreBatch
  readonly note: NoteLine
}

/** Attempts that failed, by the number of the message. */
interface Failures {
  readonly failures: Map<number, number>
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
