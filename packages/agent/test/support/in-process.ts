import { Readable } from 'node:stream'
import { captured } from '../../../hookline/test/support/captured.ts'
import type { World } from '../../../hookline/test/support/project.ts'
import { call } from '../../src/cli/call.ts'
import { type Call, type Ended, environment, placesOf, printingBy } from './command.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Calls the command in a world as `runAgent` of `command.ts` does, in this process and from the sources: a fraction of the
 * time, for tests of what it does. One call after the other, since each has the streams and the environment to itself.
 */
export function runAgent(world: World, { args, input = '', env = {} }: Call): Promise<Ended> {
  const ended = last.then(() => called([...args, ...placesOf(world)], { ...environment(), ...env }, input))
  last = ended.catch(() => {}) // told to the one who called
  return ended
}

/** The same in print mode, with a scripted model, and its hooks accepted unless the arguments are others. */
export const print = printingBy(runAgent)

async function called(args: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<Ended> {
  const before = Object.getOwnPropertyDescriptors(process)
  Object.defineProperty(process, 'env', { ...before.env, value: env })
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from(input === '' ? [] : [input]) })
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)]
  try {
    const code = await call(args)
    return { code, stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    Object.defineProperty(process, 'env', before.env)
    Object.defineProperty(process, 'stdin', before.stdin)
  }
}
