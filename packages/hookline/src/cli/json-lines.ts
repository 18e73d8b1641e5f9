import { once } from 'node:events'

/** Prints a line of JSON, and waits while the reader is behind: what is printed does not pile up in memory. */
export async function printLine(entry: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, 'drain')
}
