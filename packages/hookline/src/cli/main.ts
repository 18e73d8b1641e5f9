import { packageVersion } from '../files/shipped.ts'
import { COMMANDS } from './commands.ts'
import { call, explained, MISTAKE } from './start/call.ts'
import { print, tell, watchedStdout } from './start/print.ts'

watchedStdout()
process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    print(`${packageVersion()}\n`)
    return 0
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return explained(name ?? '', () => introduce(name))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return call(name, args, command.load)
  const { overview } = await import('./overview.ts')
  tell(`hookline: "${name}" is not a command.\n\n${overview()}`)
  return MISTAKE
}

/** The map of commands; called alone also how this project stands. */
async function introduce(name: string | undefined): Promise<number> {
  const { overview, projectState } = await import('./overview.ts')
  print(overview())
  if (name === undefined) print(`\n${await projectState()}`)
  return 0
}
