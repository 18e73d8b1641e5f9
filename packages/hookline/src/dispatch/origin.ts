import { readFileSync } from 'node:fs'
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
  machine ??= machineName()
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

/** Tells machines apart and names none: of images that share the number of their system the host names differ. */
function machineName(): string {
  return digestOf(`${hostname()} ${systemNumber()}`).slice(0, 12)
}

function systemNumber(): string {
  try {
    return readFileSync('/etc/machine-id', 'latin1').trim()
  } catch {
    return '' // not on Linux, or in a bare container
  }
}
