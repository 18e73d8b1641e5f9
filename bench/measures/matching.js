import { withEngine } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'

const GROUPS = 10_000
const RATIO_TARGET = 0.02
const MEMOISED_TARGET_US = 10

/**
 * Events that none of 10,000 groups is for.
 * @param {{ quick: boolean }} options
 */
export async function measureMatching({ quick }) {
  const matchers = Array.from({ length: GROUPS }, (_, index) => matcherOf(index))
  const groups = matchers.map((matcher, index) => ({
    matcher,
    hooks: [{ type: 'command', command: `true #${index}` }],
  }))
  const patterns = matchers.map(patternOf)
  return withEngine({ PreToolUse: groups }, async (engine) => {
    const known = 200
    const unknown = 10
    let fresh = 0
    /** @param {string} tool_name */
    const fire = async (tool_name) => {
      const { hooks } = await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name })
      if (hooks.length !== GROUPS) throw new Error(`${hooks.length} of ${GROUPS} groups in the record`)
    }
    const measured = await inRounds(
      { rounds: quick ? 15 : 100, warmUp: 10 },
      {
        memoised: { run: () => repeat(known, () => fire('Bash')), times: known },
        fresh: { run: () => repeat(unknown, () => fire(freshName(fresh++))), times: unknown },
        bound: { run: () => scan(patterns, 'Bash') },
        boundFresh: { run: () => repeat(unknown, async () => scan(patterns, freshName(fresh++))), times: unknown },
      },
    )
    const memoised = ratioRow('name seen before', {
      ours: measured.memoised,
      bound: measured.bound,
      target: RATIO_TARGET,
    })
    return [
      memoised,
      ratioRow('name never seen before', { ours: measured.fresh, bound: measured.boundFresh, target: RATIO_TARGET }),
      {
        ...memoised,
        what: 'name seen before, time',
        unit: /** @type {const} */ ('µs'),
        figure: measured.memoised.p50 * 1000,
        second: measured.memoised.p25 * 1000,
        scale: '',
        target: MEMOISED_TARGET_US,
      },
    ]
  })
}

/** @param {number} index */
function matcherOf(index) {
  if (index % 3 === 0) return `Tool${index}`
  if (index % 3 === 1) return `Edit${index}|Write${index}|NotebookEdit${index}`
  return `mcp__srv${index}__.*`
}

/** @param {string} matcher */
function patternOf(matcher) {
  return matcher.endsWith('.*') ? new RegExp(matcher) : new RegExp(`^(?:${matcher})$`)
}

/**
 * A plain name and one of a server, by turns: they take different ways through the patterns.
 * @param {number} index
 */
function freshName(index) {
  return index % 2 === 0 ? `Nobody${index}` : `mcp__nobody${index}__read`
}

/**
 * @param {readonly RegExp[]} patterns
 * @param {string} name
 */
function scan(patterns, name) {
  if (patterns.some((pattern) => pattern.test(name))) throw new Error(`${name} is not meant to match`)
}

/**
 * @param {number} times
 * @param {() => Promise<void>} act
 */
async function repeat(times, act) {
  for (let left = times; left > 0; left--) await act()
}
