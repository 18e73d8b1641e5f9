/** What a spool costs a dispatch, also while a shipper talks to a server that is dead, slow, or takes everything and says nothing. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from 'hookline'
import { ROOT } from '../tools.js'
import { findPort } from './postgres.js'

const HOOKLINE = join(ROOT, 'packages/hookline/bin/hookline.js')
const SLOW_MS = 5000
const BATCH = 50

/** What a server does with a request. @type {Record<string, ((response: import('node:http').ServerResponse) => void) | null>} */
const SERVERS = {
  dead: null,
  slow: (response) => void setTimeout(() => response.writeHead(503).end(), SLOW_MS).unref(),
  swallowing: () => {},
}

/**
 * Dispatches by turns with and without a spool. Returns what it adds, by the state of the server.
 * @param {number} dispatches
 */
export async function measureDispatch(dispatches) {
  const figures = []
  for (const [name, answer] of Object.entries(SERVERS)) {
    const server = answer === null ? null : createServer((request, response) => request.resume() && answer(response))
    const port = await findPort()
    await /** @type {Promise<void>} */ (
      new Promise((resolve) => (server === null ? resolve() : server.listen(port, '127.0.0.1', resolve)))
    )
    try {
      figures.push({ name, ...(await measureBeside(`http://127.0.0.1:${port}/`, dispatches)) })
    } finally {
      server?.closeAllConnections()
      server?.close()
    }
  }
  return figures
}

/** @param {string} url @param {number} dispatches */
async function measureBeside(url, dispatches) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-dispatch-'))
  const [on, off] = [makeHome(root, 'on', { fleet: { url } }), makeHome(root, 'off', {})]
  mkdirSync(join(on, '.hookline'), { mode: 0o700 })
  writeFileSync(join(on, '.hookline/fleet.json'), JSON.stringify({ url, machine: 'm', key: 'k' }), { mode: 0o600 })
  const shipper = spawn(process.execPath, [HOOKLINE, 'ship', '--watch', '--home', on], { cwd: on, stdio: 'ignore' })
  const engines = await Promise.all([on, off].map((home) => openEngine({ home, project: join(home, 'project') })))
  try {
    /** @type {number[][]} */
    const times = [[], []]
    for (let left = dispatches + BATCH; left > 0; left -= BATCH)
      for (const [at, engine] of engines.entries())
        for (let one = 0; one < BATCH; one++) {
          const began = performance.now()
          await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
          if (left <= dispatches) times[at]?.push(performance.now() - began)
        }
    const [withSpool = [], without = []] = times.map((list) => list.sort((a, b) => a - b))
    const add = (/** @type {number} */ share) => {
      const at = Math.floor(without.length * share)
      return (withSpool[at] ?? 0) - (without[at] ?? 0)
    }
    return { p50: add(0.5), p99: add(0.99) }
  } finally {
    shipper.kill('SIGKILL')
    for (const engine of engines) await engine.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** @param {string} root @param {string} name @param {object} hookline */
function makeHome(root, name, hookline) {
  const home = join(root, name)
  mkdirSync(join(home, '.claude'), { recursive: true })
  mkdirSync(join(home, 'project'))
  const hooks = { PreToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'true' }] }] }
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hookline, hooks }))
  return home
}
