import { COMMANDS, type Command } from '../src/cli/commands.ts'

/** `docs/commands.md`: the table of commands, and a section for each with its help. */
export async function commandsPage(): Promise<string> {
  const commands = await Promise.all(Object.entries(COMMANDS).map(described))
  return [
    '# Commands',
    '',
    '<!-- Generated from packages/hookline/src/cli by `npm run generate`. -->',
    '',
    '`npx hookline` alone prints a short map of the commands, and how it stands with the hooks of this folder. Every command has `--help`, which is the text below,',
    'and `--json`. Colour is for terminals, and not where `NO_COLOR` is set. A fault of Hookline itself is exit code 3.',
    '',
    '| command | what it does | exit codes |',
    '|---|---|---|',
    ...commands.map(({ name, summary, exitCodes }) => `| [${name}](#${name}) | ${summary} | ${exitCodes} |`),
    '',
    ...commands.flatMap(({ name, usage }) => [`## ${name}`, '', '```', usage.trimEnd(), '```', '', ...readOn(name)]),
  ].join('\n')
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
    ? [`Read on: ${links.map(([title, address]) => `[${title}](${address})`).join(', ')}.`, '']
    : []
}

type Link = readonly [title: string, address: string]

const SILENT: Link = ['My hook does not fire', 'my-hook-does-not-fire.md']
const MATCHERS: Link = ['matchers', 'configuration.md#matchers']
const FIRST: Link = ['Your first hook', 'first-hook.md']
const TRUST: Link = ['what accepting does', 'security.md#what-accepting-does']
const SCOPES: Link = ['where hooks come from', 'configuration.md#where-hooks-come-from']

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
  doctor: [SILENT],
  schema: [['Events', 'events.md']],
}
