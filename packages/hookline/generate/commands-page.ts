import { COMMANDS } from '../src/cli/commands.ts'
import type { Command } from '../src/cli/start/call.ts'

/** The pages of the command line, by path below `docs/`: a table of all commands, and a page for each. */
export async function commandPages(): Promise<Record<string, string>> {
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
    '`npx hookline` alone prints a short map of the commands, and how it stands with the hooks of this folder. Every command has `--help`',
    'and `--json`. Colour is for terminals, and not where `NO_COLOR` is set. A fault of Hookline itself is exit code 3.',
    '',
    '| command | what it does | exit codes |',
    '|---|---|---|',
    ...commands.map(({ name, summary, exitCodes }) => `| [${name}](commands/${name}.md) | ${summary} | ${exitCodes} |`),
    '',
  ].join('\n')
}

function commandPage({ name, usage }: Described): string {
  return [
    `# hookline ${name}`,
    '',
    GENERATED,
    '',
    ...(WHEN[name] === undefined ? [] : [WHEN[name], '']),
    '```',
    usage.trimEnd(),
    '```',
    '',
    ...readOn(name),
    'All commands: [Commands](../commands.md).',
    '',
  ].join('\n')
}

/** When to use each command. */
const WHEN: Readonly<Record<string, string>> = {
  events: 'When you write a hook and want to know what it gets, what it may answer, and who reads that.',
  list: 'When you want to see every hook there is, wherever it is written, and which of them can run at all.',
  validate: 'Before you rely on a configuration, and in CI: every fault with its place and what to do about it.',
  match: 'When a matcher does not match what you meant.',
  explain:
    'When a hook does not fire: it says of every hook what an event would do with it, and why. Nothing is executed.',
  fire: 'When you want to see a hook at work, without an agent and without a token.',
  session: 'When a host in another language drives the engine, or a test sends several events.',
  trust:
    'When hooks of a folder are `untrusted`: what would run, what changed since you accepted it, and how to accept or revoke.',
  add: 'When you want a hook in a settings file without editing it by hand.',
  remove: 'When a hook is to go again; the rest of the file stays as it is, to the byte.',
  init: 'When you start a new hook: it writes a script that works and the entry that runs it.',
  doctor: 'When nothing helps: what is read from where, what is missing, what is off and why.',
  log: 'When you want to know what your hooks did yesterday: every event that was recorded, with what became of it.',
  stats:
    'When hooks feel slow or noisy: per hook how often it ran, objected and failed, how long it took, and what it put into the context.',
  test: 'When a hook must keep doing what it does: cases beside the hooks, run with the real configuration, in CI as well.',
  replay: 'When you change a hook and want to know what it would have done with the sessions you had.',
  'check-races':
    'When several hooks speak about one call: which of them would decide otherwise if they finished in another order.',
  schema: 'When an editor or a program wants the JSON Schema of settings, records, inputs or answers.',
  completion: 'When you want your shell to complete commands, flags and event names.',
}

interface Described {
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly exitCodes: string
}

async function described([name, { summary, load }]: [string, Command]): Promise<Described> {
  const { usage } = await load()
  const [, codes = ''] = usage.split(/^Exit codes: /m)
  return { name, summary, usage, exitCodes: codes.trim().replace(/\.$/, '').replaceAll('\n', ' ') }
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
const TRUST: Link = ['what accepting does', 'security.md#what-accepting-does']
const SCOPES: Link = ['where hooks come from', 'configuration.md#where-hooks-come-from']
const EVIDENCE: Link = ['What was recorded', 'evidence.md']

/** Where each command is shown at work. */
const READ_ON: Readonly<Record<string, readonly Link[]>> = {
  events: [['Events', 'events.md']],
  list: [SILENT, SCOPES],
  validate: [['Rules', 'rules.md'], SILENT],
  match: [MATCHERS, SILENT],
  explain: [SILENT, ['the verdicts', 'configuration.md#my-hook-did-not-run']],
  fire: [SILENT, ['Writing a hook', 'writing-a-hook.md']],
  session: [['Embedding', 'embedding.md']],
  trust: [TRUST, FIRST],
  add: [SCOPES],
  remove: [SCOPES],
  init: [FIRST, ['Writing a hook', 'writing-a-hook.md']],
  test: [BAD_DAY],
  replay: [BAD_DAY],
  'check-races': [['Compatibility', 'compatibility.md']],
  doctor: [SILENT],
  log: [EVIDENCE],
  stats: [EVIDENCE],
  schema: [['Events', 'events.md']],
}
