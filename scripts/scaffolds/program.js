/** A program that calls run: its row in the table of effects, with examples that a test holds it to. */
const PROGRAMS = 'packages/hookline/src/programs'
const TABLE = `${PROGRAMS}/work.ts`

/** @type {import('./edit.js').ScaffoldKind} */
export const program = {
  says: 'a program that calls run: its row in the table of effects, with examples and a test',
  name: /^[a-z][\w.-]*$/,
  names: 'a program is called as in a call: terraform',
  make(name, tree) {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const word = name.replaceAll('.', '\\.')
    const keys = `^  (?:${word}:|'(?:[^'\\n]* )?${word}(?: [^'\\n]*)?'(?::|$))`
    for (const file of tree.list(PROGRAMS)) tree.refuse(file, new RegExp(keys, 'm'), `${name} has a row in ${file}.`)
    tree.insert(
      TABLE,
      '\n  hookline: { reader',
      `
  ${key}: {
    under: {
      'list status': {},
      render: { operands: 'reads', options: { writes: '-o --out' } },
      wipe: { operands: 'deletes-tree', dry: '--dry-run' },
    },
    examples: {
      '${name} list': '',
      '${name} render a.txt -o ~/notes.txt': 'write home',
      '${name} wipe ~/Documents': 'delete home',
      '${name} wipe --dry-run ~/Documents': '',
    },
  },`,
    )
    tree.add(
      `packages/hookline/test/effects/${name.replaceAll('.', '-')}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { smallWorld } from '../support/small-world.ts'

/** Answers of the guards. Nothing is run: text is handed to a function. */
const answer = (command: string) => judge({ tool: 'Bash', input: { command } }, smallWorld()).answer

describe('the program ${name}', () => {
  it('is refused what it deletes outside the project, behind a wrapper and in a variable too', () => {
    const calls = ['${name} wipe ~/Documents', 'env A=1 ${name} wipe ~/Documents', 'D=~/Documents; ${name} wipe "$D"']
    expect(calls.filter((command) => answer(command) !== 'deny')).toEqual([])
  })

  it('passes with what shows and builds alone', () => {
    const calls = ['${name} list', '${name} render src/index.ts -o dist/a', '${name} wipe --dry-run ~/Documents']
    expect(calls.filter((command) => answer(command) !== 'pass')).toEqual([])
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Write its real subcommands, options and examples in ${TABLE}, or beside its like in files.ts, systems.ts, tools.ts or languages.ts. A program with the words of one that is there joins the names of that row.`,
        `npx vitest run --project hookline test/effects test/guards test/rule`,
      ],
    }
  },
}
