import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

/** A part of a list, as the server sends it. */
interface Part<Row> {
  readonly total: number
  readonly rows: readonly Row[]
}

/** A list whose rows are fetched when they are seen. */
export interface ListProps<Row> {
  /** Names what is listed; another one starts anew at the top. */
  readonly name: string
  /** Fetched again when it changes; the place stays. */
  readonly version: number
  readonly label: string
  readonly columns: readonly Column[]
  readonly load: (offset: number, limit: number) => Promise<Part<Row>>
  readonly rowOf: (row: Row) => RowView
  readonly empty: ComponentChildren
  /** True keeps the end in sight while rows are added there. */
  readonly followEnd?: boolean
}

/** A column: its title, and a class that says how it is set. */
export interface Column {
  readonly title: string
  readonly kind?: string
}

/** A row as it is shown. */
export interface RowView {
  readonly kind?: string
  /** Address that the row leads to; null where it leads nowhere. */
  readonly to: string | null
  readonly cells: readonly ComponentChildren[]
  /** Styles of cells, by the kind of their column. */
  readonly styles?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Cell with the link of a row, which covers all of it. */
const LINK_CELL = 0
/** Shorter texts fit, and need no title. */
const MIN_TITLE_LENGTH = 12
const ROW_HEIGHT = 26
const PART_ROWS = 100
const MAX_PARTS = 12

/** Moves the selection of the list that is shown; null where there is no list. */
export const moveSelection = signal<((by: number) => void) | null>(null)

/** A list of which only the rows in sight exist: a grid by its roles, since a table would have to hold all rows. */
export function List<Row>({ name, version, label, columns, load, rowOf, empty, followEnd = false }: ListProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const parts = useMemo(() => new Map<number, readonly Row[]>(), [name])
  const [total, setTotal] = useState<number | null>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [selected, setSelected] = useState(-1)
  const chosen = useRef(-1)
  const [, redraw] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const first = Math.floor(top / ROW_HEIGHT)
  const last = Math.min(total ?? 0, Math.ceil((top + height - ROW_HEIGHT) / ROW_HEIGHT))

  useEffect(() => {
    setTotal(null)
    setSelected(-1)
    chosen.current = -1
    setTop(0)
    box.current?.scrollTo(0, 0)
  }, [name])

  useEffect(() => {
    let isCurrent = true
    const wanted = new Set([first, Math.max(first, last - 1)].map((at) => Math.floor(at / PART_ROWS)))
    for (const part of wanted) {
      if (parts.has(part) && loadedVersion.get(parts) === version) continue
      load(part * PART_ROWS, PART_ROWS).then(
        ({ total: now, rows }) => {
          if (!isCurrent) return
          const isAtEnd =
            box.current !== null &&
            box.current.scrollTop + box.current.clientHeight >= box.current.scrollHeight - 2 * ROW_HEIGHT
          if (loadedVersion.get(parts) !== version) {
            loadedVersion.set(parts, version)
            for (const other of [...parts.keys()]) if (!wanted.has(other)) parts.delete(other)
          }
          parts.set(part, rows)
          for (const oldest of parts.keys()) {
            if (parts.size <= MAX_PARTS) break
            if (!wanted.has(oldest)) parts.delete(oldest)
          }
          setFailure(null)
          setTotal(now)
          redraw((count) => count + 1)
          if (followEnd && isAtEnd && total !== null && now > total)
            requestAnimationFrame(() => box.current?.scrollTo(0, now * ROW_HEIGHT))
        },
        (error: Error) => {
          if (isCurrent && error.name !== 'AbortError') setFailure(error.message)
        },
      )
    }
    return () => {
      isCurrent = false
    }
  }, [name, version, Math.floor(first / PART_ROWS), Math.floor(Math.max(0, last - 1) / PART_ROWS)])

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => setHeight(element.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  const findRowView = (at: number): RowView | null => {
    const row = parts.get(Math.floor(at / PART_ROWS))?.[at % PART_ROWS]
    return row === undefined ? null : rowOf(row)
  }

  useLayoutEffect(() => {
    const move = (by: number): void => {
      const next = Math.min((total ?? 1) - 1, Math.max(0, chosen.current + by))
      chosen.current = next // the next key may come before the row is drawn
      setSelected(next)
      const element = box.current
      if (element === null) return
      const from = next * ROW_HEIGHT
      if (from < element.scrollTop) element.scrollTop = from
      else if (from + ROW_HEIGHT > element.scrollTop + element.clientHeight - ROW_HEIGHT)
        element.scrollTop = from + 2 * ROW_HEIGHT - element.clientHeight // below the head
      const focusRow = (): void => element.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
      focusRow()
      requestAnimationFrame(focusRow) // a row that had to be scrolled to is drawn by then
    }
    moveSelection.value = move
    return () => {
      moveSelection.value = null
    }
  })

  const rows = []
  for (let at = first; at < last; at++)
    rows.push(<ListRow key={at} at={at} view={findRowView(at)} isSelected={at === selected} columns={columns} />)
  return (
    <div
      class="list"
      role="grid"
      aria-label={label}
      aria-rowcount={(total ?? 0) + 1}
      aria-colcount={columns.length}
      aria-busy={total === null}
    >
      {failure !== null && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
      {total === 0 && failure === null ? <div class="empty">{empty}</div> : null}
      <div class="rows" role="presentation" ref={box} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
        <div class="head row" role="row" aria-rowindex={1}>
          {columns.map(({ title, kind = '' }) => (
            <span key={title} role="columnheader" class={kind}>
              {title}
            </span>
          ))}
        </div>
        <div class="space" role="rowgroup" style={{ height: `${(total ?? 0) * ROW_HEIGHT}px` }}>
          {rows}
        </div>
      </div>
    </div>
  )
}

const loadedVersion = new WeakMap<object, number>()

function ListRow({
  at,
  view,
  isSelected,
  columns,
}: {
  readonly at: number
  readonly view: RowView | null
  readonly isSelected: boolean
  readonly columns: readonly Column[]
}) {
  const style = { transform: `translateY(${at * ROW_HEIGHT}px)` }
  if (view === null) return <div class="row waiting" role="row" aria-rowindex={at + 2} style={style} />
  const { to, kind = '', cells, styles = {} } = view
  const link = to === null ? -1 : Math.min(LINK_CELL, cells.length - 1)
  return (
    <div class={`row ${kind}`} role="row" style={style} aria-rowindex={at + 2} aria-selected={isSelected}>
      {cells.map((cell, nth) => {
        const column = columns[nth]
        const title = typeof cell === 'string' && cell.length > MIN_TITLE_LENGTH ? cell : undefined
        return (
          <span
            key={column?.title}
            role="gridcell"
            class={column?.kind ?? ''}
            style={styles[column?.kind ?? '']}
            title={title}
          >
            {nth === link && to !== null ? (
              <a href={to} data-row={at} tabIndex={isSelected || at === 0 ? 0 : -1}>
                {cell}
              </a>
            ) : (
              cell
            )}
          </span>
        )
      })}
    </div>
  )
}
