import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openEngine } from '../../engine/engine.ts'
import type { Engine } from '../../engine/engine-interface.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { HooklineError } from '../../files/error.ts'
import { makeFolders } from '../../files/folders.ts'
import { findHome } from '../../files/home.ts'
import type { EventInput } from '../../protocol/event-input.ts'
import type { JsonObject } from '../bridge.ts'
import { SessionMemory } from '../memory.ts'

/** Events whose `async` hooks run after the host got its answer, each as the calls that a hook may see it as. */
export interface LateWork {
  readonly agent: string
  readonly session: string
  readonly options: Omit<EngineOptions, 'env' | 'within'>
  readonly events: readonly (readonly JsonObject[])[]
  /** Is there as long as the session goes on. */
  readonly marker: string
}

const DAY_MS = 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 500

/** Notes that there is work which goes on after the answer. */
export function markLateWork({ marker }: LateWork): void {
  makeFolders(dirname(marker), { mode: 0o700 })
  writeFileSync(marker, '', { mode: 0o600 })
}

/** Runs what was handed over as text. Rejects with a HooklineError for anything else. */
export async function runHandedOver(text: string): Promise<void> {
  await runLate(parseLateWork(text), process.env)
}

function parseLateWork(text: string): LateWork {
  try {
    const work = JSON.parse(text) as LateWork // if `bridge run` wrote it
    if (typeof work.marker === 'string' && typeof work.session === 'string' && Array.isArray(work.events)) return work
  } catch {
    // said below
  }
  throw new HooklineError('--late is how "bridge run" calls itself: it takes what that hands over, on stdin.')
}

/** Runs `async` hooks to their end, or to that of the session, and keeps what they said for the next event. */
export async function runLate(work: LateWork, env: NodeJS.ProcessEnv): Promise<void> {
  const { agent, session, options, events, marker } = work
  const engine = await openEngine({ ...options, env: { ...env, HOOKLINE_AGENT: agent } })
  let isOver = false
  const end = (): void => {
    isOver = true
    void engine.close()
  }
  const looking = setInterval(() => !existsSync(marker) && end(), LOOK_EVERY_MS)
  const lasting = setTimeout(end, DAY_MS)
  try {
    for (const inputs of events) {
      const seen = new Set<string>()
      for (const input of inputs) {
        const { hooks } = await engine.dispatch(input as EventInput, { except: seen, only: 'background' }) // checked by the engine
        for (const { id, verdict } of hooks) if (verdict !== 'matcher-miss') seen.add(id)
      }
    }
    const said = await engine.drain()
    if (isOver || !existsSync(marker)) return
    const memory = await SessionMemory.open(options.home || findHome(), agent, session)
    memory.queue(splitTexts(said))
    await memory.save()
  } finally {
    clearInterval(looking)
    clearTimeout(lasting)
    await engine.close()
    rmSync(marker, { force: true })
  }
}

/** Splits what late answers say by who is to read it. */
export function splitTexts(said: Awaited<ReturnType<Engine['drain']>>): {
  readonly context: string[]
  readonly toUser: string[]
} {
  const messages = said.flatMap((one) => one.messages)
  const listTextsTo = (reader: string): string[] => messages.flatMap(({ to, text }) => (to === reader ? [text] : []))
  return { context: [...said.flatMap(({ context }) => context), ...listTextsTo('model')], toUser: listTextsTo('user') }
}
