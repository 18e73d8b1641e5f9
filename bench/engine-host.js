/**
 * A host for what pipes and sessions cost: imports the engine from a file, opens one with a launcher on an event with so
 * many hooks, and prints for every line how many milliseconds a dispatch takes. With `once` it dispatches once and ends.
 */
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { BASH_CALL, untilPooled, withEngine } from './project.js'

const [file = '', launcher = '', count = '1', once = ''] = process.argv.slice(2)
/** @type {typeof import('hookline')} */
const { openEngine } = await import(pathToFileURL(file).href)
const hooks = Array.from({ length: Number(count) }, (_, at) => ({ type: 'command', command: `true #${at}` }))
/** @type {import('hookline').EngineOptions} */
const options = { launcher: launcher === 'direct' ? 'direct' : 'auto' }

await withEngine({ PreToolUse: [{ hooks }] }, once === '' ? serve : fireOnce, options, openEngine)

/** @param {import('hookline').Engine} engine */
async function fireOnce(engine) {
  await engine.dispatch(BASH_CALL)
}

/** @param {import('hookline').Engine} engine */
async function serve(engine) {
  if (launcher === 'pool') await untilPooled(engine)
  for await (const _ of createInterface(process.stdin)) {
    const start = performance.now()
    await engine.dispatch(BASH_CALL)
    await new Promise((resolve) => setImmediate(resolve)) // a shell is cleared when nobody else wants anything
    console.log(String(performance.now() - start))
  }
}
