/**
 * The least that a Node process takes which has resident shells start hooks: it asks no settings, guards nobody, keeps no record and
 * reads no result but the exit code and both outputs. A line `N` has N shells started, 8 at a time, and prints the milliseconds.
 */
import { spawn } from 'node:child_process'
import { constants, openSync, readSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'

const AT_A_TIME = Math.max(8, 2 * availableParallelism())
const EVENT = `${JSON.stringify({ hook_event_name: 'PreToolUse', rest: 'x'.repeat(550) })}\n`
const chunk = Buffer.alloc(64 * 1024)

/** A shell that starts a hook with a pipe each for its input and outputs. */
async function startShell() {
  const child = spawn('/bin/sh', ['-c', 'exec /bin/sh -s <&3 3<&-'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const control = /** @type {import('node:stream').Writable} */ (child.stdio[3])
  let heard = (/** @type {string} */ _text) => {}
  child.stdout?.setEncoding('latin1').on('data', (text) => heard(text))
  const ask = (/** @type {string} */ line) =>
    new Promise((resolve) => {
      heard = resolve
      control.write(line)
    })
  await ask(`exec 3<<'E' 4<<'E'; echo\n{}\nE\n{}\nE\n`)
  const outputs = [3, 4].map((made) =>
    openSync(`/proc/${child.pid}/fd/${made}`, constants.O_RDONLY | constants.O_NONBLOCK),
  )
  for (const output of outputs) readSync(output, chunk)
  await ask('exec 3<&- 4<&-; echo\n')
  const [stdout, stderr] = outputs.map((output) => `/proc/${process.pid}/fd/${output}`)
  return async (/** @type {number} */ number) => {
    const answer = await ask(`/bin/sh -c 'true #${number}' <<'E' >${stdout} 2>${stderr}; echo =$?\n${EVENT}E\n`)
    if (answer !== '=0\n') throw new Error(`a shell answered ${answer}`)
    for (const output of outputs) readSync(output, chunk)
  }
}

const shells = await Promise.all(Array.from({ length: AT_A_TIME }, startShell))
for await (const line of createInterface(process.stdin)) {
  const count = Number(line)
  const start = performance.now()
  let next = 0
  const work = async (/** @type {typeof shells[number]} */ run) => {
    while (next < count) await run(next++)
  }
  await Promise.all(shells.slice(0, count).map(work))
  console.log(String(performance.now() - start))
}
process.exit()
