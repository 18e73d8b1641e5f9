import { BASH_CALL, withEngine } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'
import { runBare } from './spawning.js'

const TARGET = 20
const DISPATCHES = 200
const AWAITS = 20_000

/**
 * An event whose only hook is a function.
 * @param {{ quick: boolean }} options
 */
export async function measureFunctionHook({ quick }) {
  const hook = async () => ({ continue: true })
  return withEngine({}, async (engine) => {
    await engine.on('PreToolUse', hook)
    const { hooks } = await engine.dispatch(BASH_CALL)
    if (hooks[0]?.outcome === undefined) throw new Error('the function hook did not run')
    const { ours, silent, bound, spawned } = await inRounds(
      { rounds: quick ? 15 : 100, warmUp: 10 },
      {
        ours: { run: () => repeat(DISPATCHES, () => engine.dispatch(BASH_CALL)), times: DISPATCHES },
        silent: { run: () => repeat(DISPATCHES, () => engine.dispatch(STOP)), times: DISPATCHES },
        bound: { run: () => repeat(AWAITS, hook), times: AWAITS },
        spawned: { run: () => runBare('true', Buffer.from(JSON.stringify(BASH_CALL))) },
      },
    )
    return [
      ratioRow('1 function hook', { ours, bound, target: TARGET }),
      ratioRow('no hook at all', { ours: silent, bound, target: null }),
      ratioRow('1 function hook, / spawn', { ours, bound: spawned, target: null }),
    ]
  })
}

const STOP = { hook_event_name: /** @type {const} */ ('Stop'), stop_hook_active: false }

/**
 * @param {number} times
 * @param {() => Promise<unknown>} act
 */
async function repeat(times, act) {
  for (let left = times; left > 0; left--) await act()
}
