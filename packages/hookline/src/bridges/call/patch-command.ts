/** Patch that a shell command applies: none, one that is the whole command, or one that cannot be told from what is around it. */
export type PatchCommand =
  | { readonly kind: 'none' | 'unreadable' }
  /** `folder`: what `cd` goes to first, against the folder of the command. */
  | { readonly kind: 'patch'; readonly text: string; readonly folder: string }

/**
 * Reads the patch out of a command that is nothing but one: `apply_patch <<'EOF'`, `apply_patch 'text'`, either after
 * `cd WORD &&`. A host applies these by itself, and takes every byte of them as it stands: what a shell would expand in
 * them, or do before or after them, is unreadable.
 */
export function readPatchCommand(command: string): PatchCommand {
  if (!MENTION.test(unquote(command))) return { kind: 'none' }
  const whole = readWholeCommand(command)
  if (whole !== null) return { kind: 'patch', ...whole }
  return isHarmlessMention(command) ? { kind: 'none' } : { kind: 'unreadable' }
}

/** A text as a shell reads it, without quotes and the ends of lines that go on. */
const unquote = (text: string): string => text.replaceAll(/\\\n|['"\\]/g, '')

const MENTION = /\bapply_?patch\b|\*\*\* Begin Patch/
/** A word without anything that a shell replaces, or that `cd` takes for an option. */
const FOLDER = String.raw`(?:cd[ \t]+(?:'([^'\n]+)'|"([^"\\$\`!\n]+)"|([\w./@%+=:,][\w./@%+=:,-]*))[ \t]+&&[ \t]+)?`
const START = String.raw`^[ \t\n]*${FOLDER}apply_?patch[ \t]*`
const WITH_HEREDOC = new RegExp(
  `${START}${String.raw`<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\\$\`\n]+)"|([A-Za-z_]\w*))[ \t]*\n([\s\S]*)$`}`,
)
const WITH_ARGUMENT = new RegExp(`${START}${String.raw`(?<=[ \t])(?:'([^']+)'|"([^"\\$\`!]+)")[ \t\n]*$`}`)

function readWholeCommand(command: string): { readonly text: string; readonly folder: string } | null {
  const [, ...given] = WITH_ARGUMENT.exec(command) ?? []
  const text = given[3] ?? given[4]
  if (text !== undefined) return parseOwnFolder(given, text)
  const [, ...found] = WITH_HEREDOC.exec(command) ?? []
  const [tabs, single, double, bare, rest] = found.slice(3)
  const delimiter = single ?? double ?? bare
  if (delimiter === undefined || rest === undefined) return null
  const lines = rest.split('\n')
  const end = lines.findIndex((line) => line.trim() === delimiter.trim())
  const body = lines.slice(0, end)
  const isEnded = end >= 0 && lines[end] === delimiter && lines.slice(end + 1).every((line) => /^[ \t]*$/.test(line))
  const isExpanded = bare !== undefined && /[$`\\]/.test(body.join('\n'))
  const isIndented = tabs === '-' && body.some((line) => line.startsWith('\t'))
  return isEnded && !isExpanded && !isIndented ? parseOwnFolder(found, body.join('\n')) : null
}

function parseOwnFolder([single, double, bare]: readonly (string | undefined)[], text: string) {
  return { text, folder: single ?? double ?? bare ?? '.' }
}

/** Programs that read, write or print a text and run nothing of it. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(
  'cat tee grep egrep fgrep rg ag ack git gh echo printf ls head tail less more wc sort uniq cut tr nl man which type file stat diff cmp jq cd pwd true false :'.split(
    ' ',
  ),
)

/** True where a command names patches without applying one: it searches for them, prints them, writes of them. */
function isHarmlessMention(command: string): boolean {
  const pipelines = splitPipelines(command)
  if (pipelines === null) return false
  return pipelines.every(
    ({ programs, text, substitutes }) =>
      !MENTION.test(text) || (!substitutes && programs.every((program) => TEXT_PROGRAMS.has(program))),
  )
}

/** Commands that are joined by `|`. */
interface Pipeline {
  /** First words, without quotes; assignments are left out. */
  readonly programs: readonly string[]
  /** All words and here-documents, without quotes. */
  readonly text: string
  /** A command runs inside of its words: `$(…)`, backquotes. */
  readonly substitutes: boolean
}

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>(?<=^|[\s;&|()])#[^\n]*)`,
    String.raw`(?<heredoc><<-?[ \t]*(?:'[^'\n]*'|"[^"\n]*"|[^\s;&|()<>]+))`,
    String.raw`(?<pipe>\|&?(?!\|))`,
    String.raw`(?<end>\n|&&|\|\||[;&()])`,
    String.raw`(?<between>[ \t\r]+|<<<|[<>]&?)`,
    String.raw`(?<word>(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\s;&|()<>'"\\])+)`,
  ].join('|'),
  'y',
)

/** Words before a program that are no part of it. */
const BEFORE_PROGRAM = /^(?:[A-Za-z_]\w*\+?=.*|!|\{|\}|if|then|else|elif|fi|while|until|do|done|time)$/s

/** Null for a text that a shell would not take. */
function splitPipelines(command: string): Pipeline[] | null {
  const pipelines: Pipeline[] = []
  let programs: string[] = []
  let [text, raw, isFirst] = ['', '', true]
  let heredocs: string[] = []
  const finish = (): void => {
    pipelines.push({ programs, text, substitutes: /\$\(|`/.test(raw) })
    programs = []
    ;[text, raw, isFirst] = ['', '', true]
  }
  for (let at = 0; at < command.length; ) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(command)
    if (token === null) return null
    const [whole] = token
    const { groups = {} } = token
    at += whole.length
    if (groups.heredoc !== undefined) heredocs.push(whole)
    if (groups.pipe !== undefined) isFirst = true
    if (groups.word !== undefined) {
      const word = unquote(whole)
      if (isFirst && !BEFORE_PROGRAM.test(word)) {
        programs.push(word)
        isFirst = false
      }
      text += ` ${word}`
      raw += ` ${whole.replaceAll(/'[^']*'/g, '')}`
    }
    if (groups.end === undefined) continue
    if (whole === '\n' && heredocs.length > 0) {
      const bodies = readBodies(command.slice(at), heredocs)
      at += bodies.length
      heredocs = []
      text += `\n${bodies}`
      raw += bodies
    }
    finish()
  }
  finish()
  return pipelines
}

/** Here-documents at the start of a text, with their ends; the whole text where one does not end. */
function readBodies(text: string, heredocs: readonly string[]): string {
  let at = 0
  for (const heredoc of heredocs) {
    const delimiter = unquote(heredoc.replace(/^<<-?[ \t]*/, ''))
    const lines = text.slice(at).split('\n')
    const end = lines.findIndex((line) => line.replace(heredoc.startsWith('<<-') ? /^\t+/ : '', '') === delimiter)
    if (end < 0) return text
    at += lines.slice(0, end + 1).join('\n').length + 1
  }
  return text.slice(0, at)
}
