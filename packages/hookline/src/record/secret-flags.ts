import { hasSecretName, SECRET_NAME_SOURCE } from './secret-names.ts'
import { GAP, SECRET_PROGRAMS, STDIN_READERS } from './secret-programs.ts'

/** Replacement for a redacted secret. */
export const REDACTED = '[redacted]'

/** A word of a command line, quoted or not, as far as it goes: `'a'"b"c` is one. */
export const LINE_WORD =
  '(?:\\[redacted\\]|\\\\[^\\n]|\\$?"(?:\\\\.|[^"\\\\\\n]){0,4096}"|\\$?\'[^\'\\n]{0,4096}\'|[^\\s"\'`;|&<>\\\\,\\]]){1,4096}'
/** A simple command from the name of such a program on. Whatever it holds, nothing of it is read twice. */
const SECRET_COMMAND = new RegExp(
  `(?<![\\w-])(?:${SECRET_PROGRAMS.map(({ programs }) => programs).join('|')})(?:\\.exe)?(?=["'\\s])` +
    '(?:\\\\\\r?\\n|"(?:\\\\.|[^"\\\\\\n]){0,4096}"|\'[^\'\\n]{0,4096}\'|[^;|&\\r\\n]){0,4096}',
  'g',
)
const SECRET_FLAGS = SECRET_PROGRAMS.map(({ programs, before }) => ({
  program: new RegExp(`(?<![\\w-])(?:${programs})(?:\\.exe)?(?=["'\\s])`),
  flag: new RegExp(`((?<=[\\s"'])${before})(${LINE_WORD})`, 'g'),
}))

/** `curl -u name:password`, `--proxy-user=name:password`. */
const USER_FLAG = new RegExp(
  `((?<![\\w-])(?:-[uU]|--user|--proxy-user|--userpwd)${GAP}?)` +
    `(?:(?<quote>["'])(?!\\+)(?:(?!\\k<quote>)[^:\\n]){0,128}:(?<quoted>(?:(?!\\k<quote>)[^\\n]){1,512})\\k<quote>?|(?<user>(?!\\+)[^\\s:"'/]{0,128}):(?<password>${LINE_WORD}))`,
  'g',
)
/** A command that reads a secret from stdin: `echo … | sudo -S`, `docker login --password-stdin <<< …`. */
const STARTERS =
  '(?:(?:sudo|env|npx|bunx|uvx|command|exec|npm exec(?: --)?|pnpm(?: dlx| exec)?|yarn(?: dlx| run)?|bun(?: x| run)?|(?:docker|kubectl) exec(?: -\\w{1,3}){0,3} [\\w.-]{1,64}(?: --)?)\\s{1,4}(?:\\w{1,32}=[^\\s]{0,64}\\s{1,4}){0,3}){0,2}'
const ASKING = `(?<![\\w-])${STARTERS}(?:${STDIN_READERS.map(({ reads }) => reads).join('|')})`
/** Commands between the secret and its reader that hand it on. */
const FILTERS = '(?:\\s{0,4}\\|\\s{0,4}(?:base64|tr|tee|cat|head|sed|xargs|cut)(?![\\w-])[^|;\\n]{0,128}){0,2}'
const PIPED = new RegExp(
  `((?<![\\w-])(?:echo|printf|yes|cat\\s{0,4}<<<)\\s{1,4}(?:-\\w{1,2}\\s{1,4}|["']%s(?:\\\\+n)?["']\\s{1,4}){0,2})` +
    `((?:"(?:\\\\.|[^"\\\\\\n]){0,4096}"|'[^'\\n]{0,4096}'|[^|;&\\n"']){1,1024}?)(${FILTERS}\\s{0,4}\\|\\s{0,4}${ASKING})`,
  'g',
)
const HERE_STRING = new RegExp(`(${ASKING}[^|;&\\n]{0,128}<<<\\s{0,4})(${LINE_WORD})`, 'g')
const PROCESS_INPUT = new RegExp(
  `(${ASKING}[^|;&\\n]{0,128}<\\s{0,4}<\\(\\s{0,4}(?:echo|printf)\\s{1,4}(?:-\\w{1,2}\\s{1,4})?)(${LINE_WORD})`,
  'g',
)
const HERE_DOCUMENT = new RegExp(
  `(${ASKING}[^|;&\\n]{0,128}<<-?\\s{0,4}(?:["']?)(?<end>\\w{1,32})(?:["']?)[^\\n]{0,256}\\n)(?<body>(?:(?!\\s{0,16}\\k<end>(?:\\n|$))[^\\n]{0,4096}\\n){1,64})`,
  'g',
)
/** A text that is put together, with a gap behind a name that says secret: `printf 'TOKEN=%s' …`. */
const FORMATTED = new RegExp(
  `((?<![\\w-])printf\\s{1,4}(?:-v\\s{1,4}\\w{1,64}\\s{1,4}|--\\s{1,4})?(?<quote>["'])(?:(?!\\k<quote>)[^\\n]){0,256}?(?:${SECRET_NAME_SOURCE})[\\w-]{0,32}["']?\\s{0,4}[=: ]\\s{0,4}(?:(?!\\k<quote>)[^\\n]){0,4}%[sq](?:(?!\\k<quote>)[^\\n]){0,256}\\k<quote>)((?:\\s{1,4}${LINE_WORD}){1,16})`,
  'gi',
)
/** A text that goes to a file, or into a variable, whose name says secret: `echo … > .secret`, `cat > password.txt <<< …`. */
const TO_NAMED = new RegExp(
  `((?<![\\w-])(?:echo|printf)\\s{1,4}(?:-\\w{1,2}\\s{1,4}|["']%s(?:\\\\+n)?["']\\s{1,4}){0,2})(?!-)([^|;&<>\\n]{1,512}?)(?=\\s{0,4}(?:>{1,2}|\\|\\s{0,4}(?:sudo\\s{1,4})?tee(?:\\s{1,4}-a)?)\\s{0,4}["']?[\\w./~$\\{}-]{0,64}?(?:${SECRET_NAME_SOURCE}))`,
  'gi',
)
const HERE_STRING_TO_NAMED = new RegExp(
  `((?<![\\w-])(?:cat|tee|read)\\s[^|;&\\n]{0,128}?(?:${SECRET_NAME_SOURCE})[^|;&\\n]{0,64}<<<\\s{0,4})(${LINE_WORD})`,
  'gi',
)
/** A file that holds a secret by the name of its option, made on the spot: `--password-file <(echo …)`. */
const MADE_FILE = new RegExp(
  `((?<![\\w])[\\w-]{0,32}(?:pass|secret|token|cred|key)[\\w-]{0,32}[\\s=]{1,4}(?:[^\\s<]{1,64}\\s{1,4})?<\\(\\s{0,4}(?:echo|printf)\\s{1,4}(?:-\\w{1,2}\\s{1,4})?)(${LINE_WORD})`,
  'gi',
)
/** Several texts one after the other: `(echo …; echo …) | passwd`. */
const GROUPED = new RegExp(`([({]\\s{0,4})(?:echo|printf)\\s[^|(){}\\n]{1,512}([)}]\\s{0,4}\\|\\s{0,4}${ASKING})`, 'g')
/** Text that a dialogue with a program types into it: `expect -c '… send "…\\r"'`, `child.sendline("…")`. */
const TYPED =
  /((?<!\w)(?:send|sendline|sendcontrol|exp_send|sexpect send)\s{0,4}\(?\s{0,4}(?:--\s{1,4}|-s\s{1,4}|-cr\s{1,4})?)(?:\\{0,2}"((?:\\(?!["])|[^"\\\n]){1,1024})\\{0,2}"|'([^'\n]{1,1024})'|\{([^{}\n]{1,1024})\}|([^\s"'{;(]{1,256}?)(?=\\{1,2}[rn]))/g
/** Answers to questions, which tell nothing. */
const ANSWER = /^(?:yes|no|y|n|exit|quit|logout)?(?:\\{1,2}[rn])*\\{0,2}$/i

/** A command line without the passwords that it gives to programs. */
export function redactFlags(text: string): string {
  let left = text.replace(SECRET_COMMAND, redactFlagValues)
  if (/-u|-U|--proxy-user/.test(left)) left = left.replace(USER_FLAG, redactPassword)
  if (left.includes('|')) left = left.replace(GROUPED, `$1${REDACTED}$2`).replace(PIPED, redactPiped)
  if (left.includes('<<')) {
    left = left
      .replace(HERE_STRING, redactWord)
      .replace(HERE_STRING_TO_NAMED, redactWord)
      .replace(HERE_DOCUMENT, `$1${REDACTED}\n`)
  }
  if (/echo|printf/.test(left) && hasSecretName(left))
    left = left.replace(TO_NAMED, redactWord).replace(FORMATTED, redactFormatted)
  if (left.includes('<(')) left = left.replace(PROCESS_INPUT, redactWord).replace(MADE_FILE, redactWord)
  if (/(?<!\w)(?:expect\s{1,4}["'{\\-]|spawn\s{1,4}\w|pexpect|sexpect)/.test(left))
    left = left.replace(TYPED, redactTyped)
  return left
}

/** A variable with what it is by default, and a command that prints what it is given: `${TOKEN:-…}`, `$(echo …)`. */
const SHOWN_VALUE = /^["']?\$(?:\{\w{1,64}:?[-=](?![$}])|\(\s{0,4}(?:echo|printf)\s)/

/** True for text that stands for a value that is elsewhere: a variable, or what a command prints. */
export function isReference(value: string): boolean {
  if (SHOWN_VALUE.test(value)) return false
  return /^["']?(?:(?:basic|bearer|token)\s{1,4})?(?:\$\w+["']?$|\$[{(]|%\w+%$)/i.test(value)
}

/** A command without the values of flags that stand behind a program which takes a password there. */
function redactFlagValues(command: string): string {
  return SECRET_FLAGS.reduce((left, { program, flag }) => {
    const from = program.exec(left)
    if (from === null) return left
    const start = from.index + from[0].length
    return left.slice(0, start) + left.slice(start).replace(flag, redactWord)
  }, command)
}

function redactWord(whole: string, before: string, word: string): string {
  return isReference(word) ? whole : `${before}${REDACTED}`
}

function redactFormatted(whole: string, before: string, _quote: string, words: string): string {
  return isReference(words.trim()) ? whole : `${before} ${REDACTED}`
}

function redactPiped(whole: string, before: string, words: string, after: string): string {
  return isReference(words.trim()) ? whole : `${before}${REDACTED}${after}`
}

function redactTyped(whole: string, before: string, ...quoted: unknown[]): string {
  const typed = quoted.slice(0, 4).find((each) => typeof each === 'string') ?? ''
  return ANSWER.test(String(typed)) || isReference(String(typed)) ? whole : `${before}"${REDACTED}"`
}

/** `-u 1000:1000` and `-u node:node` name a user and a group. */
function redactPassword(whole: string, before: string, ...matched: unknown[]): string {
  const { user = '', password = '', quoted = password } = matched.at(-1) as Partial<Record<string, string>> // named groups come last
  if ((user === password && user !== '') || (/^\d+$/.test(user) && /^\d+$/.test(password)) || isReference(quoted))
    return whole
  return `${before}${REDACTED}`
}
