import { COMMANDS } from '../src/cli/commands.ts'
import type { Command } from '../src/cli/start/call.ts'

/** The pages of the command line, by path below `docs/`: a table of all commands, and a page for each. */
export async function commandPages(): Promise<Record<string, string>> {
  const stray = Object.keys(READ_ON).find((name) => !Object.hasOwn(COMMANDS, name))
  if (stray !== undefined) throw new TypeError(`READ_ON has links for "${stray}", which is not a command`)
  const commands = await Promise.all(Object.entries(COMMANDS).map(described))
  const pages = commands.map((command) => [`commands/${command.name}.md`, commandPage(command)])
  return { 'commands.md': tablePage(commands), ...Object.fromEntries(pages) }
}

const GENERATED = '<!-- Generated from packages/hookline/src/cli by `npm run generate`. -->'

function tablePage(commands: readonly Described[]): string {
  return [
    '# Commands',
    '',
    GENERATED,
    '',
    '`hookline` alone prints a short map of the commands, and the state of the hooks in this folder.',
    '',
    'Every command has `--help`',
    'and `--json`. Colour is for terminals, and not where `NO_COLOR` is set. A fault of Hookline itself is exit code 3.',
    '',
    '| command | what it does | exit codes |',
    '|---|---|---|',
    ...commands.map(({ name, summary, exitCodes }) => `| [${name}](commands/${name}.md) | ${summary} | ${exitCodes} |`),
    '',
  ].join('\n')
}

function commandPage({ name, when, usage }: Described): string {
  return [
    `# hookline ${name}`,
    '',
    GENERATED,
    '',
    when,
    '',
    '```',
    usage.trimEnd(),
    '```',
    '',
    ...readOn(name),
    'All commands: [Commands](../commands.md).',
    '',
  ].join('\n')
}

interface Described {
  readonly name: string
  readonly summary: string
  readonly when: string
  readonly usage: string
  readonly exitCodes: string
}

async function described([name, { summary, when, load }]: [string, Command]): Promise<Described> {
  const { usage } = await load()
  const [, codes = ''] = usage.split(/^Exit codes: /m)
  return { name, summary, when, usage, exitCodes: codes.trim().replace(/\.$/, '').replaceAll('\n', ' ') }
}

function readOn(name: string): string[] {
  const links = READ_ON[name] ?? []
  return links.length > 0
    ? [`Read on: ${links.map(([title, address]) => `[${title}](../${address})`).join(', ')}.`, '']
    : []
}

type Link = readonly [title: string, address: string]

const BAD_DAY: Link = ['From a bad day to a test', 'from-a-bad-day-to-a-test.md']
const SILENT: Link = ['My hook does not fire', 'my-hook-does-not-fire.md']
const MATCHERS: Link = ['matchers', 'configuration.md#matchers']
const FIRST: Link = ['Your first hook', 'first-hook.md']
const TRUST: Link = ['what trusting does', 'security.md#what-trusting-does']
const SCOPES: Link = ['where hooks come from', 'configuration.md#where-hooks-come-from']
const LOGS: Link = ['Logs and stats', 'logs-and-stats.md']

/** Where a command is shown at work, if anywhere. */
const READ_ON: Readonly<Record<string, readonly Link[]>> = {
  guard: [['guards', 'guards.md']],
  effects: [['guards', 'guards.md']],
  events: [['Events', 'events.md']],
  list: [SILENT, SCOPES],
  validate: [['Rules', 'rules.md'], SILENT],
  match: [MATCHERS, SILENT],
  explain: [SILENT, ['the verdicts', 'configuration.md#my-hook-did-not-run']],
  fire: [SILENT, ['Writing a hook', 'writing-a-hook.md']],
  session: [['Embedding', 'embedding.md']],
  mcp: [['Hooks in front of an MCP server', 'mcp-guard.md']],
  wrap: [['Hooks that an agent loads by itself', 'bridges.md#hooks-that-an-agent-loads-by-itself']],
  tap: [['Record real sessions', 'with-claude-code.md#record-real-sessions-hookline-tap'], LOGS],
  trust: [TRUST, FIRST],
  add: [SCOPES],
  remove: [SCOPES],
  init: [FIRST, ['Writing a hook', 'writing-a-hook.md']],
  test: [BAD_DAY],
  replay: [BAD_DAY],
  'check-races': [['Compatibility', 'compatibility.md']],
  doctor: [SILENT],
  log: [LOGS],
  stats: [LOGS],
  schema: [['Events', 'events.md']],
}
