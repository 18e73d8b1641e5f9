/** Machines of a fleet that are simulated: what each sends is what an engine writes for events and hooks that are drawn, in a chain that holds. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

const TOOLS = [
  'Bash',
  'Bash',
  'Bash',
  'Edit',
  'Edit',
  'Read',
  'Read',
  'Read',
  'Write',
  'Grep',
  'Glob',
  'WebFetch',
  'Task',
]
const EVENTS = [
  'PreToolUse',
  'PreToolUse',
  'PreToolUse',
  'PostToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SessionStart',
]
const PROJECTS = ['shop', 'billing', 'gateway', 'search', 'mobile', 'infrastructure', 'docs', 'website']
const OUTCOMES = ['denied', 'blocked', 'asked', 'allowed']
const WORDS =
  'build test lint --watch --fix src packages/shop index.ts deploy staging && cd .. npm ci git status -m fix'.split(' ')
/** Hooks that are configured for each event. */
const HOOKS_OF_EVENT = 5
const EVENTS_OF_SESSION = 60
const REFUSED_SHARE = 0.03
const FAILED_SHARE = 0.01

/** Numbers from 0 to 1 that look random and are the same at each run. @param {number} seed */
export function drawNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('hex')

/**
 * @typedef {{ id: string, at: string, event: string, session: string, ms: number, outcome: string, projectName: string, project: string, snapshot: string, hooks: { key: string, scope: string, outcome: string, exit?: number, ms: number }[] }} SimulatedFacts
 */

/** A machine, and one segment of its spool. */
export class SimulatedMachine {
  #draw
  #prev
  #seq = 0
  #session = ''

  /** @param {{ name: string, key: string, epoch: string, seed: number, withBodies?: boolean, project?: string, hasGuard?: boolean }} options */
  constructor({ name, key, epoch, seed, withBodies = false, project, hasGuard = true }) {
    this.hasGuard = hasGuard
    this.projects = project === undefined ? PROJECTS : [project]
    this.name = name
    this.key = key
    this.epoch = epoch
    this.withBodies = withBodies
    this.#draw = drawNumbers(seed)
    this.#prev = digest(epoch)
  }

  /** Number of its last record. */
  get seq() {
    return this.#seq
  }

  /**
   * The next records, packed as they leave a machine.
   * @param {number} count
   * @param {(at: number) => number} timeOf time of each of them
   */
  packBatch(count, timeOf) {
    const lines = Array.from({ length: count }, (_, at) => this.#writeLine(timeOf(at)))
    const header = JSON.stringify({ v: 1, epoch: this.epoch, person: digest(this.name).slice(0, 16) })
    return gzipSync([header, ...lines, ''].join('\n'))
  }

  /** @param {number} time */
  #writeLine(time) {
    const facts = this.#drawFacts(time)
    const body = this.withBodies ? JSON.stringify(this.#drawBody(facts)) : null
    const line = { seq: ++this.#seq, prev: this.#prev, facts, digest: body === null ? null : digest(body) }
    this.#prev = digest(JSON.stringify([line.seq, line.prev, facts, line.digest]))
    return JSON.stringify(body === null ? line : { ...line, body })
  }

  /** @param {readonly string[]} words */
  #pick(words) {
    return words[Math.floor(this.#draw() * words.length)] ?? ''
  }

  /** @param {number} time @returns {SimulatedFacts} */
  #drawFacts(time) {
    const draw = this.#draw
    if (this.#seq % EVENTS_OF_SESSION === 0) this.#session = toUuid(digest(`${this.epoch}/${this.#seq}`))
    const event = this.#pick(EVENTS)
    const isRefused = draw() < REFUSED_SHARE
    const project = this.#pick(this.projects)
    const guard = digest(`${event} 0`).slice(0, 8)
    const drawn = Array.from({ length: 1 + Math.floor(draw() * 3) }, (_, at) => {
      const isFailed = draw() < FAILED_SHARE
      const kept = isRefused && at === 0 ? 'blocking' : 'success'
      const outcome = isFailed ? 'non_blocking_error' : kept
      return {
        key: digest(`${event} ${(at + Math.floor(draw() * 2)) % HOOKS_OF_EVENT}`).slice(0, 8),
        ...{ scope: at === 0 ? 'managed' : 'user', type: 'command', verdict: 'ran', outcome },
        ...(outcome === 'success' ? {} : { exit: isFailed ? 1 : 2 }),
        ms: Math.round(10 * Math.exp(3 + 1.2 * (draw() + draw() + draw() - 1.5))) / 10,
      }
    })
    const hooks = drawn.filter(({ key }) => this.hasGuard || key !== guard)
    return {
      ...{
        id: `${digest(this.name).slice(0, 12)}/${this.epoch}/${this.#seq + 1}`,
        at: new Date(time).toISOString(),
        event,
      },
      ...{
        session: this.#session,
        ...(event.endsWith('ToolUse') ? { tool: this.#pick(TOOLS) } : {}),
        client: 'claude-code',
      },
      ...{ engine: '0.1.0', profile: 'current', ms: Math.max(0, ...hooks.map(({ ms }) => ms)) + 1 },
      ...{
        outcome: isRefused ? this.#pick(OUTCOMES) : 'passed',
        project: digest(project).slice(0, 24),
        projectName: project,
      },
      ...{ snapshot: digest(this.name).slice(0, 24), hooks },
    }
  }

  /** @param {SimulatedFacts} facts */
  #drawBody({ id, at, event, session, ms, outcome, projectName, project, snapshot, hooks }) {
    const words = Array.from({ length: 8 }, () => this.#pick(WORDS)).join(' ')
    const permission = outcome === 'denied' ? 'deny' : null
    return {
      record: {
        ...{ version: 2, id, at, durationMs: ms, sessionId: session, event, profile: 'current', engine: '0.1.0' },
        ...{
          host: { client: 'claude-code', version: '2.1.325' },
          project: { name: projectName, pathHash: project },
          snapshot,
        },
        decision: {
          ...{
            halt: false,
            stopReason: null,
            blocked: permission !== null,
            permission,
            reason: null,
            interrupt: false,
          },
          ...{ updatedInput: null, updatedPermissions: null, updatedToolOutput: null, context: [], contextFrom: [] },
          ...{ instructions: null, messages: [] },
        },
        hooks: hooks.map((hook, at) => ({
          ...{ id: `${hook.scope}:${event}:${at}:0`, verdict: 'ran', scope: hook.scope, profile: 'current' },
          ...{
            file: `/home/dev/${projectName}/.claude/settings.json`,
            line: 12 + at,
            matcher: 'Bash',
            type: 'command',
          },
          ...{ command: `.claude/hooks/guard-${at}.sh`, outcome: hook.outcome, exitCode: hook.exit ?? 0, signal: null },
          ...{
            timedOut: false,
            startMs: 1 + at,
            durationMs: hook.ms,
            stdoutBytes: 0,
            stderrBytes: 0,
            truncated: false,
          },
          ...{ launcher: 'direct', answer: null, warnings: [] },
        })),
      },
      input: {
        ...{ session_id: session, cwd: `/home/dev/${projectName}`, permission_mode: 'default', hook_event_name: event },
        ...{ tool_use_id: `toolu_${words.slice(0, 24)}`, tool_input: { command: `npm run ${words}` } },
        transcript_path: `/home/dev/.claude/projects/${projectName}/${session}.jsonl`,
      },
    }
  }
}

/** @param {string} hex */
const toUuid = (hex) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
