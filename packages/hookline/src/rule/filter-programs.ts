import type { Word } from './shell-commands.ts'

/**
 * True if a call of awk surely starts nothing. A program of awk runs commands by `system`, by a pipe and by what it
 * loads, and a name cannot be put together but with `@`.
 */
export function isHarmlessAwk(words: readonly Word[]): boolean {
  let at = 0
  for (let word = words[at]; word && /^-./.test(word.value); word = words[at]) {
    at += 1
    if (word.value === '--') break
    if (!/^-[Fv]|^--(?:field-separator|assign|version|posix|traditional|re-interval|csv|lint)\b/.test(word.value))
      return false
    if (/^(?:-[Fv]|--field-separator|--assign)$/.test(word.value)) at += 1
  }
  const program = words[at]
  if (!program) return words.some(({ value }) => value === '--version')
  return program.literal && !/system|\||@/.test(program.value.replaceAll('||', ''))
}

/** True if a call of sed surely starts nothing: its commands are known, and none of them is `e`, nor a flag of `s`. */
export function isHarmlessSed(words: readonly Word[]): boolean {
  const programs: (Word | undefined)[] = []
  const operands: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!word || !/^-./.test(word.value)) {
      if (word) operands.push(word)
      continue
    }
    const [, attached] = /^(?:-[nrEszu]*e|--expression=)(.*)$/s.exec(word.value) ?? []
    if (attached !== undefined) programs.push(attached === '' ? words[++at] : { ...word, value: attached })
    else if (
      !/^-[nrEszu]+$|^-[nrEszu]*i[\w.~]*$|^--(?:in-place|quiet|silent|regexp-extended|posix|null-data|sandbox|separate|unbuffered|version|help)/.test(
        word.value,
      )
    )
      return false
  }
  const [first] = operands
  const all = programs.length === 0 && first ? [first] : programs
  return all.every((program) => program?.literal === true && isHarmlessProgram(program.value))
}

/** One command of sed, with what it takes. */
const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n[]|\\.|\[[^\]/\n]*\])*/[IM]*)`
const ADDRESSES = String.raw`(?:${ADDRESS}(?:~\d+)?(?:\s*,\s*(?:[+~]?\d+|${ADDRESS}))?\s*)?(?:!\s*)?`
const SIMPLE = String.raw`(?:[dDpPnNgGhHxqQ=z{}lF](?:\s*\d+)?|[btT:](?:\s*[\w.-]+)?|[aic][\s\\][^\n]*)`
const FILTER_COMMAND = new RegExp(
  String.raw`^[\s;]*${ADDRESSES}(?:${SIMPLE}|$)(?=\s*(?:[;\n}]|$)|\{)|^[\s;]*${ADDRESSES}\{`,
  's',
)
const SUBSTITUTION = new RegExp(String.raw`^[\s;]*${ADDRESSES}[sy]([^\w\s\\])`)

/** No set of characters is open: in one, the delimiter may be a character like any other. */
const CLOSED = /^(?:[^[\\]|\\.|\[[^\]]*\])*$/s

function isHarmlessProgram(text: string): boolean {
  let rest = text
  while (rest.trim() !== '') {
    const [simple] = FILTER_COMMAND.exec(rest) ?? []
    const end = simple !== undefined && simple.trim() !== '' ? simple.length : findSubstitutionEnd(rest)
    if (end === null) return false
    rest = rest.slice(end)
  }
  return true
}

/** Finds the end of `s/…/…/flags` or `y/…/…/`; null when it is none, or runs or writes something. */
function findSubstitutionEnd(text: string): number | null {
  const match = SUBSTITUTION.exec(text)
  const delimiter = match?.[1]
  if (!match || delimiter === undefined) return null
  let at = match[0].length
  const start = at
  for (let left = 2; left > 0; at++) {
    if (at >= text.length) return null
    if (text[at] === '\\') at++
    else if (text[at] === delimiter) left--
    if (left === 1 && text[at] === delimiter && !CLOSED.test(text.slice(start, at))) return null
  }
  const [flags = ''] = /^[\w]*/.exec(text.slice(at)) ?? []
  return /^[gpiIM\d]*$/.test(flags) ? at + flags.length : null
}
