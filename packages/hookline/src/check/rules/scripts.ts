import type { ParsedScript } from 'unbash'
import type { EventRow } from '../../protocol/event-row.ts'
import { type CommandText, listEventCode, locateWords } from '../command.ts'
import type { Rule } from '../rule.ts'
import { walk } from '../shell-words.ts'
import { makeScriptExample, on } from './example.ts'

/** Endings of scripts in different languages with exit code 2. */
const EXITS_WITH_2 = /\b_?exit\s*(?:\(\s*)?2\b(?!\s*>)|\bexitCode\s*=\s*2\b/
const BLOCKS = /\bdecision\W{1,8}(?:block|deny)\b|\bpermissionDecision\W{1,8}(?:deny|ask)\b/i
const DECIDES =
  /\b(?:permissionDecision|updatedInput|updatedPermissions)\b|\bdecision\W{1,8}(?:block|deny|approve|allow)\b/
const HALTS = /\bcontinue\W{1,6}false\b/i

/** Words of a hook that counts how often it has blocked. */
const COUNTS =
  /\bmax_?(?:attempt|retr|continu|block|iteration|loop|count)|(?:attempt|retry|continuation|block|iteration|loop)_?count/i

/** Rules about what commands and their scripts seem to answer. */
export const scriptRules: readonly Rule[] = [
  {
    id: 'V-HK-10',
    name: 'exit-2-cannot-block',
    severity: 'warning',
    page: {
      title: 'A hook on an event that cannot block does not rely on exit 2',
      why: 'There is nothing left to prevent: stderr goes to the user, and everything goes on. Use an event that can block.',
      bad: on('SessionEnd', 'test -f DONE || exit 2'),
      good: on('TaskCompleted', 'test -f DONE || exit 2'),
    },
    find({ entry: { row }, command }) {
      const exit = row.blocksOn === 'never' ? findExit2(command) : null
      if (command === null || exit === null) return []
      return [{ ...locateWords(command, exit), message: describeHarmlessExit(row) }]
    },
  },
  {
    id: 'V-HK-20',
    name: 'endless-stop',
    severity: 'warning',
    page: {
      title: 'A hook that makes the agent continue checks stop_hook_active',
      why: 'stop_hook_active is true when a hook has already made the agent continue. A hook that blocks without checking it may do so again and again, and the agent never stops.',
      bad: {
        ...on('Stop', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/tests.sh'),
        ...makeScriptExample('tests.sh', 'npm test >&2 || exit 2\n'),
      },
      good: {
        ...on('Stop', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/tests.sh'),
        ...makeScriptExample(
          'tests.sh',
          `grep -q '"stop_hook_active": *true' && exit 0 # it has tried already\nnpm test >&2 || exit 2\n`,
        ),
      },
    },
    find({ entry: { row }, command }) {
      if (command === null || row.loopField === null || command.says.includes(row.loopField)) return []
      const words = findExit2(command) ?? BLOCKS.exec(command.says)?.[0]
      if (words === undefined || COUNTS.test(command.says)) return []
      const message = `It blocks without looking at ${row.loopField}, so the agent may never come to an end. Let it pass when that is true.`
      return [{ ...locateWords(command, words), message }]
    },
  },
  {
    id: 'V-HK-21',
    name: 'decides-in-background',
    severity: 'warning',
    page: {
      title: 'A hook in the background decides nothing',
      why: 'With "async" the agent does not wait: when the answer comes, the call has already run, and a decision in it is dropped. What it adds as context still arrives.',
      bad: on('PreToolUse', 'grep -q "rm -rf" && exit 2', { async: true }),
      good: on('PreToolUse', 'grep -q "rm -rf" && exit 2'),
    },
    find({ entry: { hook, row, node: written }, command }) {
      if (command === null || hook.waits) return []
      const { says, node } = command
      const decides =
        DECIDES.test(says) || HALTS.test(says) || (row.blocksOn !== 'never' && findExit2(command) !== null)
      if (!decides) return []
      const field = written.fields?.get('async')?.node.value === true ? 'async' : 'asyncRewake'
      const message = `It decides something, but runs in the background: the decision is dropped. Remove "${field}" to be waited for.`
      return [{ place: node, message }] // of the hook, not of its script
    },
  },
]

/** Finds the words by which a hook exits with code 2; null: it does not. */
function findExit2(command: CommandText | null): string | null {
  for (const { syntax, text } of listEventCode(command)) {
    const exit = syntax === null ? EXITS_WITH_2.exec(text)?.[0] : findShellExit2(syntax)
    if (exit !== undefined) return exit
  }
  return null
}

function findShellExit2(syntax: ParsedScript): string | undefined {
  const exits: string[] = []
  walk(syntax, (node) => {
    if (node.type === 'Command' && node.name?.text === 'exit' && node.args[0]?.text === '2') exits.push('exit 2')
    if (node.type === 'HereDocBody') exits.push(...(EXITS_WITH_2.exec(node.text)?.slice(0, 1) ?? []))
  })
  return exits[0]
}

/** Describes what exit code 2 comes to on an event that it does not block, and what to do instead. */
function describeHarmlessExit({ name, canBlock, harmlessExit2To }: EventRow): string {
  const instead = canBlock
    ? 'refuse with JSON on stdout and exit code 0'
    : 'exit with 0, or use an event that can block'
  const heard = harmlessExit2To === 'user' ? 'only shows stderr to the user' : 'does nothing there'
  return `Exit code 2 blocks nothing on ${name} and ${heard}: ${instead}.`
}
