import { existsSync } from 'node:fs'
import type { Engine } from '../engine/engine-interface.ts'
import { homeFolder } from '../files/home.ts'
import { pathIn } from '../files/paths.ts'
import { suggestion } from '../text/nearest.ts'
import { VERSION } from '../text/version.ts'
import { COMMANDS } from './commands.ts'
import { call, explained } from './start/call.ts'
import { MISTAKE } from './start/exit.ts'
import { print, tell, watchedStdout } from './start/print.ts'
import { columns } from './view/layout.ts'
import { terminalOf } from './view/terminal.ts'

watchedStdout()
process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === '-V') {
    print(`${VERSION}\n`)
    return 0
  }
  const [about] = args
  if (name === 'help' && about !== undefined && !about.startsWith('-')) return main([about, '--help'])
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return explained(name ?? '', () => introduce(name))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) {
    const code = await call(name, args, command.load)
    await keepLauncher()
    return code
  }
  const near = suggestion(name, [...Object.keys(COMMANDS), 'help'])
  tell(
    near === ''
      ? `hookline: "${name}" is not a command.\n\n${overview()}`
      : `hookline: "${name}" is not a command.${near}\nhookline --help lists the commands.\n`,
  )
  return MISTAKE
}

/** After an upgrade: agents start Hookline by a launcher that an earlier version wrote. */
async function keepLauncher(): Promise<void> {
  const home = homeFolder()
  if (!existsSync(pathIn(home, '.hookline', 'bin', 'hookline'))) return
  const { renewLauncher } = await import('../bridges/launcher.ts') // which most users need not
  await renewLauncher(home, process.cwd(), { isAsked: false })
}

/** Prints the commands and the profile in force; without any word also how this project stands. */
async function introduce(name: string | undefined): Promise<number> {
  print(overview())
  const { withEngine } = await import('./start/opening.ts') // which other commands may do without
  const { printProfile } = await import('./start/profile-line.ts')
  return withEngine({}, async (engine) => {
    if (name === undefined) print(`\n${await projectState(engine)}`)
    printProfile(engine, {})
    return 0
  })
}

function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [`  ${name}`, summary])
  const lines = columns(rows, terminalOf(process.stdout, process.env).width, 1)
  return [
    'hookline: the hooks engine for coding agents',
    '',
    ...lines,
    '',
    'hookline help <command> tells more.',
    '',
  ].join('\n')
}

/** How it stands with the hooks of the folder we are in, in a line or two. */
async function projectState(engine: Engine): Promise<string> {
  const { needsAttention } = await import('../engine/listing.ts')
  const hooks = engine.list()
  const attention = hooks.filter(needsAttention).length
  const problems = engine.problems.filter(({ rule }) => rule !== 'untrusted').length // its hooks need attention
  if (hooks.length === 0 && problems === 0) return 'No hooks are configured here. hookline init makes one.\n'
  const count = `${hooks.length} ${hooks.length === 1 ? 'hook is' : 'hooks are'} configured here`
  if (attention === 0 && problems === 0) return `${count}, all of them active.\n`
  return `${count}; ${attention} ${attention === 1 ? 'needs' : 'need'} attention (hookline list).\n`
}
