import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Folders whose files people read to learn how the project works. Conformance cases are data. */
const FOLDERS = ['packages', 'docs', 'bench', 'scripts', 'examples', 'conformance']
const READ = /\.(?:tsx?|js|mjs|cjs|md|py|sh)$/
const NOT_READ = /(?:^|\/)(?:node_modules|dist|generated)\/|CHANGELOG|architecture-words/

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
).filter((file) => READ.test(file) && !NOT_READ.test(file))
const loose = readdirSync(root).filter((file) => /\.(?:md|ts)$/.test(file) && !NOT_READ.test(file))
const lines = [...files, ...loose].flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line, at) => ({ line, where: `${file}:${at + 1}` })),
)
const source = lines.filter(({ where }) => /^packages\/\w+\/(?:src|test)\//.test(where))

/** Documents outside of the repository, and numbers that only they explain. */
const OUTSIDE = [
  /\b(?:PROTOCOL|CURRENT|HOUSE|STYLE)\.md\b/,
  /§/,
  /\b[Ss]ections? \d/,
  /\b[Ss]eeds? \d/,
  /\b[Ff]aults? \d/,
  /\b[Ii]ssues? #?\d/,
]

/** Names that a reader of other tools cannot guess the meaning of, as parts of identifiers. */
const PUZZLING = [
  ...['Warden', 'Wards', 'Obituar', 'Elders', 'Witness', 'Takers?', 'Offers', 'Society', 'Founding', 'Errand'],
  ...['Recruit', 'Wish', 'ModelSeat', 'Stir', 'Stance', 'Voice', '(?<![Ll]ook)Around', 'Supposing', 'ForLoop'],
]

/** Declarations: what `const`, `function`, `interface`, `type`, `class` or a field introduces. */
const DECLARED =
  /\b(?:const|let|function|interface|type|class)\s+\{?\s*(?<name>[\w$]+)|^\s+(?:readonly )?#?(?<field>[\w$]+)[?]?[:(]/g

describe('the words of the project', () => {
  it('are looked at', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(source.length).toBeGreaterThan(20_000)
  })

  it('refer to nothing that a reader of the repository does not have', () => {
    const entity = "sect: '§'"
    const found = lines.filter(({ line }) => !line.includes(entity) && OUTSIDE.some((outside) => outside.test(line)))
    expect(found).toEqual([])
  })

  it('name things in code as the trade does', () => {
    const puzzling = new RegExp(PUZZLING.map((word) => `^${word}(?![a-z])|(?<=[a-z])${word}(?![a-z])`).join('|'))
    const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
    const found = source.flatMap(({ line, where }) =>
      [...line.matchAll(DECLARED)]
        .map(({ groups = {} }) => groups.name ?? groups.field ?? '')
        .filter((name) => puzzling.test(capital(name)))
        .map((name) => `${where} ${name}`),
    )
    expect(found).toEqual([])
  })
})
