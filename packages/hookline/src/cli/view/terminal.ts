/** Abilities of the place that a command writes to. */
export interface Terminal {
  /** Characters in a line. */
  readonly width: number
  readonly paint: Paint
}

/** Colours a text, or leaves it alone where colours are off. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const

/** Stands in our own colours until they are printed: others cannot write it, since it is another one in each process. */
const OWN_MARK = `${Math.random().toFixed(16).slice(2).replaceAll(/\d{4}/g, ';$&')}m`
const OWN_COLOUR = new RegExp(`(\\x1b\\[\\d+${OWN_MARK})`)

const USUAL_WIDTH = 80
const NARROWEST = 40

/** The place behind a stream. NO_COLOR outranks FORCE_COLOR and CLICOLOR_FORCE, which outrank what the stream is. */
export function openTerminal(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, { color = true } = {}): Terminal {
  const width = Number(env.COLUMNS) || stream.columns || USUAL_WIDTH
  return { width: Math.max(NARROWEST, width), paint: paintIf(color && isColourWanted(stream, env)) }
}

function isColourWanted(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return stream.isTTY === true && env.TERM !== 'dumb'
}

function paintIf(colours: boolean): Paint {
  const paint: Record<string, Paint[keyof Paint]> = {}
  for (const [name, [on, off]] of Object.entries(CODES))
    paint[name] = (text) => (colours ? `\x1b[${on}${OWN_MARK}${text}\x1b[${off}${OWN_MARK}` : text)
  return paint as Paint // the same names
}

/** A painted text with another text between its colours. */
export function mapText(text: string, change: (part: string) => string): string {
  return text
    .split(OWN_COLOUR)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')
}

/** A painted text as a terminal takes it: our colours as they are meant, the text between them changed. */
export function mapPainted(text: string, change: (part: string) => string): string {
  return mapText(text, change).replaceAll(OWN_MARK, 'm')
}
