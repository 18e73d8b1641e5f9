import { cleanText } from 'hookline'
import { toPrintable, toSafeJson } from 'hookline/internal'

/** Prints an answer. On a terminal nothing in it hides or turns around; in a file it is as it was said, but for controls. */
export function printAnswer(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? toPrintable(text) : cleanText(text)}\n`)
}

/** Prints a value as one line of JSON. */
export function printJson(value: object): void {
  process.stdout.write(`${toSafeJson(value)}\n`)
}

/** Says something to the user, on standard error: data and talk do not mix. */
export function tell(text: string): void {
  process.stderr.write(`${toPrintable(text)}\n`)
}
