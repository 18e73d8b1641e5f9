/** Calls the built command again and again in one process, each time with streams and variables of its own. Started by `lasting-command.js`. */
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

process.on('message', (/** @type {import('./lasting-command.js').Told} */ told) => {
  if ('args' in told) void call(told)
  else if (told.input === null) input.end()
  else input.write(told.input)
})
process.on('disconnect', () => process.exit())

/**
 * Calls the command as a process of its own would, and tells its exit code.
 * @param {{ args: readonly string[], env: import('./lasting-command.js').Environment }} call
 */
async function call({ args, env }) {
  input = new PassThrough()
  process.argv = [process.execPath, COMMAND, ...args]
  process.exitCode = undefined
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  calls += 1
  await import(`${COMMAND}?call=${calls}`) // calls the command: the modules that it imports are there already
  process.send?.({ code: Number(process.exitCode ?? 0) })
}
