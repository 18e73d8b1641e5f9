/** Abilities of a terminal. */
export interface Look {
  readonly colours: boolean
  readonly unicode: boolean
  readonly theme: Theme
}

/** True if letters are light on dark, or dark on light. */
export type Theme = (typeof THEMES)[number]
export const THEMES = ['dark', 'light'] as const

/** Colours by what they mean. */
export type Tone = 'accent' | 'good' | 'bad' | 'warn' | 'code'

/** Colours that can be read on the ground of a theme. The terminal's own palette says how they look. */
const THEME_COLOURS: Readonly<Record<Theme, Readonly<Record<Tone, string>>>> = {
  dark: { accent: 'cyan', good: 'green', bad: 'red', warn: 'yellow', code: 'magenta' },
  light: { accent: 'blue', good: 'green', bad: 'red', warn: 'magenta', code: 'blue' },
}

const UNICODE = {
  call: '●',
  result: '└',
  pointer: '❯',
  ellipsis: '…',
  list: '•',
  hook: '◆',
  bar: '│',
  line: '─',
  box: '☐',
  checked: '☑',
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
  line: '-',
  box: '[ ]',
  checked: '[x]',
  done: '+',
  failed: 'x',
  rewritten: '~',
  background: '&',
  spinner: ['|', '/', '-', '\\'],
  border: 'classic',
} as const

/** The signs that a terminal draws with. */
export type Signs = typeof UNICODE | typeof ASCII

/** Reads what the environment says of the terminal. */
export function readTerminalStyle(env: NodeJS.ProcessEnv): Look {
  const language = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return {
    colours: !env.NO_COLOR,
    unicode: /utf-?8/i.test(language) && env.TERM !== 'linux',
    theme: readTheme(env) ?? 'dark',
  }
}

/** The theme that a text names; null: it names none. */
export function parseTheme(name: string | undefined): Theme | null {
  return THEMES.find((theme) => theme === name) ?? null
}

/** HOOKLINE_THEME, else the ground that the terminal tells: the last number of COLORFGBG. */
function readTheme({ HOOKLINE_THEME, COLORFGBG }: NodeJS.ProcessEnv): Theme | null {
  const ground = COLORFGBG?.split(';').at(-1) ?? ''
  const told = LIGHT_GROUNDS.includes(ground) ? 'light' : null
  return parseTheme(HOOKLINE_THEME) ?? told
}

/** Light grey and white, among the sixteen colours of terminals. */
const LIGHT_GROUNDS = ['7', '15']

/** The signs for a look. */
export function chooseSigns({ unicode }: Look): Signs {
  return unicode ? UNICODE : ASCII
}

/** The colour of a tone, as ink takes it; none where there are no colours. */
export function chooseColour({ colours, theme }: Look, tone: Tone): { readonly color?: string } {
  return colours ? { color: THEME_COLOURS[theme][tone] } : {}
}
