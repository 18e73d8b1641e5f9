/** A call of a tool in a list: one a line, under a heading that names its kind. */
export interface ListedCall {
  readonly kind: string
  readonly text: string
  /** Sign in front of it: `!` for calls to refuse, `?` for calls to ask about. */
  readonly sign: '!' | '?' | ''
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Reads a list of calls: `## kind`, comments with `#`; ⏎ is a line break, and `@Tool {…}` a call of another tool than Bash. */
export function readCallList(list: string): readonly ListedCall[] {
  let kind = ''
  return list.split('\n').flatMap((line): ListedCall[] => {
    if (line.startsWith('## ')) kind = line.slice(3)
    if (line.startsWith('#') || line.trim() === '') return []
    const sign = /^[!?](?= [^{])/.exec(line)?.[0]
    const text = line.slice(sign ? 2 : 0).replaceAll('⏎', '\n')
    const call = /^@(\S+) (\{.*\})$/s.exec(text)
    // The list is written by hand, and its lines are objects.
    const input = call ? (JSON.parse(call[2] ?? '{}') as ListedCall['input']) : { command: text }
    return [{ kind, text, sign: sign === '!' || sign === '?' ? sign : '', tool: call?.[1] ?? 'Bash', input }]
  })
}
