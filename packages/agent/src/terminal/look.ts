/** What a terminal can show. */
export interface Look {
  readonly colours: boolean
  readonly unicode: boolean
}

/** Colours by what they mean. */
export type Tone = 'accent' | 'good' | 'bad' | 'warn' | 'code'

const COLOURS: Readonly<Record<Tone, string>> = {
  accent: 'cyan',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  code: 'magenta',
}

const UNICODE = {
  call: '●',
  result: '└',
  pointer: '❯',
  ellipsis: '…',
  list: '•',
  hook: '◆',
  bar: '│',
  done: '✓',
  failed: '✗',
  rewritten: '✎',
  background: '⧗',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  border: 'round',
} as const

const ASCII = {
  call: '*',
  result: '|_',
  pointer: '>',
  ellipsis: '...',
  list: '-',
  hook: '#',
  bar: '|',
  done: '+',
  failed: 'x',
  rewritten: '~',
  background: '&',
  spinner: ['|', '/', '-', '\\'],
  border: 'classic',
} as const

/** The signs that a terminal draws with. */
export type Signs = typeof UNICODE | typeof ASCII

/** What the environment says of the terminal. */
export function lookOf(env: NodeJS.ProcessEnv): Look {
  const language = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return { colours: !env.NO_COLOR, unicode: /utf-?8/i.test(language) && env.TERM !== 'linux' }
}

/** The signs for a look. */
export function signsOf({ unicode }: Look): Signs {
  return unicode ? UNICODE : ASCII
}

/** The colour of a tone, as ink takes it; none where there are no colours. */
export function colourOf({ colours }: Look, tone: Tone): { readonly color?: string } {
  return colours ? { color: COLOURS[tone] } : {}
}
