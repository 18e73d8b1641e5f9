/** What stands where a secret was. */
export const REDACTED = '[redacted]'

/** A word of a command line, quoted or not, as far as it goes: `'a'"b"c` is one. */
export const WORD =
  '(?:\\[redacted\\]|\\\\[^\\n]|\\$?"(?:\\\\.|[^"\\\\\\n]){0,4096}"|\\$?\'[^\'\\n]{0,4096}\'|[^\\s"\'`;|&<>\\\\,\\]]){1,4096}'
/** What stands between a flag and its value in a command line, or in a list of arguments. */
const GAP = '(?:\\s{1,4}=?\\s{0,4}|=|\\\\?["\'],\\s{0,8}\\\\?["\'])'
/** Programs that take a password behind a flag, the flag, and the word that must stand between. */
const FLAGGED: readonly (readonly [programs: string, flag: string])[] = [
  [
    '(?:mysql|mariadb)[\\w-]{0,16}|sshpass|mongo(?:sh|dump|restore|export|import|top|stat|files)?|rabbitmqadmin',
    `-p${GAP}?`,
  ],
  [
    'redis-cli|valkey-cli|keydb-cli|redis-benchmark',
    `(?:(?:-a|--pass)${GAP}|(?:AUTH|auth)\\s{1,4}(?:[^\\s"']{1,128}\\s{1,4})?)`,
  ],
  [
    '(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|oc|az|cf|argocd|ibmcloud|snyk|pulumi)(?:["\'\\s,]{1,4}[^\\s;|&"\']{1,32}){0,3}?["\'\\s,]{1,4}login',
    `-p${GAP}`,
  ],
  ['ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)', `-w${GAP}?`],
  ['sqlcmd|bcp|osql|isql|tsql|zip|unzip|mosquitto_(?:pub|sub)|ipmitool|ssh-keygen|mssql-cli', `-P${GAP}?`],
  ['ssh-keygen', `-N${GAP}?`],
  ['7za?|7zz|rar|unrar', '-p'],
  ['snmp(?:get|walk|set|bulkwalk|getnext)', `-[AXc]${GAP}`],
  ['openssl', `(?:-pass(?:in|out)?${GAP}pass:|-k${GAP})`],
  ['curl|wget', `(?:-b|--cookie|--pass)${GAP}(?![\\w./-]{1,256}(?:\\s|$))`],
  ['user(?:add|mod)', `-p${GAP}`],
  ['smbclient|rpcclient|smbmap|winexe|smbget|net', `-U${GAP}?[^\\s%"']{1,128}%`],
  ['lftp', `-u${GAP}[^\\s,"']{1,128},`],
  ['htpasswd', '-\\w{0,4}b\\w{0,4}\\s{1,4}[^\\s]{1,256}\\s{1,4}[^\\s]{1,128}\\s{1,4}'],
  ['https?|xhs?', `(?:-a|--auth)${GAP}[^\\s:"']{1,128}:`],
  ['rabbitmqctl', '(?:add_user|change_password)\\s{1,4}[^\\s]{1,128}\\s{1,4}'],
  ['vault', 'login\\s{1,4}(?!-)'],
  [
    '(?:gh|heroku|fly|flyctl|wrangler|doppler|vercel|netlify|op|vault)\\s{1,4}(?:secrets?(?::|\\s{1,4})set|config:set|kv put|write|env:set)',
    '[\\w.-]{1,64}=',
  ],
  ['gh secret set', `(?:-b|--body)${GAP}`],
  ['(?:kubectl|oc) create secret', `--from-literal${GAP}[\\w.-]{1,128}=`],
]

/** A simple command from the name of such a program on. Whatever it holds, nothing of it is read twice. */
const COMMAND = new RegExp(
  `(?<![\\w-])(?:${FLAGGED.map(([programs]) => programs).join('|')})(?:\\.exe)?(?=["'\\s])` +
    '(?:\\\\\\r?\\n|"(?:\\\\.|[^"\\\\\\n]){0,4096}"|\'[^\'\\n]{0,4096}\'|[^;|&\\r\\n]){0,4096}',
  'g',
)
const FLAGS = FLAGGED.map(([programs, flag]) => ({
  program: new RegExp(`(?<![\\w-])(?:${programs})(?:\\.exe)?(?=["'\\s])`),
  flag: new RegExp(`((?<=[\\s"'])${flag})(${WORD})`, 'g'),
}))

/** `curl -u name:password`, `--proxy-user=name:password`. */
const USER_FLAG = new RegExp(
  `((?<![\\w-])(?:-[uU]|--user|--proxy-user|--userpwd)${GAP}?)` +
    `(?:(?<quote>["'])(?!\\+)(?:(?!\\k<quote>)[^:\\n]){0,128}:(?<quoted>(?:(?!\\k<quote>)[^\\n]){1,512})\\k<quote>?|(?<user>(?!\\+)[^\\s:"'/]{0,128}):(?<password>${WORD}))`,
  'g',
)
/** A password that a command is given on its input: `echo … | sudo -S`, `docker login --password-stdin <<< …`. */
const ASKING =
  '(?:sudo\\s(?:[^|;&\\n]{0,64}\\s)?-\\w{0,8}S|(?:sudo\\s+)?(?:chpasswd|passwd|kinit|smbpasswd|cryptsetup)(?!\\w)|[^|;&\\n]{0,256}(?:-stdin|--with-token)(?!\\w))'
const PIPED = new RegExp(
  `((?<![\\w-])(?:echo|printf)\\s{1,4}(?:-\\w{1,2}\\s{1,4})?)[^|;\\n]{1,1024}?(\\s{0,4}\\|\\s{0,4}${ASKING})`,
  'g',
)
const HERE_STRING = new RegExp(`(${ASKING}[^|;&\\n]{0,128}<<<\\s{0,4})${WORD}`, 'g')

/** A command line without the passwords that it gives to programs. */
export function withoutSecretFlags(text: string): string {
  let left = text.replace(COMMAND, withoutFlags)
  if (/-u|-U|--proxy-user/.test(left)) left = left.replace(USER_FLAG, withoutPassword)
  if (left.includes('|') || left.includes('<<<')) {
    left = left.replace(PIPED, `$1${REDACTED}$2`).replace(HERE_STRING, `$1${REDACTED}`)
  }
  return left
}

/** What stands for a value that is elsewhere: a variable, or what a command prints. */
export function isReference(value: string): boolean {
  return /^["']?(?:(?:basic|bearer|token)\s{1,4})?(?:\$\w+["']?$|\$[{(]|%\w+%$)/i.test(value)
}

/** A command without the values of flags that stand behind a program which takes a password there. */
function withoutFlags(command: string): string {
  return FLAGS.reduce((left, { program, flag }) => {
    const from = program.exec(left)
    if (from === null) return left
    const start = from.index + from[0].length
    return left.slice(0, start) + left.slice(start).replace(flag, withoutWord)
  }, command)
}

function withoutWord(whole: string, before: string, word: string): string {
  return isReference(word) ? whole : `${before}${REDACTED}`
}

/** `-u 1000:1000` and `-u node:node` name a user and a group. */
function withoutPassword(whole: string, before: string, ...matched: unknown[]): string {
  const { user = '', password = '', quoted = password } = matched.at(-1) as Partial<Record<string, string>> // named groups come last
  if ((user === password && user !== '') || (/^\d+$/.test(user) && /^\d+$/.test(password)) || isReference(quoted))
    return whole
  return `${before}${REDACTED}`
}
