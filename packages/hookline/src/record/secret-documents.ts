import { REDACTED } from './secret-flags.ts'

/** The kind of a document of Kubernetes whose data are secret, in YAML and JSON, however often it was quoted. */
const KIND = /kind\\{0,8}["']?\s{0,4}:\s{0,4}\\{0,8}["']?Secret(?:List)?(?![\w-])/
const KIND_OF_VALUE = /^Secret(?:List)?$/

/** Members that hold the secrets, as JSON writes them. */
const MEMBER = /((?:string)?data\\{0,8}["']\s{0,4}:\s{0,4})\{[^{}]{1,65536}\}/gi
/** The same in YAML, in one line. */
const IN_BRACES = /((?<![\w.-])(?:string)?data:[ \t]{0,8})\{[^{}\n]{1,16384}\}/gi
const IN_LINE = /((?<![\w.-])(?:string)?data:[ \t]{1,8})((?:[\w.-]{1,128}:[ \t]{1,8}[^\s]{1,16384}[ \t]{0,8}){1,64})/gi
const PAIR = /([\w.-]{1,128}:[ \t]{1,8})[^\s]{1,16384}/g

/** A line that begins them, behind marks of a quotation. */
const BEGINS = /^([\s>|#-]*)["']?(?:string)?data["']?:\s*(?:#.*)?$/i
const LINE_ENDS = /(\r?\n|\\{1,4}r?\\{0,4}n)/
const ENTRY = /^([\s>|#-]*["']?[\w.-]{1,256}["']?:)(?:\s.*)?$/s

/** True if a text has a document in it whose values are secret whatever their names. */
export function hasSecretDocument(text: string): boolean {
  return KIND.test(text)
}

/** True if a value is such a document, read. */
export function isSecretDocument(value: object): boolean {
  const { kind } = value as Partial<Record<string, unknown>>
  return typeof kind === 'string' && KIND_OF_VALUE.test(kind)
}

/** A text without the values of the documents in it. */
export function redactDocuments(text: string): string {
  const inLines = text
    .replace(MEMBER, `$1${REDACTED}`)
    .replace(IN_BRACES, `$1${REDACTED}`)
    .replace(IN_LINE, redactPairs)
  return redactEntries(inLines.split(LINE_ENDS)).join('')
}

function redactPairs(_whole: string, before: string, pairs: string): string {
  return before + pairs.replace(PAIR, `$1${REDACTED}`)
}

/** Lines, with what ends them between them, without what stands deeper than the line that begins the data. */
function redactEntries(parts: readonly string[]): string[] {
  let depth: number | null = null
  return parts.map((line, at) => {
    if (at % 2 === 1 || line.trim() === '') return line
    const indent = /^[\s>|#-]*/.exec(line)?.[0].length ?? 0
    if (depth !== null && indent > depth) {
      const [, name] = ENTRY.exec(line) ?? []
      return name === undefined ? `${line.slice(0, indent)}${REDACTED}` : `${name} ${REDACTED}`
    }
    const [, before] = BEGINS.exec(line) ?? []
    depth = before === undefined ? null : before.length
    return line
  })
}
