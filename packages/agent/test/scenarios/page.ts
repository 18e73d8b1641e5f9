import type { CommandRuns, Host, Library, Scenario } from './scenario.ts'

/** A scenario, and the input that its hook really got. */
export interface Played {
  readonly scenario: Scenario
  readonly input: Record<string, unknown>
}

/** `docs/agent-events.md` and its twin: how every event of the reference agent comes about. */
export function agentEventsPage(played: readonly Played[], profile: 'classic' | 'current'): string {
  return [
    `# When the agent fires which event${profile === 'classic' ? '' : ' of `current`'}`,
    '',
    '<!-- Written by packages/agent/test/hooks/agent-events.e2e.test.ts: `npx vitest run --project e2e agent-events -u` -->',
    '',
    ...INTRODUCTIONS[profile],
    '',
    '| event | value | fires when | a block |',
    '|---|---|---|---|',
    ...played.map(({ scenario }) => row(scenario)),
    '',
    `A call of a tool that does not exist, and one whose input does not fit its tool, is not made and fires ${FIRED_ALL_THE_SAME[profile]}: hooks see`,
    'inputs in the shape of the tool only. The model reads what is wrong. An input that a hook rewrote so that it does not fit',
    'ends the same way; its PreToolUse has fired then.',
    '',
    ...played
      .filter(({ scenario }) => scenario.block !== null || hasOwnFields(scenario))
      .flatMap((one) => section(one, profile)),
  ].join('\n')
}

const FIRED_ALL_THE_SAME = { classic: 'no event', current: 'PostToolBatch alone' } as const

/** Values with fields that others do not have. */
function hasOwnFields({ event, value }: Scenario): boolean {
  return [
    'SessionStart resume',
    'SessionStart fork',
    'InstructionsLoaded nested_traversal',
    'InstructionsLoaded path_glob_match',
    'InstructionsLoaded include',
    'StopFailure invalid_request',
  ].includes(`${event} ${value}`)
}

const INTRODUCTIONS = {
  classic: [
    'This page says when the agent fires which event of `classic`, what a hook is given then, and what a block does.',
    '',
    'Each scenario below was played with the built `hookline-agent` and the scripted model, once with a hook that wrote down',
    'its input and once with a hook that exits 2 with `not today` on its stderr. `H` is that hook’s command; ids and folders',
    'are left out. Where no `turns.json` is shown it is `{}`, and the model says `done`.',
    '[The events of `current`](agent-events-current.md) have a page of their own.',
  ],
  current: [
    'This page says when the agent fires which event of `current`, what a hook is given then, and what a block does.',
    '',
    'Each scenario below was played with the agent and the scripted model, with a hook that wrote down its input and, where',
    'a block is described, exits 2 with `not today` on its stderr. `H` is that hook’s command; ids, times and folders are left out.',
    'A value without a section of its own has the fields of the first of its event. [The events of `classic`](agent-events.md) have a page of their own.',
  ],
} as const

function row(scenario: Scenario): string {
  const { event, value, variant, when, block } = scenario
  const name = block !== null || hasOwnFields(scenario) ? link(event, value) : event
  const shown = value === null ? '(none)' : `\`${value}\``
  const which = variant === undefined ? shown : `${shown}, \`${variant}\``
  return `| ${[name, which, when, block?.does ?? 'the same'].join(' | ')} |`
}

function section({ scenario, input }: Played, profile: 'classic' | 'current'): string[] {
  const { event, value, when, through, block } = scenario
  return [
    `## ${titleOf(event, value)}`,
    '',
    `Fires when ${when}.`,
    '',
    ...linesOf(through, profile),
    '',
    'The hook reads:',
    '',
    '```json',
    JSON.stringify(input, null, 2),
    '```',
    '',
    ...(block === null
      ? []
      : [
          `A block: ${block.does}.${block.code === null ? '' : ` Exit code ${block.code}.`}`,
          '',
          ...quoted('The user reads:', block.person),
          ...quoted('The model reads:', block.model),
        ]),
  ]
}

function linesOf(through: Scenario['through'], profile: 'classic' | 'current'): string[] {
  if (through.by === 'host') return hostLines(through)
  return through.by === 'command' ? commandLines(through, profile) : libraryLines(through)
}

function hostLines({ how, script }: Host): string[] {
  const said = script === undefined ? [] : [' The model says:', '', '```json', JSON.stringify(script), '```']
  return [`Through the library: ${how}.${said[0] ?? ''}`, ...said.slice(1)]
}

function commandLines({ runs, script = {}, provider }: CommandRuns, profile: 'classic' | 'current'): string[] {
  const chosen = profile === 'classic' ? '' : ` --profile ${profile}`
  const model = provider ? `${provider}/claude-sonnet-4-5` : 'script:turns.json'
  const lines = runs.map((args) => `hookline-agent ${args.map(word).join(' ')} --trust${chosen} --model ${model}`)
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
  const anchor = titleOf(event, value)
    .toLowerCase()
    .replace(': ', '-')
    .replace(/[^\w-]/g, '')
  return `[${event}](#${anchor})`
}
