import { isAmountOfTokens, isSecretName, mentionsSecret, SECRET_NAME_SOURCE } from './secret-names.ts'

/** What stands where a secret was. */
export const REDACTED = '[redacted]'

/**
 * Secrets that are known by how they look. Each starts where no character of its own kind stands before it, and every
 * repetition has a limit or eats what it passes: a text of any length is read in a time that grows with its length.
 */
const SHAPES = new RegExp(
  [
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)',
    '(?<![\\w-])eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]*)?', // a JSON web token
    '(?<![\\w-])(?:sk|pk|rk)[-_][\\w-]{16,}',
    '(?<!\\w)gh[opsur]_\\w{16,}',
    '(?<!\\w)github_pat_\\w{16,}',
    '(?<![\\w-])gl(?:pat|dt|rt|ptt|cbt)-[\\w-]{16,}',
    '(?<![\\w-])xox[a-z]-[\\w-]{10,}',
    '(?<![\\w-])xapp-[\\w-]{10,}',
    '(?<!\\w)(?:AKIA|ASIA|AGPA|AROA|AIDA)[0-9A-Z]{12,}',
    '(?<![\\w-])AIza[\\w-]{30,}',
    '(?<![\\w-])ya29\\.[\\w-]{16,}',
    '(?<!\\w)(?:npm|hf|shpat|shpss|dop_v1|lin_api)_\\w{24,}',
    '(?<![\\w-])pypi-[\\w-]{24,}',
    '(?<![\\w-])SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    '(?<![\\w-])AGE-SECRET-KEY-1[\\w-]{16,}',
    '(?<![\\w-])https://hooks\\.slack\\.com/[\\w/-]{16,}',
  ].join('|'),
  'g',
)

/** A scheme of HTTP and what follows it. */
const BEARER = /(?<!\w)(bearer\s{1,4})[\w.~+/=-]{8,}/gi

/** The user's part of an address: `user:password@`, or a long token alone. */
const USER_INFO = /(:\/\/)(?:[^\s/@:"'`]{0,256}:[^\s/@"'`]{1,512}|[^\s/@:"'`]{16,256})@/g

/** Headers whose value goes on to the end of the line or of the quotes. */
const HEADER = /((?:authorization|cookie)["']?\s{0,4}:\s{0,4})[^\s"'`\\][^\r\n"'`\\]{0,8192}/gi

/** A name that says secret, `=` or `:`, and a value: quoted, or to the next gap. */
const ASSIGNMENT = new RegExp(
  `(?<name>(?:${SECRET_NAME_SOURCE})[\\w-]{0,32})(?<gap>\\\\{0,4}["']?\\s{0,4}[:=]\\s{0,4})` +
    `(?:(?<quote>\\\\{0,4}["'\`])(?<quoted>(?:(?!\\k<quote>)(?:\\\\{3}["']|\\\\?[\\s\\S])){1,16384})|(?<bare>[^\\s"'\`,;&|<>(){}\\\\]{1,8192})(?<call>\\(?))`,
  'gi',
)

/** A list or an object, as JSON writes them, under a name that says secret. */
const MEMBER = new RegExp(
  `((?:${SECRET_NAME_SOURCE})[\\w-]{0,32}\\\\{0,4}["']\\s{0,4}:\\s{0,4})(?:\\{[^{}]{0,4096}\\}|\\[[^[\\]]{0,4096}\\])`,
  'gi',
)

/** `--password hunter2` */
const FLAG = new RegExp(
  `(--[\\w-]{0,32}?(?:${SECRET_NAME_SOURCE})[\\w-]{0,32}\\s{1,4})(?!-)(?:"[^"\\n]{1,4096}"|'[^'\\n]{1,4096}'|[^\\s"'\`;|&]{1,4096})`,
  'gi',
)

/** `curl -u name:password`; two numbers are ids of a user and a group. */
const USER_FLAG = /((?<![\w-])(?:-u|--user)[\s=]{1,4}["']?)(?!\d+:\d+(?!\w))[^\s:"']{1,128}:[^\s"']{1,512}/g

/** `NAME=` and a long value that looks drawn by lot: small and capital letters and digits. */
const DRAWN_BY_LOT =
  /(?<!\w)([A-Z][A-Z0-9_]{1,64}=["']?)(?=[\w+/=-]{0,128}[a-z])(?=[\w+/=-]{0,128}[A-Z])(?=[\w+/=-]{0,128}\d)[\w+/=-]{24,8192}/g

/** `?key=…` and `&sig=…` of an address. */
const QUERY = /([?&](?:key|sig|signature|code|auth)=)[^\s&"'`#]{8,4096}/gi

/** What stands for a value that is elsewhere, or for a type: code and configuration, not a secret. */
const NO_VALUE =
  /^(?:\$\w+$|\$[{(]|%\w+%$|process\.env|os\.environ|env\.|\[redacted\]|(?:string|str|number|int|integer|boolean|bool|bytes|object|any|unknown|null|none|nil|undefined|true|false|required|optional)(?:$|[[\]?]))/i

/** A text without what looks like a secret. Most texts have nothing of the kind, and are only looked through. */
export function withoutSecretShapes(text: string): string {
  let left = text.replace(SHAPES, REDACTED)
  if (left.includes('://')) left = left.replace(USER_INFO, `$1${REDACTED}@`)
  if (mentionsSecret(left)) left = withoutNamedSecrets(left)
  if (left.includes('-u')) left = left.replace(USER_FLAG, `$1${REDACTED}`)
  if (left.includes('=')) left = left.replace(QUERY, `$1${REDACTED}`).replace(DRAWN_BY_LOT, `$1${REDACTED}`)
  return left
}

function withoutNamedSecrets(text: string): string {
  return text
    .replace(HEADER, `$1${REDACTED}`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(MEMBER, `$1${REDACTED}`)
    .replace(ASSIGNMENT, withoutValue)
    .replace(FLAG, `$1${REDACTED}`)
}

/** An assignment without its value, unless that is none: a variable, a call, a type, a number of tokens, a place. */
function withoutValue(whole: string, ...matched: unknown[]): string {
  const { name = '', gap = '', quote = '', quoted, bare = '', call = '' } = matched.at(-1) as Record<string, string> // named groups come last
  const value = quoted ?? bare
  if (!isSecretName(name) || NO_VALUE.test(value)) return whole
  if (isAmountOfTokens(name) && /^[\d._k]+$/i.test(value)) return whole
  if (call !== '') return whole
  return `${name}${gap}${quote}${REDACTED}`
}
