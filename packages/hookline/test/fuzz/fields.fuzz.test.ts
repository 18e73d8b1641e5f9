import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAssignments, withFields } from '../../src/cli/input/event-argument.ts'
import { UsageError } from '../../src/cli/start/flags.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { anyText } from '../support/any-text.ts'
import { knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'
import { expectUnpolluted } from './settings-laws.ts'

const isKnown = knownIn('fields')
const rows = [...DEFAULT_PROFILE.events.values()]

/** Words as people type them behind `hookline fire`. */
const WRITTEN = ['tool_name=Bash', 'tool_input.command=rm -rf /', 'stop_hook_active=true', 'a.b.c=[1,2]', 'x="7"', 'y=']

const name = fc.oneof(
  fc.constantFrom('tool_name', 'tool_input', 'prompt', 'cwd', 'a', '__proto__', 'constructor', 'toString', '', '0'),
  anyText({ maxLength: 4 }),
)
const value = fc.oneof(fc.json({ maxDepth: 3 }), anyText({ maxLength: 6 }), fc.constant('1e999'))
const word = fc.oneof(
  fc.tuple(fc.array(name, { minLength: 1, maxLength: 4 }), value).map(([path, text]) => `${path.join('.')}=${text}`),
  mutated(WRITTEN),
)

/** The fields, or null where the words are refused in a sentence. */
function fieldsOf(words: readonly string[], row: (typeof rows)[number]): Record<string, unknown> | null {
  try {
    return withFields(row, undefined, parseAssignments(words))
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

/** What holds of every command line: the words are refused in a sentence, or what they say is in the event. */
function expectLaws(words: readonly string[]): void {
  const refused = words.some((one) => one.indexOf('=') < 1 || !namesAField(one.slice(0, one.indexOf('=')).split('.')))
  for (const row of rows) {
    const fields = fieldsOf(words, row)
    if (refused || fields === null) expect({ refused, fields }).toEqual({ refused: true, fields: null })
    else if (words.length === 1) expectSaid(words[0] ?? '', fields)
  }
  expectUnpolluted()
}

/** A path of names, none of them empty and not absurdly many. */
const namesAField = (path: readonly string[]): boolean => path.length <= 64 && !path.includes('')

/** What a single word says is in the event: as JSON where it is JSON, else as text. */
function expectSaid(said: string, fields: Record<string, unknown>): void {
  const at = said.indexOf('=')
  const text = said.slice(at + 1)
  const found = said
    .slice(0, at)
    .split('.')
    .reduce<unknown>((inner, name) => Object.getOwnPropertyDescriptor(inner ?? {}, name)?.value, fields)
  expect([text, JSON.stringify(parsed(text))]).toContain(
    typeof found === 'string' && found === text ? text : JSON.stringify(found),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // a plain word
  }
}

describe('words that were found to be hard', () => {
  replay('fields', ({ text }) => expectLaws([text]))
})

describe(`fields of a command line (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('are taken over or refused in a sentence', { timeout }, async () => {
    await explore(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        fc.pre(!words.some(isKnown))
        expectLaws(words)
      }),
      { runs: 1000 },
    )
  })
})
