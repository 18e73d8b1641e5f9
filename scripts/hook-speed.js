// Runs Claude Code itself, as a black box, through the same scripted session without hooks, with guards in Node as they are, with
// these guards wrapped, and with the least that a hook can be in their place, and compares how long the calls take:
//   node scripts/hook-speed.js [--calls 50] [--guards 3] [--thinking 700]
// Needs a build, the registry for the first run (~/.cache/hookline-clients, or HOOKLINE_CLIENTS_CACHE), and user namespaces: the client
// reaches loopback and nothing else. Linux only.

import { execFileSync, spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { claude } from './clients/agents/claude.js'
import { install } from './clients/install.js'
import { runClient } from './clients/run-client.js'
import { readCall } from './read-options.js'

/** Runs what follows where there is loopback and no other network. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const INSIDE = 'HOOKLINE_HOOK_SPEED'

const { readNumber } = readCall(import.meta.url, {
  options: { calls: { type: 'string' }, guards: { type: 'string' }, thinking: { type: 'string' } },
})
const calls = readNumber('calls', 50)
const guards = readNumber('guards', 3)
/** Milliseconds that the model takes for an answer; no real one is sooner. */
const thinking = readNumber('thinking', 700)

/** Guard that writes down that it ran. */
const GUARD = `import { appendFileSync } from 'node:fs'
let text = ''
for await (const chunk of process.stdin) text += chunk
if (JSON.parse(text).tool_input.command.includes('rm ')) process.exitCode = 2
appendFileSync(process.env.HOME + '/runs', 'run\\n')
`

/** Hook that reads its input, and does nothing else: what Claude Code takes to start a shell, and a program in it. */
const LEAST = 'cat >/dev/null'

process.exitCode = process.env[INSIDE] === '1' ? await compare() : outside()

/** Starts this script again without a network, where the client can run at all. */
function outside() {
  const why =
    spawnSync('unshare', [...ALONE, 'true']).status === 0 ? install(claude) : 'no network namespace can be made here'
  if (why !== null) {
    console.log(`Skipped: ${why}`)
    return 0
  }
  const call = [...ALONE, process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  return spawnSync('unshare', call, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1
}

/**
 * One session; resolves with the milliseconds of its tool calls, from one answer of the model to the next question, and what the
 * resident did.
 * @param {'none' | 'least' | 'bare' | 'wrapped'} way
 */
function session(way) {
  const names = Array.from({ length: way === 'none' ? 0 : guards }, (_, at) => `guard-${at}.mjs`)
  const hooks = names.map((name) => ({ type: 'command', command: way === 'least' ? LEAST : `node "$HOME/${name}"` }))
  const settings = JSON.stringify({ hooks: names.length === 0 ? {} : { PreToolUse: [{ matcher: 'Bash', hooks }] } })
  /** @type {number[]} */
  const asked = []
  const task = {
    model: claude.model,
    isResumed: false,
    files: () => ({
      '../home/.claude/settings.json': settings,
      ...Object.fromEntries(names.map((name) => [`../home/${name}`, GUARD])),
    }),
    script: (/** @type {import('./clients/run-client.js').Script} */ main) => {
      /** @type {import('./clients/run-client.js').Script} */
      const timed = (request) => {
        asked.push(performance.now())
        return main(request)
      }
      return timed
    },
    steps: () => [
      ...Array.from({ length: calls }, (_, at) => ({ tools: [claude.shell(`echo ${at}`)], delayMs: thinking })),
      { text: 'All done.' },
    ],
    prepare: (/** @type {{ home: string, project: string, env: NodeJS.ProcessEnv }} */ { project, env }) => {
      if (way === 'wrapped')
        execFileSync('hookline', ['wrap', 'install', '--scope', 'user', '--yes'], {
          cwd: project,
          env,
          timeout: 60_000,
        })
    },
  }
  return runClient(claude, task, ({ requests, isLate, read }) => {
    const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0) - thinking)
    const milliseconds = gaps.slice(-calls).reduce((sum, gap) => sum + gap, 0)
    const figures = read('../home/.hookline/resident/figures.json')?.split('\n')[0] ?? null // the line stands there twice
    const runs = (read('../home/runs') ?? '').split('\n').length - 1
    return { milliseconds, runs, requests: requests.length, isLate, figures }
  })
}

/** Runs the sessions, and says which part of the time in hooks is left. */
async function compare() {
  const none = await session('none')
  const bare = await session('bare')
  const wrapped = await session('wrapped')
  const least = await session('least')
  for (const [name, { milliseconds, runs, isLate }] of Object.entries({ none, bare, wrapped, least }))
    console.log(
      `${name.padEnd(8)} ${(milliseconds / 1000).toFixed(2)} s in tool calls, ${runs} runs of hooks${isLate ? ', too late' : ''}`,
    )
  if (wrapped.figures !== null) console.log(wrapped.figures)
  const inHooks = bare.milliseconds - none.milliseconds
  const [ratio, floor] = [wrapped, least].map((one) => ((one.milliseconds - none.milliseconds) / inHooks).toFixed(2))
  console.log(`time in hooks, wrapped over bare: ${ratio} (goal 0.4), load ${loadavg()[0]?.toFixed(1)}`)
  console.log(`    the least that a hook takes, over the same: ${floor}`)
  return bare.runs === wrapped.runs && !bare.isLate && !wrapped.isLate ? 0 : 1
}
