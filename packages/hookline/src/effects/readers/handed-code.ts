import { type Context, enterStep, fetchFrom, lowerCertainty, noteFlows, noteUnseen, readFilled } from '../context.ts'
import { type Content, EMPTY_CONTENT, showValue, toKnownWord, UNKNOWN_CONTENT, type Value } from '../value.ts'

/** Notes a program that is fetched from an address and run. */
export function fetchAndRun(context: Context, address: string, program: string): void {
  const isHub = /^(?:git\+)?(?:https?|ssh):\/\/(?:git@)?(?:github\.com|gitlab\.com|bitbucket\.org)\//.test(address)
  fetchFrom(context, toKnownWord(address.replace(/^git\+/, '')))
  noteUnseen(context, 'code', address, 'run')
  noteFlows(isHub ? lowerCertainty(context, 'possible') : context, ['fetch'], 'run', `${program} ${address}`)
}

/** Runs the code that a word holds; code that is not known, or came from elsewhere, is said to be so. */
export function runCodeWord(context: Context, language: string, code: Value | null): Content {
  if (!code) return UNKNOWN_CONTENT
  noteFlows(
    context,
    [...code.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    language,
  )
  const text = readFilled(context, code)
  if (text === null) noteUnseen(context, code.carries.has('fetch') ? 'code' : 'value', showValue(code), 'run')
  return context.reading.runCode(
    enterStep(context),
    language,
    text ?? code.pieces.map((piece) => (piece.is === 'unknown' ? 'UNKNOWN' : piece.text)).join(''),
    EMPTY_CONTENT,
  )
}
