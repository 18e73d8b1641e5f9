import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../packages/hookline/bin/hookline.js', import.meta.url))
const PROBE = fileURLToPath(new URL('./cpu-probe.cjs', import.meta.url))
const TARGET = 2.5
const FIRE_TARGET = 1.2
const IMPORT_TARGET = 1.4
const CURRENT_TARGET_MS = 2
const BRIDGE_TARGET_MS = 8
const DOOR = new URL('../../packages/hookline/dist/index.js', import.meta.url)

/**
 * CPU time of whole calls of the command, and of hosts that do no more than load the library, over that of a Node that does nothing.
 * @param {{ quick: boolean }} options
 * @returns {Promise<import('../table.js').Row[]>}
 */
export async function measureStartUp({ quick }) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  try {
    const places = projectWith20Hooks(root)
    const calls = {
      bare: ['-e', '0'],
      explain: [PROGRAM, 'explain', 'PreToolUse', ...places],
      fire: [PROGRAM, 'fire', 'Stop', '--json', ...places],
      current: [PROGRAM, 'fire', 'Stop', '--json', '--profile', 'current', ...places],
      bridge: [PROGRAM, 'bridge', 'run', 'codex', 'PreToolUse', ...places],
      load: [hostThat(root, 'loads', `import ${JSON.stringify(DOOR.href)}`)],
      open: [hostThat(root, 'opens', opening(root))],
    }
    const call = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'view_image', tool_input: {} }
    const payload = JSON.stringify({ ...call, turn_id: 't', model: 'm', tool_use_id: 'c', cwd: join(root, 'project') })
    const taken = cpuTimes(calls, { rounds: quick ? 5 : 40, input: payload })
    const row = (/** @type {string} */ what, /** @type {number[]} */ times, /** @type {number | null} */ target) => ({
      what,
      unit: /** @type {const} */ ('x'),
      columns: /** @type {const} */ (['p50', 'p25']),
      figure: at(
        inPairs(times, taken.bare, (one, bare) => one / bare),
        0.5,
      ),
      second: at(times, 0.25) / at(taken.bare, 0.25),
      scale: `${at(times, 0.5).toFixed(0)}ms / ${at(taken.bare, 0.5).toFixed(0)}ms`,
      target,
    })
    return [
      row('hookline explain, 20 hooks', taken.explain, TARGET),
      row('hookline fire --json', taken.fire, FIRE_TARGET),
      moreRow('the same with --profile current, more', [taken.current, taken.fire], CURRENT_TARGET_MS),
      moreRow('hookline bridge run codex, more', [taken.bridge, taken.bare], BRIDGE_TARGET_MS),
      row("import 'hookline'", taken.load, IMPORT_TARGET),
      row('the same, and an engine opened', taken.open, null),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * How many milliseconds more one call takes than another.
 * @param {string} what
 * @param {[number[], number[]]} times
 * @param {number} target
 * @returns {import('../table.js').Row}
 */
function moreRow(what, [more, less], target) {
  return {
    what,
    unit: 'ms',
    columns: ['p50', 'p25'],
    figure: at(
      inPairs(more, less, (one, other) => one - other),
      0.5,
    ),
    second: at(more, 0.25) - at(less, 0.25),
    scale: `${at(more, 0.5).toFixed(0)}ms - ${at(less, 0.5).toFixed(0)}ms`,
    target,
  }
}

/**
 * The calls of a round are compared with each other: the machine is not the same in every round.
 * @param {number[]} times
 * @param {number[]} others
 * @param {(one: number, other: number) => number} compare
 */
function inPairs(times, others, compare) {
  return times.map((time, round) => compare(time, others[round] ?? Number.NaN))
}

/** @param {string} root */
function projectWith20Hooks(root) {
  const hooks = Array.from({ length: 20 }, (_, at) => ({ type: 'command', command: `true # ${at}` }))
  mkdirSync(join(root, 'project/.claude'), { recursive: true })
  mkdirSync(join(root, 'home'))
  const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } }
  writeFileSync(join(root, 'project/.claude/settings.json'), JSON.stringify(settings, null, 2))
  return [
    '--trust',
    '--project',
    join(root, 'project'),
    '--home',
    join(root, 'home'),
    '--managed',
    join(root, 'none.json'),
  ]
}

/**
 * @param {string} root
 * @param {string} name
 * @param {string} source
 */
function hostThat(root, name, source) {
  const path = join(root, `${name}.mjs`)
  writeFileSync(path, source)
  return path
}

/** @param {string} root */
function opening(root) {
  const options = { project: join(root, 'project'), home: join(root, 'home'), managed: join(root, 'none.json') }
  return `import { openEngine } from ${JSON.stringify(DOOR.href)}
    const engine = await openEngine(${JSON.stringify({ ...options, trust: 'accepted' })})
    await engine.close()`
}

/**
 * Milliseconds of CPU that each call takes, in interleaved rounds, with the same on stdin.
 * @template {string} Name
 * @param {Record<Name, string[]>} calls
 * @param {{ rounds: number, input: string }} options
 * @returns {Record<Name, number[]>}
 */
function cpuTimes(calls, { rounds, input }) {
  const entries = /** @type {[Name, string[]][]} */ (Object.entries(calls))
  /** @type {[Name, number[]][]} */
  const none = entries.map(([name]) => [name, []])
  const taken = /** @type {Record<Name, number[]>} */ (Object.fromEntries(none))
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of entries) {
      const { output } = spawnSync(process.execPath, ['--require', PROBE, ...args], {
        input,
        stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      })
      taken[name].push(Number(output[3]) / 1000)
    }
  }
  return taken
}

/**
 * @param {number[]} times
 * @param {number} part
 */
function at(times, part) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
}
