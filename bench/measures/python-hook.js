import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quantilesOf } from '../rounds.js'

const PACKAGE = fileURLToPath(new URL('../../clients/python/src', import.meta.url))
const TARGET_MS = 8
const HOOK = `from hookline import hook

@hook.pre_tool_use
def guard(event):
    if "--force" in event.tool_input.get("command", ""):
        return hook.deny("Do not force.")
`
const EVENT = JSON.stringify({
  ...{ session_id: 's', transcript_path: 't', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  tool_input: { command: 'git push --force' },
})

/** Starts both in turn, and prints the milliseconds of CPU that each took, by round. */
const METER = `import json, os, sys
rounds, script, event = int(sys.argv[1]), sys.argv[2], sys.argv[3]
def took(*args):
    read, write = os.pipe()
    os.write(write, event.encode())
    os.close(write)
    null = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(sys.executable, [sys.executable, *args], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(read)
    os.close(null)
    usage = os.wait4(child, 0)[2]
    return (usage.ru_utime + usage.ru_stime) * 1000
both = [(took("-c", "pass"), took(script)) for _ in range(rounds + 2)][2:]
print(json.dumps({"bare": [bare for bare, _ in both], "guard": [guard for _, guard in both]}))
`

/**
 * CPU time of a whole guard in Python, from its start to its answer, over that of a Python that does nothing.
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 * @returns {Promise<import('../table.js').Row[]>}
 */
export async function measurePythonHook({ quick, remark }) {
  const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  if (found.status !== 0) {
    remark('There is no python3 here.')
    return []
  }
  const root = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  try {
    const script = join(root, 'guard.py')
    writeFileSync(script, HOOK)
    const env = { ...process.env, PYTHONPATH: PACKAGE, PYTHONPYCACHEPREFIX: join(root, 'compiled') }
    const run = (/** @type {string[]} */ ...args) =>
      spawnSync(found.stdout.trim(), args, { input: EVENT, env, encoding: 'utf8' })
    const tried = run(script)
    if (!tried.stdout.includes('Do not force.')) throw new Error(`The guard did not refuse: ${tried.stderr}`)
    const taken = JSON.parse(run('-c', METER, quick ? '7' : '100', script, EVENT).stdout)
    const bare = quantilesOf(taken.bare)
    const guard = quantilesOf(taken.guard)
    return [
      {
        what: 'a guard with `from hookline import hook`, more',
        unit: 'ms',
        columns: ['p50', 'p25'],
        figure: guard.p50 - bare.p50,
        second: guard.p25 - bare.p25,
        scale: `${guard.p50.toFixed(0)}ms - ${bare.p50.toFixed(0)}ms`,
        target: TARGET_MS,
      },
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
