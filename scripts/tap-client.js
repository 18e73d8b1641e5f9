// Runs Claude Code itself, as a black box, through the same scripted session without hookline tap, with its recorder, and with
// its hooks wrapped, and compares what can be seen from outside: what the model is sent, what is printed, the files, the exit.
//   npm run tap:client
// Needs the registry for the first run (~/.cache/hookline-clients, or HOOKLINE_CLIENTS_CACHE), and user namespaces: the client
// reaches loopback and nothing else.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claude } from './clients/agents/claude.js'
import { install } from './clients/install.js'
import { runClient } from './clients/run-client.js'
import { readCall } from './read-options.js'

readCall(import.meta.url, {}) // it has no options

/** Runs what follows where there is loopback and no other network. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const INSIDE = 'HOOKLINE_TAP_CLIENT'

/** Starts this script again without a network, where the client can run at all. */
function outside() {
  if (spawnSync('unshare', [...ALONE, 'true']).status !== 0) {
    console.log('Skipped: no network namespace can be made here (unshare -rn).')
    return 0
  }
  const why = install(claude)
  if (why !== null) {
    console.log(`Skipped: ${why}`)
    return 0
  }
  const call = [...ALONE, process.execPath, fileURLToPath(import.meta.url)]
  return spawnSync('unshare', call, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1
}

/** Hooks of every kind of answer: silence, context, a refusal by exit code and by JSON, a rewritten input, feedback, a failure. */
const HOOKS = {
  SessionStart: ['echo tests run with npm test'],
  UserPromptSubmit: ['cat >/dev/null'],
  PreToolUse: [
    'grep -q refuse-me && { echo refused by exit code >&2; exit 2; }; exit 0',
    `grep -q deny-me && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denied by JSON"}}'; exit 0`,
    `grep -q rewrite-me && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo rewritten > made.txt","description":"as scripted"}}}'; exit 0`,
  ],
  PostToolUse: ['grep -q remark-me && { echo a remark >&2; exit 2; }; exit 0', 'echo broken >&2; exit 1'],
  Stop: ['grep -q \'"stop_hook_active":false\' && { echo go on once >&2; exit 2; }; exit 0'],
}

const CALLS = ['refuse-me', 'deny-me', 'rewrite-me', 'remark-me'].map((word) => claude.shell(`echo ${word}`))

process.exitCode = process.env[INSIDE] === '1' ? await compare() : outside()

/**
 * One session. `taps` are the words behind `hookline tap install`; null: there is no tap.
 * @param {string[] | null} taps
 */
function session(taps) {
  const groups = Object.entries(HOOKS).map(([event, commands]) => [
    event,
    commands.map((command) => ({ hooks: [{ type: 'command', command }] })),
  ])
  const settings = JSON.stringify({ hooks: Object.fromEntries(groups) }, null, 2)
  /** @type {string} */
  let home
  const task = {
    model: claude.model,
    isResumed: false,
    files: () => ({ '../home/.claude/settings.json': settings }),
    steps: () => [...CALLS.map((call) => ({ tools: [call] })), { text: 'All done.' }],
    prepare: (/** @type {{ home: string, project: string, env: NodeJS.ProcessEnv }} */ { project, env, ...place }) => {
      home = place.home
      if (taps !== null)
        execFileSync('hookline', ['tap', 'install', '--yes', ...taps], { cwd: project, env, timeout: 60_000 })
    },
  }
  return runClient(claude, task, ({ project, requests, output, isLate, read }) => {
    const seen = { requests: requests.map(({ body }) => body), output, isLate, made: read('made.txt') }
    return { seen: plain(JSON.stringify(seen, null, 1), project), events: tapped(home) }
  })
}

/** The events that were recorded. */
function tapped(/** @type {string} */ home) {
  try {
    const lines = readFileSync(join(home, '.hookline/tap/hooks.jsonl'), 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  } catch {
    return [] // there is no tap
  }
}

/**
 * What differs from run to run in any case is written the same: folders, ids, times.
 * @param {string} text
 * @param {string} project
 */
function plain(text, project) {
  const root = join(project, '..')
  return text
    .replaceAll(root, 'ROOT')
    .replaceAll(root.replaceAll(/[^A-Za-z0-9]/g, '-'), 'ROOT')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\b[0-9a-f]{32,64}\b/g, 'ID')
    .replaceAll(/cch=[0-9a-f]+/g, 'cch=ID')
}

/** The client names a hook in its messages by the text of its command, so a wrapped one has its wrapper there. */
function withoutWrappers(/** @type {string} */ text) {
  return text.replaceAll(
    /\[ -r ~\/\.hookline\/bin\/hookline \] && set -- tap --as \S+ -- (?:'(?:[^']|'\\\\'')*'|[\w.-]+) && \. ~\/\.hookline\/bin\/hookline; set --; /g,
    '',
  )
}

async function compare() {
  const without = await session(null)
  const again = await session(null)
  if (without.seen !== again.seen) {
    console.log(
      `Two sessions without tap differ, so nothing can be compared:\n${firstDifference(without.seen, again.seen)}`,
    )
    return 1
  }
  const recorded = await session([])
  const wrapped = await session(['--wrap', 'all'])
  const hooks = new Set(wrapped.events.flatMap(({ hook }) => (hook === null ? [] : [hook.command])))
  const missing = Object.values(HOOKS)
    .flat()
    .filter((command) => !hooks.has(command))
  const named = without.seen !== wrapped.seen
  const results = [
    [
      'with the recorder, the session looks the same',
      recorded.seen === without.seen,
      firstDifference(without.seen, recorded.seen),
    ],
    [
      `with wrapped hooks, the session looks the same${named ? ' but for the names of hooks in messages' : ''}`,
      withoutWrappers(wrapped.seen) === without.seen,
      firstDifference(without.seen, withoutWrappers(wrapped.seen)),
    ],
    [
      `the recorder saw ${new Set(recorded.events.map(({ input }) => input.hook_event_name)).size} kinds of events`,
      recorded.events.length > 10,
      '',
    ],
    ['every wrapped hook was recorded', missing.length === 0, missing.join('\n')],
  ]
  for (const [what, holds, why] of results) console.log(`${holds ? 'yes' : 'NO '}  ${what}${holds ? '' : `\n${why}`}`)
  return results.every(([, holds]) => holds) ? 0 : 1
}

/**
 * @param {string} before
 * @param {string} after
 */
function firstDifference(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = old.findIndex((line, index) => line !== now[index])
  return at < 0 ? '' : `- ${old[at]}\n+ ${now[at]}`.slice(0, 4000)
}
