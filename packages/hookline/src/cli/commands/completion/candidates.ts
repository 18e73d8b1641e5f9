import { AGENTS } from '../../../bridges/list.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import type { Profile } from '../../../protocol/profile.ts'
import type { Callable, Command } from '../../start/call.ts'
import { type EngineFlags, readProfilesInForce } from '../../start/flags.ts'
import { withEngine } from '../../start/opening.ts'

/** Surroundings of a word that is completed. */
export interface CompletionPlace {
  readonly commands: Readonly<Record<string, Command>>
  /** The words in front of the one that is completed, without the program. */
  readonly before: readonly string[]
  /** The beginning of the word that is completed; may be empty. */
  readonly current: string
  /** Place where hooks and profiles are looked for. */
  readonly places: Pick<EngineFlags, 'project' | 'home'>
}

/** Words that may stand at a place, in the order in which they are offered; none where files may. */
export async function findCandidates({ before, ...place }: CompletionPlace): Promise<string[]> {
  const [name, ...words] = before
  const all =
    name === undefined
      ? [...Object.keys(place.commands), 'help', '--help', '--version']
      : await listCandidates(name, words, place)
  return [...new Set(all)].filter((word) => word.startsWith(place.current))
}

type Place = Omit<CompletionPlace, 'before'>

async function listCandidates(
  name: string,
  words: readonly string[],
  { commands, current, places }: Place,
): Promise<readonly string[]> {
  if (name === 'help') return words.length === 0 ? [...Object.keys(commands), '--all'] : []
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return []
  const { usage } = await command.load()
  const previous = words.at(-1) ?? ''
  if (previous.startsWith('--') && isTakingValue(usage, previous)) return listFlagValues(previous, usage, places)
  if (current.startsWith('-')) return parseFlags(usage)
  const plain = words.filter((word) => !word.startsWith('-'))
  return listWords(name, plain, { usage, places })
}

/** Values of a flag; none where it names a file or a folder, or takes any text. */
async function listFlagValues(flag: string, usage: string, places: Place['places']): Promise<readonly string[]> {
  if (flag === '--event') return [...(await readProfileHere(places)).events.keys()]
  if (flag === '--explain') return listRuleNames()
  return parseFlagValues(usage)[flag] ?? []
}

/** Lists what may stand at the place of a word that is not a flag. */
async function listWords(
  name: string,
  words: readonly string[],
  { usage, places }: { readonly usage: string; readonly places: Place['places'] },
): Promise<readonly string[]> {
  if (name === 'remove') return words.length === 0 ? listHookKeys(places) : []
  if (name === 'bridge' && words.length === 1) return AGENTS
  if (name === 'log') return words.length === 0 ? ['show'] : []
  const choices = parseWords(usage)
  if (choices.length > 0) return words.length === 0 ? [...choices, ...(await listEventNames(usage, places))] : []
  const [event] = words
  if (event === undefined) return listEventNames(usage, places)
  const row = (await readProfileHere(places)).events.get(event)
  return row === undefined || !usage.includes('field=value') ? [] : listEventFields(row)
}

/** The events, where a call begins with one. */
async function listEventNames(usage: string, places: Place['places']): Promise<string[]> {
  const [call = ''] = usage.split('\n', 1)
  return /<Event>|\[Event\]/.test(call) ? [...(await readProfileHere(places)).events.keys()] : []
}

/** The fields of an event as they are set: `tool_name=`, and those inside of its example: `tool_input.command=`. */
function listEventFields({ inputFields, example }: EventRow): string[] {
  return inputFields.flatMap((field) => {
    const inner = example[field]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [`${field}=`]
    return [...Object.keys(inner).map((one) => `${field}.${one}=`), `${field}.`]
  })
}

async function readProfileHere(places: Place['places']): Promise<Profile> {
  return (await readProfilesInForce(places)).project
}

async function listHookKeys(places: Place['places']): Promise<string[]> {
  const keys: string[] = []
  await withEngine(places, async (engine) => {
    keys.push(...engine.list().map(({ key }) => key))
    return 0
  })
  return keys
}

async function listRuleNames(): Promise<string[]> {
  const { RULES } = await import('../../../check/rules/table.ts') // completing other words does without
  return RULES.flatMap(({ id, name }) => [name, id])
}

function parseFlags(usage: Callable['usage']): string[] {
  return [...[...usage.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag), '--help']
}

function isTakingValue(usage: string, flag: string): boolean {
  return new RegExp(`^ {2}(?:-\\w, )?${flag} [A-Z]`, 'm').test(usage) || flag === '--explain'
}

/** The values that a usage lists for its flags: `a (default), b or c` behind the flag, or behind a colon. */
function parseFlagValues(usage: string): Record<string, string[]> {
  const told = usage.replace(/\n {27}(?=\S)/g, ' ')
  const lines = [...told.matchAll(/^ {2}(--[\w-]+) [A-Z]+ +(.*)$/gm)]
  return Object.fromEntries(
    lines.flatMap(([, flag = '', text = '']) => {
      const plain = text.replace(/ \([^)]*\)/g, '')
      const lists = [plain, plain.slice(plain.indexOf(': ') + 2)].map(readWordList)
      const values = lists.find((list) => list.length > 1) ?? []
      return values.length > 1 ? [[flag, values]] : []
    }),
  )
}

/** The words that a text begins with, as a list of them. */
function readWordList(text: string): string[] {
  const words = text.split(/, (?:or )?| or |;| default:/).map((word) => word.trim())
  const end = words.findIndex((word) => !/^[a-z][\w-]*$/.test(word))
  return end < 0 ? words : words.slice(0, end)
}

/** The words that a call may have in one place, written `one|two`. */
function parseWords(usage: string): string[] {
  const [calls = ''] = usage.split('\n\n', 1)
  const choices = calls.match(/[a-z]+(?:\|[<>\w-]+)+/)?.[0] ?? ''
  return choices.split('|').filter((word) => /^[a-z-]+$/.test(word))
}
