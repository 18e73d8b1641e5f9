import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { processesWith, until } from './support/processes.ts'
import { bashCall, commands, makeWorld } from './support/project.ts'

const BUILT = pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href
const BUN = process.env.HOOKLINE_BUN ?? 'bun'
const hasBun = spawnSync(BUN, ['--version']).status === 0

describe.skipIf(process.platform !== 'linux')('a host on Bun', () => {
  it.for(['auto', 'pool', 'direct'])(
    'ends by itself and leaves nobody, with the launcher %s',
    async (launcher, { skip }) => {
      if (!hasBun) skip('Bun is not installed: put it on PATH, or its path into HOOKLINE_BUN')
      const guard = 'set -e; cat /dev/stdin | wc -c; sleep 0.2; head -c 300000 /dev/zero; echo no >/dev/stderr; exit 2'
      const hooks = { PreToolUse: [commands(guard, 'true')] }
      const { project, home, managed } = await makeWorld({ 'project/.claude/settings.json': { hooks } })
      const program = `
      const { openEngine } = await import(${JSON.stringify(BUILT)})
      const engine = await openEngine(${JSON.stringify({ project, home, managed, trust: 'accepted', launcher })})
      for (let left = 3; left > 0; left--) {
        const { decision, hooks } = await engine.dispatch({ ...${JSON.stringify(bashCall)}, tool_input: { command: 'x'.repeat(200_000) } })
        console.log(decision.reason, hooks.map(({ exitCode, stdoutBytes }) => exitCode + ' ' + stdoutBytes).join())
      }
      await engine.close()
    `
      const token = randomUUID()
      const env = { ...process.env, HOOKLINE_TEST_TOKEN: token }
      const { status, stdout, stderr } = spawnSync(BUN, ['-e', program], { env, encoding: 'utf8', timeout: 50_000 })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'no 2 300007,0 0\n'.repeat(3), stderr: '' })
      await until('nobody is left', () => processesWith(token, { residents: true }).length === 0)
    },
  )
})
