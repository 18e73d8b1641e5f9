import { createHmac } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { PRIVATE, readOwn } from '../files/own.ts'
import { replaceFile } from '../files/replace.ts'
import { isObject } from '../text/json.ts'
import { describeUnreached, findServerFault, makeServerAddress } from './server-address.ts'

/** Membership of a machine in a fleet, as it was given in exchange for a token. */
export interface Enrolment {
  readonly url: string
  readonly machine: string
  /** Secret of this machine. */
  readonly key: string
}

const ENROL_TIMEOUT_MS = 30_000

/** File of the enrolment: for its user alone. */
function findEnrolmentFile(home: string): string {
  return join(home, '.hookline', 'fleet.json')
}

/** Reads the enrolment; null where there is none. Throws a HooklineError for a file that cannot be trusted. */
export async function readEnrolment(home: string): Promise<Enrolment | null> {
  const file = findEnrolmentFile(home)
  const content = await readOwn(file, { secret: true })
  if (content.read === 'missing') return null
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}: enrol this machine anew.`)
  try {
    const found: unknown = JSON.parse(content.text)
    if (isEnrolment(found)) return found
  } catch {} // told below
  throw new HooklineError(`${file} is not an enrolment: enrol this machine anew.`)
}

/** Exchanges a token for a key of this machine, and keeps it. */
export async function enrolMachine(home: string, url: string, token: string): Promise<Enrolment> {
  const fault = findServerFault(url)
  if (fault !== null) throw new HooklineError(`${fault}.`)
  const response = await fetch(makeServerAddress(url, 'v1/enrol'), {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: hostname() }),
    signal: AbortSignal.timeout(ENROL_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new HooklineError(`${url} ${describeUnreached(error)}.`)
  })
  const answer: unknown = await response.json().catch(() => null) // told as an answer that is none
  const said = isObject(answer) && typeof answer.error === 'string' ? `: ${answer.error}` : ''
  if (!response.ok) throw new HooklineError(`${url} refused the token (${response.status}${said}).`)
  const enrolment = isObject(answer) ? { url, machine: answer.machine, key: answer.key } : null
  if (!isEnrolment(enrolment)) throw new HooklineError(`${url} is not a fleet server.`)
  await replaceFile(findEnrolmentFile(home), `${JSON.stringify(enrolment, null, 2)}\n`, PRIVATE)
  return enrolment
}

/** Pseudonym of the user: the server can tell people apart, and not who they are. */
export function makePseudonym({ key }: Enrolment): string {
  return createHmac('sha256', key).update(readUserName()).digest('hex').slice(0, 16)
}

function readUserName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '') // the system has no name for this user
  }
}

function isEnrolment(value: unknown): value is Enrolment {
  if (!isObject(value)) return false
  return typeof value.url === 'string' && typeof value.machine === 'string' && typeof value.key === 'string'
}
