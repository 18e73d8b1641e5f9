import { withEngine } from '../project.js'
import { quantilesOf, ratioRow } from '../rounds.js'

const TARGET = 1.1
const HOOKS = 10
const EVENT_BYTES = 10_000_000

/**
 * The time spent serialising while a large event goes to ten commands. The two globals that serialise are wrapped for
 * the time of a dispatch, and what they take on more than 1 MB is added up.
 * @param {{ quick: boolean }} options
 */
export async function measureSerialising({ quick }) {
  const commands = Array.from({ length: HOOKS }, (_, index) => ({
    type: 'command',
    command: `cat >/dev/null #${index}`,
  }))
  const event = largeEvent()
  /** @type {{ stringify: number, both: number, calls: number }[]} */
  const ours = []
  /** @type {{ stringify: number, both: number }[]} */
  const bound = []
  await withEngine({ PostToolUse: [{ hooks: commands }] }, async (engine) => {
    const serialise = () => bound.push(serialiseOnce({ ...event, session_id: engine.sessionId, cwd: process.cwd() }))
    for (let round = 0; round < (quick ? 3 : 12); round++) {
      if (round % 2 === 0) serialise()
      ours.push(await watchSerialising(() => engine.dispatch(event)))
      if (round % 2 === 1) serialise()
    }
  })
  const calls = Math.max(...ours.map((one) => one.calls))
  const spent = { ours: quantilesOf(ours.map(({ both }) => both)), bound: quantilesOf(bound.map(({ both }) => both)) }
  const texts = {
    ours: quantilesOf(ours.map(({ stringify }) => stringify)),
    bound: quantilesOf(bound.map(({ stringify }) => stringify)),
  }
  return [
    ratioRow(`to bytes, ${calls} calls seen`, { ...spent, target: TARGET }),
    ratioRow('JSON.stringify alone', { ...texts, target: TARGET }),
    ratioRow('to bytes, over stringify', { ours: spent.ours, bound: texts.bound, target: null }),
  ]
}

function largeEvent() {
  const row = { path: 'src/dispatch/dispatch.ts', line: 42, text: 'const planned = plan(listeners, input) // "quoted"' }
  const rows = Array.from({ length: Math.ceil(EVENT_BYTES / JSON.stringify(row).length) }, (_, line) => ({
    ...row,
    line,
  }))
  return {
    hook_event_name: /** @type {const} */ ('PostToolUse'),
    tool_name: 'Grep',
    tool_input: { pattern: 'plan' },
    tool_response: { rows },
    tool_use_id: 'toolu_1',
  }
}

/** @param {object} event */
function serialiseOnce(event) {
  const start = performance.now()
  const text = JSON.stringify(event)
  const stringify = performance.now() - start
  Buffer.from(`${text}\n`)
  return { stringify, both: performance.now() - start }
}

/** @param {() => Promise<unknown>} act */
async function watchSerialising(act) {
  const { stringify } = JSON
  const { from } = Buffer
  const spent = { stringify: 0, both: 0, calls: 0 }
  /** @param {unknown} value */
  const isLarge = (value) => (typeof value === 'string' || Buffer.isBuffer(value)) && value.length > 1_000_000
  /**
   * @param {'stringify' | 'from'} name
   * @param {() => unknown} call
   */
  const timed = (name, call) => {
    const start = performance.now()
    const made = call()
    const milliseconds = performance.now() - start
    if (!isLarge(made)) return made
    spent.calls++
    spent.both += milliseconds
    if (name === 'stringify') spent.stringify += milliseconds
    return made
  }
  Object.assign(JSON, { stringify: (/** @type {[unknown]} */ ...args) => timed('stringify', () => stringify(...args)) })
  Object.assign(Buffer, { from: (/** @type {[string]} */ ...args) => timed('from', () => from(...args)) })
  try {
    await act()
  } finally {
    Object.assign(JSON, { stringify })
    Object.assign(Buffer, { from })
  }
  return spent
}
