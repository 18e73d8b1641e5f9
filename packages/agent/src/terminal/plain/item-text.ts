import { inputText } from '../call-text.ts'
import type { FinishedCall, Item } from '../item.ts'

/** Lines of a result that are said before somebody asks for all of it. */
const FOLDED_LINES = 4

/** An item in words: who says it stands before it. */
export function itemText(item: Item, { cwd, verbose }: { readonly cwd: string; readonly verbose: boolean }): string {
  switch (item.kind) {
    case 'banner':
      return [item.title, ...item.lines.filter((line) => line !== '')].join('\n')
    case 'person':
      return `You said: ${item.text}`
    case 'model':
      return `${item.agent ?? 'Agent'}: ${item.text}`
    case 'call':
      return callText(item, { cwd, verbose })
    case 'told':
      return `Hook says: ${item.text}`
    case 'hook':
      return `Hook: ${item.text}`
    case 'note':
      return item.tone === 'bad' ? `Problem: ${item.text}` : item.text
  }
}

function callText(call: FinishedCall, { cwd, verbose }: { readonly cwd: string; readonly verbose: boolean }): string {
  const { name, input, failed, result, hunks } = call
  const changes = failed ? [] : hunks.flatMap(({ lines }) => lines)
  const lines = changes.length > 0 ? changes : result.split('\n')
  const shown = verbose ? lines : lines.slice(0, FOLDED_LINES)
  const more = lines.length - shown.length
  return [
    `Call: ${name} ${verbose ? JSON.stringify(input) : inputText(input, cwd)}`.trimEnd(),
    `${failed ? 'It failed' : 'Result'}: ${shown.join('\n')}`,
    ...(more === 0 ? [] : [`${more} more lines; /verbose shows everything from now on.`]),
  ].join('\n')
}
