import type { Role } from '../api.ts'
import { type Batch, CLOCK_OFF_DAY, toDay } from '../batch.ts'
import type { Database, Tenant } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { addBatches, type BatchAnswer, makeWriteCache, type WriteCache } from './write.ts'

/** Days that a tenant keeps. Bodies go before facts, facts before figures. */
export interface Retention {
  readonly bodyDays: number
  readonly factDays: number
  readonly figureDays: number
}

/** Days that are kept where nobody said otherwise. */
const DEFAULT_RETENTION: Retention = { bodyDays: 30, factDays: 90, figureDays: 400 }

/** A tenant that people without further words belong to. */
export const DEFAULT_TENANT = 'default'

/** Machine of a key, and its tenant. */
interface Credential {
  readonly tenant: Tenant
  readonly machine: string
}

/** Key of a person, without the secret. */
interface PersonKey {
  readonly name: string
  readonly role: Role
  readonly madeAt: number
  readonly expiresAt: number
}

/** Time for which another server's revocation of a machine may go unseen. */
const CREDENTIAL_MS = 5000
/** Time for which a machine that is known is let in while the database does not answer. */
const UNANSWERED_MS = 3_600_000
const MAX_CREDENTIALS = 50_000
const TENANT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MAX_SHARD = 2 ** 31

/** A fleet's store: who is who, and what machines sent. */
export class FleetStore {
  readonly database: Database
  readonly #tenants = new Map<string, Tenant>()
  readonly #machines = new Map<string, { readonly credential: Credential; readonly until: number }>()
  readonly #enrolled = new Set<string>()
  readonly #caches = new Map<number, WriteCache>()
  readonly #shard = Math.floor(Math.random() * MAX_SHARD)

  constructor(database: Database) {
    this.database = database
  }

  /** Finds a tenant by its name; null where there is none. */
  async findTenant(name: string): Promise<Tenant | null> {
    const known = this.#tenants.get(name)
    if (known) return known
    const [found] = await this.database.control((sql) =>
      sql.all<Tenant>('SELECT id, name FROM tenants WHERE name = ?1', name),
    )
    if (!found) return null
    await this.database.addTenant(found)
    this.#tenants.set(name, found)
    return found
  }

  /** Makes a tenant, or finds the one of this name. Throws a RangeError for a name that is not one. */
  async addTenant(name: string): Promise<Tenant> {
    if (!TENANT_NAME.test(name))
      throw new RangeError(`"${name}" is not a tenant's name: use small letters, digits and "-", at most 63`)
    await this.database.control((sql) =>
      sql.upsert('tenants', [{ name, made_at: Date.now(), retention: JSON.stringify(DEFAULT_RETENTION) }], {}),
    )
    const tenant = await this.findTenant(name)
    if (tenant === null) throw new TypeError('a tenant that was made is not there')
    return tenant
  }

  async listTenants(): Promise<Tenant[]> {
    return this.database.control((sql) => sql.all<Tenant>('SELECT id, name FROM tenants ORDER BY name'))
  }

  async readRetention({ id }: Tenant): Promise<Retention> {
    const [row] = await this.database.control((sql) =>
      sql.all<{ retention: string }>('SELECT retention FROM tenants WHERE id = ?1', id),
    )
    return { ...DEFAULT_RETENTION, ...(JSON.parse(row?.retention ?? '{}') as Partial<Retention>) } // as it was written
  }

  async setRetention({ id }: Tenant, retention: Retention): Promise<void> {
    await this.database.control((sql) =>
      sql.run('UPDATE tenants SET retention = ?1 WHERE id = ?2', JSON.stringify(retention), id),
    )
  }

  async addToken({ id }: Tenant, hash: string, expiresAt: number): Promise<void> {
    await this.database.control((sql) =>
      sql.insert('tokens', [{ hash, tenant: id, expires_at: expiresAt, used_at: null }]),
    )
  }

  /** Exchanges a token that was not used and has not expired for a machine; null where there is none. */
  async enrolMachine(
    token: string,
    machine: { readonly id: string; readonly name: string; readonly keyHash: string },
    now: number,
  ): Promise<Tenant | null> {
    const tenant = await this.database.control(async (sql) => {
      const [found] = await sql.all<Tenant>(
        'SELECT tenants.id, tenants.name FROM tokens JOIN tenants ON tenants.id = tokens.tenant WHERE hash = ?1',
        token,
      )
      const taken = await sql.run(
        'UPDATE tokens SET used_at = ?1 WHERE hash = ?2 AND used_at IS NULL AND expires_at > ?1',
        ...[now, token],
      )
      if (found === undefined || taken !== 1) return null
      await sql.insert('credentials', [{ hash: machine.keyHash, tenant: found.id, machine: machine.id }])
      return found
    })
    if (tenant === null) return null
    await this.database.addTenant(tenant)
    const { id, name } = machine
    await this.database.write(tenant, (sql) =>
      sql.insert('machines', [{ id, name, enrolled_at: now, seen_at: null, engine: null }]),
    )
    return tenant
  }

  /**
   * Finds the machine of a key, and its tenant: neither comes from what a machine says. What was found counts for some seconds, and for
   * longer while the database does not answer: a stream in front of it takes records meanwhile.
   */
  async findMachine(keyHash: string, now: number): Promise<Credential | null> {
    const known = this.#machines.get(keyHash)
    if (known && known.until > now) return known.credential
    const credential = await this.#lookUpMachine(keyHash).catch((error: unknown) => {
      if (known === undefined || known.until + UNANSWERED_MS < now) throw error
      return known.credential
    })
    if (credential === null) {
      this.#machines.delete(keyHash)
      return null
    }
    if (this.#machines.size >= MAX_CREDENTIALS) this.#machines.clear()
    this.#machines.set(keyHash, { credential, until: now + CREDENTIAL_MS })
    return credential
  }

  async #lookUpMachine(keyHash: string): Promise<Credential | null> {
    const [row] = await this.database.control((sql) =>
      sql.all<Tenant & { machine: string }>(
        'SELECT tenants.id, tenants.name, machine FROM credentials JOIN tenants ON tenants.id = tenant WHERE hash = ?1',
        keyHash,
      ),
    )
    return row === undefined ? null : { tenant: { id: row.id, name: row.name }, machine: row.machine }
  }

  /** True for a machine that was enrolled in a tenant, also where its key was taken since. */
  async hasMachine(tenant: Tenant, machine: string): Promise<boolean> {
    const name = `${tenant.id} ${machine}`
    if (this.#enrolled.has(name)) return true
    const found = await this.database.read(tenant, (sql) => sql.all('SELECT 1 FROM machines WHERE id = ?1', machine))
    if (found.length === 0) return false
    if (this.#enrolled.size >= MAX_CREDENTIALS) this.#enrolled.clear()
    this.#enrolled.add(name)
    return true
  }

  /** Finds the person of a key that has not expired. */
  async findPerson(keyHash: string, now: number): Promise<{ readonly role: Role; readonly tenant: Tenant } | null> {
    const [row] = await this.database.control((sql) =>
      sql.all<Tenant & { role: Role }>(
        `SELECT tenants.id, tenants.name, role FROM keys JOIN tenants ON tenants.id = tenant
         WHERE hash = ?1 AND expires_at > ?2`,
        ...[keyHash, now],
      ),
    )
    if (!row) return null
    const tenant = { id: row.id, name: row.name }
    await this.database.addTenant(tenant)
    return { role: row.role, tenant }
  }

  /** Adds the key of a person, in the place of one with the same name. */
  async addKey({ id }: Tenant, hash: string, { name, role, madeAt, expiresAt }: PersonKey): Promise<void> {
    const row = { hash, tenant: id, name, role, made_at: madeAt, expires_at: expiresAt }
    const merge = { hash: 'set', role: 'set', made_at: 'set', expires_at: 'set' } as const
    await this.database.control((sql) => sql.upsert('keys', [row], merge))
  }

  async listKeys({ id }: Tenant): Promise<PersonKey[]> {
    return this.database.control((sql) =>
      sql.all<PersonKey>(
        'SELECT name, role, made_at AS "madeAt", expires_at AS "expiresAt" FROM keys WHERE tenant = ?1 ORDER BY name',
        id,
      ),
    )
  }

  /** Takes the key of a person; false where there is none. */
  async removeKey({ id }: Tenant, name: string): Promise<boolean> {
    const gone = await this.database.control((sql) =>
      sql.run('DELETE FROM keys WHERE tenant = ?1 AND name = ?2', ...[id, name]),
    )
    return gone > 0
  }

  /** Takes a machine's key: it can send nothing any more, and what it sent stays. */
  async revokeMachine({ id }: Tenant, machine: string): Promise<boolean> {
    const gone = await this.database.control((sql) =>
      sql.run('DELETE FROM credentials WHERE tenant = ?1 AND machine = ?2', id, machine),
    )
    this.#machines.clear()
    return gone > 0
  }

  /** Stores batches of a tenant, all of them or none. What has resolved is committed. */
  async addBatches(tenant: Tenant, batches: readonly Batch[], now: number): Promise<BatchAnswer[]> {
    const days = new Set(
      batches.flatMap(({ lines }) =>
        lines.flatMap(({ content }) => (content.is === 'event' ? [content.record.day] : [])),
      ),
    )
    for (const day of days) await this.database.addDay(tenant, day)
    const cache = this.#caches.get(tenant.id) ?? makeWriteCache()
    this.#caches.set(tenant.id, cache)
    try {
      return await this.database.write(tenant, (sql) => addBatches(sql, batches, { now, shard: this.#shard, cache }))
    } catch (error) {
      this.#caches.delete(tenant.id)
      throw error
    }
  }

  /** Resolves where the database answers. */
  async check(): Promise<void> {
    await this.listTenants()
  }

  /** Drops the days that a tenant does not keep any more. Returns what went. */
  async dropOldDays(tenant: Tenant, now: number): Promise<string[]> {
    const { bodyDays, factDays, figureDays } = await this.readRetention(tenant)
    const dropped: string[] = []
    for (const [table, days] of [
      ['bodies', Math.min(bodyDays, factDays)],
      ['runs', factDays],
      ['events', factDays],
    ] as const) {
      const oldest = toDay(now - days * DAY_MS)
      for (const day of await this.database.listDays(tenant, table)) {
        if (day >= oldest || day === CLOCK_OFF_DAY) continue
        await this.database.dropDay(tenant, table, day)
        dropped.push(`${table} ${day}`)
      }
    }
    await this.#dropClockOff(tenant, now - factDays * DAY_MS)
    const [day, hour] = [toDay(now - figureDays * DAY_MS), Math.floor((now - figureDays * DAY_MS) / HOUR_MS)]
    await this.database.write(tenant, async (sql) => {
      await sql.run('DELETE FROM hourly WHERE hour < ?1', hour)
      for (const table of ['presence', 'activity', 'refusals'])
        await sql.run(`DELETE FROM ${table} WHERE day < ?1 AND day > ${CLOCK_OFF_DAY}`, day)
      await sql.run('DELETE FROM sessions WHERE last_at < ?1', now - factDays * DAY_MS)
    })
    return dropped
  }

  /** Drops the partition of clocks that are far off once all of it came before a time. */
  async #dropClockOff(tenant: Tenant, before: number): Promise<void> {
    if (!(await this.database.listDays(tenant, 'events')).includes(CLOCK_OFF_DAY)) return
    const [newest] = await this.database.read(tenant, (sql) =>
      sql.all<{ at: number | null }>(`SELECT max(at) AS at FROM ${sql.from('events', CLOCK_OFF_DAY)}`),
    )
    if ((newest?.at ?? before) >= before) return
    for (const table of ['bodies', 'runs', 'events'] as const) await this.database.dropDay(tenant, table, CLOCK_OFF_DAY)
  }

  /** Erases a person: the key of their bodies goes, and with it what the bodies say. */
  async erasePerson(tenant: Tenant, person: string, now: number): Promise<void> {
    await this.database.write(tenant, (sql) =>
      sql.upsert('people', [{ person, key: null, erased_at: now }], { key: 'set', erased_at: 'set' }),
    )
    this.#caches.delete(tenant.id)
  }

  async close(): Promise<void> {
    await this.database.close()
  }
}

/** Opens a store: a folder of SQLite files, or an address of PostgreSQL. */
export async function openStore(place: string): Promise<FleetStore> {
  return new FleetStore(await (/^postgres(?:ql)?:\/\//.test(place) ? openPostgres(place) : openSqlite(place)))
}
