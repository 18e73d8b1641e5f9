import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnyEngine } from '../engine/engine-interface.ts'
import { HooklineError } from '../files/error.ts'
import { makeOnce } from '../files/make-once.ts'
import { readOwn } from '../files/own.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { digestValue } from '../text/fingerprint.ts'
import { ClearanceError, type ClearanceFault } from './hook-errors.ts'
import type { Clearance, ClearanceOptions, ClearanceStore, GuardOptions, LateAnswer, ToolCall } from './tool-call.ts'

/** Parts of a clearance. */
type ClearanceParts = Pick<Clearance, 'input' | 'rewritten' | 'reason' | 'texts'>

const A_DAY = 24 * 60 * 60

/** Writes down that a call waits for the user. */
export async function giveClearance(
  engine: AnyEngine,
  { name, id, input }: ToolCall,
  { agent, clearances = {}, ...waiting }: GuardOptions & ClearanceParts,
): Promise<Clearance> {
  const { seconds = A_DAY } = clearances
  const body = {
    version: 1,
    id: randomUUID(),
    session: engine.sessionId,
    agent: agent ?? null,
    tool: name,
    call: id ?? null,
    written: digestValue(input),
    input: waiting.input,
    rewritten: waiting.rewritten,
    reason: waiting.reason,
    texts: waiting.texts,
    hooks: digestHooks(engine),
    expires: new Date(Date.now() + seconds * 1000).toISOString(),
  } as const
  return { ...body, signature: signBody(body, await readKey(engine, clearances)) }
}

/**
 * Takes a clearance for a call: it counts no second time. Rejects with a ClearanceError when it does not count for this call,
 * and is not used up then.
 */
export async function takeClearance(
  engine: AnyEngine,
  { name, id, input, answer }: ToolCall & { readonly answer: LateAnswer },
  { agent, clearances = {} }: GuardOptions,
): Promise<Clearance> {
  const clearance = verifyClearance(answer.clearance, await readKey(engine, clearances))
  const refuse = (fault: ClearanceFault, why: string): never => {
    throw new ClearanceError(`${name} was not called: ${why}`, fault)
  }
  if (clearance.session !== engine.sessionId) refuse('other-session', 'the clearance is for another session.')
  if (clearance.agent !== (agent ?? null)) refuse('other-agent', 'the clearance is for a call of another agent.')
  if (clearance.tool !== name) refuse('other-tool', `the clearance is for ${clearance.tool}.`)
  if (clearance.call !== (id ?? null)) refuse('other-call', 'the clearance is for another call.')
  if (clearance.written !== digestValue(input)) refuse('other-input', 'its input changed since the user was asked.')
  const expires = new Date(clearance.expires)
  if (expires.getTime() <= Date.now()) refuse('expired', `the clearance expired at ${clearance.expires}. Ask again.`)
  const { store = new UsedFiles(join(engine.home, '.hookline', 'clearances')) } = clearances
  if (!(await store.use(clearance.id, expires))) refuse('used', 'the clearance was used before. Each is answered once.')
  return clearance
}

/** True if the hooks that would see a call now are those that were in force when it began to wait. */
export function isAskingSameHooks(engine: AnyEngine, { hooks }: Clearance): boolean {
  return hooks === digestHooks(engine)
}

function verifyClearance(given: unknown, key: string | Uint8Array): Clearance {
  const { signature, ...body } = Object(given)
  const right = Buffer.from(signBody(body, key))
  const said = Buffer.from(String(signature)) // as text: bytes have several spellings
  if (said.length !== right.length || !timingSafeEqual(said, right))
    throw new ClearanceError(
      'This clearance was not given here, or was changed since: the call is not made.',
      'tampered',
    )
  return given as Clearance // a clearance is what we have signed
}

function signBody(body: object, key: string | Uint8Array): string {
  return createHmac('sha256', key).update(toCanonicalJson(body)).digest('hex')
}

/** Stands for all hooks that a call is shown before it is made, as they are now. */
function digestHooks(engine: AnyEngine): string {
  const asked = ['PreToolUse', 'PermissionRequest'].flatMap((event) => engine.listListeners(event))
  return digestValue(
    asked.map(({ hook, verdict }) => {
      const { event, scope, profile, matcherText, condition, written, identity, timeout, blocksOnFailure } = hook
      return {
        event,
        scope,
        profile,
        matcherText,
        if: condition?.text,
        written,
        identity,
        timeout,
        blocksOnFailure,
        verdict,
      }
    }),
  )
}

const MIN_KEY_BYTES = 32

async function readKey({ home }: AnyEngine, { key }: ClearanceOptions): Promise<string | Uint8Array> {
  if (key === undefined) return readKeyFile(join(home, '.hookline', 'clearance-key'))
  if (Buffer.byteLength(key) >= MIN_KEY_BYTES) return key
  throw new HooklineError(`The key of clearances must have at least ${MIN_KEY_BYTES} bytes.`)
}

/** The user's own key, made when it is first needed; one that others may know or have written is refused. */
async function readKeyFile(path: string): Promise<string> {
  const before = await readOwn(path, { secret: true })
  if (before.read === 'missing') makeOnce(path, randomBytes(MIN_KEY_BYTES).toString('hex'))
  const { read, ...content } = before.read === 'missing' ? await readOwn(path, { secret: true }) : before
  if ('text' in content && content.text.length >= MIN_KEY_BYTES) return content.text
  const why = 'reason' in content ? content.reason : 'does not hold a key'
  throw new HooklineError(`${path} ${why}. Remove it: a new one is made, and calls that wait have to be asked again.`)
}

/** A file for each clearance that was used, named after the time when it can go, and its id. */
class UsedFiles implements ClearanceStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async use(id: string, expires: Date): Promise<boolean> {
    const isNew = makeOnce(join(this.#folder, `${expires.getTime()}-${id}`), '')
    await this.#sweep()
    return isNew
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []) // removed meanwhile
    const old = names.filter((name) => Number.parseInt(name, 10) < Date.now())
    await Promise.all(old.map((name) => rm(join(this.#folder, name), { force: true }).catch(() => {}))) // the next one tries again
  }
}
