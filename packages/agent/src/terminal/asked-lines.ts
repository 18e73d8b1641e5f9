import { toVisibleLines } from 'hookline/internal'
import { shortPath, tellingField, valueText } from './call-text.ts'
import { numberedLines } from './diff-lines.ts'
import type { WantedChange } from './hunks.ts'
import type { Tone } from './look.ts'

/** A line of what is asked for, with nothing hidden in it. */
export interface AskedLine {
  readonly text: string
  readonly tone?: Tone
}

/** Fields that are shown as the change they make. */
const IN_CHANGE = ['old_string', 'new_string', 'content']

/**
 * Everything that a call would do, for the user who decides about it: all fields of its input, each line on its own; what
 * it changes in a file, as that change.
 */
export function askedLines(input: unknown, cwd: string, change: WantedChange | null = null): AskedLine[] {
  if (typeof input !== 'object' || input === null) return linesOf(valueText(input))
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const telling = tellingField(fields)
  const others = Object.keys(fields).filter(
    (name) => name !== telling && !(change !== null && IN_CHANGE.includes(name)),
  )
  return [
    ...(telling === undefined ? [] : linesOf(toldText(telling, fields[telling], cwd))),
    ...others.flatMap((name) => fieldLines(name, valueText(fields[name]))),
    ...(change === null ? [] : changeLines(change)),
  ]
}

function changeLines({ hunks, problem }: WantedChange): AskedLine[] {
  return [
    ...(problem === null ? [] : linesOf(problem, 'warn')),
    ...(hunks.length === 0 ? linesOf('Nothing changes.') : []),
    ...numberedLines(hunks).flatMap(({ text, tone }) => linesOf(text, tone)),
  ]
}

function toldText(name: string, value: unknown, cwd: string): string {
  return name === 'file_path' ? shortPath(String(value), cwd) : String(value)
}

function fieldLines(name: string, text: string): AskedLine[] {
  if (!text.includes('\n')) return linesOf(`${name}: ${text}`)
  return [...linesOf(`${name}:`), ...linesOf(text).map((line) => ({ text: `  ${line.text}` }))]
}

function linesOf(text: string, tone?: Tone): AskedLine[] {
  const lines = toVisibleLines(text).replaceAll('\t', '    ').split('\n')
  return lines.map((line) => ({ text: line, ...(tone === undefined ? {} : { tone }) }))
}
