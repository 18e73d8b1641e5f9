/** A host for the measure of memory: reads so many bytes from a hook, and prints by how much it grew at its highest. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { BASH_CALL, withEngine } from './project.js'

const [reader, bytes] = process.argv.slice(2)
const flood = `head -c ${bytes} /dev/zero`
const grownKiB = reader === 'engine' ? await throughEngine() : await throughSpawn()
console.log(JSON.stringify({ grownMiB: grownKiB / 1024 }))

function throughEngine() {
  const commands = ['true', flood].map((command) => ({ type: 'command', command }))
  const hooks = { Stop: [{ hooks: commands.slice(0, 1) }], PreToolUse: [{ hooks: commands.slice(1) }] }
  return withEngine(hooks, async (engine) => {
    for (let left = 20; left > 0; left--) await engine.dispatch({ hook_event_name: 'Stop' })
    return grownWhile(async () => {
      const [line] = (await engine.dispatch(BASH_CALL)).hooks
      if (line?.stdoutBytes !== Number(bytes)) throw new Error(`${line?.stdoutBytes} of ${bytes} bytes were read`)
    })
  })
}

async function throughSpawn() {
  for (let left = 20; left > 0; left--) await drained('true')
  return grownWhile(() => drained(flood))
}

/**
 * @param {string} command
 * @returns {Promise<void>}
 */
function drained(command) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'pipe' })
    child.stdout.resume()
    child.stderr.resume()
    child.stdin.end()
    child.on('close', () => resolve())
  })
}

/** @param {() => Promise<void>} act */
async function grownWhile(act) {
  writeFileSync('/proc/self/clear_refs', '5') // the highest resident set counts from here
  const before = kibibytes('VmRSS')
  await act()
  return kibibytes('VmHWM') - before
}

/** @param {string} field */
function kibibytes(field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
