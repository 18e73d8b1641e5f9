/** One row for several programs, separated by blanks. */
export function shareRow<Row>(names: string, row: Row): Record<string, Row> {
  return Object.fromEntries(names.split(' ').map((name) => [name, row]))
}
