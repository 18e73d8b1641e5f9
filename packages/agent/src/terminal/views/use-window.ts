import { useValue } from './use-value.ts'

/** The part of a long text that is shown. */
export interface Window {
  readonly shown: readonly string[]
  /** Lines that are not. */
  readonly more: number
  /** Moves by a screen, up or down. */
  readonly scroll: (by: -1 | 1) => void
}

/** Shows as many lines as fit; long ones take up several rows. */
export function useWindow(lines: readonly string[], { columns, rows }: { columns: number; rows: number }): Window {
  const [first, setFirst] = useValue(0)
  const wrapped = lines.flatMap((line) => pieces(line, Math.max(10, columns)))
  const top = Math.max(0, Math.min(first, wrapped.length - rows))
  return {
    shown: wrapped.slice(top, top + rows),
    more: Math.max(0, wrapped.length - rows),
    scroll: (by) => setFirst(Math.max(0, Math.min(top + by * rows, wrapped.length - rows))),
  }
}

/** A line in pieces that fit, those after the first as far in as the line is. */
function pieces(line: string, columns: number): string[] {
  if (line.length <= columns) return [line === '' ? ' ' : line]
  const indent = /^ {0,4}/.exec(line)?.[0] ?? ''
  const rest = pieces(`${indent}${line.slice(columns)}`, columns)
  return [line.slice(0, columns), ...rest]
}
