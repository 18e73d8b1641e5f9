/**
 * Runs the bundle of the quick commands once, on an event with a hook, and keeps what V8 has compiled meanwhile beside
 * it, for this very Node. build.js calls it in a process of its own.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'

const [node = '', , filename = ''] = process.argv
const project = mkdtempSync(join(tmpdir(), 'hookline-build-'))
const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] }
mkdirSync(join(project, '.claude'))
writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }))

const places = ['--project', project, '--home', project, '--managed', join(project, 'none.json')]
process.argv = [node, filename, 'fire', 'PreToolUse', 'tool_name=Bash', '--json', '--trust', ...places]
const script = new Script(readFileSync(filename, 'latin1'), { filename })
script.runInThisContext()(createRequire(filename))

process.on('exit', () => {
  writeFileSync(`${filename}.${process.version}-${process.platform}-${process.arch}`, script.createCachedData())
  rmSync(project, { recursive: true })
})
