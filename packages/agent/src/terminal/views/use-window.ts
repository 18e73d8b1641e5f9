import { measureWidth } from 'hookline/internal'
import { useMemo } from 'react'
import { useValue } from './use-value.ts'

/** The part of a long text that is shown. */
export interface Window {
  readonly shown: readonly Row[]
  /** Rows that are not. */
  readonly more: number
  /** Moves by a screen, up or down. */
  readonly scroll: (by: -1 | 1) => void
}

/** A row of the screen. */
interface Row {
  readonly text: string
  /** The line that it is of. */
  readonly line: number
}

/** Beginning of a row that continues the line before it. */
const CONTINUES = '… '

/** Shows as many lines as fit; long ones take up several rows, and none is cut. */
export function useWindow(lines: readonly string[], { columns, rows }: { columns: number; rows: number }): Window {
  const [first, setFirst] = useValue(0)
  const all = useMemo(() => lines.flatMap((line, at) => splitRows(line, at, Math.max(10, columns))), [lines, columns])
  const top = Math.max(0, Math.min(first, all.length - rows))
  return {
    shown: all.slice(top, top + rows),
    more: Math.max(0, all.length - rows),
    scroll: (by) => setFirst(Math.max(0, Math.min(top + by * rows, all.length - rows))),
  }
}

/** Rows that a text takes up at most, at so many columns. */
export function countRows(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line, at) => sum + splitRows(line, at, Math.max(10, columns)).length, 0)
}

function splitRows(text: string, line: number, columns: number): Row[] {
  const indent = /^ {0,4}/.exec(text)?.[0] ?? ''
  const rows = ['']
  let width = 0
  for (const letter of text) {
    const more = measureWidth(letter)
    if (width + more > columns) {
      rows.push(`${indent}${CONTINUES}`)
      width = indent.length + CONTINUES.length
    }
    rows[rows.length - 1] += letter
    width += more
  }
  return rows.map((row) => ({ text: row === '' ? ' ' : row, line }))
}
