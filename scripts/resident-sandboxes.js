// Makes calls of an agent from inside of Codex's own sandbox, while a resident engine serves outside of it, and sees where their hook
// ran:
//   node scripts/resident-sandboxes.js
// Ends with 1 where one of them was answered by the resident, or its hook could write outside. Needs a build, the registry for the
// first run (~/.cache/hookline-clients, or HOOKLINE_CLIENTS_CACHE), and namespaces: the client reaches loopback and nothing else.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { codex } from './clients/agents/codex.js'
import { commandOf, install } from './clients/install.js'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
const IS_ROOT = process.getuid?.() === 0
/** Runs what follows where there is loopback and no other network. */
const ALONE = [IS_ROOT ? '-n' : '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const INSIDE = 'HOOKLINE_RESIDENT_SANDBOXES'
const TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 30_000

/** Ways in which Codex runs a command; in the last one there is no sandbox, so that what is seen of the others means something. */
const MODES = ['read-only', 'workspace-write', 'danger-full-access']

/** Hook that says where it runs, tries to write outside, and refuses. */
const GUARD = `#!/bin/sh
cat >/dev/null
touch "$HOME/outside" 2>/dev/null
{ readlink /proc/self/ns/mnt /proc/self/ns/pid; grep -E 'NoNewPrivs|Seccomp:' /proc/self/status; } | tr -s '\\n\\t' '  ' >&2
exit 2
`

process.exitCode = process.env[INSIDE] === '1' ? await tryModes() : startAlone()

/** Starts this script again without a network, where the client can run at all. */
function startAlone() {
  const why =
    spawnSync('unshare', [...ALONE, 'true']).status === 0 ? install(codex) : 'no network namespace can be made here'
  if (why !== null) {
    console.log(`Skipped: ${why}`)
    return 0
  }
  const call = [...ALONE, process.execPath, fileURLToPath(import.meta.url)]
  return spawnSync('unshare', call, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1
}

async function tryModes() {
  const root = mkdtempSync(join(homedir(), '.hookline-sandboxes-')) // a sandbox lets everybody write below /tmp
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [join(home, '.claude'), join(project, '.git')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, 'guard.sh'), GUARD, { mode: 0o700 })
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `${home}/guard.sh` }] }] }
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }))
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home }
  const launcher = join(home, '.hookline/bin/hookline')
  const outside = join(home, 'outside')
  /** @param {string} file @param {readonly string[]} words @param {string} [input] */
  const run = (file, words, input = '') =>
    spawnSync(file, words, { cwd: project, env, input, encoding: 'utf8', timeout: TIMEOUT_MS })
  const ask = (/** @type {string[]} */ ...words) => run(process.execPath, [COMMAND, ...words])
  const countServed = () => {
    const { figures } = JSON.parse(ask('resident', 'status', '--json').stdout)
    return figures?.served ?? -1
  }
  let wrong = 0
  try {
    ask('bridge', 'install', 'codex', '--yes')
    const call = [launcher, 'bridge', 'run', 'codex', 'PreToolUse']
    run('/bin/sh', call, makeEvent('first', project))
    for (const end = performance.now() + START_TIMEOUT_MS; countServed() < 0 && performance.now() < end; )
      await pause(100)
    for (const mode of MODES) {
      rmSync(outside, { force: true })
      const before = countServed()
      const [file = '', ...words] = [...commandOf(codex), 'sandbox', '-c', `sandbox_mode="${mode}"`, '--', ...call]
      const { stdout } = run(file, words, makeEvent(mode, project))
      const isServed = countServed() > before
      const isFree = mode === 'danger-full-access'
      const isRefused = stdout.includes('"deny"')
      const isRight = isRefused && isServed === isFree && existsSync(outside) === isFree
      if (!isRight) wrong++
      const reason = /"permissionDecisionReason":"([^"]*)"/.exec(stdout)?.[1] ?? stdout.slice(0, 200)
      console.log(
        `${mode.padEnd(18)} ${isRight ? 'as it should be' : 'WRONG'}: ${isServed ? 'answered by the resident' : 'not by the resident'}, ${existsSync(outside) ? 'wrote outside' : 'wrote nothing outside'}, ${reason}`,
      )
    }
  } finally {
    ask('resident', 'stop', '--yes')
    rmSync(root, { recursive: true, force: true })
  }
  return wrong === 0 ? 0 : 1
}

/** @param {string} session @param {string} cwd */
function makeEvent(session, cwd) {
  return `${JSON.stringify({
    ...{ session_id: session, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ...{ tool_use_id: 't', turn_id: 'u', model: 'm', permission_mode: 'default', transcript_path: null, cwd },
  })}\n`
}
