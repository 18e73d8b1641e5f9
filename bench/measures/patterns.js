import { withEngine } from '../project.js'
import { quantilesOf } from '../rounds.js'

const TARGET_MS = 5
const SUBJECT = 1024
/** What the record says of a matcher that the engine does not take. */
const REFUSED = 'invalid'
const EXPECTED = ['matcher-miss', REFUSED]

/**
 * Patterns that stop a backtracking engine or strain an automaton. Each subject has the letters that the pattern asks
 * for, so that no look at these alone can settle it, and each pattern fails at its end.
 * @type {{ what: string, matcher: string, subject: (fresh: string) => string }[]}
 */
const NASTY = [
  { what: '^(a+)+$', matcher: '^(a+)+$', subject: (fresh) => filled('a', `!${fresh}`) },
  { what: '(a|a)*b$', matcher: '(a|a)*b$', subject: (fresh) => `b${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '(.*){1,30}x$', matcher: '(.*){1,30}x$', subject: (fresh) => `x${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '(a?){1000}x$', matcher: '(a?){1000}x$', subject: (fresh) => `x${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '(a|b)*a(a|b){20}c', matcher: '(a|b)*a(a|b){20}c', subject: (fresh) => `c${mixed(fresh)}` },
  { what: 'a{1,1000}!$', matcher: 'a{1,1000}!$', subject: (fresh) => `!${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '\\pL{1,1000}!$', matcher: '\\pL{1,1000}!$', subject: (fresh) => `!${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '\\pL{1,700}!$', matcher: '\\pL{1,700}!$', subject: (fresh) => `!${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '(a?){220}!$', matcher: '(?:a?){220}!$', subject: (fresh) => `!${filled('a', fresh)}`.slice(0, SUBJECT) },
  { what: '((a|b)?\\B){120}!$', matcher: '(?:(?:a|b)?\\B){120}!$', subject: (fresh) => `!${mixed(fresh)}` },
  { what: 'a, 4,000 dots, !$', matcher: `a${'.'.repeat(4000)}!$`, subject: (fresh) => `!${mixed(fresh)}` },
  { what: 'a, 1,300 \\pL, !$', matcher: `a${'\\pL'.repeat(1300)}!$`, subject: (fresh) => `!${mixed(fresh)}` },
  { what: '(a|b)*a(a|b){250}c', matcher: '(a|b)*a(a|b){250}c', subject: (fresh) => `c${mixed(fresh)}` },
  { what: '4,096 chars of words', matcher: words(), subject: (fresh) => `c${mixed(fresh)}` },
  { what: '200 commands', matcher: commands(), subject: (fresh) => 'cmd0 -r '.repeat(128).slice(fresh.length) + fresh },
  { what: '4,096 chars of (a*)*', matcher: `${'(a*)*'.repeat(818)}b$`, subject: (fresh) => filled('a', `b${fresh}`) },
  { what: '4,096 chars of .*', matcher: `${'.*'.repeat(2047)}x`, subject: (fresh) => filled('a', fresh) },
]

/**
 * Each nasty matcher once through the front door: compiled when the engine opens, tested when an event is dispatched.
 * @param {{ quick: boolean }} options
 */
export async function measurePatterns({ quick }) {
  /** @type {import('../table.js').Row[]} */
  const rows = []
  for (const { what, matcher, subject } of NASTY) {
    const expression = `tool_input.command matches "${matcher.replaceAll('"', '\\"')}"`
    rows.push(await measureOne({ what, matcher, fire: (fresh) => ({ tool_name: subject(fresh) }), quick }))
    if (what !== '^(a+)+$') continue
    const fire = (/** @type {string} */ fresh) => ({ tool_name: 'Bash', tool_input: { command: subject(fresh) } })
    rows.push(await measureOne({ what: 'the same in an expression', matcher: expression, fire, quick }))
  }
  return rows
}

/**
 * The first match after opening, over several engines, and those after it: an automaton is built while it matches.
 * @param {{ what: string, matcher: string, quick: boolean,
 *   fire: (fresh: string) => { tool_name: string, tool_input?: Record<string, unknown> } }} pattern
 * @returns {Promise<import('../table.js').Row>}
 */
async function measureOne({ what, matcher, fire, quick }) {
  const hooks = { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'exit 2' }] }] }
  /** @type {Record<'opening' | 'first' | 'later', number[]>} */
  const taken = { opening: [], first: [], later: [] }
  let verdict = ''
  for (let engines = quick ? 2 : 7; engines > 0; engines--) {
    const opening = performance.now()
    await withEngine(hooks, async (engine) => {
      taken.opening.push(performance.now() - opening)
      for (let count = 0; count < 10; count++) {
        const event = { hook_event_name: /** @type {const} */ ('PreToolUse'), ...fire(`_${count}_`) }
        const start = performance.now()
        const { hooks: lines } = await engine.dispatch(event)
        taken[count === 0 ? 'first' : 'later'].push(performance.now() - start)
        verdict = lines[0]?.verdict ?? 'none'
        if (!EXPECTED.includes(verdict)) throw new Error(`${what} was to miss, and it says ${verdict}`)
      }
    })
  }
  return {
    what,
    unit: 'ms',
    columns: ['first', 'later'],
    figure: quantilesOf(taken.first).p50,
    second: quantilesOf(taken.later).p50,
    scale: verdict === REFUSED ? 'refused' : `opened ${quantilesOf(taken.opening).p50.toFixed(0)}ms`,
    target: TARGET_MS,
  }
}

/**
 * @param {string} letter
 * @param {string} end
 */
function filled(letter, end) {
  return letter.repeat(SUBJECT - end.length) + end
}

/**
 * Letters in an order without a pattern, the same ones each time but for the end.
 * @param {string} end
 */
function mixed(end) {
  let state = 1
  const letters = Array.from({ length: SUBJECT - 1 - end.length }, () => {
    state = (state * 16807) % 2147483647
    return state % 2 === 0 ? 'a' : 'b'
  })
  return letters.join('') + end
}

/** As many words as a matcher has room for, of the letters of the subject. */
function words() {
  const parts = Array.from({ length: 290 }, (_, index) => `${(index * 37 + 1024).toString(2)}c`)
  return `(${parts.join('|').replaceAll('0', 'a').replaceAll('1', 'b').slice(0, 4092)})$`
}

/** A list as guards have them. */
function commands() {
  const parts = Array.from({ length: 200 }, (_, index) => `cmd${(index * 7919).toString(36)}\\s+-[rf]+\\b`)
  return `\\b(?:${parts.join('|')})!$`
}
