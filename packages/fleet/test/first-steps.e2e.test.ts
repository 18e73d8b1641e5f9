import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { missingNats } from '../../../scripts/fleet/nats.js'
import { missingPostgres } from '../../../scripts/fleet/postgres.js'
import { startFleetServer } from '../../../scripts/fleet/server.js'
import { collectOutput } from '../../hookline/test/support/processes.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const COMMANDS = {
  hookline: 'packages/hookline/bin/hookline.js',
  'hookline-fleet': 'packages/fleet/bin/hookline-fleet.js',
}
const KILL = join(ROOT, 'scripts/fleet-kill.js')
const missing = missingNats ?? missingPostgres
const SCRIPT_TIMEOUT_MS = 280_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline page-'))
  await mkdir(join(folder, 'bin'))
  for (const [name, path] of Object.entries(COMMANDS)) {
    const file = join(folder, 'bin', name)
    await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, path)}" "$@"\n`)
    await chmod(file, 0o755)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(
  command: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOOKLINE_RESIDENT: 'off' }
  const child = spawn(command, args, { cwd: folder, env, timeout: SCRIPT_TIMEOUT_MS })
  return collectOutput(child)
}

it('leads from nothing to three machines, as the page says', { timeout: SCRIPT_TIMEOUT_MS }, async () => {
  const page = await readFile(join(ROOT, 'docs/fleet.md'), 'utf8')
  const part = page.slice(page.indexOf('## From nothing'), page.indexOf('## What leaves'))
  const [serve, machines = '', look = ''] = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '')
  expect(serve).toBe('cd "$(mktemp -d)" && pwd\nhookline-fleet serve\n')
  const server = await startFleetServer(['--data', join(folder, 'fleet-data'), '--port', '0'])
  const here = (text: string): string => text.replaceAll('http://127.0.0.1:8787/', server.url)
  try {
    const made = await run('sh', ['-ec', here(machines)])
    expect([made.code, made.stdout.match(/1 record sent/g)]).toEqual([
      0,
      Array.from({ length: 3 }, () => '1 record sent'),
    ])
    const { stdout, code } = await run('sh', ['-ec', here(look)])
    const [seen, refused] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    expect(seen.machines.map(({ records }: { records: number }) => records)).toEqual([1, 1, 1])
    expect(refused.refusals).toMatchObject([{ event: 'PreToolUse', tool: 'Bash', outcome: 'denied', count: 3 }])
  } finally {
    await server.stop()
  }
})

it('measures a server, and says each goal', { timeout: SCRIPT_TIMEOUT_MS }, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [join(ROOT, 'scripts/fleet-load.js'), '--short'])
  expect([code, stderr]).toEqual([0, ''])
  for (const goal of ['F3 sqlite', 'F4 wire', 'F4 sqlite', 'F5 sqlite', 'F9 sqlite']) expect(stdout).toContain(goal)
  expect(stdout.match(/.*F9.*/g)?.every((line) => line.startsWith('held'))).toBe(true)
})

it('loses nothing and has nothing twice where its parts are killed', { timeout: SCRIPT_TIMEOUT_MS }, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [
    KILL,
    '--store',
    'sqlite',
    '--store',
    'postgres',
    '--short',
  ])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('sqlite: 0 lost, 0 twice')
})

it('shows a fleet for some seconds', { timeout: SCRIPT_TIMEOUT_MS }, async () => {
  const { code, stdout } = await run(process.execPath, [join(ROOT, 'scripts/fleet-demo.js'), '--seconds', '1'])
  expect(code).toBe(0)
  expect(stdout).toContain('silent-guard: it ran on 2 of 3 machines')
  expect(stdout).toContain('/page/open?key=')
})

it.skipIf(missing !== null)(
  `loses nothing while servers, streams and the database of a fleet are killed in turn${missing === null ? '' : ` (${missing})`}`,
  { timeout: SCRIPT_TIMEOUT_MS },
  async () => {
    const { code, stdout, stderr } = await run(process.execPath, [KILL, '--store', 'stream', '--short'])
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('0 lost, 0 twice')])
    expect(stdout).toContain('records were acknowledged while each part was away')
  },
)
