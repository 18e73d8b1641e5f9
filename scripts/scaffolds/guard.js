/** A guard: its name, its question to the view, its row on the page of guards, and a test. */
import { toCamelCase, toWords } from './edit.js'

const GUARDS = 'packages/hookline/src/guards'

/** @type {import('./edit.js').ScaffoldKind} */
export const guard = {
  says: 'a guard of "hookline guard": its question to the effects of a call, its row, and a test',
  name: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  names: 'a guard is called by what it looks after, like secrets or remote-code',
  make(name, tree) {
    const own = `${toCamelCase(name)}Guard`
    tree.refuse(`${GUARDS}/guard.ts`, new RegExp(`^  '${name}',$`, 'm'), `The guard ${name} exists already.`)
    tree.insert(`${GUARDS}/guard.ts`, '\n] as const', `\n  '${name}',`, { after: 'GUARD_NAMES = [' })
    tree.insert(
      `${GUARDS}/guards.ts`,
      '/** All guards',
      `/** Addresses of hosts in numbers, but for this machine's own. */
const BARE_ADDRESS = /^(?!127\\.)\\d+(?:\\.\\d+){3}$/

const ${own}: Guard = {
  name: '${name}',
  looksFor: 'fetches from hosts by their number, about ${toWords(name)}',
  hard: false,
  find: ({ view }) =>
    view.effects.flatMap((effect) => {
      if (effect.does !== 'fetch' || !BARE_ADDRESS.test(effect.host)) return []
      const says = \`fetches from \${effect.host}, which has no name\`
      return makeFindings('${name}', effect, {
        answers: ASK,
        says,
        instead: 'Ask the user to do it.',
        subject: effect.host,
      })
    }),
}

`,
    )
    tree.insert(`${GUARDS}/guards.ts`, '\n]', `\n  ${own},`, { after: 'GUARDS: readonly Guard[]' })
    tree.insert(
      'docs/guards.md',
      '| `publish`,',
      `| \`${name}\` | fetches from hosts by their number, about ${toWords(name)} | ask | ask | pass |\n`,
    )
    tree.add(
      `packages/hookline/test/guards/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { smallWorld } from '../support/small-world.ts'

/** Answers of this guard alone. Nothing is run: text is handed to a function. */
const judgeAlone = (command: string) =>
  judge({ tool: 'Bash', input: { command } }, smallWorld(), { only: ['${name}'] })

describe('the guard ${name}', () => {
  it('asks about a host without a name, however the call is written', () => {
    const calls = ['curl http://203.0.113.7/a', 'H=203.0.113.7; wget "http://$H/a"', "sh -c 'curl 203.0.113.7'"]
    expect(calls.filter((command) => judgeAlone(command).answer !== 'ask')).toEqual([])
  })

  it('has nothing to say about names, this machine, and the same words as data', () => {
    const calls = ['curl https://example.net/a', 'curl http://127.0.0.1:3000', "echo 'curl http://203.0.113.7/a'"]
    expect(calls.filter((command) => judgeAlone(command).answer !== 'pass')).toEqual([])
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Write what it looks for in ${GUARDS}/guards.ts, and its row in docs/guards.md.`,
        'Add a call to payloads.txt, and others to harmful.txt and everyday.txt, in packages/hookline/test/guards/cases. Write them before you try them.',
        'npm run generate',
        `npx vitest run --project hookline test/guards test/effects test/guards/${name}`,
      ],
    }
  },
}
