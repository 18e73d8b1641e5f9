import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'
import type { DispatchRecord } from '../../src/index.ts'
import { commands, makeWorld } from '../support/project.ts'

/** One file that runs anywhere: the host and the engine's sources. */
const BUNDLE = {
  entryPoints: [fileURLToPath(new URL('fixtures/host.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'],
  logLevel: 'error',
} satisfies BuildOptions

/**
 * Fires a call of the Bash tool at a hook from a host process of its own, so that the test can choose what that host
 * inherits: `launch` turns the shell text that runs it into the words to execute.
 */
export async function fireInHost(command: string, launch: (host: string) => string[]): Promise<DispatchRecord> {
  const { root } = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [commands(command)] } } })
  const program = join(root, 'host.cjs')
  await build({ ...BUNDLE, outfile: program })
  const [file = '', ...args] = launch(`'${process.execPath}' '${program}' '${root}'`)
  await promisify(execFile)(file, args, { timeout: 20_000 })
  return JSON.parse(await readFile(join(root, 'record.json'), 'utf8'))
}
