import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASH_CALL, untilPooled, withEngine } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'

/** Settings that name no fleet cost what none cost; what is more is noise. */
const UNNAMED_TARGET = 1.15
/** A record is written before its decision is handed out: goal F1 allows 0.05 ms. */
const NAMED_TARGET = 1.1
const DISPATCHES = 200
const HOOKS = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] }
/** No server listens there: nothing of an event waits for one. */
const FLEET = { url: 'http://127.0.0.1:9/' }

/**
 * An event on a machine in a fleet, and on one whose policy names none.
 * @param {{ quick: boolean }} options
 */
export async function measureFleet({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-bench-fleet-'))
  /** @param {string} name @param {object} policy */
  const writePolicy = async (name, policy) => {
    const managed = join(folder, `${name}.json`)
    await writeFile(managed, JSON.stringify(policy))
    return { managed }
  }
  const [unnamed, named] = [
    await writePolicy('unnamed', { hookline: {} }),
    await writePolicy('named', { hookline: { fleet: FLEET } }),
  ]
  try {
    return await withEngine(HOOKS, (plain) =>
      withEngine(
        HOOKS,
        (without) => withEngine(HOOKS, (within) => compare({ plain, without, within, quick }), named),
        unnamed,
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {Record<'plain' | 'without' | 'within', import('hookline').Engine> & { quick: boolean }} engines */
async function compare({ plain, without, within, quick }) {
  for (const engine of [plain, without, within]) await untilPooled(engine)
  /** @param {import('hookline').Engine} engine @param {Parameters<import('hookline').Engine['dispatch']>[0]} event @param {number} times */
  const firing = (engine, event, times) => ({
    run: async () => {
      for (let left = times; left > 0; left--) await engine.dispatch(event)
    },
    times,
  })
  const { bound, unnamed, named, silent, silentUnnamed } = await inRounds(
    { rounds: quick ? 15 : 100, warmUp: 10 },
    {
      bound: firing(plain, BASH_CALL, 1),
      unnamed: firing(without, BASH_CALL, 1),
      named: firing(within, BASH_CALL, 1),
      silent: firing(plain, STOP, DISPATCHES),
      silentUnnamed: firing(without, STOP, DISPATCHES),
    },
  )
  return [
    ratioRow('1 hook "true", in a fleet / not', { ours: named, bound, target: NAMED_TARGET }),
    ratioRow('1 hook "true", a policy without / none', { ours: unnamed, bound, target: UNNAMED_TARGET }),
    ratioRow('no hook at all, a policy without / none', { ours: silentUnnamed, bound: silent, target: UNNAMED_TARGET }),
  ]
}

const STOP = { hook_event_name: /** @type {const} */ ('Stop'), stop_hook_active: false }
