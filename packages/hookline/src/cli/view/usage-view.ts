import { indentText, wrapHangingLine } from './layout.ts'

/** Column at which explanations of flags begin. */
const EXPLANATION = 27
/** Below this width explanations stand under their flags. */
const ROOM_FOR_COLUMNS = 60

/** Examples stand no deeper where there is little room. */
const MAX_FLAG_INDENT = 6

/**
 * Formats how a command is called, in lines of at most a width. What is wider is broken anew: text and explanations of flags as a
 * whole, while examples go on below.
 */
export function formatUsage(usage: string, width: number): string {
  const isTooWide = (block: readonly string[]): boolean => block.some((line) => line.length > width)
  return `${groupLines(usage.trimEnd().split('\n'))
    .map((block) => (isTooWide(block) ? fitBlock(block, width) : block.join('\n')))
    .join('\n')}\n`
}

/** Lines that belong together: a paragraph, or a flag with its explanation. */
function groupLines(lines: readonly string[]): string[][] {
  const blocks: string[][] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    const isContinued = last !== undefined && isContinuation(last[0] ?? '', line)
    if (isContinued) last.push(line)
    else blocks.push([line])
  }
  return blocks
}

function isContinuation(first: string, line: string): boolean {
  if (isFlag(first)) return line.startsWith(' '.repeat(EXPLANATION))
  return isText(first) && isText(line)
}

const isFlag = (line: string): boolean => /^ {2}--?\w/.test(line)
const isText = (line: string): boolean => /^[^\s]/.test(line) && !line.startsWith('hookline ')

function fitBlock([first = '', ...rest]: readonly string[], width: number): string {
  if (isText(first)) return indentText([first, ...rest].join(' '), '', width)
  if (!isFlag(first))
    return first === ''
      ? ''
      : wrapHangingLine(first.trimStart(), ' '.repeat(Math.min(first.search(/\S/), MAX_FLAG_INDENT)), width)
  const [, flag = '', told = ''] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(first) ?? []
  const text = [told, ...rest.map((line) => line.trim())].filter((part) => part !== '').join(' ')
  if (width < ROOM_FOR_COLUMNS) return [`  ${flag}`, indentText(text, '      ', width)].join('\n')
  const lines = indentText(text, ' '.repeat(EXPLANATION), width)
  const head = `  ${flag}`.padEnd(EXPLANATION)
  return head.length > EXPLANATION ? [`  ${flag}`, lines].join('\n') : `${head}${lines.slice(EXPLANATION)}`
}
