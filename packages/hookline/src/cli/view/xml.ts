import { toReadableLines } from '../../text/visible.ts'

/**
 * A text as it stands in XML, in an attribute too. XML 1.0 has no way to write most control characters and halves of
 * characters, so they are written as escapes for people.
 */
export function escapeXml(text: string): string {
  return toReadableLines(text).replace(/[<>&"'\n\t]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
