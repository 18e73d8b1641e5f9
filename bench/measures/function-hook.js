import { BASH_CALL, withEngine } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'
import { runBare } from './spawning.js'

const TARGET = 20
/** An event costs the same under both profiles, and an event whose hooks say nothing the same with none chosen; what is more is noise. */
const CURRENT_TARGET = 1.15
const DISPATCHES = 200
const AWAITS = 20_000

/**
 * An event whose only hook is a function.
 * @param {{ quick: boolean }} options
 */
export async function measureFunctionHook({ quick }) {
  const hook = async () => ({ continue: true })
  const measure = async (
    /** @type {import('hookline').Engine} */ engine,
    /** @type {import('hookline').Engine} */ other,
    /** @type {import('hookline').Engine} */ unchosen,
  ) => {
    for (const each of [engine, other, unchosen]) {
      await each.on('PreToolUse', hook)
      await each.on('PostToolUse', async () => undefined)
      const records = [await each.dispatch(BASH_CALL), await each.dispatch(DONE)]
      if (records.some(({ hooks }) => hooks[0]?.outcome === undefined)) throw new Error('a function hook did not run')
    }
    const { ours, wordless, silent, current, currentSilent, auto, autoWordless, autoSilent, bound, spawned } =
      await inRounds(
        { rounds: quick ? 15 : 100, warmUp: 10 },
        {
          ours: { run: () => repeat(DISPATCHES, () => engine.dispatch(BASH_CALL)), times: DISPATCHES },
          wordless: { run: () => repeat(DISPATCHES, () => engine.dispatch(DONE)), times: DISPATCHES },
          silent: { run: () => repeat(DISPATCHES, () => engine.dispatch(STOP)), times: DISPATCHES },
          current: { run: () => repeat(DISPATCHES, () => other.dispatch(BASH_CALL)), times: DISPATCHES },
          currentSilent: { run: () => repeat(DISPATCHES, () => other.dispatch(STOP)), times: DISPATCHES },
          auto: { run: () => repeat(DISPATCHES, () => unchosen.dispatch(BASH_CALL)), times: DISPATCHES },
          autoWordless: { run: () => repeat(DISPATCHES, () => unchosen.dispatch(DONE)), times: DISPATCHES },
          autoSilent: { run: () => repeat(DISPATCHES, () => unchosen.dispatch(STOP)), times: DISPATCHES },
          bound: { run: () => repeat(AWAITS, hook), times: AWAITS },
          spawned: { run: () => runBare('true', Buffer.from(JSON.stringify(BASH_CALL))) },
        },
      )
    return [
      ratioRow('1 function hook', { ours, bound, target: TARGET }),
      ratioRow('1 that says nothing', { ours: wordless, bound, target: null }),
      ratioRow('no hook at all', { ours: silent, bound, target: null }),
      ratioRow('1 function hook, / spawn', { ours, bound: spawned, target: null }),
      ratioRow('1 function hook, current / classic', { ours: current, bound: ours, target: CURRENT_TARGET }),
      ratioRow('no hook at all, current / classic', { ours: currentSilent, bound: silent, target: CURRENT_TARGET }),
      ratioRow('1 function hook, no profile / classic', { ours: auto, bound: ours, target: null }),
      ratioRow('1 that says nothing, no profile / classic', {
        ours: autoWordless,
        bound: wordless,
        target: CURRENT_TARGET,
      }),
      ratioRow('no hook at all, no profile / classic', { ours: autoSilent, bound: silent, target: CURRENT_TARGET }),
    ]
  }
  return withEngine(
    {},
    (engine) =>
      withEngine({}, (other) => withEngine({}, (unchosen) => measure(engine, other, unchosen)), { profile: 'current' }),
    { profile: 'classic' },
  )
}

const DONE = { ...BASH_CALL, hook_event_name: /** @type {const} */ ('PostToolUse'), tool_response: { stdout: '' } }
const STOP = { hook_event_name: /** @type {const} */ ('Stop'), stop_hook_active: false }

/**
 * @param {number} times
 * @param {() => Promise<unknown>} act
 */
async function repeat(times, act) {
  for (let left = times; left > 0; left--) await act()
}
