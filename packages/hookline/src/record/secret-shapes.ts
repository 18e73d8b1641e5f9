import { hasSecretDocument, redactDocuments } from './secret-documents.ts'
import { isReference, LINE_WORD, REDACTED, redactFlags } from './secret-flags.ts'
import { redactLines } from './secret-lines.ts'
import { hasSecretName, isAmountOfTokens, isOpenValue, isSecretName, SECRET_NAME_SOURCE } from './secret-names.ts'
import { SECRET_TOKEN } from './secret-tokens.ts'

/** A name that says secret, from the word that says so to its end. */
const SECRET_NAME = `(?:${SECRET_NAME_SOURCE})[\\w-]{0,32}`

/** `user:password@` of an address, whatever its scheme; a password may have `@` and `/` in it. `\/` is how some write JSON. */
const LOGIN = /(:\\?\/\\?\/)[^\s/@:"'`[\\]{0,256}:(?!\d{1,5}(?:[/?#\\]|$))(?:(?!:\\?\/\\?\/)[^\s"'`<>]){1,512}@/g
/** A user alone: on the web that is a token, elsewhere only when it is as long as one. */
const USER_OF_WEB =
  /((?<!\w)(?:https?|wss?|ftps?):\\?\/\\?\/)(?!(?:git|user(?:name)?|me|you|name|anonymous)@)[^\s/@:"'`<>?#\\]{1,512}@/gi
const LONG_USER = /(:\\?\/\\?\/)[^\s/@:"'`<>?#\\]{16,256}@/g
/** The same without a scheme: `root:password@tcp(db)`, `me:password@db:5432`. */
const BARE_LOGIN = /(?<![\w/.:-])([\w.-]{1,64}:)[^\s"'`/:@]{1,256}(?=@(?:(?:tcp|unix)\(|[\w.-]{1,128}:\d{2,5}(?!\d)))/g

/** `user/password@` of Oracle, in an address of Java. */
const ORACLE_LOGIN = /(?<!\w)(jdbc:oracle:\w{1,16}:[^\s/@"'`]{1,128}\/)[^\s"'`]{1,256}?(?=@(?:\/\/|[\w(]))/gi

/** Headers whose value goes on to the end of the line or of the quotes. */
const HEADER =
  /((?:authorization|authentication|cookie)["']?\s{0,4}:\s{0,4}(?:(?:basic|bearer|token|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)\s{1,4})?)([^\s"'`\\][^\r\n"'`\\]{0,8192})/gi
/** Proof in a digest that the password is known: it can be tried against words. */
const DIGEST = /(?<!\w)(digest\s[^\r\n]{0,1024}?(?<!\w)c?response\s{0,4}=\s{0,4}\\{0,4}["']?)[\w+/=]{8,512}/gi
/** A scheme of HTTP and what follows it. */
const BEARER = /(?<!\w)(bearer\s{1,4})[\w.~+/=-]{8,}/gi
const BASIC =
  /(?<!\w)([Bb]asic\s{1,4}|BASIC\s{1,4})(?=[A-Za-z0-9+/]{0,64}(?:[\d+/=]|[a-z][A-Z]))[A-Za-z0-9+/]{8,}={0,2}/g

/** A name that says secret, what assigns, and a value: quoted, or to the next gap. */
const ASSIGNMENT = new RegExp(
  `(?<name>${SECRET_NAME})(?<gap>\\\\{0,4}["']?\\]?\\s{0,4}(?:=>|:=|[!=]==?|[:=])\\s{0,4})` +
    `(?:(?<prefix>[$@]|[bBrRfFuUnN]{1,2})?(?<quote>(?:"""|'''|\\\\{0,4}["'\`]))(?<quoted>(?:(?!\\k<quote>)(?:\\\\{3}["']|\\\\?[\\s\\S])){1,16384})` +
    `|(?<bare>(?:[^\\s"'\`,;&|<>\\\\]|\\\\(?![nrt"'\`\\\\])[^\\n]){1,8192}))`,
  'gi',
)
/** Parts that the shell joins to one word: `PASSWORD='a'"b"c`. */
const JOINED = new RegExp(`(?<name>${SECRET_NAME})=(?=\\$?["'])(?<word>${LINE_WORD})`, 'gi')
/** Output of a command that shows it: `PASSWORD=$(printf %s …)`. */
const PRINTED = new RegExp(
  `((?<name>${SECRET_NAME})=["']?(?:\\$\\(|\`)\\s{0,4}(?:echo|printf)\\s{1,4})(?<value>[^()\`\\n$]{1,512})(?=[)\`])`,
  'gi',
)
const ONE_PIECE = /^\$?(?:"[^"]*"|'[^']*')$/

/** A list or an object, as JSON writes them, under a name that says secret. */
const MEMBER = new RegExp(
  `((?<name>${SECRET_NAME})\\\\{0,4}["']\\s{0,4}:\\s{0,4})(?<value>\\{[^{}]{0,4096}\\}|\\[[^[\\]]{0,4096}\\])`,
  'gi',
)
/** A block of YAML: the lines below it that are indented. */
const BLOCK = new RegExp(
  `(${SECRET_NAME}["']?:[ \\t]{1,4}[|>][+-]?\\d?[ \\t]{0,8}(\\r?\\n))(?:[ \\t]+[^\\r\\n]{0,4096}(?:\\r?\\n|$)){1,512}`,
  'gi',
)
/** An element of XML. */
const ELEMENT = new RegExp(`(<(?:[\\w:.-]{0,32}?)(?<name>${SECRET_NAME})>)(?<value>[^<]{1,4096})(?=</)`, 'gi')
/** A property of a list of Apple: `<key>apiKey</key><string>…</string>`. */
const PROPERTY = new RegExp(
  `(<key>[\\w.-]{0,32}?(?<name>${SECRET_NAME})</key>\\s{0,16}<string>)(?<value>[^<]{1,4096})(?=</)`,
  'gi',
)
/** A row of a table, with the names of its columns: `INSERT INTO users (name, password) VALUES ('me', '…')`. */
const ROW =
  /((?<!\w)(?:insert|replace)\s{1,4}(?:or\s\w{1,16}\s)?into\s{1,4}[^\s(]{1,128}\s{0,4}\((?<columns>[^()]{1,1024})\)\s{0,4}values\s{0,4})(?<rows>(?:\((?:'(?:[^'\n]|''){0,4096}'|[^()'\n]){0,64}\)\s{0,4},?\s{0,4}){1,64})/gi
/** A value of a row, between commas. */
const COLUMN_VALUE = /\s*'(?:[^'\n]|'')*'\s*|[^,()']+/g
/** A pair of a name and a value: `- name: DB_PASSWORD\n  value: …`, `<add key="password" value="…"/>`. */
const PAIR = new RegExp(
  `((?<![\\w-])(?:name|key|variable)\\\\{0,2}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,2}["']?[\\w.:-]{0,64}?(?<name>${SECRET_NAME})\\\\{0,2}["']?[\\s,]{1,64}\\\\{0,2}["']?value\\\\{0,2}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,2}["']?)(?<value>[^\\s"'\`\\\\,}<>]{1,4096})`,
  'gi',
)
/** `--password hunter2`, `-storepass hunter2`, also in a list of arguments. */
const FLAG = new RegExp(
  `((?<![\\w-])--?(?<name>[\\w-]{0,32}?${SECRET_NAME})(?:\\s{1,4}|\\\\?["'],\\s{0,8}(?=\\\\?["'])))(?![-<])(?<value>\\\\?"[^"\\n]{1,4096}"?|'[^'\\n]{1,4096}'?|[^\\s"'\`;|&]{1,4096})`,
  'gi',
)
/** `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`, `setx API_TOKEN …`. */
const SETTING = new RegExp(
  `((?<!\\w)(?:config(?:ure)?(?:\\s{1,4}set)?|setx|setenv|set(?=\\s{1,4}-))(?:\\s{1,4}--?\\w{1,16}){0,3}\\s{1,4}[^\\s;|&]{0,128}?(?<name>${SECRET_NAME})\\s{1,4})(?<value>[^\\s;|&<-][^\\s;|&]{0,4096})`,
  'gi',
)
/** `machine example.com login me password …` of a .netrc, `requirepass …` of a redis.conf. */
const NETRC =
  /((?<!\w)login\s{1,8}\S{1,256}\s{1,8}password\s{1,8}|(?<!\w)user(?:name)?[ \t]{1,8}\S{1,64}[ \t]{1,8}password[ \t]{1,8}(?=[^\s\d]{0,64}\d)|(?<=^|\n)(?:requirepass|masterauth)\s{1,8})\S{1,4096}/gi
/** `CREATE USER me IDENTIFIED BY '…'`, `WITH PASSWORD '…'`. */
const SQL =
  /(?<!\w)((?:set\s{1,4}password\s{1,4}(?:for\s{1,4}\S{1,64}\s{0,4})?=|identified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?(?:by|as)|password|(?<=[(,]\s{0,4})secret)\s{1,4}(?:(?:old_)?password\s{0,4}\(\s{0,4})?)(['"])(?:(?!\2)[^\n]){1,4096}\2?/gi

/** `NAME=` and a long value that looks drawn by lot: small and capital letters and digits. */
const DRAWN_BY_LOT =
  /(?<!\w)([A-Z][A-Z0-9_]{1,64}=["']?)(?=[\w+/=-]{0,128}[a-z])(?=[\w+/=-]{0,128}[A-Z])(?=[\w+/=-]{0,128}\d)(?:[\w+/=]{24,8192}|[\w=-]{24,8192})(?![\w+/=-])/g
/** `STRIPE_KEY=…`: shorter, and in any letters. */
const KEY_VARIABLE =
  /(?<!\w)((?!(?:PRIMARY|FOREIGN|PUBLIC|CACHE|SORT|PARTITION|STORAGE|PRESS|HOT)_)[A-Z][A-Z0-9_]{0,64}_KEY=["']?)(?=[\w+/=:.-]{0,128}\d)(?=[\w+/=:.-]{0,128}[A-Za-z])[\w+/=:.-]{12,8192}/g

/** `?key=…`, `&sig=…` and such of an address, and of what is signed alone. */
const QUERY =
  /((?:[?&;]|(?<![\w-]))(?:sig|x-(?:amz|goog)-(?:signature|credential|security-token))=|[?&](?:key|apikey|appid|signature|code|auth|pass|pw|pwd)=)[^\s&"'`#;]{8,4096}/gi
/** `fs.s3a.secret.key=…`: names of settings with dots, as Java has them. */
const KEY_SETTING =
  /((?<!\w)(?:[\w-]{1,64}\.){0,8}(?:secret|access|account|private|api|encryption)\.key(?:\.[\w-]{1,64}){0,8}=["']?)(?!\$)[^\s"'`,;&|]{8,4096}/gi
/** The token of a bot in an address of Telegram. */
const BOT = /(\/bot\d{5,12}:)[\w-]{8,64}(?!\w)/g
/** A line of a .pgpass: host, port, database, user, password. */
const PGPASS =
  /(?<=^|\n|["'])((?:[\w.*-]{1,128}):(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:)[^\s"']{1,512}(?=\r?\n|$|["'])/g
/** `define('DB_PASSWORD', '…')`, `ENV['X_TOKEN', '…']`, `setenv("API_KEY", "…")`. */
const ARGUMENT = new RegExp(
  `((?<![\\w$])(?:define|putenv|setenv|setattr|SetEnvironmentVariable|setItem|setdefault|set|put|add|export|call|command)\\s{0,4}\\(\\s{0,4}\\\\{0,2}["'][\\w.-]{0,64}?(?<name>${SECRET_NAME})\\\\{0,2}["']\\s{0,4},\\s{0,4}\\\\{0,2}["'])(?<value>[^"'\\n\\\\]{1,4096})`,
  'gi',
)

/** A default of a variable: `os.getenv("DB_PASSWORD", "…")`, `env('API_KEY', '…')`, `config('SECRET_KEY', default='…')`. */
const VARIABLE_DEFAULT = new RegExp(
  `((?<!\\w)(?:getenv|env|environ\\.get|fetch|config|getProperty|getOrDefault|get|default_?env|Getenv|lookup|option)\\s{0,4}\\(\\s{0,4}["'][\\w.-]{0,64}?(?<name>${SECRET_NAME})["']\\s{0,4},\\s{0,4}(?:(?:default|fallback)\\s{0,4}=\\s{0,4})?["'])(?<value>[^"'\\n]{1,4096})`,
  'gi',
)

/** Value that counts where there is no other: `process.env.API_KEY || "…"`, `ENV['TOKEN'] ||= '…'`. */
const FALLBACK = new RegExp(
  `((?<name>${SECRET_NAME})["']?[\\])]{0,2}\\s{0,4}(?:\\|\\||\\?\\?|(?<!\\w)or(?!\\w))=?\\s{0,4}["'\`])(?<value>[^"'\`\n]{1,4096})`,
  'gi',
)

/** A text that a call makes a value of: `let password = String::from("…")`, `secret = SecretStr("…")`. */
const MADE = new RegExp(
  `((?<name>${SECRET_NAME})[^=\n]{0,32}=\\s{0,4}(?:new\\s{1,4})?(?:String|Some|Buffer|bytes|b64decode|base64\\.b64decode|atob|Secret\\w{0,16}|Secure\\w{0,16}|Uint8Array)(?:(?:\\.|::)(?:from|new|of))?\\s{0,4}\\(\\s{0,4}b?["'])(?<value>[^"'\n]{1,4096})`,
  'gi',
)

/** A name, its type and a value: `secret_key: &str = "…"`, `const apiKey: string = '…'`, `var token string = "…"`. */
const DECLARATION = new RegExp(
  `((?<name>${SECRET_NAME})[ \\t]{0,4}(?::[ \\t]{0,4}|[ \\t])&?(?!=)[\\w&'<>?.[\\] \\t]{1,64}?[ \\t]{0,4}(?<![=!<>:])=[ \\t]{0,4}["'\`])(?<value>[^"'\`\\n]{1,4096})`,
  'gi',
)

/** A secret alone that code is called with: `user.set_password("…")`, `builder.apiKey("…")`; what is asked for by a name is none. */
const SECRET_CALL = new RegExp(
  `((?<![\\w$])(?:[\\w$]{1,64}(?:\\.|->|::)){0,4}(?!(?:get|find|has(?!h)|is|read|load|fetch|lookup|require|by|on|list|use|import|delete|remove|create|describe|inject|resolve|validate|test|it)_?[A-Z_]|(?:token|secret|cookie)s?\\s{0,4}\\()(?:set|with|make|hash|change|check|verify|reset|add|encode)?_?(?<name>(?:${SECRET_NAME_SOURCE}))\\s{0,4}\\(\\s{0,4}["'])(?<value>[^"'\\n]{1,512})(?=["']\\s{0,4}\\))`,
  'gi',
)

/** A name and a password that code is called with: `smtp.login("me", "…")`, `auth=("me", "…")`. */
const CALL =
  /((?<!\w)(?:login|authenticate|set_password|auth|basic_?auth|HTTPBasicAuth|credentials|mysqli?_connect)\s{0,4}=?\s{0,4}\((?:\s{0,4}["'][^"'\n]{0,128}["']\s{0,4},){1,2}\s{0,4}["'])([^"'\n]{1,512})(?=["'])/gi

/** A place, a name and a password: `new PDO("mysql:…", "me", "…")`, `create_superuser("me", "me@x", "…")`. */
const CONNECTION =
  /((?<!\w)(?:PDO|connect|getConnection|create_?superuser|create_?user|mysqli)\s{0,4}\((?:\s{0,4}(?:["'][^"'\n]{0,256}["']|[\w.]{1,64})\s{0,4},){2}\s{0,4}["'])([^"'\n]{1,512})(?=["'])/gi

/** Words that stand for a value, or for its type. */
const PLACEHOLDER_WORDS =
  'string|str|number|int|integer|boolean|bool|bytes|object|any|unknown|null|none|nil|undefined|true|false|required|optional'
/** Words with which a sentence or a line of code goes on. */
const MORE_WORDS =
  'basic|bearer|digest|negotiate|ntlm|token|the|an?|this|that|it|is|in|of|to|no|not|and|or|for|if|when|which|what|those|these|they|we|you|only|with|by|your|readonly|await|new|typeof|function'
const CHAIN = '[A-Za-z_$][\\w$]*(?:(?:\\.|\\?\\.|::|->)[A-Za-z_$][\\w$]*)*'
const WORD_CHAIN = '[A-Za-z_$]+(?:(?:\\.|\\?\\.|::|->)[A-Za-z_$]+)+'
/** Text that is not quoted and no secret: a type, a call, a member, a template, a list, a placeholder, a sentence. */
const NO_VALUE = new RegExp(
  `^(?:process\\.env|os\\.environ|\\{\\{|\\{$|\\{[\\w.$?[\\]]+\\}|\\[(?!redacted\\])|\\(|[*.x…•]+$|${CHAIN}\\([^)]*(?:\\)(?:[.;)\\]}(?].*)?)?$|${WORD_CHAIN}[)\\]};]*$|(?:${PLACEHOLDER_WORDS}|${MORE_WORDS})(?:$|[[\\]?)};.]))`,
  'i',
)
const QUOTED_WORD = new RegExp(`^(?:${PLACEHOLDER_WORDS}|[*.…•]+|[^\\w\\s]{1,2})$`, 'i')

/** A text without what looks like a secret. Most texts have nothing of the kind, and are only looked through. */
export function redactShapes(text: string): string {
  let left = redactFlags(text.replace(SECRET_TOKEN, REDACTED))
  if (left.includes('@')) left = redactLogins(left)
  if (/digest\s/i.test(left)) left = left.replace(DIGEST, `$1${REDACTED}`)
  if (/basic\s/i.test(left)) left = left.replace(BASIC, `$1${REDACTED}`)
  if (hasSecretName(left)) left = redactNamedSecrets(left)
  if (/(?:identified|password|secret)\s/i.test(left)) left = left.replace(SQL, `$1$2${REDACTED}$2`)
  if (/(?:login|auth|credentials|connect|getConnection|set_password|PDO|create_?(?:super)?user|mysqli)/i.test(left))
    left = left.replace(CALL, `$1${REDACTED}`).replace(CONNECTION, `$1${REDACTED}`)
  if (hasSecretDocument(left)) left = redactDocuments(left)
  if (left.includes('=')) {
    left = left
      .replace(QUERY, `$1${REDACTED}`)
      .replace(KEY_VARIABLE, `$1${REDACTED}`)
      .replace(KEY_SETTING, `$1${REDACTED}`)
      .replace(DRAWN_BY_LOT, `$1${REDACTED}`)
  }
  left = redactLines(left)
  if (left.includes(':')) left = left.replace(PGPASS, `$1${REDACTED}`).replace(BOT, `$1${REDACTED}`)
  return left
}

function redactLogins(text: string): string {
  return text
    .replace(LOGIN, `$1${REDACTED}@`)
    .replace(USER_OF_WEB, `$1${REDACTED}@`)
    .replace(LONG_USER, `$1${REDACTED}@`)
    .replace(ORACLE_LOGIN, `$1${REDACTED}`)
    .replace(BARE_LOGIN, `$1${REDACTED}`)
}

function redactNamedSecrets(text: string): string {
  return text
    .replace(HEADER, redactHeader)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(BLOCK, `$1  ${REDACTED}$2`)
    .replace(MEMBER, redactMember)
    .replace(ELEMENT, redactNamedValue)
    .replace(PAIR, redactNamedValue)
    .replace(JOINED, redactJoined)
    .replace(PRINTED, redactNamedValue)
    .replace(ASSIGNMENT, redactAssigned)
    .replace(FLAG, redactNamedValue)
    .replace(ARGUMENT, redactNamedValue)
    .replace(VARIABLE_DEFAULT, redactNamedValue)
    .replace(DECLARATION, redactNamedValue)
    .replace(SECRET_CALL, redactNamedValue)
    .replace(FALLBACK, redactNamedValue)
    .replace(MADE, redactNamedValue)
    .replace(PROPERTY, redactNamedValue)
    .replace(ROW, redactRow)
    .replace(SETTING, redactNamedValue)
    .replace(NETRC, `$1${REDACTED}`)
}

function redactHeader(whole: string, before: string, value: string): string {
  const [first = ''] = value.split(/[\s,;]/, 1)
  return isReference(value) || NO_VALUE.test(first) ? whole : `${before}${REDACTED}`
}

type Groups = Partial<Record<string, string>>

/** Keeps what stands before a value, and removes the value, unless the name is none of a secret or the value is elsewhere. */
function redactNamedValue(whole: string, before: string, ...matched: unknown[]): string {
  const { name = '', value = '' } = matched.at(-1) as Groups // named groups come last
  if (!isSecretName(name) || isTellingNothing(name, value) || NO_VALUE.test(value)) return whole
  return `${before}${REDACTED}`
}

/** The rows of a table without what stands in columns whose name says secret. */
function redactRow(_whole: string, before: string, ...matched: unknown[]): string {
  const { columns = '', rows = '' } = matched.at(-1) as Groups // named groups come last
  const isSecret = columns.split(',').map((name) => isSecretName(name.trim().replace(/["`[\]]/g, '')))
  return `${before}${rows.replace(/\((?:'(?:[^'\n]|'')*'|[^()'])*\)/g, (row) => {
    let at = -1
    return row.replace(COLUMN_VALUE, (value) => {
      at += 1
      return isSecret[at] ? `'${REDACTED}'` : value
    })
  })}`
}

/** A list or an object under a name, unless it says how many tokens. */
function redactMember(whole: string, before: string, ...matched: unknown[]): string {
  const { name = '' } = matched.at(-1) as Groups // named groups come last
  return isSecretName(name) && !isAmountOfTokens(name) ? `${before}${REDACTED}` : whole
}

function redactAssigned(whole: string, ...matched: unknown[]): string {
  const { name = '', gap = '', prefix = '', quote = '', quoted, bare = '' } = matched.at(-1) as Groups // named groups come last
  const closers = /[^)\]}]([)\]}]+;?)$/.exec(/[[({]/.test(bare) ? '' : bare)?.[1] ?? ''
  const value = quoted ?? bare.slice(0, bare.length - closers.length)
  if (!isSecretName(name) || isOutcome(name, gap, value)) return whole
  if (isTellingNothing(name, value) && !(quote === "'" && isReference(value))) return whole
  if (quoted === undefined ? NO_VALUE.test(value) : QUOTED_WORD.test(value)) return whole
  return `${name}${gap}${prefix}${quote}${REDACTED}${closers}`
}

function redactJoined(whole: string, ...matched: unknown[]): string {
  const { name = '', word = '' } = matched.at(-1) as Groups // named groups come last
  return !isSecretName(name) || ONE_PIECE.test(word) ? whole : `${name}=${REDACTED}`
}

/** Variables, amounts, and the names of variables: `apiKey: 'OPENAI_API_KEY'`. */
function isTellingNothing(name: string, value: string): boolean {
  if (isReference(value) || isOpenValue(name, value) || /^\d{1,3}$/.test(value)) return true
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) && isSecretName(value)) return true
  return isAmountOfTokens(name) && /^(?:[\d._k]+|[a-z_.]+)$/i.test(value)
}

/** `PASS: 12` and `pass: true` tell how a test went, `PWD: folder` where a shell is. */
function isOutcome(name: string, gap: string, value: string): boolean {
  if (name === 'PASS' || name === 'PWD') return gap.includes(':')
  return name === 'pass' && /^(?:\d{1,4}|true|false|ok)$/i.test(value)
}
