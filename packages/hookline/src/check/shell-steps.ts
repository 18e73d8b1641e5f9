import type { AndOr, Command, ParsedScript, Redirection, Statement, SyntaxNode, Word, WordPart } from 'unbash'
import { walk } from './shell-words.ts'

/** Target of something printed; `elsewhere`: into a file, or to another program. */
type OutputTarget = 'stdout' | 'stderr' | 'elsewhere'

/** Step of a shell text, as far as it matters to a host. */
export type ShellStep =
  | { readonly does: 'prints'; readonly to: OutputTarget; readonly text: string; readonly node: Command }
  | { readonly does: 'exits'; readonly code: number }

/** Commands that run one after the other. */
export interface ShellBlock {
  readonly steps: readonly ShellStep[]
  /** True for the body of a function: where its output goes depends on who calls it. */
  readonly inFunction: boolean
}

type Context = { readonly to: OutputTarget } & Pick<ShellBlock, 'inFunction'>

/** The blocks of a shell text with what they print and how they exit; output that a substitution or a pipe reads is left out. */
export function listBlocks(script: ParsedScript): ShellBlock[] {
  const blocks: ShellBlock[] = []
  const addBlock = (statements: readonly Statement[], context: Context): void => {
    const { inFunction } = context
    const steps = statements.flatMap(({ command }) => listSteps(command, context))
    blocks.push({ steps, inFunction })
  }
  const listSteps = (node: Statement['command'], context: Context): ShellStep[] => {
    switch (node.type) {
      case 'Command':
        return toSteps(node, context)
      case 'AndOr': {
        const [first = [], ...others] = splitAlternatives(node)
        for (const commands of others) {
          const steps = commands.flatMap((each) => listSteps(each, context))
          blocks.push({ steps, inFunction: context.inFunction })
        }
        return first.flatMap((each) => listSteps(each, context))
      }
      case 'Pipeline': {
        const last = node.commands.at(-1)
        return last ? listSteps(last, context) : []
      }
      case 'Redirected':
        return listSteps(node.command, { ...context, to: findOutput(node.redirects) ?? context.to })
      case 'BraceGroup':
      case 'Subshell':
        return node.body.commands.flatMap(({ command }) => listSteps(command, context))
      case 'If':
        for (const { clause, then } of [node, ...node.elif]) if (!hasArgument(clause)) addBlock(then.commands, context)
        if (node.else) addBlock(node.else.commands, context)
        return []
      case 'Case':
        if (hasArgument(node.word)) return []
        for (const { body } of node.items) addBlock(body.commands, context)
        return []
      case 'While':
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
        addBlock(node.body.commands, context)
        return []
      case 'Function':
        if (node.body.type === 'BraceGroup' || node.body.type === 'Subshell')
          addBlock(node.body.body.commands, { ...context, inFunction: true })
        return []
      default:
        return []
    }
  }
  addBlock(script.commands, { to: findOutputOfAll(script), inFunction: false })
  return blocks
}

/** True if a condition asks for the first argument: what hangs on it is a mode of the script, and which one runs is not known. */
function hasArgument(node: SyntaxNode): boolean {
  let found = false
  walk(node, (each) => {
    found ||= each.type === 'SimpleExpansion' && each.text === '$1'
    found ||= each.type === 'ParameterExpansion' && each.parameter === '1'
  })
  return found
}

/** The parts of a list between its `||`: one begins only where the one before it failed. */
function splitAlternatives({ commands, operators }: AndOr): (readonly AndOr['commands'][number][])[] {
  const ends = operators.flatMap((operator, at) => (operator === '||' ? [at + 1] : []))
  return [0, ...ends].map((start, at) => commands.slice(start, ends[at]))
}

function toSteps({ name, args, redirects, ...rest }: Command, context: Context): ShellStep[] {
  const node = { name, args, redirects, ...rest }
  const program = name?.text
  const words = args.filter((word) => word.type === 'Word')
  if (program === 'exit')
    return /^\d+$/.test(words[0]?.text ?? '') ? [{ does: 'exits', code: Number(words[0]?.text) }] : []
  const document = redirects.find(({ type }) => type === 'HereDoc')
  const to = findOutput(redirects) ?? context.to
  if (program === 'cat' && words.length === 0 && document?.type === 'HereDoc')
    return [{ does: 'prints', to, text: document.body.text, node }]
  if (program !== 'echo' && program !== 'printf') return []
  const readPart = words.map(readLiteralText).filter((text) => !LAYOUT.test(text))
  return [{ does: 'prints', to, text: readPart.join(' ').trim(), node }]
}

/** An option of `echo`, or a format that adds nothing of its own. */
const LAYOUT = /^-[neE]+$|^(?:%s|\\n|\s)+$/

/** Finds where redirects send stdout; null: nowhere else. */
function findOutput(redirects: readonly Redirection[]): OutputTarget | null {
  for (const redirect of redirects.toReversed()) {
    if (redirect.type !== 'Redirect' || redirect.operator.includes('<')) continue
    const { descriptor, target, operator } = redirect
    const isStdout = descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 1)
    if (!isStdout) continue
    if (operator === '>&' ? target?.text === '2' : target?.text === '/dev/stderr') return 'stderr'
    if (operator === '>&' && target?.text === '1') continue
    return 'elsewhere'
  }
  return null
}

/** Finds where a text sends all of its output: `exec >&2`. */
function findOutputOfAll(script: ParsedScript): OutputTarget {
  let to: OutputTarget = 'stdout'
  walk(script, (node) => {
    if (node.type === 'Command' && node.name?.text === 'exec' && node.args.length === 0)
      to = findOutput(node.redirects) ?? to
  })
  return to
}

/** Reads a word, with an ellipsis for what is only known when it runs. */
function readLiteralText(word: Word): string {
  const readPart = (part: WordPart): string => {
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.map(readPart).join('')
    return 'value' in part ? part.value : '…'
  }
  return word.parts === undefined ? word.value : word.parts.map(readPart).join('')
}
