import { startFaults } from '../programs.ts'
import type { Rule } from '../rule.ts'
import { type ShellVariable, splitWords } from '../shell-words.ts'
import { makeReplacement } from '../text-edit.ts'
import { on } from './example.ts'

/** True if a path stays one word when it has a space in it. */
export const quotingRule: Rule = {
  id: 'V-HK-24',
  name: 'unquoted-path',
  severity: 'warning',
  page: {
    title: 'Paths in variables are quoted',
    why: 'A shell splits what is not quoted at every space. In a folder with a space in its name the script is then not found: where that is so, it is an error.',
    bad: on('SessionStart', 'cat $CLAUDE_PROJECT_DIR/CONTEXT.md'),
    good: on('SessionStart', 'cat "$CLAUDE_PROJECT_DIR"/CONTEXT.md'),
  },
  async find({ command, entry, subject: { project, home } }) {
    const [bare] = command === null ? [] : findBarePaths(command.text)
    if (command === null || bare === undefined) return []
    const here = await startFaults(entry.hook, { project, env: process.env, home })
    const split = here.find(({ about }) => about === 'quotes')
    if (split !== undefined)
      return [{ place: command.node, message: `${split.because}. Write "${bare.written}".`, severity: 'error' }]
    const message = `${bare.written} is not quoted: a path with a space falls apart. Write "${bare.written}".`
    return [{ place: command.node, message }]
  },
  fix: ({ node }, { text }) =>
    typeof node.value === 'string' ? makeReplacement(node, JSON.stringify(withQuotedPaths(node.value)), text) : null,
}

/** Variables that are one path, which may have spaces in it. */
const PATHS = new Set(['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE', 'HOME', 'PWD'])

/** Variables with a path that stand outside quotes where a shell splits them. */
function findBarePaths(text: string): ShellVariable[] {
  return splitWords(text)
    .filter(({ raw }) => !/^[A-Za-z_]\w*\+?=/.test(raw)) // `env NAME=$HOME/x` is written like an assignment
    .flatMap(({ variables }) => variables)
    .filter(({ name, bare }) => bare && PATHS.has(name))
}

/** A shell text with those variables in quotes. */
function withQuotedPaths(text: string): string {
  return findBarePaths(text)
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (rest, { offset, written }) => `${rest.slice(0, offset)}"${written}"${rest.slice(offset + written.length)}`,
      text,
    )
}
