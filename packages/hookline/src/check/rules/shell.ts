import type { ParsedScript, SyntaxNode } from 'unbash'
import { quoteForShell } from '../../text/quote.ts'
import { locateWords } from '../command.ts'
import type { Rule } from '../rule.ts'
import { parseShell, walk } from '../shell-words.ts'
import { makeReplacement } from '../text-edit.ts'
import { group } from './example.ts'

/** True if the shell that runs a command understands it. */
export const shellRule: Rule = {
  id: 'V-HK-40',
  name: 'bash-in-sh',
  severity: 'warning',
  page: {
    title: 'A command is written for the shell that runs it',
    why: 'Commands are run by sh, also under "shell": "bash". On Debian, Ubuntu and Alpine that is not bash: [[, <<<, arrays and the like are errors there, and a guard that fails is open. Hand the text to bash, or put it into a script that begins with #!/usr/bin/env bash.',
    bad: group({ type: 'command', command: "[[ $(cat) == *'rm -rf'* ]] && exit 2" }),
    good: group({ type: 'command', command: `bash -c '[[ $(cat) == *"rm -rf"* ]] && exit 2'` }),
  },
  find({ command }) {
    for (const code of command?.code ?? []) {
      const { shell, syntax, script } = code
      const found = shell === 'sh' && syntax !== null ? findBashSyntax(syntax) : null
      if (found === null || command === null) continue
      const how = script === null ? "Write bash -c '…'." : 'Start it with bash.'
      const message = `sh runs it, and ${found} is bash: it fails where sh is another shell, as on Debian and Ubuntu. ${how}`
      return [{ ...locateWords(command, found.split(' ')[0] ?? '', code), message }]
    }
    return []
  },
  fix({ node }, { text }) {
    const syntax = typeof node.value === 'string' ? parseShell(node.value) : null
    if (typeof node.value !== 'string' || syntax === null || findBashSyntax(syntax) === null) return null
    return makeReplacement(node, JSON.stringify(`bash -c ${quoteForShell(node.value)}`), text)
  },
}

/** The first thing in a text that bash alone understands, as it is written; null: none. */
function findBashSyntax(syntax: ParsedScript): string | null {
  let found: string | null = null
  walk(syntax, (node) => {
    found ??= readBashSyntax(node)
  })
  return found
}

/** Constructs of bash alone, by the type of their node. */
const OF_BASH: Readonly<Record<string, string>> = {
  TestCommand: '[[ … ]]',
  ArithmeticCommand: '(( … ))',
  ArithmeticFor: 'for (( … ))',
  Select: 'select',
  Coproc: 'coproc',
  HereString: '<<<',
  ProcessSubstitution: '<( … )',
  ArrayValue: 'an array',
}

/** Operations on variables that only bash has. */
const OPERATIONS = ['Replace', 'Slice', 'CaseModification', 'Transform', 'Names']

/** Commands that only bash has. */
const BUILTINS = /^(?:source|declare|typeset|shopt|pushd|popd|let|mapfile|readarray)$/

function readBashSyntax(node: SyntaxNode): string | null {
  const named = OF_BASH[node.type]
  if (named !== undefined) return named
  if (node.type === 'Redirect') return node.operator.startsWith('&>') ? node.operator : null
  if (node.type === 'Pipeline') return node.operators.includes('|&') ? '|&' : null
  if (node.type === 'ParameterExpansion') {
    const isOfBash = node.index !== undefined || node.prefix === '!' || OPERATIONS.includes(node.operation?.type ?? '')
    return isOfBash ? node.text : null
  }
  if (node.type !== 'Command') return null
  const program = node.name?.text ?? ''
  const words = node.args.map(({ text }) => text)
  if (BUILTINS.test(program)) return program
  if (program === 'set' && words.includes('pipefail')) return 'set -o pipefail'
  return (program === '[' || program === 'test') && words.includes('==') ? `${program} … == …` : null
}
