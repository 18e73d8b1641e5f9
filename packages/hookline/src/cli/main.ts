import { existsSync } from 'node:fs'
import { findHome } from '../files/home.ts'
import { joinPath } from '../files/paths.ts'
import { formatSuggestion } from '../text/nearest.ts'
import { VERSION } from '../text/version.ts'
import { COMMANDS } from './commands.ts'
import { findMeantCommand } from './meant-command.ts'
import { call, GROUPS, runExplained } from './start/call.ts'
import { MISTAKE } from './start/exit.ts'
import { openStdout, print, tell } from './start/print.ts'
import { formatColumns } from './view/layout.ts'
import { openTerminal } from './view/terminal.ts'

openStdout()
process.exitCode = await runMain(process.argv.slice(2))

async function runMain([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === '-V' || name === 'version') {
    print(`${VERSION}\n`)
    return 0
  }
  const [about] = args
  if (name === 'help' && about !== undefined && !about.startsWith('-')) return runMain([about, '--help'])
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return runExplained(name ?? '', () => printOverview(name, args))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) {
    const code = await call(name, args, command.load)
    await runExplained(name, keepLauncher)
    return code
  }
  const meant = findMeantCommand(name)
  const near = meant === null ? formatSuggestion(name, [...Object.keys(COMMANDS), 'help']) : ` ${meant}`
  tell(
    near === ''
      ? `hookline: "${name}" is not a command.\n\n${formatOverview()}`
      : `hookline: "${name}" is not a command.${near}\nhookline --help lists the commands.\n`,
  )
  return MISTAKE
}

/** After an upgrade: agents start Hookline by a launcher that an earlier version wrote. */
async function keepLauncher(): Promise<number> {
  const home = findHome()
  if (!existsSync(joinPath(home, '.hookline', 'bin', 'hookline'))) return 0
  const { renewLauncher } = await import('../bridges/install/launcher.ts') // most users do not need this
  await renewLauncher(home, process.cwd(), { isAsked: false })
  return 0
}

/** Prints how it stands here, if nothing else was asked for, then the commands and the profile in force. */
async function printOverview(name: string | undefined, flags: readonly string[]): Promise<number> {
  const isAll = flags.includes('--all')
  const { withEngine } = await import('./start/opening.ts') // other commands may do without
  const { printProfile } = await import('./start/profile-line.ts')
  const { describeState } = await import('./input/state.ts')
  return withEngine({}, async (engine) => {
    if (name === undefined) print(`${(await describeState(engine)).join('\n')}\n\n`)
    print(isAll ? formatAllCommands() : formatOverview())
    printProfile(engine, {})
    return 0
  })
}

/** The commands that most people need, by what they are for. */
function formatOverview(): string {
  const rows = Object.entries(GROUPS).flatMap(([group, names]) =>
    names.map((name, at) => [at === 0 ? group : '', name, COMMANDS[name]?.summary ?? '']),
  )
  return [
    'hookline: the hooks engine for coding agents',
    '',
    ...formatColumns(rows, openTerminal(process.stdout, process.env).width),
    '',
    'hookline help <command> tells more, hookline help --all lists every command.',
    '',
  ].join('\n')
}

function formatAllCommands(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [`  ${name}`, summary])
  const lines = formatColumns(rows, openTerminal(process.stdout, process.env).width, 1)
  return ['hookline: all commands', '', ...lines, '', 'hookline help <command> tells more.', ''].join('\n')
}
