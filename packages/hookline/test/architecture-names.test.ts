import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { OTHER_BEGINNINGS, VERBS } from './support/verbs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Folders with what is shipped, and what it is made of. */
const FOLDERS = [
  ...['hookline', 'agent', 'fleet', 'inspector'].map((name) => `packages/${name}/src`),
  ...['hookline', 'agent', 'fleet'].map((name) => `packages/${name}/bin`),
  'packages/hookline/bridges',
]

/** Their files; generated ones follow from others. */
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.(?:tsx?|js)$/.test(file) && !/(?:^|\/)generated\//.test(file))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
)

/** Beginnings of comments that name no thing: the noun is in another line. */
const PRONOUN =
  /^(?:what|whether|who|whose|that|it|its|how|where|why|which|when|those|they|these|this|something|everything|everyone|nobody|anything)\b/i

/** Comments: what stands between `/**` and the end of a sentence, or behind `//`. */
const COMMENT = /\/\*\*\s*(?:\* )?(?<block>[^*\n][^\n]*)|(?<=^|[\s;{}(),])\/\/ (?<line>[^\n]*)/gm

/** Limits by words that say how much is too much, without `MAX` or `MIN`. */
const LIMIT =
  /\bconst (?<name>(?:MOST|LONGEST|LARGEST|DEEPEST|HIGHEST|WIDEST|SHORTEST|FEWEST|LEAST|SMALLEST|PATIENCE)(?:_[A-Z_]+)?)\b/g

/** Functions, by declaration or by an arrow that has a name, and methods with a body. */
const FUNCTION =
  /^ *(?:export )?(?:async )?function\*? (?<declared>[a-z]\w*)|^ *(?:export )?const (?<bound>[a-z]\w*)(?:: [^=\n]+)? =\s+(?:async )?(?:<[^>]+>)?\([^()]*\)(?:: [^=\n]+)? =>|^ {2}(?:static |readonly )?(?:async )?\*?#?(?<method>[a-z]\w*)(?:<[^>\n]+>)?\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:: [^\n]+)? \{$/gm

/** Keywords that look like a method with a body. */
const KEYWORDS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'constructor', 'function'])

/** Files in the place of modules of Node, whose names they have. */
const NODE_NAMES = /inspector\/src\/playground\/builtins\//

/** Functions that do not begin with a verb, and why. */
const NO_VERB: Readonly<Record<string, readonly string[]>> = {
  'the name that the page of guards gave it': ['effectsOf'],
  'the interface of a Map': ['keys', 'values', 'entries', 'forEach'],
  'a predicate of the public engine': ['listensTo'],
  'the extension, by which Pi calls it': ['hookline'],
}

/** Names that end before they say of what, in what or by what: `nameOf`, `readAt`, `passOn`. */
const UNFINISHED = /[a-z](?:Of|In|At|By|On)$/

/** Declarations at the top of a file: functions, types and values. */
const DECLARATION = /^(?:export )?(?:async )?(?:const|let|function\*?|interface|type|class) (?<name>\w+)/gm

/** Names that stand in four files and more, with one meaning in all of them. */
const ONE_MEANING: Readonly<Record<string, readonly string[]>> = {
  'exports of every command': ['run', 'usage', 'FLAGS', 'isVerdict'],
  'exports of every adapter': ['withHooks', 'TurnEnd', 'Generate'],
  'the schema of the input of a tool or an event': ['input'],
  'the same thing where no room is shared': ['JsonObject', 'GRACE_MS', 'PROBE_MS', 'NEWLINE', 'PLUGIN_ROOT'],
  'settings files of an agent': ['SETTINGS_FILES'],
  'colours by what is coloured': ['TONES'],
}

/** Types that are participles: of what, only another line says. */
const PARTICIPLE =
  /^(?:Asked|Asking|Given|Held|Kept|Known|Left|Looking|Lost|Made|Meant|Offered|Received|Recorded|Said|Seen|Sent|Shown|Spoken|Taken|Told|Written)$/

describe('names and comments of the code', () => {
  it('are looked at', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(files.flatMap(({ text }) => [...text.matchAll(COMMENT)]).length).toBeGreaterThan(5000)
  })

  const exceptions = new Set(Object.values(NO_VERB).flat())
  const functions = files.flatMap(({ file, text }) =>
    [...text.matchAll(FUNCTION)]
      .map(({ groups = {} }) => groups.declared ?? groups.bound ?? groups.method ?? '')
      .filter((name) => !KEYWORDS.has(name) && !exceptions.has(name) && !NODE_NAMES.test(file))
      .map((name) => ({ file, name, first: /^[a-z]+/.exec(name)?.[0] ?? '' })),
  )

  it('begin a function with a verb', () => {
    expect(functions.length).toBeGreaterThan(4000)
    const wrong = functions.filter(({ first }) => !VERBS.has(first) && !OTHER_BEGINNINGS.has(first))
    expect(wrong.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })

  it('end no function before its object', () => {
    const wrong = functions.filter(({ name }) => UNFINISHED.test(name))
    expect(wrong.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })

  it('give a name that stands in many files one meaning', () => {
    const places = new Map<string, Set<string>>()
    const rooms = files.filter(({ file }) => /^packages\/(?:hookline|agent)\/src\//.test(file)) // the others share no names with them
    for (const { file, text } of rooms)
      for (const { groups = {} } of text.matchAll(DECLARATION)) {
        const name = groups.name ?? ''
        places.set(name, (places.get(name) ?? new Set()).add(file))
      }
    const known = new Set(Object.values(ONE_MEANING).flat())
    const wrong = [...places].filter(([name, where]) => where.size >= 4 && !known.has(name))
    expect(wrong.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([])
  })

  it('call a type by a noun', () => {
    const found = files.flatMap(({ file, text }) =>
      [...text.matchAll(/^(?:export )?(?:interface|type|class) (?<name>\w+)/gm)]
        .map(({ groups = {} }) => groups.name ?? '')
        .filter((name) => PARTICIPLE.test(name))
        .map((name) => `${file} ${name}`),
    )
    expect(found).toEqual([])
  })

  it('call a limit MAX or MIN', () => {
    const found = files.flatMap(({ file, text }) =>
      [...text.matchAll(LIMIT)].map(({ groups = {} }) => `${file} ${groups.name}`),
    )
    expect(found).toEqual([])
  })

  it('begin a comment with a noun or a verb', () => {
    const found = files.flatMap(({ file, text }) =>
      [...text.matchAll(COMMENT)]
        .map(({ groups = {} }) => groups.block ?? groups.line ?? '')
        .filter((comment) => PRONOUN.test(comment))
        .map((comment) => `${file}: ${comment}`),
    )
    expect(found).toEqual([])
  })
})
