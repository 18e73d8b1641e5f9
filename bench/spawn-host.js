/**
 * A host for the measures of dispatching that starts shells as anybody would: a line `N` starts N of them with the
 * event on their input, and prints the milliseconds.
 */
import { createInterface } from 'node:readline'
import { runAll } from './measures/spawning.js'
import { BASH_CALL } from './project.js'

const payload = Buffer.from(`${JSON.stringify(BASH_CALL)}\n`)

for await (const count of createInterface(process.stdin)) {
  const commands = Array.from({ length: Number(count) }, (_, at) => `true #${at}`)
  const start = performance.now()
  await runAll(commands, payload)
  console.log(String(performance.now() - start))
}
