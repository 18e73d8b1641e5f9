import { type Batch, parseBatch } from './batch.ts'
import { isFaultOfBatch, type Tenant } from './store/database.ts'
import type { FleetStore } from './store/store.ts'
import type { BatchAnswer } from './store/write.ts'
import type { RecordStream } from './stream/record-stream.ts'

/** Records that one transaction stores at most. */
const MAX_GROUP_RECORDS = 4000
/** Batches that wait at most; a machine whose batch finds no place sends it again. */
const MAX_WAITING = 2000
/** Time after which a store that has failed is tried again: a server that nobody asks would never know that it works. */
const FAILED_MS = 30_000

interface Waiting {
  readonly batch: Batch
  readonly resolve: (answer: BatchAnswer) => void
  readonly reject: (error: unknown) => void
}

/** Too many batches wait for the store. */
export class BusyError extends Error {}

/** The way of batches into the store: those that come while one transaction runs share the next one. A stream may stand in front of it. */
export class Ingest {
  readonly #store: FleetStore
  readonly #stream: RecordStream | null
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #running = new Map<number, Promise<void>>()
  #failedAt: number | null = null

  constructor(store: FleetStore, stream: RecordStream | null = null) {
    this.#store = store
    this.#stream = stream
  }

  /** Takes a batch of a machine. Resolves once the store or the stream has it for good. Throws a RequestError for one that is none. */
  async take(tenant: Tenant, machine: string, packed: Buffer): Promise<BatchAnswer> {
    const batch = await parseBatch(machine, packed, new Date())
    if (this.#stream === null) return this.store(tenant, batch)
    if (batch.lines.length === 0) return answerStreamed([])
    const messages = await this.#stream.publish({ tenant, batch })
    return answerStreamed(messages.flatMap(({ batch: { lines } }) => lines))
  }

  /** Stores a batch. Resolves once it is committed. */
  store(tenant: Tenant, batch: Batch): Promise<BatchAnswer> {
    const waiting = this.#waiting.get(tenant.id) ?? []
    if (waiting.length >= MAX_WAITING) return Promise.reject(new BusyError('too many batches wait for the store'))
    this.#waiting.set(tenant.id, waiting)
    const answer = new Promise<BatchAnswer>((resolve, reject) => waiting.push({ batch, resolve, reject }))
    if (!this.#running.has(tenant.id)) {
      const run = this.#storeWaiting(tenant, waiting).finally(() => this.#running.delete(tenant.id))
      this.#running.set(tenant.id, run)
    }
    return answer
  }

  /** True unless the store has failed at the last batch, less than half a minute ago. */
  isStoring(now: number): boolean {
    return this.#failedAt === null || now - this.#failedAt >= FAILED_MS
  }

  /** Resolves once nothing waits any more. */
  async finish(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  async #storeWaiting(tenant: Tenant, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      try {
        await this.#storeGroup(tenant, group)
      } catch (error) {
        if (!isFaultOfBatch(error)) this.#failedAt = Date.now()
        if (group.length === 1) group[0]?.reject(error)
        else await this.#storeEach(tenant, group)
      }
    }
  }

  async #storeGroup(tenant: Tenant, group: readonly Waiting[]): Promise<void> {
    const answers = await this.#store.addBatches(
      tenant,
      group.map(({ batch }) => batch),
      Date.now(),
    )
    this.#failedAt = null
    for (const [at, { resolve, reject }] of group.entries()) {
      const answer = answers[at]
      if (answer) resolve(answer)
      else reject(new TypeError('a batch has no answer'))
    }
  }

  /** Stores batches one by one, so that one that the store refuses takes no other with it. */
  async #storeEach(tenant: Tenant, group: readonly Waiting[]): Promise<void> {
    for (const one of group) await this.#storeGroup(tenant, [one]).catch(one.reject)
  }
}

/** Answer to a batch that a stream has: which records the store knows already is seen later. */
function answerStreamed(lines: Batch['lines']): BatchAnswer {
  return {
    acked: lines.at(-1)?.seq ?? 0,
    stored: lines.filter(({ content }) => content.is === 'event').length,
    refused: lines.flatMap(({ seq, content }) => (content.is === 'refused' ? [{ seq, reason: content.reason }] : [])),
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let records = 0
  let count = 0
  for (const { batch } of waiting) {
    records += batch.lines.length
    if (count > 0 && records > MAX_GROUP_RECORDS) break
    count++
  }
  return waiting.splice(0, count)
}
