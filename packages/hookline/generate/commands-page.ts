import { COMMANDS } from '../src/cli/commands.ts'
import { ENGINE_USAGE } from '../src/cli/flags.ts'

/** `docs/commands.md`: a section for each command of the command line. */
export async function commandsPage(): Promise<string> {
  const names = Object.keys(COMMANDS)
  return [
    '# Commands',
    '',
    '<!-- Generated from packages/hookline/src/cli by `npm run generate`. -->',
    '',
    '`npx hookline` alone prints a short map of the commands and how it stands with the hooks of this folder. Every command has `--help`, which is the text below,',
    'and `--json`. Colour is for terminals, and never where `NO_COLOR` is set.',
    '',
    '| command | what it does |',
    '|---|---|',
    ...names.map((name) => `| [${name}](#${name}) | ${COMMANDS[name]?.summary} |`),
    '',
    'Exit codes: 0 is yes, 1 is no or a mistake in the call, 2 is said by `fire` alone and means that the event was blocked. 3 is a fault of Hookline; please report it.',
    '',
    '## Flags of every command',
    '',
    '```',
    ENGINE_USAGE.trimEnd(),
    '```',
    '',
    ...(await Promise.all(names.map(section))).flat(),
  ].join('\n')
}

async function section(name: string): Promise<string[]> {
  const { usage = '' } = (await COMMANDS[name]?.load()) ?? {}
  const [text = '', codes = ''] = usage.split(/^Exit codes: /m)
  const more = READ_ON[name] ?? []
  return [
    `## ${name}`,
    '',
    '```',
    usage.includes(ENGINE_USAGE) ? text.replace(ENGINE_USAGE, '  … and the flags of every command\n').trimEnd() : text,
    '```',
    '',
    `Exit codes: ${codes.trim().replaceAll('\n', ' ')}`,
    '',
    ...(more.length > 0
      ? [`Read on: ${more.map(([title, address]) => `[${title}](${address})`).join(', ')}.`, '']
      : []),
  ]
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
