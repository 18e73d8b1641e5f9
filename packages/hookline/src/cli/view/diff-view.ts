import { redactShapes } from '../../record/secret-shapes.ts'
import { toVisible } from '../../text/visible.ts'
import { measureWidth } from '../../text/width.ts'
import type { Paint, Terminal } from './terminal.ts'

/** A unified diff for people: coloured, with long lines broken but whole, and without what looks like a secret. */
export function diffView(diff: string, { width, paint }: Terminal): string[] {
  const lines = diff.trimEnd().split('\n')
  return lines.flatMap((line) =>
    breakDiffLine(toVisible(redactShapes(line).replace(/\r$/, '').replaceAll('\t', '  ')), width).map(
      paint[chooseDiffColour(line)],
    ),
  )
}

function chooseDiffColour(line: string): keyof Paint {
  if (line.startsWith('+++') || line.startsWith('---')) return 'bold'
  if (line.startsWith('+')) return 'green'
  if (line.startsWith('-')) return 'red'
  return 'dim'
}

/** Later parts of a line start with its sign too. */
function breakDiffLine(line: string, width: number): string[] {
  const [sign = ''] = line
  const parts = ['']
  for (const letter of line) {
    const last = parts.at(-1) ?? ''
    if (measureWidth(last + letter) <= width) parts[parts.length - 1] = last + letter
    else parts.push(`${sign}  … ${letter}`)
  }
  return parts
}
