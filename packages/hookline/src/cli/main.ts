import { readFileSync } from 'node:fs'
import { COMMANDS } from './commands.ts'
import { UsageError } from './flags.ts'

/** Exit codes: 0 nothing objected, 1 a mistake of the caller, 2 blocked, 3 a fault of ours. */
const MISTAKE = 1
const FAULT = 3

process.stdout.on('error', () => process.exit(MISTAKE)) // nobody reads any more
process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') return await introduce(name)
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (!command) {
      const { overview } = await import('./overview.ts')
      process.stderr.write(`hookline: "${name}" is not a command.\n\n${overview()}`)
      return MISTAKE
    }
    const { run, usage } = await command.load()
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(usage)
      return 0
    }
    return await run(args)
  } catch (error) {
    return explain(error, name ?? '')
  }
}

/** The map of commands; called alone also how this project stands. */
async function introduce(name: string | undefined): Promise<number> {
  const { overview, projectState } = await import('./overview.ts')
  process.stdout.write(overview())
  if (name === undefined) process.stdout.write(`\n${await projectState()}`)
  return 0
}

/** What a failure was: of the caller, in one sentence; of ours, with all there is to find it. */
function explain(error: unknown, command: string): number {
  if (error instanceof UsageError) {
    process.stderr.write(`hookline ${command}: ${error.message}\nSee hookline ${command} --help.\n`)
    return MISTAKE
  }
  if (error instanceof Error && error.name === 'HooklineError') {
    process.stderr.write(`hookline ${command}: ${error.message}\n`)
    return MISTAKE
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(
    `hookline ${command}: a fault in Hookline itself, not in your configuration. Please report it:\n${details}\n`,
  )
  return FAULT
}

function version(): string {
  const { version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(number)
}
