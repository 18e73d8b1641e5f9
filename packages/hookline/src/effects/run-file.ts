import { posix } from 'node:path'
import { findOwn } from '../text/table.ts'
import {
  type Context,
  copyShell,
  enterStep,
  fetchFrom,
  listRunnable,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteUnknownScript,
  noteUnseen,
  readContent,
  readPath,
  readSource,
  resolveOne,
} from './context.ts'
import { type Content, carry, readKnownStart, readWord, showValue, UNKNOWN_CONTENT, type Value } from './value.ts'

/** Files that are read to see what one call runs. */
const MAX_FILES = 20

/** Languages by the ending of a file. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.py': 'python',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.ts': 'javascript',
  '.mts': 'javascript',
  '.cts': 'javascript',
  '.jsx': 'javascript',
  '.tsx': 'javascript',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.php': 'php',
  '.sh': 'shell',
  '.bash': 'shell',
  '.zsh': 'shell',
  '.sql': 'sql',
}

/** Runs what a file holds: a script of the shell or of another language. */
export function runFile(
  context: Context,
  file: Value,
  args: readonly Value[],
  { language, isSourced = false }: { language?: string; isSourced?: boolean } = {},
): Content {
  if (/^https?:\/\//i.test(readKnownStart(file))) {
    const { carries } = fetchFrom(context, file)
    noteFlows(context, carries, 'run', showValue(file))
    return { ...UNKNOWN_CONTENT, carries }
  }
  const path = resolveOne(context, file)
  if (!path) {
    noteUnseen(context, 'value', showValue(file), 'run')
    noteFlows(context, listRunnable(file.carries), 'run', showValue(file))
    return UNKNOWN_CONTENT
  }
  const { reading } = context
  const made = reading.files.get(path.text)
  const source = reading.settings.get(`compiled ${path.text}`)
  const code = source === undefined ? null : readSource(context, source)
  if (code !== null && source !== undefined) {
    const inner = enterStep(context, { text: posix.basename(source), at: showFile(context, source) })
    return runText(inner, code, 'c', { args, isSourced: false })
  }
  // A program that the call itself builds, and that is run by its name.
  if (made?.text === null && made.source === null && made.carries.size === 0 && language === undefined) {
    noteUnseen(context, 'binary', path.text, 'run')
    return UNKNOWN_CONTENT
  }
  if (made)
    return runContent(context, made, language ?? guessLanguage(path.text, made.text), {
      args,
      isSourced,
      name: path.text,
    })
  if (path.place === 'remote' || context.mounts !== null) {
    if (typeof context.where === 'object') noteUnseen(context, 'remote', path.text, 'run')
    return UNKNOWN_CONTENT
  }
  const text = readSource(context, path.text)
  if (path.place === 'secret') readPath(context, file, isSourced ? 'name' : 'content')
  if (text === null) {
    noteFetchedFile(context, path.text)
    if (!isWellKnown(path.text)) noteUnseen(context, path.exists ? 'binary' : 'program', path.text, 'run')
    return UNKNOWN_CONTENT
  }
  if (text.includes('\0')) {
    // A compiled program cannot be read; a script that is not text should not be run.
    noteUnseen(context, language === 'shell' ? 'not-parsed' : 'binary', path.text, 'run')
    return UNKNOWN_CONTENT
  }
  if (reading.runFiles.size >= MAX_FILES) {
    noteUnseen(context, 'too-much', path.text, 'run')
    return UNKNOWN_CONTENT
  }
  if (context.steps.some(({ at }) => at === showFile(context, path.text))) return UNKNOWN_CONTENT
  if (reading.settings.has(`edited ${path.text}`)) noteUnseen(context, 'changed-meanwhile', path.text, 'run')
  reading.runFiles.set(path.text, text)
  const inner = enterStep(context, { text: posix.basename(path.text), at: showFile(context, path.text) })
  return runText(inner, text, language ?? guessLanguage(path.text, text), { args, isSourced })
}

/** Programs that bring files from elsewhere under names that they choose. */
const BRINGS =
  /^(?:svn (?:export|checkout|co)|hg clone|bzr (?:branch|export)|git (?:clone|submodule add)|gh (?:repo clone|release download|gist clone|run download)|glab repo clone|sftp|ftp|lftp|tftp|smbclient|rclone (?:copy|sync|move)|scp|rsync|croc|wormhole|magic-wormhole|ipfs get|aws s3 (?:cp|sync)|gsutil cp|az storage blob download|huggingface-cli download|dat clone|kaggle)\b/

/** Notes that code from the network runs: a file of a repository or an archive that this very call fetches. */
export function noteFetchedFile(context: Context, path: string): void {
  const { effects } = context.reading
  const isBrought = effects.some(
    (effect) => effect.does === 'run' && BRINGS.test([effect.program, ...effect.words].join(' ')),
  )
  if (isBrought && context.reading.world.findKind(path) === null)
    noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', path)
  for (let at = path; at !== '/' && at !== '.'; at = posix.dirname(at)) {
    const from = context.reading.settings.get(`fetched ${at}`)
    if (from !== undefined) {
      noteFlows(context, ['fetch'], 'run', `${path} from ${from}`)
      return
    }
  }
}

/** Programs of the system and of package managers, whose files are not read. */
function isWellKnown(path: string): boolean {
  return /^\/(?:usr|bin|sbin|opt|nix)\//.test(path) || path.includes('/node_modules/.bin/')
}

/** A file as a user would write it: relative to the project where it lies in it. */
export function showFile({ reading }: Context, path: string): string {
  const { project, home } = reading.world
  if (path.startsWith(`${project}/`)) return path.slice(project.length + 1)
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path
}

function guessLanguage(path: string, text: string | null): string {
  const first = text?.startsWith('#!') ? (text.split('\n', 1)[0] ?? '') : ''
  const program = /(?:\/|env\s+(?:-S\s+)?)(python|node|deno|bun|ruby|perl|php|tsx|(?:ba|z|da|k)?sh)\b/.exec(first)?.[1]
  if (program === 'node' || program === 'deno' || program === 'bun' || program === 'tsx') return 'javascript'
  if (program?.endsWith('sh')) return 'shell'
  if (program) return program
  return findOwn(LANGUAGES, posix.extname(path)) ?? 'shell'
}

/** Runs content that comes by a pipe, a here-document or a file of the call. */
export function runContent(
  context: Context,
  content: Content,
  language: string,
  {
    args = [],
    isSourced = false,
    name = language,
  }: { args?: readonly Value[]; isSourced?: boolean; name?: string } = {},
): Content {
  noteFlows(context, listRunnable(content.carries), 'run', name)
  const source = readContent(context, content)
  if (source === null) {
    const isListed = content.lists !== null && content.lists.length > 0
    if (isListed && language === 'shell') for (const each of content.lists ?? []) runListed(context, each)
    else {
      noteUnseen(context, 'code', name, 'run')
      if (content.source === null) noteUnknownScript(context, content.carries, name)
    }
    return { ...UNKNOWN_CONTENT, carries: content.carries.has('fetch') ? carry('fetch') : new Set() }
  }
  return runText(enterStep(context), source, language, { args, isSourced })
}

/** A line that is known in part and run as a command. */
function runListed(context: Context, line: Value): void {
  const text = readWord(line)
  if (text === null) noteUnseen(context, 'value', showValue(line), 'run')
  else context.reading.runScript(enterStep(context), text)
}

/** A script that starts itself by its name, and goes on meanwhile: `$0 & $0 &`. */
const STARTS_ITSELF = /(?:^|[\s;&|({])(?:\.\/|(?:ba|z|da)?sh\s+)?"?\$\{?0\}?"?\s*(?:\|(?!\|)|&(?!&))/m

function runText(
  context: Context,
  text: string,
  language: string,
  { args, isSourced }: { args: readonly Value[]; isSourced: boolean },
): Content {
  if (language !== 'shell') return context.reading.runCode(context, language, text, UNKNOWN_CONTENT)
  if (isSourced) return context.reading.runScript(context, text)
  if (STARTS_ITSELF.test(text)) noteChange(context, 'machine', 'fork-bomb', 'a script that starts itself')
  const shell = copyShell(context.shell)
  shell.positional = args
  return context.reading.runScript(lowerCertainty({ ...context, shell }, 'certain'), text)
}
