/** One row for several programs, separated by blanks. */
export function shareRow<Row>(names: string, row: Row): Record<string, Row> {
  return shareRows({ [names]: row })
}

/** Rows by the names of programs, of which several may stand before one row, separated by blanks. A later row replaces an earlier one. */
export function shareRows<Row>(rows: Readonly<Record<string, Row>>): Record<string, Row> {
  const table: Record<string, Row> = {}
  for (const [names, row] of Object.entries(rows)) for (const name of names.split(' ')) table[name] = row
  return table
}
