import type { Command, SyntaxNode } from 'unbash'
import { isPlainWord } from './evaluated-text.ts'

/** Reads the text that comes to a command from its redirection, else from the command before it in a pipe; null: the script does not show it. */
export function readShownInput(command: Command, feeder: SyntaxNode | null): string | null {
  const [redirect, ...others] = command.redirects.filter(({ operator }) => operator.startsWith('<'))
  if (redirect === undefined) return feeder?.type === 'Command' ? readPrinted(feeder) : null
  const { descriptor } = redirect
  const isStdin = descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0)
  if (others.length > 0 || !isStdin) return null
  if (redirect.type === 'HereDoc') return redirect.body.parts === undefined ? redirect.body.text : null
  const { target, operator } = redirect
  return operator === '<<<' && target !== undefined && isPlainWord(target) ? target.value : null
}

/** Reads what `echo` or `printf` prints, where its words say all of it. */
function readPrinted({ name, args, redirects, prefix }: Command): string | null {
  const words = args.flatMap((each) => (each.type === 'Word' ? [each] : []))
  const isPlain = words.length === args.length && words.every((word) => isPlainWord(word) && !/[*?[{~]/.test(word.text))
  if (name === undefined || !isPlain || redirects.length + prefix.length > 0) return null
  const text = words.map(({ value }) => value).join(' ')
  if (name.value === 'echo') return /^-|\\/.test(text) ? null : text
  const isText = name.value === 'printf' && words.length === 1 && !/%|\\(?!n)|^-/.test(text)
  return isText ? text.replaceAll(String.raw`\n`, '\n') : null
}
