/** A record as it is stored: its key is machine, epoch and number. */
export interface StoredRecord {
  readonly seq: number
  /** Time of the event; of a machine whose clock is far off that of its arrival. */
  readonly at: string
  /** Day that it goes with, or `clock-off`. */
  readonly day: string
  readonly event: string | null
  readonly tool: string | null
  readonly session: string | null
  readonly project: string | null
  readonly client: string | null
  readonly outcome: string | null
  readonly ms: number | null
  /** JSON of the facts. */
  readonly facts: string
  /** JSON of record and event, where the level of the machine has it. */
  readonly body: string | null
  /** True where figures alone were sent: they are added up, and the record is not stored. */
  readonly isCount: boolean
  readonly hooks: readonly StoredRun[]
}

/** A hook that ran or failed at an event. */
export interface StoredRun {
  readonly key: string
  readonly verdict: string
  readonly outcome: string | null
  readonly isFailed: boolean
  readonly ms: number | null
}

/** Records of one segment, in their order. */
export interface StoredBatch {
  readonly machine: string
  readonly epoch: string
  readonly person: string | null
  readonly records: readonly StoredRecord[]
  /** Last record of the batch, stored or refused. */
  readonly head: Head
  /** Newest version of the engine that the batch names. */
  readonly engine: string | null
}

/** State of a segment at the server. */
export interface Head {
  readonly seq: number
  readonly head: string
}

/** A machine as the server knows it. */
export interface MachineRow {
  readonly id: string
  readonly name: string
  readonly enrolledAt: string
  readonly seenAt: string | null
  readonly engine: string | null
  readonly records: number
  readonly gaps: number
}

/** A hole in what a machine sent, or a break of its chain. */
export interface GapRow {
  readonly machine: string
  readonly epoch: string
  readonly seq: number
  readonly count: number
  readonly because: string
  readonly seenAt: string
}

/** Figures of a hook over a time. */
export interface HookRow {
  readonly key: string
  readonly event: string
  readonly runs: number
  readonly refusals: number
  readonly failures: number
  readonly machines: number
  readonly p50: number
  readonly p95: number
}

/** A session of a machine. */
export interface SessionRow {
  readonly id: string
  readonly machine: string
  readonly client: string | null
  readonly project: string | null
  readonly from: string
  readonly to: string
  readonly events: number
  readonly refusals: number
}

/** An event, without its body. */
export interface EventRow {
  readonly machine: string
  readonly epoch: string
  readonly seq: number
  readonly at: string
  readonly facts: unknown
}

/** Choice of events. */
export interface EventQuery {
  readonly machine?: string | undefined
  readonly session?: string | undefined
  readonly outcome?: string | undefined
  readonly since?: string | undefined
  /** Place behind the last row of the page before. */
  readonly cursor?: string | undefined
  readonly limit: number
}

/** Place where a fleet is kept. What `addBatch` has resolved is stored, also where the power fails. */
export interface FleetStore {
  readonly addBatch: (batch: StoredBatch, gaps: readonly Omit<GapRow, 'machine' | 'epoch'>[]) => Promise<void>
  readonly readHead: (machine: string, epoch: string) => Promise<Head | null>
  readonly addToken: (hash: string, expiresAt: string) => Promise<void>
  /** Takes a token that was not used and has not expired; false where there is none. */
  readonly takeToken: (hash: string, now: string) => Promise<boolean>
  readonly addMachine: (machine: { id: string; name: string; keyHash: string; enrolledAt: string }) => Promise<void>
  readonly findMachine: (keyHash: string) => Promise<string | null>
  readonly listMachines: () => Promise<MachineRow[]>
  readonly listGaps: () => Promise<GapRow[]>
  readonly listHooks: (since: string) => Promise<HookRow[]>
  readonly listSessions: (limit: number) => Promise<SessionRow[]>
  readonly listEvents: (query: EventQuery) => Promise<EventRow[]>
  readonly readBody: (machine: string, epoch: string, seq: number) => Promise<string | null>
  /** Removes the records of days before this one. */
  readonly dropBefore: (day: string) => Promise<number>
  readonly countRecords: () => Promise<number>
  readonly close: () => Promise<void>
}
