import type { EventRow } from '../../protocol/event-row.ts'
import type { Code } from '../code.ts'
import { listEventCode, locateWords } from '../command.ts'
import type { ExaminedHook, Remark, Rule } from '../rule.ts'
import { listBlocks, type ShellBlock, type ShellStep } from '../shell-steps.ts'
import { parseShell } from '../shell-words.ts'
import { makeReplacement } from '../text-edit.ts'
import { makeScriptExample, on } from './example.ts'

const GUARD = 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh'

/** Rules about answers that do not say what their author meant. */
export const answerRules: readonly Rule[] = [
  {
    id: 'V-HK-41',
    name: 'refuses-nothing',
    severity: 'warning',
    page: {
      title: 'A hook that refuses does so in a way that counts',
      why: 'Exit code 2 refuses. Any other code except 0 is a failure of the hook, and what it guards goes on. In an answer permissionDecision belongs under "hookSpecificOutput", which needs "hookEventName"; a field such as "approve" is not read by anything.',
      bad: {
        ...on('PreToolUse', GUARD),
        ...makeScriptExample('guard.sh', `if grep -q 'rm -rf'; then\n  echo "BLOCKED: rm -rf" >&2\n  exit 1\nfi\n`),
      },
      good: {
        ...on('PreToolUse', GUARD),
        ...makeScriptExample('guard.sh', `if grep -q 'rm -rf'; then\n  echo "BLOCKED: rm -rf" >&2\n  exit 2\nfi\n`),
      },
    },
    find: (one) => makeCommandRemark(one, [...findRefusalsByExit1(one), ...findUncountedAnswers(one)]),
  },
  {
    id: 'V-HK-43',
    name: 'unread-output',
    severity: 'warning',
    page: {
      title: 'What a hook prints for the model reaches it',
      why: 'Plain text on stdout is context for the model on a few events only, such as SessionStart and UserPromptSubmit. Elsewhere it is shown in the verbose view, and neither the model nor the user reads it. Print it as additionalContext, or exit 2 with it on stderr.',
      bad: on('PostToolUse', 'echo "Remember to run the tests."'),
      good: on('UserPromptSubmit', 'echo "Remember to run the tests."'),
    },
    find: (one) => makeCommandRemark(one, findUnreadOutput(one)),
  },
  {
    id: 'V-HK-44',
    name: 'reason-on-stdout',
    severity: 'warning',
    page: {
      title: 'The reason of exit 2 is on stderr',
      why: 'With exit code 2 Claude Code reads stderr alone: the model is told "No stderr output", and does not know what to do better. Hookline takes stdout where stderr is empty.',
      bad: on('PreToolUse', "grep -q 'rm -rf' && echo 'Not this.' && exit 2"),
      good: on('PreToolUse', "grep -q 'rm -rf' && echo 'Not this.' >&2 && exit 2"),
    },
    find: (one) => makeCommandRemark(one, findReasonsOnStdout(one)),
    fix({ node }, { text }) {
      const command = typeof node.value === 'string' ? withReasonsOnStderr(node.value) : node.value
      return command === node.value ? null : makeReplacement(node, JSON.stringify(command), text)
    },
  },
]

/** A fault of an answer, with the words of the hook that it is about. */
interface AnswerFault {
  readonly message: string
  readonly words: string
}

/** One remark of a rule about a command is enough; the next comes when it is followed. */
function makeCommandRemark({ command }: ExaminedHook, [fault]: readonly AnswerFault[]): Remark[] {
  if (command === null || fault === undefined) return []
  return [{ ...locateWords(command, fault.words), message: fault.message }]
}

type PrintStep = Extract<ShellStep, { does: 'prints' }>

/** Output of a hook, and the words of its text that do so. */
interface PrintedText {
  readonly text: string
  readonly words: string
}

function toPrintedText({ text, node }: PrintStep): PrintedText {
  const words = node.args.at(-1)?.text ?? text
  return { text, words: words.split('\n')[0] ?? '' }
}

/** Output of another language by a pattern whose first group it is. */
function matchPrintedText(code: Code, pattern: RegExp): PrintedText[] {
  if (code.shell !== null) return []
  return [...code.text.matchAll(pattern)].map(([all, text = '']) => ({ text, words: all.split('\n')[0] ?? '' }))
}

const listCodeBlocks = ({ syntax }: Code): ShellBlock[] => (syntax === null ? [] : listBlocks(syntax))

/** Words by which a hook says that it refuses. */
const REFUSES =
  /\b(?:block(?:ed|ing)|den(?:y|ied)|refus(?:e|ed|ing)|reject(?:ed|ing)?|forbidden|prohibited|not (?:allowed|permitted))\b/i

/** The same on the line before another language exits with 1. */
const REFUSES_AND_EXITS_1 =
  /^.*\b(?:print|console\.\w+|write|log)\b(.*)\n\s*(?:process\.exit|sys\.exit|os\._exit|exit)\s*\(\s*1\s*\)/gm

function findRefusalsByExit1(one: ExaminedHook): AnswerFault[] {
  const { row, hook } = one.entry
  if (row.blocksOn !== 'exit-2' || hook.blocksOnFailure) return []
  const message = `It says that it refuses and exits with 1, which refuses nothing: ${row.name} goes on. Exit with 2.`
  return listEventCode(one.command)
    .flatMap((code) => [
      ...listCodeBlocks(code).flatMap((block) => listPrintedBeforeExit(block, 1).map(toPrintedText)),
      ...matchPrintedText(code, REFUSES_AND_EXITS_1),
    ])
    .filter(({ text }) => REFUSES.test(text) && !isJson(text))
    .map(({ words }) => ({ message, words }))
}

/** Lists what a block prints before it exits with a code. */
function listPrintedBeforeExit({ steps }: ShellBlock, code: number): PrintStep[] {
  const exit = steps.findIndex((step) => step.does === 'exits' && step.code === code)
  return steps.slice(0, Math.max(0, exit)).filter((step) => step.does === 'prints')
}

/** True if a text is JSON, or a line of it. */
const isJson = (text: string): boolean => /^\s*[{}[\]",:]/.test(text)

function findUncountedAnswers({ entry: { row }, command }: ExaminedHook): AnswerFault[] {
  const says = command?.says ?? ''
  return [findPermissionAtTop, findUnnamedSpecific, findApproval, findUnknownDecision].flatMap(
    (look) => look(says, row) ?? [],
  )
}

const SPECIFIC = 'hookSpecificOutput'

function findPermissionAtTop(says: string, { answerFields }: EventRow): AnswerFault | null {
  const isAtTop = says.includes('permissionDecision') && !says.includes(SPECIFIC)
  if (!isAtTop || !answerFields.includes('permissionDecision')) return null
  const message = `permissionDecision at the top level of an answer is ignored, and the call runs. Put it under "${SPECIFIC}".`
  return { message, words: 'permissionDecision' }
}

function findUnnamedSpecific(says: string, { name }: EventRow): AnswerFault | null {
  if (!says.includes(SPECIFIC) || says.includes('hookEventName')) return null
  const message = `"${SPECIFIC}" without "hookEventName" does not count, and nothing else of the answer does. Add "hookEventName": "${name}".`
  return { message, words: SPECIFIC }
}

function findApproval(says: string, row: EventRow): AnswerFault | null {
  const decides = /\b(?:decision|permissionDecision|ok)\b/.test(says)
  if (decides || !row.canBlock || !/\bapprove["'\\]*\s*:\s*[Ff]alse\b/.test(says)) return null
  const message = `"approve" is not a field of an answer: it refuses nothing. ${explainHowTo('deny', row)}`
  return { message, words: 'approve' }
}

/** Value of `decision` at the top level of an answer, in quotes that may be escaped. */
const DECISION = /(?<![.\w])["'\\]{0,4}decision["'\\]*\s*:\s*\\?["'](\w+)/g

function findUnknownDecision(says: string, row: EventRow): AnswerFault | null {
  const known: readonly string[] = row.rules.answers.decisionWords
  const [words, unknown] =
    [...says.matchAll(DECISION)].find(
      ([, word = '']) => /^(?:ask|den|reject|refus|forbid)/.test(word) && !known.includes(word),
    ) ?? []
  if (words === undefined || !row.canBlock || row.merges === 'dialog') return null
  const instead = explainHowTo(unknown === 'ask' ? 'ask' : 'deny', row)
  const message = `"decision": "${unknown}" is not one of ${known.join(', ')}: nothing of the answer counts. ${instead}`
  return { message, words }
}

function explainHowTo(answer: 'ask' | 'deny', { permissionWords = [], merges, name }: EventRow): string {
  if (permissionWords.includes(answer))
    return `Answer {"${SPECIFIC}": {"hookEventName": "${name}", "permissionDecision": "${answer}"}}.`
  return merges === 'block' ? 'Answer {"decision": "block", "reason": "…"}, or exit with 2.' : 'Exit with 2.'
}

/** A text that a reader is meant to understand, not a word for a log. */
function isSentence(text: string): boolean {
  if (isJson(text)) return false
  const words = text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word))
  return (
    (words.length >= 3 && text.length >= 15) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}/u.test(text)
  )
}

function findUnreadOutput(one: ExaminedHook): AnswerFault[] {
  const { row } = one.entry
  const canTell = row.answerFields.includes('additionalContext')
  if (row.plainStdout !== 'verbose' || !(canTell || row.reasonTo === 'model')) return []
  const how = canTell
    ? `Print {"hookSpecificOutput": {"hookEventName": "${row.name}", "additionalContext": "…"}} instead.`
    : explainHowToTell(row)
  return listEventCode(one.command)
    .flatMap(listCodeBlocks)
    .filter(({ steps, inFunction }) => !inFunction && !steps.some((step) => step.does === 'exits' && step.code !== 0))
    .flatMap(({ steps }) => steps.filter((step) => step.does === 'prints'))
    .filter(({ to, text }) => to === 'stdout' && isSentence(text))
    .map(toPrintedText)
    .map(({ text, words }) => ({
      message: `Plain stdout of ${row.name} is only shown in the verbose view: the model does not read ${quoteText(text)}. ${how}`,
      words,
    }))
}

/** Advice for an event whose answers carry no context. */
function explainHowToTell({ blocksOn, harmlessExit2To }: EventRow): string {
  if (blocksOn !== 'never') return 'Write it to stderr and exit with 2.'
  const user = harmlessExit2To === 'user' ? ' The user reads stderr of a hook that fails.' : ''
  return `Nothing that a hook prints here reaches it.${user}`
}

/** The same in a language that is no shell: printed on the line before it exits with 2. */
const PRINTS_AND_EXITS_2 =
  /^[^\n]*\b(?:print|console\.log)\(([^\n]*)\)[ \t]*(?:;[ \t]*)?\r?\n\s*(?:process\.exit|sys\.exit|os\._exit|exit)\s*\(\s*2\s*\)/gm

function findReasonsOnStdout(one: ExaminedHook): AnswerFault[] {
  const { row } = one.entry
  if (row.blocksOn !== 'exit-2') return []
  const code = listEventCode(one.command)
  const shell = code.flatMap(listCodeBlocks).flatMap(listLostReasons).map(toPrintedText)
  const other = code
    .flatMap((each) => matchPrintedText(each, PRINTS_AND_EXITS_2))
    .filter(({ text }) => !/stderr|JSON|json|[{}]/.test(text))
  return [...shell, ...other].map(({ text, words }) => ({
    message: `With exit 2 Claude Code reads stderr, so the model does not see the reason: ${quoteText(text)} is on stdout. Send it to stderr: >&2.`,
    words,
  }))
}

/** Lists what a block prints to stdout before it exits with 2, while it prints nothing to stderr. */
function listLostReasons(block: ShellBlock): PrintStep[] {
  const said = listPrintedBeforeExit(block, 2)
  if (said.some(({ to }) => to === 'stderr')) return []
  return said.filter(({ to, text }) => to === 'stdout' && text !== '' && !isJson(text))
}

function withReasonsOnStderr(command: string): string {
  const syntax = parseShell(command)
  const ends =
    syntax === null
      ? []
      : listBlocks(syntax)
          .flatMap(listLostReasons)
          .map(({ node }) => node.end)
  return ends.toSorted((a, b) => b - a).reduce((text, end) => `${text.slice(0, end)} >&2${text.slice(end)}`, command)
}

const quoteText = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
