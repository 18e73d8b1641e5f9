import { toVisibleLines } from 'hookline/internal'
import { findTellingField, formatValue, shortenPath } from './call-text.ts'
import { toDiffLines } from './diff-lines.ts'
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
 * Formats everything that a call would do, for the user who decides about it: all fields of its input, each line on its own; what
 * it changes in a file, as that change.
 */
export function formatAskedCall(input: unknown, cwd: string, change: WantedChange | null = null): AskedLine[] {
  if (typeof input !== 'object' || input === null) return toAskedLines(formatValue(input))
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const telling = findTellingField(fields)
  const others = Object.keys(fields).filter(
    (name) => name !== telling && !(change !== null && IN_CHANGE.includes(name)),
  )
  return [
    ...(telling === undefined ? [] : toAskedLines(formatAskedValue(telling, fields[telling], cwd))),
    ...others.flatMap((name) => formatAskedField(name, formatValue(fields[name]))),
    ...(change === null ? [] : formatWantedChange(change)),
  ]
}

function formatWantedChange({ hunks, problem }: WantedChange): AskedLine[] {
  return [
    ...(problem === null ? [] : toAskedLines(problem, 'warn')),
    ...(hunks.length === 0 ? toAskedLines('Nothing changes.') : []),
    ...toDiffLines(hunks).flatMap(({ text, tone }) => toAskedLines(text, tone)),
  ]
}

function formatAskedValue(name: string, value: unknown, cwd: string): string {
  return name === 'file_path' ? shortenPath(String(value), cwd) : String(value)
}

function formatAskedField(name: string, text: string): AskedLine[] {
  if (!text.includes('\n')) return toAskedLines(`${name}: ${text}`)
  return [...toAskedLines(`${name}:`), ...toAskedLines(text).map((line) => ({ text: `  ${line.text}` }))]
}

function toAskedLines(text: string, tone?: Tone): AskedLine[] {
  const lines = toVisibleLines(text).replaceAll('\t', '    ').split('\n')
  return lines.map((line) => ({ text: line, ...(tone === undefined ? {} : { tone }) }))
}
