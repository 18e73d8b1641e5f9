import type { Rule } from '../rule.ts'
import { type ShellWord, simpleCommands } from '../shell-text.ts'
import { replaced } from '../text-edit.ts'
import { on, script } from './example.ts'

/** Whether a path stays one word when it has a space in it. */
export const quotingRule: Rule = {
  id: 'V-HK-24',
  severity: 'warning',
  page: {
    title: 'Paths in variables stand in quotes',
    why: 'A shell splits what stands outside quotes at every space. In a folder with a space in its name the script is then not found.',
    bad: {
      ...on('SessionStart', 'sh $CLAUDE_PROJECT_DIR/.claude/hooks/context.sh'),
      ...script('context.sh', 'git status --short\n'),
    },
    good: {
      ...on('SessionStart', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh'),
      ...script('context.sh', 'git status --short\n'),
    },
  },
  find({ command }) {
    const [bare] = command === null ? [] : barePathWords(command.text).map(barePath)
    if (command === null || bare === undefined) return []
    const message = `${bare} stands outside quotes: a path with a space falls apart. Write "${bare}".`
    return [{ place: command.node, message }]
  },
  fix: ({ node }, { text }) =>
    typeof node.value === 'string' ? replaced(node, JSON.stringify(withQuotedPaths(node.value)), text) : null,
}

/** Variables that are one path, which may have spaces in it. */
const PATHS = new Set(['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE', 'HOME', 'PWD'])

/** Words with a path in a variable outside quotes, where a shell splits it; an assignment's value stays whole. */
function barePathWords(text: string): ShellWord[] {
  return simpleCommands(text, {})
    .flatMap(({ words, redirects }) => [...words, ...redirects])
    .filter(({ raw }) => !/^[A-Za-z_]\w*\+?=/.test(raw))
    .filter((word) => barePath(word) !== undefined)
}

/** The first such variable of a word, as it is written. */
function barePath({ variables }: ShellWord): string | undefined {
  return variables.find(({ name, bare }) => bare && PATHS.has(name))?.written
}

/** A shell text with those variables in quotes. */
function withQuotedPaths(text: string): string {
  return barePathWords(text)
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (rest, word) => rest.slice(0, word.offset) + shellQuoted(word) + rest.slice(word.offset + word.raw.length),
      text,
    )
}

/** Quotes what stands outside quotes and escapes; the parts between stay as they are. */
function shellQuoted({ raw }: ShellWord): string {
  return raw.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|\$(?:\w+|\{\w+\})/g, (piece) =>
    /^\$\{?\w/.test(piece) && PATHS.has(piece.replace(/\W/g, '')) ? `"${piece}"` : piece,
  )
}
