/** A key, or text that was typed or pasted. */
export type Press =
  | { readonly key: 'text' | 'paste'; readonly text: string }
  | { readonly key: 'ctrl'; readonly letter: string }
  | { readonly key: NamedKey }

/** Keys that are no text. */
export type NamedKey =
  | 'enter'
  | 'newline'
  | 'tab'
  | 'back-tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'word-left'
  | 'word-right'
  | 'delete-word'

const ESCAPE = '\u001b'

/** Sequences of terminals, without the escape character that they begin with. */
const SEQUENCES: Readonly<Record<string, NamedKey>> = {
  '': 'escape',
  '\r': 'newline',
  '\n': 'newline',
  '[13;2u': 'newline',
  '[13;3u': 'newline',
  '[27;2;13~': 'newline',
  '[Z': 'back-tab',
  '[3~': 'delete',
  '[A': 'up',
  OA: 'up',
  '[B': 'down',
  OB: 'down',
  '[C': 'right',
  OC: 'right',
  '[D': 'left',
  OD: 'left',
  '[H': 'home',
  OH: 'home',
  '[1~': 'home',
  '[F': 'end',
  OF: 'end',
  '[4~': 'end',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[1;5C': 'word-right',
  '[1;3C': 'word-right',
  f: 'word-right',
  '[1;5D': 'word-left',
  '[1;3D': 'word-left',
  b: 'word-left',
  '\u007f': 'delete-word',
}

const CHARACTERS: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
}

const PASTE_BEGINS = `${ESCAPE}[200~`
const PASTE_ENDS = `${ESCAPE}[201~`

/** Reads what a terminal sends, sequence by sequence; a pasted text comes as one press when it is complete. */
export function makePressReader(): (sequence: string) => Press[] {
  let pasted: string | null = null
  return (sequence) => {
    if (sequence === PASTE_BEGINS) {
      pasted = ''
      return []
    }
    if (sequence === PASTE_ENDS) {
      const text = (pasted ?? '').replace(/\r\n?/g, '\n')
      pasted = null
      return [{ key: 'paste', text }]
    }
    if (pasted === null) return splitPresses(sequence)
    pasted += sequence
    return []
  }
}

function splitPresses(sequence: string): Press[] {
  if (sequence === ESCAPE + ESCAPE) return [{ key: 'escape' }, { key: 'escape' }]
  if (sequence.startsWith(ESCAPE)) {
    const key = SEQUENCES[sequence.slice(1)]
    return key === undefined ? [] : [{ key }]
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are keys
  const parts = sequence.match(/[^\x00-\x1f\x7f]+|[\x00-\x1f\x7f]/gu) ?? []
  return parts.map(toKeyPress)
}

function toKeyPress(part: string): Press {
  const named = CHARACTERS[part]
  if (named !== undefined) return { key: named }
  const code = part.charCodeAt(0)
  return code < 0x20 ? { key: 'ctrl', letter: String.fromCharCode(code + 0x60) } : { key: 'text', text: part }
}
