/** Row of a table under a name that others chose: `constructor` and its like, which every object answers to, are no rows. */
export function findOwn<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
