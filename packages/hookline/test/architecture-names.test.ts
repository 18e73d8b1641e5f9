import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Source files of both packages; generated ones follow from others. */
const files = ['packages/hookline/src', 'packages/agent/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(?:^|\/)generated\//.test(file))
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

describe('names and comments of the code', () => {
  it('are looked at', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(files.flatMap(({ text }) => [...text.matchAll(COMMENT)]).length).toBeGreaterThan(5000)
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
