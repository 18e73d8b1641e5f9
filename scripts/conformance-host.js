/** Calls the built command again and again in one process, each time with streams and variables of its own. Started by `conformance-together.js`. */
import { PassThrough, Writable } from 'node:stream'

const COMMAND = new URL('../packages/hookline/dist/cli/main.js', import.meta.url).href

let input = new PassThrough()
let calls = 0
Object.defineProperty(process, 'stdin', { get: () => input })
for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      process.send?.({ [name]: chunk })
      done()
    },
  })
  Object.defineProperty(process, name, { get: () => stream })
}

process.on('message', (/** @type {import('./conformance-together.js').Told} */ told) => {
  if ('args' in told) void call(told)
  else if (told.input === null) input.end()
  else input.write(told.input)
})
process.on('disconnect', () => process.exit())

/**
 * Calls the command as a process of its own would, and tells its exit code.
 * @param {{ args: string[], env: Record<string, string> }} call
 */
async function call({ args, env }) {
  input = new PassThrough()
  process.argv = [process.execPath, COMMAND, ...args]
  process.exitCode = undefined
  Object.assign(process.env, env)
  calls += 1
  await import(`${COMMAND}?call=${calls}`) // calls the command: the modules that it imports are there already
  for (const name of Object.keys(env)) delete process.env[name]
  process.send?.({ code: Number(process.exitCode ?? 0) })
}
