import { COMMANDS } from '../../src/cli/commands.ts'
import { call } from '../../src/cli/start/call.ts'
import { captured } from './captured.ts'
import { type Ended, placesOf, withConsent } from './command.ts'
import type { World } from './project.ts'

/** Variables of a call; one that is undefined is not there. */
type Environment = Readonly<Record<string, string | undefined>>

let last: Promise<unknown> = Promise.resolve()

/**
 * Calls a command in a world as `hookline` of `command.ts` does, in this process and from the sources: a tenth of the time,
 * for tests of what a command does. One call after the other, since each has the streams and the environment to itself.
 */
export function hooklineInProcess(
  world: World,
  args: string[],
  {
    env = {},
    places = placesOf(world, args[0]),
  }: { readonly env?: Environment; readonly places?: readonly string[] } = {},
): Promise<Ended> {
  const ended = last.then(() => called([...withConsent(args), ...places], env))
  last = ended.catch(() => {}) // told to the one who called
  return ended
}

async function called([name = '', ...args]: string[], env: Environment): Promise<Ended> {
  const command = COMMANDS[name]
  if (!command) throw new Error(`"${name}" is not a command`)
  const before = new Map(Object.keys(env).map((variable) => [variable, process.env[variable]]))
  const stdout = captured(process.stdout)
  const stderr = captured(process.stderr)
  for (const [variable, value] of Object.entries(env)) set(variable, value)
  try {
    const code = await call(name, args, command.load)
    return { code, stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    for (const [variable, value] of before) set(variable, value)
  }
}

function set(variable: string, value: string | undefined): void {
  if (value === undefined) delete process.env[variable]
  else process.env[variable] = value
}
