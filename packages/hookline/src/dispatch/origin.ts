import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { RecordHost, RecordProject } from '../protocol/record.ts'
import { digestOf } from '../text/digest.ts'

/** Where the records of a session come from. */
export interface Origin {
  readonly host: RecordHost | null
  readonly project: RecordProject
  /** The id of the next one. */
  readonly nextId: () => string
}

/** The origin of an engine's records. */
export function originOf(project: string, host: RecordHost | null): Origin {
  machine ??= digestOf(hostname()).slice(0, 12) // tells machines apart, and names none
  // It has to be unique, not secret.
  const epoch = Date.now().toString(36) + Math.floor(Math.random() * 36 ** 8).toString(36)
  const start = `${machine}/${epoch}/`
  let last = 0
  return {
    host,
    project: { name: basename(project), pathHash: digestOf(project) },
    nextId: () => `${start}${++last}`,
  }
}

let machine: string | undefined
