/** Writes a log for measuring the inspector: events of several sessions, through the writer of records. */
import { openFileStore } from 'hookline/log'

/**
 * Writes so many events. Every tenth is refused, every fiftieth has a hook that fails, every fourth is of a subagent.
 * @param {string} file
 * @param {{ events: number, sessions?: number, hooks?: number, from?: number }} options
 */
export async function writeLog(file, { events, sessions = 10, hooks = 4, from = Date.parse('2026-11-10T08:00:00Z') }) {
  const store = openFileStore(file, { maxBytes: Number.MAX_SAFE_INTEGER })
  const batch = []
  for (let nth = 0; nth < events; nth++) {
    batch.push(makeEntry(nth, { session: Math.floor((nth / events) * sessions), hooks, at: from + nth * 4000 }))
    if (batch.length === 1000 || nth === events - 1) await store.append(batch.splice(0))
  }
}

const TOOLS = [
  ['Bash', { command: 'npm test -- --run packages/core' }],
  ['Edit', { file_path: '/home/dev/lamp/src/server.ts', old_string: 'a', new_string: 'b' }],
  ['Read', { file_path: '/home/dev/lamp/README.md' }],
  ['Bash', { command: 'git push --force origin main' }],
]

/**
 * Makes the entry of an event.
 * @param {number} nth
 * @param {{ session: number, hooks: number, at: number }} about
 * @returns {import('hookline/log').LogEntry}
 */
export function makeEntry(nth, { session, hooks, at }) {
  const [tool, toolInput] = TOOLS[nth % TOOLS.length] ?? ['Bash', {}]
  const isRefused = nth % 10 === 3
  const isFailed = nth % 50 === 7
  const event = nth % 3 === 0 ? 'PostToolUse' : 'PreToolUse'
  const ids = Array.from({ length: hooks }, (_, one) => `project:${event}:0:${one}`)
  const lines = ids.map((id, one) => ({
    id,
    verdict: one === hooks - 1 ? /** @type {const} */ ('matcher-miss') : /** @type {const} */ ('ran'),
    scope: 'project',
    file: '.claude/settings.json',
    line: 6 + one * 4,
    matcher: one === hooks - 1 ? 'Write' : null,
    type: 'command',
    command: `.claude/hooks/guard-${one}.sh`,
    warnings: [],
    ...(one === hooks - 1
      ? {}
      : {
          outcome: outcomeOf(one, { isRefused, isFailed }),
          exitCode: one === 0 && isRefused ? 2 : Number(one === 1 && isFailed),
          signal: null,
          timedOut: false,
          startMs: one,
          durationMs: 5 + ((nth * 7 + one * 13) % 90),
          stdoutBytes: 0,
          stderrBytes: 0,
          truncated: false,
          answer: null,
        }),
  }))
  const reason = 'Force pushes go through a pull request.'
  const hook = ids[0] ?? ''
  return {
    record: {
      version: 2,
      id: `bench/1/${nth}`,
      at: new Date(at).toISOString(),
      durationMs: 100,
      sessionId: `session-${String(session).padStart(4, '0')}`,
      ...(nth % 4 === 1 ? { agentId: `agent-${nth % 3}` } : {}),
      event,
      profile: 'current',
      host: { client: 'claude-code', version: '2.1.0' },
      engine: '0.1.0',
      project: { name: 'lamp', pathHash: 'e1e1e1' },
      snapshot: 'a0a0a0',
      decision: {
        ...{ halt: false, stopReason: null, blocked: isRefused, permission: isRefused ? 'deny' : null },
        ...{ reason: isRefused ? reason : null, interrupt: false, updatedInput: null, updatedPermissions: null },
        ...{ updatedToolOutput: null, context: [], contextFrom: [], instructions: null },
        messages: isRefused ? [{ to: /** @type {const} */ ('model'), text: reason, hook }] : [],
      },
      hooks: lines,
    },
    input: {
      hook_event_name: event,
      session_id: `session-${session}`,
      cwd: '/home/dev/lamp',
      tool_name: String(tool),
      tool_input: toolInput,
    },
  }
}

/**
 * @param {number} one
 * @param {{ isRefused: boolean, isFailed: boolean }} about
 */
function outcomeOf(one, { isRefused, isFailed }) {
  if (one === 0 && isRefused) return /** @type {const} */ ('blocking')
  return one === 1 && isFailed ? /** @type {const} */ ('non_blocking_error') : /** @type {const} */ ('success')
}
