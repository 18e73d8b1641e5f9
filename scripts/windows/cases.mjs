/** Cases that cannot pass on Windows, each with the reason. */
export const NOT_ON_WINDOWS = {
  'config-plugin-root': 'the variable has the path as Windows writes it',
  'own-process-no-cwd': 'bash has its own names for folders',
  'own-process-project-dir-elsewhere': 'bash has its own names for folders',
  'process-term-first': 'there is no signal that asks a process to end',
  'process-own-group': 'there are no signals between processes of Windows',
  'process-signal-kill': 'a process that is ended has an exit code, and no signal',
  'process-not-executable': 'there is no executable bit',
  'session-common-fields': 'it takes a path that starts with a slash for absolute',
}

/** What the cases of events say of the first letters of `transcript_path` and `cwd`, and what these are here. */
const ROOTS = { there: ' string / / ', here: ' string C C ' }

/** A case that expects absolute paths to begin with a drive. */
export function withDrives(spec) {
  if (spec.expect === undefined) return spec
  return { ...spec, expect: JSON.parse(JSON.stringify(spec.expect).replaceAll(ROOTS.there, ROOTS.here)) }
}

/** Cases whose commands mean something else in cmd, although each of their words can be said there. */
const NOT_IN_CMD = new Set([
  'own-config-managed-false', // `echo on` is a switch
  'own-session-async-own-timeout', // its command is told, and there what it would print is spelt out
])

/** What cmd would read in a text that is not between double quotes. */
const SPECIAL = /[&|<>^%!\r\n]/

/** The words of a POSIX shell that cmd has others for, and what these are; null: it has none. */
const WORDS = [
  [/^true(?: (\w+))?$/, (word) => `cd .${word === undefined ? '' : `& rem ${word}`}`],
  [/^exit (\d+)$/, (code) => `exit ${code}`],
  [
    /^echo ([\w-]+)-\$\(\((\d+)\+(\d+)\)\)( >&2)?$/,
    (word, one, other, loud) => said(`${word}-${Number(one) + Number(other)}`, loud),
  ],
  [/^echo (\w+)( >&2)?$/, said],
  [/^printf (?:'%s'|%s) (?:'([^']*)'|([\w-]+))$/, (quoted, word) => said(quoted ?? word)],
  [/^sleep (\d+)$/, (seconds) => `ping -n ${Number(seconds) + 1} 127.0.0.1 >nul`],
  [/^sleep (0?\.\d+)$/, (seconds) => `node -e "setTimeout(()=>{},${Number(seconds) * 1000})"`],
]

function said(text = '', loud = '') {
  const outside = text.replaceAll(/"[^"]*"/g, '')
  const inside = (text.match(/"[^"]*"/g) ?? []).join('')
  if (text === '' || SPECIAL.test(outside) || /[%\r\n]/.test(inside)) return null
  return `${loud ? '>&2 ' : ''}echo ${text}`
}

/** A command in the language of cmd; null when it cannot be said there. */
export function inCmd(command) {
  const parts = command.split(/; (?=(?:[^']*'[^']*')*[^']*$)/).map((part) => {
    for (const [pattern, words] of WORDS) {
      const [whole, ...found] = pattern.exec(part) ?? []
      if (whole !== undefined) return words(...found)
    }
    return null
  })
  return parts.includes(null) ? null : parts.join('& ')
}

/** A case with all its commands in the language of cmd; null when one cannot be said there. */
export function caseInCmd(spec) {
  if (spec.command === 'validate' || spec.survivors || NOT_IN_CMD.has(spec.id)) return null
  if (spec.args?.includes('--no-shell')) return null // its commands are programs
  const found = new Map()
  const files = JSON.stringify(spec.files ?? {}, (key, value) => {
    if (key === 'command' && typeof value === 'string') found.set(value, inCmd(value))
    if (key === 'args' || key === 'shell') found.set('', null) // read by something else
    return value
  })
  const isTold = Object.values(spec.files ?? {}).some(
    (content) => typeof content === 'string' || Array.isArray(content) || '$text' in content,
  )
  if (isTold || found.size === 0 || [...found.values()].includes(null)) return null
  const exchange = (value) => {
    if (typeof value === 'string')
      return [...found].reduce(
        (text, [from, to]) => (text === from || from.length > 4 ? text.replaceAll(from, () => to) : text),
        value,
      )
    if (Array.isArray(value)) return value.map(exchange)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exchange(inner)]))
  }
  return { ...spec, files: exchange(JSON.parse(files)), expect: exchange(spec.expect) }
}
