/** A rule about configurations: its file, its row, and a test of its own beside its two examples. */
import { toCamelCase, toWords } from './edit.js'

const TABLE = 'packages/hookline/src/check/rules/table.ts'
const READING_RULES = 'packages/hookline/src/config/problem.ts'

/** @type {import('./edit.js').ScaffoldKind} */
export const rule = {
  says: 'a rule of "hookline validate": its file with two examples, its row, and a test',
  name: /^[a-z]+(?:-[a-z0-9]+)+$/,
  names: 'a rule is called by the mistake in a few words, like long-status-message',
  make(name, tree) {
    const id = `V-HK-${findNextNumber(
      tree
        .list('packages/hookline/src/check/rules')
        .map((file) => tree.get(file))
        .join('\n') + tree.get(READING_RULES),
    )}`
    const own = `${toCamelCase(name)}Rule`
    tree.add(
      `packages/hookline/src/check/rules/${name}.ts`,
      `import type { Rule } from '../rule.ts'
import { group } from './example.ts'

/** Characters that fit beside a spinner. */
const MAX_MESSAGE_LENGTH = 30

/** The rule about a ${toWords(name)}. */
export const ${own}: Rule = {
  id: '${id}',
  name: '${name}',
  severity: 'warning',
  page: {
    title: 'A "statusMessage" is short',
    why: 'It stands beside a spinner, and the rest is cut off.',
    bad: group({ type: 'command', command: 'echo called', statusMessage: 'Looking at all of it, one by one' }),
    good: group({ type: 'command', command: 'echo called', statusMessage: 'Looking' }),
  },
  find({ entry: { node } }) {
    const field = node.fields?.get('statusMessage')?.node
    if (!field || String(field.value).length <= MAX_MESSAGE_LENGTH) return []
    return [{ place: field, message: \`It does not fit beside a spinner. Say it in \${MAX_MESSAGE_LENGTH} characters.\` }]
  },
}
`,
    )
    tree.import(TABLE, `import { ${own} } from './${name}.ts'`)
    tree.insert(TABLE, '\n]', `\n  ${own},`, { after: 'RULES: readonly Rule[]' })
    tree.add(
      `packages/hookline/test/check/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { group } from '../../src/check/rules/example.ts'
import { findingsIn } from '../support/validate.ts'

const findIn = async (statusMessage: string) =>
  (await findingsIn(group({ type: 'command', command: 'echo called', statusMessage }))).map(({ rule }) => rule)

describe('the rule ${name}', () => {
  it('finds one character too many, and none at the limit', async () => {
    expect(await findIn('x'.repeat(31))).toEqual(['${id}'])
    expect(await findIn('x'.repeat(30))).toEqual([])
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Write what it finds, and both examples, in packages/hookline/src/check/rules/${name}.ts.`,
        'npm run generate',
        `npx vitest run --project hookline test/check/rules test/check/${name}`,
      ],
    }
  },
}

/** @param {string} text */
function findNextNumber(text) {
  const numbers = [...text.matchAll(/'V-HK-(\d+)'/g)].map(([, number]) => Number(number))
  return String(Math.max(...numbers) + 1).padStart(2, '0')
}
