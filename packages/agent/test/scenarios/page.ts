import type { CommandRuns, Library, Scenario } from './scenario.ts'

/** A scenario, and the input that its hook really got. */
export interface Played {
  readonly scenario: Scenario
  readonly input: Record<string, unknown>
}

/** `docs/agent-events.md`: how every event of the reference agent comes about. */
export function agentEventsPage(played: readonly Played[]): string {
  return [
    '# When the agent fires which event',
    '',
    '<!-- Written by packages/agent/test/hooks/agent-events.e2e.test.ts: `npx vitest run --project e2e agent-events -u` -->',
    '',
    'Each scenario below was played with the built `hookline-agent` and the scripted model, once with a hook that wrote down',
    'its input and once with a hook that exits 2 with `not today` on its stderr. `H` is that hook’s command; ids and folders',
    'are left out. Where no `turns.json` is shown it is `{}`, and the model says `done`.',
    '',
    '| event | value | fires when | a block |',
    '|---|---|---|---|',
    ...played.map(({ scenario }) => row(scenario)),
    '',
    'A call of a tool that does not exist, and one whose input does not fit its tool, is not made and fires no event: hooks see',
    'inputs in the shape of the tool only. The model reads what is wrong. An input that a hook rewrote so that it does not fit',
    'ends the same way; its PreToolUse has fired then.',
    '',
    ...played.flatMap(section),
  ].join('\n')
}

function row({ event, value, when, block }: Scenario): string {
  return `| ${[link(event, value), value === null ? '(none)' : `\`${value}\``, when, block.does].join(' | ')} |`
}

function section({ scenario, input }: Played): string[] {
  const { event, value, when, through, block } = scenario
  return [
    `## ${titleOf(event, value)}`,
    '',
    `Fires when ${when}.`,
    '',
    ...(through.by === 'command' ? commandLines(through) : libraryLines(through)),
    '',
    'The hook reads:',
    '',
    '```json',
    JSON.stringify(input, null, 2),
    '```',
    '',
    `A block: ${block.does}.${block.code === null ? '' : ` Exit code ${block.code}.`}`,
    '',
    ...quoted('The user reads:', block.person),
    ...quoted('The model reads:', block.model),
  ]
}

function commandLines({ runs, script = {}, provider }: CommandRuns): string[] {
  const model = provider ? `${provider}/claude-sonnet-4-5` : 'script:turns.json'
  const lines = runs.map((args) => `hookline-agent ${args.map(word).join(' ')} --trust --model ${model}`)
  const turns = script.turns === undefined ? [] : ['', '`turns.json`:', '', '```json', JSON.stringify(script), '```']
  return ['```sh', ...lines, '```', ...(provider ? [] : turns)]
}

const PERSON: Readonly<Record<Library['person'], string>> = {
  answers: 'with a `dialog` in which the user answers at once',
  'answers-when-notified': 'with a `dialog` in which the user answers only after the notification',
  'fills-in-a-form': 'with an `elicit` in which the user fills in the form',
  'is-away': 'with `agent.notify`, which is what the terminal calls',
}

function libraryLines({ script, person }: Library): string[] {
  return [`Through the library, ${PERSON[person]}. The model says:`, '', '```json', JSON.stringify(script), '```']
}

function quoted(title: string, text: string | undefined): string[] {
  return text === undefined ? [] : [title, '', '```text', text, '```', '']
}

const word = (text: string): string => (/^[\w/-]+$/.test(text) ? text : `"${text}"`)
const titleOf = (event: string, value: string | null): string => (value === null ? event : `${event}: ${value}`)
const link = (event: string, value: string | null): string => {
  const anchor = titleOf(event, value).toLowerCase().replace(': ', '-')
  return `[${event}](#${anchor})`
}
