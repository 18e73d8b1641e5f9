import { posix } from 'node:path'
import { runByShape } from '../code-shape.ts'
import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  spend,
  writePath,
} from '../context.ts'
import { isCommandLine } from '../handed-commands.ts'
import { isSecretElsewhere } from '../places.ts'
import { type Arguments, runRow } from '../program.ts'
import { noteWrittenCommands } from '../self-running.ts'
import {
  type Content,
  carry,
  concat,
  EMPTY_CONTENT,
  join,
  leaveOut,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import type { Place } from '../view.ts'
import { type Call, parseCall, type Reader, readCallWords } from './call.ts'
import { runTransferScript } from './transfer.ts'

/** Readers of programs that deal with files and text. */
export const FILE_READERS: Readonly<Record<string, Reader>> = {
  cat: readCat,
  list: readList,
  grep: readGrep,
  mkdir: readMkdir,
  rm: readRm,
  shred: readShred,
  truncate: readTruncate,
  mv: readMv,
  cp: readCp,
  install: readInstall,
  ln: readLn,
  chmod: readChmod,
  attributes: readAttributes,
  tee: readTee,
  dd: readDd,
  sed: readSed,
  jq: readJq,
  tr: readTr,
  base64: readBase64,
  xxd: readXxd,
  compress: readCompress,
  tar: readTar,
  zip: readZip,
  unzip: readUnzip,
  rsync: readRsync,
  scp: readScp,
  rclone: readRclone,
  find: readFind,
  fd: readFd,
  locate: readLocate,
  openssl: readOpenssl,
  gpg: readGpg,
  decrypt: readDecrypt,
  'ssh-keygen': readSshKeygen,
  editor: readEditorCall,
  'copy-in': readArchiver,
}

/** Content after a program that changes its text in a way that is not followed. */
function forgetText(content: Content): Content {
  return { ...UNKNOWN_CONTENT, carries: content.carries, lists: content.lists }
}

/** Runs the command behind `+!` of a pager, which it runs before it shows anything; false for any other word. */
function runPagerCommand({ context, name }: Call, word: Value): boolean {
  const text = readWord(word) ?? ''
  if (!/^(?:less|more|most)$/.test(name) || !text.startsWith('+')) return false
  if (/^\+[!|]/.test(text)) context.reading.runScript(enterStep(context), text.slice(2))
  return true
}

function readCat(call: Call): Content {
  const parsed = parseCall(call, call.row.valued ?? '')
  const operands = parsed.operands.filter((each) => !runPagerCommand(call, each))
  const contents = operands.map((each) => (readWord(each) === '-' ? call.input : readPath(call.context, each)))
  const content = operands.length === 0 ? call.input : concat(contents)
  if (call.name === 'rev' && content.text !== null)
    return {
      ...content,
      text: content.text
        .split('\n')
        .map((line) => [...line].reverse().join(''))
        .join('\n'),
      carries: carry('decode', content.carries),
    }
  if (call.name === 'tac' && content.text !== null)
    return { ...content, text: content.text.split('\n').reverse().join('\n') }
  return call.name === 'cat' || call.name === 'bat' ? content : forgetText(content)
}

function readList(call: Call): Content {
  const { operands, has } = parseCall(call, call.row.valued ?? '')
  for (const each of operands) readPath(call.context, each, 'name')
  const { name, context } = call
  if (name === 'realpath' || name === 'readlink') return listOne(context, operands)
  if (name !== 'ls' && name !== 'dir' && name !== 'exa' && name !== 'eza') return UNKNOWN_CONTENT
  if (has('-l')) return UNKNOWN_CONTENT
  if (operands.length === 0) return { ...UNKNOWN_CONTENT, lists: [toPatternWord('*')] }
  const lists = operands.flatMap((each) => {
    const path = resolveOne(context, each)
    const isFolder = path !== null && context.reading.world.findKind(path.text) === 'folder'
    // Names in a folder are printed without it, so that they mean files of the current one; people mean the folder's.
    return isFolder && !has('-d') ? [join([each, toPatternWord('/*')])] : [each]
  })
  return { ...UNKNOWN_CONTENT, lists }
}

function listOne(context: Context, operands: readonly Value[]): Content {
  const path = operands[0] ? resolveOne(context, operands[0]) : null
  return path ? { ...UNKNOWN_CONTENT, text: `${path.text}\n` } : UNKNOWN_CONTENT
}

const GREP_VALUED =
  '-e -f -m -A -B -C -g -t -T -d -D -E -M -r --regexp --file --max-count --after-context --before-context --context --include --exclude --exclude-dir --glob --iglob --type --type-not --color --max-depth --sort --replace --encoding --ignore-file --threads -j'

/** Variables that a search of the environment prints: those whose names are asked for. */
function noteGreppedSecret({ context }: Call, parsed: Arguments): void {
  if (parsed.has('-v', '--invert-match')) return
  const patterns = [...parsed.values('-e', '--regexp'), ...parsed.operands.slice(0, 1)].map(readKnownStart)
  const asked = patterns.find((pattern) => /token|secret|passw|key(?!board)|cred|auth|dsn|database_url/i.test(pattern))
  if (!asked) return
  const path = { text: `$${asked.replaceAll(/\W+/g, '_').toUpperCase()}`, place: 'secret', exists: true } as const
  note(context, { does: 'read', path, what: 'content' }, 'likely')
}

function readGrep(call: Call): Content {
  const { context, input, name } = call
  const isSearch = /^(?:rg|ag|ack|ugrep|ripgrep)$/.test(name)
  const valued = isSearch
    ? GREP_VALUED.replace(name === 'rg' || name === 'ripgrep' ? '\0' : ' -r', '')
    : GREP_VALUED.replace(' -g -t -T', '').replace(' -E -M -r', '').replace(' -j', '')
  const parsed = parseCall(call, valued)
  if (parsed.has('--help', '--version', '--files', '--type-list') && !parsed.has('-e')) return UNKNOWN_CONTENT
  for (const file of parsed.values('-f', '--file')) readPath(context, file)
  const pre = parsed.value('--pre')
  if (pre) context.reading.runWords(context, [pre], EMPTY_CONTENT)
  const hasPattern = parsed.has('-e', '--regexp', '-f', '--file')
  const files = hasPattern ? parsed.operands : parsed.operands.slice(1)
  const isTree = isSearch || parsed.has('-r', '-R', '--recursive')
  const namesOnly = parsed.has(
    '-l',
    '-L',
    '-c',
    '-q',
    '--files-with-matches',
    '--count',
    '--quiet',
    '--files-without-match',
  )
  if (input.carries.has('environment') && !namesOnly && files.length === 0) noteGreppedSecret(call, parsed)
  const isChanged = namesOnly || parsed.has('-o', '-n', '--only-matching', '--line-number')
  if (files.length === 0 && !isTree) return pickProcesses(isChanged ? forgetText(input) : input, parsed)
  if (isTree && !namesOnly) readSecretNames(call, parsed)
  if (files.length === 0)
    return { ...UNKNOWN_CONTENT, carries: carry('project'), lists: namesOnly ? [toPatternWord('**')] : null }
  const contents = files.map((file) => readPath(context, file, readKind(context, file, { isTree, namesOnly })))
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried(contents.map(({ carries }) => carries)),
    lists: namesOnly ? files.map((file) => join([file, toPatternWord('/**')])) : null,
  }
}

/** Takes the mark of all processes away where a search picks some of them; one that only leaves some out keeps it. */
function pickProcesses(content: Content, parsed: Arguments): Content {
  if (!content.carries.has('processes') || parsed.has('-v', '--invert-match')) return content
  return { ...content, carries: leaveOut(content.carries, 'processes') }
}

/** Reads the secrets that a search names by a pattern of files: `--include='.env*'`. */
function readSecretNames({ context }: Call, parsed: Arguments): void {
  for (const each of parsed.values('--include', '-g', '--glob', '--iglob')) {
    const pattern = readWord(each) ?? ''
    const path = pattern === '' || pattern.startsWith('!') ? null : resolveOne(context, toPatternWord(`**/${pattern}`))
    if (path?.place === 'secret' && path.exists) readPath(context, toPatternWord(`**/${pattern}`))
  }
}

function readKind(
  context: Context,
  file: Value,
  { isTree, namesOnly }: { isTree: boolean; namesOnly: boolean },
): 'content' | 'name' | 'tree' {
  if (namesOnly) return 'name'
  const path = isTree ? resolveOne(context, file) : null
  return path && context.reading.world.findKind(path.text) !== 'file' ? 'tree' : 'content'
}

function readMkdir(call: Call): Content {
  const { operands } = parseCall(call, '-m --mode')
  for (const each of operands) {
    const path = resolveOne(call.context, each)
    if (path && !path.exists) call.context.reading.folders.add(path.text)
    if (path?.exists !== true) writePath(call.context, each, 'create')
  }
  return EMPTY_CONTENT
}

function readRm(call: Call): Content {
  const { context } = call
  const { operands, has } = parseCall(call, '--one-file-system-x')
  if (has('--help', '--version', '--dry-run')) return UNKNOWN_CONTENT
  const isTree = has('-r', '-R', '--recursive') || /^(?:rimraf|del-cli|trash|wipe)/.test(call.name)
  for (const each of operands) {
    const written = readWord(each)
    // A switch of cmd is no path.
    if (written !== null && /^\/[a-z]$/i.test(written) && operands.length > 1) continue
    const follow = written !== null && isTree && /\/\.?$/.test(written)
    deletePath(context, each, isTree ? 'tree' : 'file', { follow })
  }
  return EMPTY_CONTENT
}

function readShred(call: Call): Content {
  const { operands, has } = parseCall(call, '-n -s --iterations --size --random-source')
  for (const each of operands) {
    const path = resolveOne(call.context, each)
    if (path?.place === 'device') writePath(call.context, each, 'replace')
    else deletePath(call.context, each, has('-u', '--remove') ? 'file' : 'truncate', { follow: true })
  }
  return EMPTY_CONTENT
}

function readTruncate(call: Call): Content {
  const { operands, value } = parseCall(call, '-s -r -l -o --size --reference --length --offset')
  const size = value('-s', '--size')
  const text = size ? readWord(size) : null
  const length = readWord(value('-l', '--length') ?? toKnownWord('')) ?? ''
  const isHuge = /^(?:\d{3,}G|\d+T|\d{12,})/i.test(text ?? length) || /^(?:\d{3,}G|\d+T|\d{12,})/i.test(length)
  for (const each of operands)
    if (call.name === 'fallocate') {
      if (isHuge) noteChange(call.context, 'machine', 'fill-disk', showValue(each))
      writePath(call.context, each, 'append')
    } else if (text !== null && /^\+/.test(text)) writePath(call.context, each, 'append')
    else deletePath(call.context, each, 'truncate', { follow: true })
  return EMPTY_CONTENT
}

/** The sources and the target of a call that copies or moves. */
function splitTarget(
  operands: readonly Value[],
  into: Value | null,
): { sources: readonly Value[]; target: Value | null } {
  if (into) return { sources: operands, target: into }
  return { sources: operands.slice(0, -1), target: operands.length > 1 ? (operands.at(-1) ?? null) : null }
}

function readMv(call: Call): Content {
  const { context } = call
  const { operands, value, has } = parseCall(call, '-t -S --target-directory --suffix')
  const { sources, target } = splitTarget(operands, value('-t', '--target-directory'))
  for (const each of sources) {
    const path = resolveOne(context, each, false)
    const content = path ? context.reading.files.get(path.text) : undefined
    moveAway(context, each, target)
    if (target)
      writeInto(context, each, target, { content: content ?? UNKNOWN_CONTENT, keep: has('-n', '--no-clobber', '-i') })
  }
  return EMPTY_CONTENT
}

/** A file that is moved inside of its place is not lost; one that leaves it is gone from there. */
function moveAway(context: Context, source: Value, target: Value | null): void {
  const from = resolveOne(context, source, false)
  const to = target ? resolveOne(context, target) : null
  const stays =
    from &&
    to &&
    from.place === to.place &&
    (from.place === 'project' || from.place === 'built' || from.place === 'temp' || from.place === 'home')
  if (
    stays ||
    (from && (from.place === 'built' || from.place === 'temp' || (from.place === 'project' && to?.place !== 'device')))
  ) {
    if (from && context.reading.files.has(from.text) && from.place !== 'project')
      context.reading.files.delete(from.text)
    return
  }
  deletePath(context, source, 'move-away')
}

/** Notes that a source is written to a target, which may be a folder. */
function writeInto(
  context: Context,
  source: Value,
  target: Value,
  { content, keep = false, how = 'replace' }: { content: Content; keep?: boolean; how?: 'replace' | 'link' },
): void {
  const to = resolveOne(context, target)
  const isFolder =
    to !== null &&
    (context.reading.world.findKind(to.text) === 'folder' ||
      context.reading.folders.has(to.text) ||
      /\/$/.test(readWord(target) ?? ''))
  const base = readWord(source) === null ? 'file' : posix.basename(readWord(source) ?? '')
  const file =
    isFolder && base !== '' && !/[*?]/.test(base) && base !== '.' && base !== '..'
      ? join([target, toKnownWord(`/${base}`)])
      : target
  writePath(context, file, keep && how === 'replace' ? 'create' : how, content)
}

function readCp(call: Call): Content {
  const { context } = call
  const { operands, value, has } = parseCall(call, '-t -S --target-directory --suffix')
  const { sources, target } = splitTarget(operands, value('-t', '--target-directory'))
  for (const each of sources) {
    const content = readPath(context, each, has('-r', '-R', '-a', '--recursive', '--archive') ? 'tree' : 'content')
    const isLink = has('-s', '-l', '--symbolic-link')
    if (isLink && target) addLink(context, each, target)
    const keep = has('-n', '--no-clobber')
    if (target && has('-T', '--no-target-directory')) writePath(context, target, keep ? 'create' : 'replace', content)
    else if (target) writeInto(context, each, target, { content, keep })
  }
  return EMPTY_CONTENT
}

function readInstall(call: Call): Content {
  const { context } = call
  const { operands, value, has } = parseCall(call, '-m -o -g -t -S --mode --owner --group --target-directory')
  const mode = value('-m', '--mode')
  const text = mode ? (readWord(mode) ?? '') : ''
  if (has('-d', '--directory')) {
    for (const each of operands) writePath(context, each, 'create')
    return EMPTY_CONTENT
  }
  const { sources, target } = splitTarget(operands, value('-t', '--target-directory'))
  for (const each of sources) {
    const content = readPath(context, each)
    if (target) writeInto(context, each, target, { content })
  }
  if (isSetId(text)) noteChange(context, 'machine', 'privilege', `install -m ${text}`)
  return EMPTY_CONTENT
}

function addLink(context: Context, source: Value, target: Value): void {
  const from = resolveOne(context, source)
  const to = resolveOne(context, target, false)
  if (from && to) context.reading.links.set(to.text, from.text)
}

function readLn(call: Call): Content {
  const { context } = call
  const { operands, value, has } = parseCall(call, '-t -S --target-directory --suffix')
  const { sources, target } = splitTarget(operands, value('-t', '--target-directory'))
  const only = target === null && operands[0] ? toKnownWord(posix.basename(readWord(operands[0]) ?? 'link')) : null
  const links = only && operands[0] ? [operands[0]] : sources
  for (const each of links) {
    const to = target ?? only
    if (!to) continue
    const resolved = resolveOne(context, to)
    const isFolder = resolved !== null && context.reading.world.findKind(resolved.text) === 'folder' && !has('-n', '-T')
    const place = isFolder ? join([to, toKnownWord(`/${posix.basename(readWord(each) ?? 'link')}`)]) : to
    if (has('-f', '--force') && resolveOne(context, place, false)?.exists) deletePath(context, place, 'file')
    writePath(context, place, 'link')
    addLink(context, each, place)
  }
  return EMPTY_CONTENT
}

function isSetId(mode: string): boolean {
  return /^[2467]\d{3}$/.test(mode) || /(?:^|,)[ugo]*a?\+\w*s/.test(mode) || /[+=]\w*s/.test(mode)
}

/** Modes that leave a file to its owner alone, or take rights from others: how keys are kept. */
const TIGHTENS = /^0?[4-7]00$|^(?:(?:^|,)(?:u[=+][rwxX]+|(?:go|og|g|o)(?:-[rwxX]+|=)))+$/

/** True for a mode that keeps a key to its owner, or settings from the hands of others. */
function isUsualMode(mode: string, place: Place | undefined): boolean {
  if (place === 'startup') return TIGHTENS.test(mode) || /^0?6[04][04]$/.test(mode)
  return place === 'secret' && TIGHTENS.test(mode)
}

function readChmod(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const at = texts.findIndex(
    (text) =>
      /^(?:[ugoa]*[-+=][rwxXstugo]*(?:,[ugoa]*[-+=][rwxXstugo]*)*|[0-7]{3,4})$/.test(text) &&
      !/^-(?:R|v|c|f)+$/.test(text),
  )
  const mode = texts[at] ?? ''
  const isTree = texts.some((text) => /^-\w*R|^--recursive/.test(text))
  const files = words.filter((word, index) => index !== at && !readKnownStart(word).startsWith('-'))
  if (isSetId(mode)) noteChange(context, 'machine', 'privilege', `chmod ${mode}`)
  for (const each of files)
    if (isUsualMode(mode, resolveOne(context, each)?.place)) readPath(context, each, 'name')
    else writePath(context, each, 'mode')
  if (isTree && /^(?:000|777|a[-+]rwx|a-rwx)$/.test(mode))
    for (const each of files) {
      const path = resolveOne(context, each)
      if (path && (path.place === 'home' || path.place === 'system'))
        noteChange(context, 'machine', 'permissions', path.text)
    }
  return EMPTY_CONTENT
}

function readAttributes(call: Call): Content {
  const { operands } = parseCall(call, '-m -M -x -X -b -n -v --modify --set --remove')
  const files = /^(?:chattr|chcon|xattr)$/.test(call.name)
    ? operands.slice(call.name === 'chattr' && operands.length > 1 ? 1 : 0)
    : operands
  for (const each of files) if (!/^[+=-]/.test(readKnownStart(each))) writePath(call.context, each, 'mode')
  return EMPTY_CONTENT
}

function readTee(call: Call): Content {
  const { operands, has } = parseCall(call, '--output-error')
  const how = has('-a', '--append') ? 'append' : 'replace'
  for (const each of operands) writePath(call.context, each, how, call.input.text === '' ? UNKNOWN_CONTENT : call.input)
  return call.input
}

function readDd(call: Call): Content {
  const { context, words, input } = call
  let content = input
  const hasCount = words.some((word) => /^(?:count|size)=/.test(readKnownStart(word)))
  for (const word of words) if (readKnownStart(word).startsWith('if=')) content = readPath(context, cut(word, 3))
  for (const word of words)
    if (readKnownStart(word).startsWith('of='))
      writePath(context, cut(word, 3), 'replace', chooseCopied(content, hasCount))
  const target = words.find((word) => readKnownStart(word).startsWith('of='))
  if (!target) return forgetText(content)
  const size = readSize(words, 'count') * readSize(words, 'bs', 512)
  if (size >= HUGE) noteChange(context, 'machine', 'fill-disk', showValue(cut(target, 3)))
  return EMPTY_CONTENT
}

/** Bytes that fill the disk of most machines. */
const HUGE = 1e11

/** A number of dd with its unit: `bs=1M`, `count=9999`. */
function readSize(words: readonly Value[], name: string, otherwise = 0): number {
  const word = words.find((each) => readKnownStart(each).startsWith(`${name}=`))
  const [, digits, unit = ''] = /^\w+=(\d+)([kKMGTP]?)/.exec(word ? (readWord(word) ?? '') : '') ?? []
  return digits ? Number(digits) * 1024 ** Math.max(0, ' KMGTP'.indexOf(unit.toUpperCase() || ' ')) : otherwise
}

/** Content as dd copies it: nothing stays nothing, and a count ends what has no end. */
function chooseCopied(content: Content, hasCount: boolean): Content {
  if (content.text === '') return content
  return hasCount ? dropEndless(content) : forgetText(content)
}

/** Content that ends after all. */
function dropEndless(content: Content): Content {
  return { ...UNKNOWN_CONTENT, carries: new Set([...content.carries].filter((kind) => kind !== 'endless')) }
}

function cut(value: Value, count: number): Value {
  const text = readWord(value)
  return text === null
    ? { ...value, pieces: value.pieces.slice(1) }
    : {
        pieces: value.pieces.some(({ is }) => is === 'glob')
          ? toPatternWord(text.slice(count)).pieces
          : toKnownWord(text.slice(count)).pieces,
        carries: value.carries,
      }
}

function readSed(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-e -f -l --expression --file --line-length')
  const isInPlace = parsed.has('-i', '-I', '--in-place')
  const scripts = [...parsed.values('-e', '--expression')]
  const operands = [...parsed.operands]
  // On macOS the word behind -i is a suffix, and often empty.
  if (isInPlace && operands[0] && readWord(operands[0]) === '') operands.shift()
  if (scripts.length === 0 && !parsed.has('-f', '--file')) {
    const script = operands.shift()
    if (script) scripts.push(script)
  }
  for (const each of parsed.values('-f', '--file')) readPath(context, each)
  for (const each of scripts) readSedScript(context, readWord(each))
  for (const each of isInPlace ? scripts : []) noteReplacements(context, readWord(each) ?? '')
  const contents = operands.map((each) => {
    if (!isInPlace) return readPath(context, each)
    writePath(context, each, 'edit')
    return EMPTY_CONTENT
  })
  if (operands.length === 0) {
    // With -n only some of the lines are printed; which ones is not followed.
    const made = parsed.has('-n') ? null : putBefore(input, scripts)
    const text = parsed.has('-n') ? null : (made ?? replaceBySed(input.text, scripts))
    return { ...forgetText(input), text, lists: made === null ? input.lists : null, source: input.source }
  }
  const only = contents.length === 1 ? contents[0] : undefined
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried(contents.map(({ carries }) => carries)),
    source: only?.source ?? null,
    text: replaceBySed(only?.text ?? null, scripts),
  }
}

/** Any line behind what sed puts in front of it, where that begins a command: `s/^/rm -rf /`. */
function putBefore(input: Content, scripts: readonly Value[]): string | null {
  if (input.text !== null) return null
  for (const script of scripts) {
    const [, , start, by = ''] =
      /^\s*s(\W)(\^|(?:\^?\.\*|\^?\\?\(\.\*\\?\))\$?)\1((?:\\.|(?!\1).)*)\1[gE]*\s*$/.exec(readWord(script) ?? '') ?? []
    const line = (start === '^' ? `${by}*` : by.replaceAll(/\\1|(?<!\\)&/g, '*')).replaceAll(/\\(.)/g, '$1')
    if (isCommandLine(line)) return `${line}\n`
  }
  return null
}

/** Text after the substitutions of sed, as far as they are plain ones; other commands only leave lines out. */
function replaceBySed(text: string | null, scripts: readonly Value[]): string | null {
  if (text === null) return null
  let changed = text
  for (const script of scripts.flatMap((each) => (readWord(each) ?? '\0').split(/[;\n]/))) {
    if (script === '\0') return null
    const match = /^\s*s(\W)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([gI]*)\s*$/.exec(script)
    if (!match) continue
    const shape = compileSedPattern(match[2] ?? '', match[4] ?? '')
    if (!shape) return null
    const by = (match[3] ?? '').replaceAll(/\\(.)/g, '$1')
    changed = changed
      .split('\n')
      .map((line) => line.replace(shape, () => by))
      .join('\n')
  }
  return changed
}

function compileSedPattern(pattern: string, flags: string): RegExp | null {
  // Two repetitions may share the letters of a long line in very many ways.
  if (pattern.length > 200 || /[+?(){}|*]{2}|[+*}].*[+*}]/s.test(pattern)) return null
  try {
    return new RegExp(pattern, `${flags.includes('g') ? 'g' : ''}${flags.includes('I') ? 'i' : ''}`)
  } catch {
    return null // a pattern of another dialect
  }
}

/** Commands of sed that run programs or write files. */
/** Commands that a script of sed puts into files. */
function noteReplacements(context: Context, script: string): void {
  for (const match of script.matchAll(/(?:^|[;\s\d$/{])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1/gm))
    noteWrittenCommands(context, match[2] ?? '')
  for (const match of script.matchAll(/(?:^|[;\s\d$/{])[aic]\\?\s*(.+)$/gm))
    noteWrittenCommands(context, match[1] ?? '')
}

function readSedScript(context: Context, script: string | null): void {
  if (script === null) return
  const run = /^(?:\d+|\$|\/[^/\n]*\/)?[ \t]*e\s+(.+)$/m.exec(script)
  if (run?.[1]) context.reading.runScript(context, run[1])
  for (const each of script.matchAll(
    /(?:^|[;}\s\d$/])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1[gipI\d]*e/gm,
  )) {
    noteUnseen(context, 'code', 'sed s///e', 'run')
    context.reading.runScript(lowerCertainty(context, 'likely'), (each[2] ?? '').replaceAll(/\\(?=\D)/g, ''))
  }
  const write = /(?:^|[;}\s\d$/])w\s+(\/\S+|~\S+)/m.exec(script)
  if (write?.[1]) writePath(context, toKnownWord(write[1]), 'replace')
}

function readJq(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '--indent -L --tab-x -p -o -I --input-format --output-format -r-x')
  const isFileFilter = parsed.has('-f', '--from-file')
  const filter = readWord(parsed.operands[0] ?? toKnownWord('')) ?? ''
  if (call.name === 'dasel' && /^(?:put|delete)$/.test(filter)) {
    for (const each of parsed.values('-f', '--file')) writePath(context, each, 'edit')
    return EMPTY_CONTENT
  }
  if (/[|.\w\]]\s*\|?=(?!=)/.test(filter)) noteWrittenCommands(context, filter)
  const skip = call.words.filter((word) => /^--(?:slurpfile|rawfile)$/.test(readWord(word) ?? ''))
  const operands = parsed.operands.slice(isFileFilter ? 0 : 1)
  const start =
    /^(?:eval|e|eval-all|ea|read|r|write|w)$/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '') &&
    call.name === 'yq'
      ? 1
      : 0
  if (skip.length > 0)
    for (const word of parsed.operands) if (readWord(word)?.startsWith('.env')) readPath(context, word)
  const files = operands.slice(start)
  if (parsed.has('-i', '--inplace', '--in-place')) {
    for (const each of files) writePath(context, each, 'edit')
    return EMPTY_CONTENT
  }
  const contents = files.filter((each) => !/^-/.test(readKnownStart(each))).map((each) => readPath(context, each))
  const environment = /\benv\b|\$ENV\b/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '')
    ? [carry('environment')]
    : []
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried([
      files.length === 0 ? input.carries : mergeCarried(contents.map(({ carries }) => carries)),
      ...environment,
    ]),
  }
}

function readTr(call: Call): Content {
  const { operands, has } = parseCall(call, '')
  const { input } = call
  const from = operands[0] ? readWord(operands[0]) : null
  const to = operands[1] ? readWord(operands[1]) : ''
  if (input.text === null || from === null || to === null || has('-s', '-c', '-C')) return forgetText(input)
  const source = listCharacters(from)
  const target = listCharacters(to)
  const text = [...input.text].map((sign) => {
    const at = source.lastIndexOf(sign)
    if (at === -1) return sign
    return has('-d') ? '' : (target[at] ?? target.at(-1) ?? sign)
  })
  return { ...input, text: text.join(''), carries: carry('decode', input.carries) }
}

function listCharacters(set: string): string[] {
  const plain = set
    .replaceAll('[:upper:]', 'A-Z')
    .replaceAll('[:lower:]', 'a-z')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:space:]', ' \t\n')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
  const found: string[] = []
  for (let at = 0; at < plain.length && found.length < 1000; at++) {
    const end = plain[at + 1] === '-' ? plain.charCodeAt(at + 2) : Number.NaN
    if (Number.isNaN(end)) {
      found.push(plain[at] ?? '')
      continue
    }
    for (let code = plain.charCodeAt(at); code <= end && found.length < 1000; code++)
      found.push(String.fromCharCode(code))
    at += 2
  }
  return found
}

function readBase64(call: Call): Content {
  const { operands, has } = parseCall(call, '-w -i -o -b --wrap --input --output --break')
  const content = operands[0] && readWord(operands[0]) !== '-' ? readPath(call.context, operands[0]) : call.input
  if (!has('-d', '-D', '--decode')) {
    return content.text === null
      ? forgetText(content)
      : { ...content, text: Buffer.from(content.text, 'utf8').toString('base64') }
  }
  return decode(content, 'base64')
}

function decode(content: Content, encoding: 'base64' | 'hex'): Content {
  const written = content.text?.replaceAll(/\s+/g, '') ?? null
  const text = written === null ? null : Buffer.from(written.slice(0, 65_536), encoding).toString('utf8')
  return { ...UNKNOWN_CONTENT, text, carries: carry('decode', content.carries) }
}

function readXxd(call: Call): Content {
  const { operands, has } = parseCall(call, '-c -l -s -g -o -n')
  const file = operands[0]
  const content = file && readWord(file) !== '-' ? readPath(call.context, file) : call.input
  if (operands[1]) writePath(call.context, operands[1], 'replace', forgetText(content))
  return has('-r') ? decode(content, 'hex') : forgetText(content)
}

function readCompress(call: Call): Content {
  const { context, name, input } = call
  const { operands, has } = parseCall(call, '-S -o -T --suffix --threads')
  const isOut = has('-c', '--stdout', '--to-stdout')
  const isOpening = /^(?:un|g?un)|unzip|d$/.test(name) || has('-d', '--decompress')
  if (operands.length === 0)
    return isOpening ? { ...UNKNOWN_CONTENT, carries: carry('decode', input.carries) } : forgetText(input)
  if (has('-t', '-l', '--list', '--test')) return UNKNOWN_CONTENT
  const contents = operands.map((each) => {
    const content = readPath(context, each)
    const isKept = has('-k', '--keep') || isOut
    if (!isKept && resolveOne(context, each)?.place === 'home') writePath(context, each, 'edit')
    if (!isOut) writePath(context, join([each, toKnownWord(isOpening ? '.out' : '.gz')]), 'create', forgetText(content))
    return content
  })
  return isOut ? { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) } : EMPTY_CONTENT
}

const TAR_VALUED =
  '-f -C -T -X -b -K -N -H -V -g -I -F --file --directory --exclude --files-from --exclude-from --transform --strip-components --owner --group --mode --to-command --use-compress-program --checkpoint-action --info-script --rsh-command'

function readTar(call: Call): Content {
  const { context } = call
  const first = call.words[0] ? readWord(call.words[0]) : null
  const isBare = first !== null && /^[cxtruA][a-zA-Z]*$/.test(first)
  const words = isBare && first !== null ? [toKnownWord(`-${first}`), ...call.words.slice(1)] : call.words
  const parsed = parseCall({ ...call, words }, TAR_VALUED)
  const { operands, has, value, values } = parsed
  for (const each of values('--use-compress-program', '-I', '--checkpoint-action', '--info-script'))
    runOption(context, each)
  for (const each of values('--to-command'))
    if (/\s/.test(readWord(each) ?? '')) context.reading.runScript(enterStep(context), readWord(each) ?? '')
    else context.reading.runWords(enterStep(context), [each], UNKNOWN_CONTENT)
  const folder = value('-C', '--directory')
  const archive = value('-f', '--file')
  const isStream = archive === null || readWord(archive) === '-'
  if (has('-c', '-r', '-u', '--create', '--append', '--update')) {
    const contents = operands.map((each) =>
      readPath(
        context,
        folder && !readKnownStart(each).startsWith('/') ? join([folder, toKnownWord('/'), each]) : each,
        'tree',
      ),
    )
    const content: Content = { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
    if (!isStream && archive) writeArchive(context, archive, content)
    if (has('--remove-files')) for (const each of operands) deletePath(context, each, 'tree')
    return isStream ? content : EMPTY_CONTENT
  }
  const source = archive && !isStream ? readPath(context, archive, 'name') : call.input
  if (has('-t', '--list')) return UNKNOWN_CONTENT
  if (has('-O', '--to-stdout')) {
    const named = operands.map((each) => readPath(lowerCertainty(context, 'likely'), each))
    return { ...UNKNOWN_CONTENT, carries: mergeCarried([source.carries, ...named.map(({ carries }) => carries)]) }
  }
  if (has('-x', '--extract', '--get')) {
    const target = folder ?? toKnownWord('.')
    markFetched(context, target, source)
    // With -P the names in an archive are taken as they are, from the root on.
    if (has('-P', '--absolute-names')) writePath(lowerCertainty(context, 'likely'), toPatternWord('/*'), 'replace')
    if (folder) writePath(context, join([target, toPatternWord('/*')]), 'create', forgetText(source))
    else writePath(context, toPatternWord('*'), 'create', forgetText(source))
  }
  return EMPTY_CONTENT
}

/** Remembers that a folder holds what came from the network, for what is run there later in the call. */
function markFetched(context: Context, folder: Value, content: Content): void {
  const path = content.carries.has('fetch') ? resolveOne(context, folder) : null
  if (path) context.reading.settings.set(`fetched ${path.text}`, 'the network')
}

/** A remote archive, as in `tar cf host:file`, is sent. */
function writeArchive(context: Context, archive: Value, content: Content): void {
  const text = readWord(archive)
  if (text !== null && /^[\w.@-]+:/.test(text))
    sendTo(context, toKnownWord(text.split(':')[0]?.split('@').at(-1) ?? ''), content)
  else writePath(context, archive, 'replace', content)
}

function runOption(context: Context, value: Value): void {
  const text = readWord(value)
  if (text === null) noteUnseen(context, 'value', showValue(value), 'run')
  else if (/^(?:gzip|bzip2|xz|zstd|pigz|lz4|pbzip2|zstdmt|lzma)\b/.test(text)) spend(context)
  else context.reading.runScript({ ...context, depth: context.depth + 1 }, text.replace(/^exec=/, ''))
}

function readZip(call: Call): Content {
  const { context, name } = call
  const isSeven = name !== 'zip'
  const { operands, has } = parseCall(call, '-x -i -P -b -n -t --unzip-command')
  runTester(context, call.words)
  const names = operands.slice(isSeven ? 1 : 0)
  const command = isSeven ? readWord(operands[0] ?? toKnownWord('')) : 'a'
  if (command === 'l' || command === 't') return UNKNOWN_CONTENT
  const [archive, ...files] = names
  if (command === 'x' || command === 'e') {
    const out = call.words.map((word) => readWord(word)).find((text) => text?.startsWith('-o'))
    writePath(context, out ? join([toKnownWord(out.slice(2)), toPatternWord('/*')]) : toPatternWord('*'), 'create')
    return EMPTY_CONTENT
  }
  const contents = files.map((each) => readPath(context, each, 'tree'))
  const content: Content = { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
  if (archive && readWord(archive) !== '-') writePath(context, archive, 'replace', content)
  const isMoving = isSeven
    ? /^m[fv]?$/.test(command ?? '') || readCallWords(call.words).some((text) => /^-(?:sdel|df)$/.test(text))
    : has('-m', '--move')
  if (isMoving) for (const each of files) deletePath(context, each, 'tree')
  return archive && readWord(archive) === '-' ? content : EMPTY_CONTENT
}

/** `zip -TT COMMAND` tests the archive by a command. */
function runTester(context: Context, words: readonly Value[]): void {
  const at = words.findIndex((word) => readWord(word) === '-TT')
  const script = at === -1 ? null : readWord(words[at + 1] ?? toKnownWord(''))
  if (script) context.reading.runScript(enterStep(context), script)
}

function readUnzip(call: Call): Content {
  const { context } = call
  const { operands, has, value } = parseCall(call, '-d -x -P')
  const [archive, ...members] = operands
  const source = archive ? readPath(context, archive, 'name') : UNKNOWN_CONTENT
  if (has('-l', '-t', '-v', '-Z', '-z')) return UNKNOWN_CONTENT
  if (has('-p', '-c')) {
    const named = members.map((each) => readPath(lowerCertainty(context, 'certain'), each))
    return { ...UNKNOWN_CONTENT, carries: mergeCarried([source.carries, ...named.map(({ carries }) => carries)]) }
  }
  const last = call.name === 'unrar' ? operands.at(-1) : undefined
  const folder = value('-d') ?? (/\/$|^~/.test(last ? readKnownStart(last) : '') ? (last ?? null) : null)
  markFetched(context, folder ?? toKnownWord('.'), source)
  writePath(context, folder ? join([folder, toPatternWord('/*')]) : toPatternWord('*'), 'create', forgetText(source))
  return EMPTY_CONTENT
}

const REMOTE = /^(?:rsync:\/\/)?(?:[\w.-]+@)?([\w.-]+|\[[^\]]+\]):(?!\\)/

function findRemoteHost(value: Value): string | null {
  const start = readKnownStart(value)
  return /^[./~]/.test(start) ? null : (REMOTE.exec(start)?.[1] ?? null)
}

/** Runs the program that a copy goes through; one that only the disk knows may do anything. */
function runTransport(context: Context, command: Value): void {
  const text = readWord(command) ?? showValue(command)
  if (/^(?:\S*\/)?ssh(?:\s|$)/.test(text)) return
  context.reading.runScript(context, text)
  if (/^(?:[.~/]|\$)\S*$/.test(text)) noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', text)
}

/** True for a host that goes by a short name: one that the user has given it in settings of ssh. */
function isOwnHost(host: string, target: Value | null): boolean {
  return /^[a-z][\w-]*$/i.test(host) && !readKnownStart(target ?? toKnownWord('')).includes('@')
}

function readRsync(call: Call): Content {
  const { context } = call
  const parsed = parseCall(
    call,
    '-e -f -T -B -M --rsh --exclude --include --exclude-from --include-from --filter --files-from --bwlimit --port --timeout --log-file --out-format --chmod --chown --backup-dir --suffix --link-dest --compare-dest --copy-dest --partial-dir --password-file --rsync-path --max-size --min-size --info --debug',
  )
  const { operands, has } = parsed
  if (has('-n', '--dry-run', '--list-only')) return UNKNOWN_CONTENT
  const shell = parsed.value('-e', '--rsh')
  const shellText = shell ? readWord(shell) : null
  if (shellText !== null && !/^ssh\b/.test(shellText)) context.reading.runScript(context, shellText)
  const { sources, target } = splitTarget(operands, null)
  const remote = parsed.value('--rsync-path')
  const host = remote
    ? [target, ...sources].flatMap((each) => (each ? (findRemoteHost(each) ?? []) : []))[0]
    : undefined
  if (remote && !/^(?:sudo )?(?:\S*\/)?rsync$/.test(showValue(remote)))
    context.reading.runScript({ ...context, where: { host: host ?? 'a host' } }, showValue(remote))
  copyAway(context, sources, target, { isTree: true })
  if (has('--remove-source-files'))
    for (const each of sources) if (findRemoteHost(each) === null) deletePath(context, each, 'tree')
  const isDeleting = [...parsed.options.keys()].some((option) => /^--del(?:ete.*)?$/.test(option))
  if (isDeleting && target) {
    const host = findRemoteHost(target)
    if (host === null) deletePath(context, join([target, toPatternWord('/*')]), 'tree')
    else
      deletePath(
        { ...context, where: { host } },
        toKnownWord(readKnownStart(target).replace(REMOTE, '') || '.'),
        'tree',
      )
  }
  return EMPTY_CONTENT
}

/** Copies from and to other machines, or on this one. */
function copyAway(
  context: Context,
  sources: readonly Value[],
  target: Value | null,
  { isTree }: { isTree: boolean },
): void {
  const host = target ? findRemoteHost(target) : null
  for (const each of sources) {
    const from = findRemoteHost(each)
    if (from !== null) {
      noteFlows(context, [], 'send', from)
      const there = (readWord(each) ?? '').replace(/^[^:]*:/, '')
      if (isSecretElsewhere(context.reading.world, `${from}:${there}`))
        readPath({ ...context, where: { host: from } }, toKnownWord(there))
      if (target && host === null)
        writeInto(context, toKnownWord(readKnownStart(each).replace(/^[^:]*:+/, '') || 'file'), target, {
          content: { ...UNKNOWN_CONTENT, carries: carry('remote') },
        })
      continue
    }
    const content = readPath(context, each, isTree ? 'tree' : 'content')
    if (host !== null) {
      const carries = mergeCarried([content.carries, each.carries])
      sendTo(context, toKnownWord(host), { carries: isOwnHost(host, target) ? leaveOut(carries, 'project') : carries })
    } else if (target)
      writeInto(
        context,
        each,
        isTree && /\/$/.test(readWord(each) ?? '') ? join([target, toPatternWord('/*')]) : target,
        {
          content,
        },
      )
  }
}

function readScp(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-P -i -F -o -c -l -S -J -b -B -D -R -s -X')
  const command = parsed.value('-S')
  if (command) runTransport(context, command)
  const direct = name === 'sftp' ? parsed.value('-D') : null
  if (direct) context.reading.runScript(context, readWord(direct) ?? showValue(direct))
  const batch = parsed.value('-b')
  const lines = name === 'sftp' && batch ? readPath(context, batch).text : null
  if (batch && lines === null) noteUnseen(context, 'code', showValue(batch), 'run')
  if (name === 'sftp') {
    const host = parsed.operands[0]
      ? (findRemoteHost(parsed.operands[0]) ?? showValue(parsed.operands[0]).split('@').at(-1))
      : null
    const script = lines ?? call.input.text
    if (host) sendTo(context, toKnownWord(host), { carries: call.input.carries })
    if (script !== null) runTransferScript(context, host ?? 'a host', script)
    return UNKNOWN_CONTENT
  }
  const { sources, target } = splitTarget(parsed.operands, null)
  copyAway(context, sources, target, { isTree: parsed.has('-r') })
  return EMPTY_CONTENT
}

function readRclone(call: Call): Content {
  const { context } = call
  const { operands, has } = parseCall(call, '--config --include --exclude --filter --transfers --bwlimit')
  if (has('-n', '--dry-run')) return UNKNOWN_CONTENT
  const command = readWord(operands[0] ?? toKnownWord('')) ?? ''
  if (/^(?:delete|purge|rmdirs?|deletefile|cleanup)$/.test(command)) {
    for (const each of operands.slice(1))
      if (/^\w+:/.test(readKnownStart(each))) noteChange(context, 'cloud', 'delete', showValue(each))
      else deletePath(context, each, 'tree')
    return EMPTY_CONTENT
  }
  if (!/^(?:copy|sync|move|copyto|moveto|bisync|rcat)$/.test(command)) return UNKNOWN_CONTENT
  const [, source, target] = operands
  if (/^move/.test(command) && source && /^[\w-]+:/.test(readKnownStart(source)))
    noteChange(context, 'cloud', 'delete', showValue(source))
  const content =
    source && !/^[\w-]+:/.test(readKnownStart(source)) ? readPath(context, source, 'tree') : UNKNOWN_CONTENT
  if (target && /^[\w-]+:/.test(readKnownStart(target))) {
    sendTo(context, target, content)
    if (command === 'sync') noteChange(context, 'cloud', 'delete', showValue(target))
  } else if (target) {
    writePath(context, target, 'replace', content)
    if (command === 'sync') deletePath(context, join([target, toPatternWord('/*')]), 'tree')
  }
  if (command.startsWith('move') && source) deletePath(context, source, 'tree')
  return EMPTY_CONTENT
}

/** Tests of find that narrow what is found by its name. */
const NAME_TESTS = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-regex',
  '-iregex',
  '-lname',
  '-inum',
  '-samefile',
])
const OTHER_TESTS = new Set([
  '-empty',
  '-mtime',
  '-mmin',
  '-atime',
  '-amin',
  '-ctime',
  '-cmin',
  '-newer',
  '-size',
  '-user',
  '-group',
  '-perm',
  '-links',
  '-newermt',
  '-anewer',
  '-cnewer',
  '-nouser',
  '-nogroup',
  '-uid',
  '-gid',
  '-fstype',
  '-used',
  '-xtype',
])
const FIND_VALUED = new Set(
  [
    ...NAME_TESTS,
    ...OTHER_TESTS,
    '-type',
    '-maxdepth',
    '-mindepth',
    '-printf',
    '-fprint',
    '-fprintf',
    '-fls',
    '-D',
    '-files0-from',
  ].filter((name) => !/^-(?:empty|nouser|nogroup)$/.test(name)),
)

function readFind(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  let at = 0
  while (/^-[HLPDO]/.test(texts[at] ?? '')) at += texts[at] === '-D' ? 2 : 1
  const roots: Value[] = []
  while (at < words.length && !/^[-(!)]/.test(readKnownStart(words[at] ?? toKnownWord('-'))))
    roots.push(words[at++] ?? toKnownWord('.'))
  if (roots.length === 0) roots.push(toKnownWord('.'))
  const names: string[] = []
  let isNarrowed = false
  let isNegated = false
  const actions: { readonly does: string; readonly words: readonly Value[] }[] = []
  while (at < words.length) {
    const text = texts[at] ?? ''
    at += 1
    if (text === '!' || text === '-not') {
      isNegated = true
      continue
    }
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const start = at
      while (at < words.length && texts[at] !== ';' && !(texts[at] === '+' && texts[at - 1] === '{}')) at += 1
      actions.push({ does: 'run', words: words.slice(start, at) })
      at += 1
    } else if (text === '-delete') actions.push({ does: 'delete', words: [] })
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(text)) {
      writePath(context, words[at] ?? toKnownWord(''), 'replace')
      at += text === '-fprintf' ? 2 : 1
    } else if (FIND_VALUED.has(text)) {
      if (/^-i?name$/.test(text) && !isNegated && texts[at] !== '*') names.push(texts[at] ?? '')
      else if (/^-i?(?:whole)?(?:path|name)$/.test(text) && !isNegated) names.push(toBelow(texts[at] ?? ''))
      else if ((NAME_TESTS.has(text) && !isNegated) || OTHER_TESTS.has(text)) isNarrowed = true
      at += 1
    } else if (OTHER_TESTS.has(text)) isNarrowed = true
    isNegated = false
  }
  const found = roots.map((root) => toFound(root, names, isNarrowed))
  for (const root of roots) readPath(context, root, 'name')
  for (const action of actions) {
    if (action.does === 'delete') for (const each of found) deletePath(context, each, 'tree', { follow: false })
    else for (const each of found) runForFile(context, action.words, each)
  }
  return { ...UNKNOWN_CONTENT, lists: found }
}

/** The part of a pattern of whole paths that follows its first stars: below a root it may lie anywhere. */
function toBelow(pattern: string): string {
  const parts = pattern.replace(/^(?:\.\/)?\/?/, '').split('/')
  const start = parts.findIndex((part) => !/^\*+$/.test(part))
  const end = parts.findLastIndex((part) => !/^\*+$/.test(part))
  return parts.slice(Math.max(start, 0), end + 1).join('/')
}

/** The pattern of what find finds below a root. */
function toFound(root: Value, names: readonly string[], isNarrowed: boolean): Value {
  const text = readWord(root)
  const start = text === null ? root : toKnownWord(text.replace(/(?<!\/)\/+$/, '') || '/')
  const name = names.length === 1 ? names[0] : names.find((each) => each.length > 0)
  if (name) return join([start, toPatternWord(`/**/${name}`)])
  return isNarrowed ? join([start, toPatternWord('/**/?*')]) : join([start, toPatternWord('/**')])
}

/** Runs a command with `{}` as one of the files found. */
function runForFile(context: Context, words: readonly Value[], found: Value): void {
  const filled = words.map((word) => {
    const text = readWord(word)
    if (text === null || !text.includes('{}')) return word
    if (text === '{}') return found
    return join(text.split('{}').flatMap((part, at) => (at === 0 ? [toKnownWord(part)] : [found, toKnownWord(part)])))
  })
  context.reading.runWords({ ...context, depth: context.depth + 1 }, filled, UNKNOWN_CONTENT)
}

/** Reads programs that find files anywhere by a part of their path. */
function readLocate(call: Call): Content {
  const parsed = parseCall(call, '-d -l -n --limit --database -onlyin -name', { oneDash: call.name === 'mdfind' })
  const names = [...parsed.operands, ...parsed.values('-name')]
  const found = names.map((each) => join([toPatternWord('/**/'), each]))
  return { ...UNKNOWN_CONTENT, lists: found }
}

function readFd(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const at = texts.findIndex((text) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text))
  const own = at === -1 ? words : words.slice(0, at)
  const parsed = parseCall(
    { ...call, words: own },
    '-e -t -d -E -g -j -S -c --extension --type --max-depth --exclude --base-directory --search-path --size --changed-within --color',
  )
  // Anchors and escaped points say no more than the name between them.
  const shape = (readWord(parsed.operands[0] ?? toKnownWord('')) ?? '')
    .replace(/^\^(?=\\?\.?[\w-])/, '')
    .replace(/(?<=\w)\$$/, '')
    .replaceAll('\\.', '.')
  const roots =
    parsed.operands.length > 1
      ? parsed.operands.slice(1)
      : [parsed.value('--base-directory', '--search-path') ?? toKnownWord('.')]
  const extension = parsed.value('-e', '--extension')
  const name = extension ? `*.${showValue(extension)}` : shape
  const isAll = (shape === '' || shape === '.' || shape === '.*') && !extension
  const found = roots.map((root) =>
    join([
      toKnownWord((readWord(root) ?? '.').replace(/(?<!\/)\/+$/, '')),
      toPatternWord(
        isAll
          ? '/**'
          : `/**/${/[\^$*]|[^/]\./.test(name) && !extension && !/^\.?[\w-]+(?:\.[\w-]+)*$/.test(name) ? '?*' : name}`,
      ),
    ]),
  )
  if (at === -1) return { ...UNKNOWN_CONTENT, lists: found }
  const command = words.slice(at + 1)
  const hasPlace = texts.slice(at + 1).some((text) => text.includes('{'))
  for (const each of found) runForFile(context, hasPlace ? command : [...command, toKnownWord('{}')], each)
  return UNKNOWN_CONTENT
}

function readOpenssl(call: Call): Content {
  const { context, input, words } = call
  const [command = '', ...rest] = readCallWords(words)
  const parsed = parseCall(
    { ...call, words: words.slice(1) },
    '-in -out -inkey -key -keyout -CA -CAkey -pass -passin -passout -k -K -iv -connect -host -days -subj -config -name -certfile -signkey',
    { oneDash: true },
  )
  if (command === 's_client') {
    const address = parsed.value('-connect', '-host')
    if (address) sendTo(context, address, input)
    return { ...UNKNOWN_CONTENT, carries: carry('fetch') }
  }
  const file = parsed.value('-in')
  const isKeyShown =
    /^(?:rsa|ec|pkey|dsa|pkcs12|pkcs8)$/.test(command) &&
    (!parsed.has('-pubout', '-noout', '-check') || (parsed.has('-text') && !parsed.has('-pubin', '-text_pub')))
  const content = file
    ? readPath(context, file, isKeyShown || /^(?:enc|base64|aes)/.test(command) ? 'content' : 'name')
    : input
  const out = parsed.value('-out')
  for (const each of parsed.values('-keyout')) writePath(context, each, 'create')
  const isDecoding = (command === 'base64' || command === 'enc') && rest.includes('-d')
  const isBase64 = command === 'base64' || rest.includes('-base64') || rest.includes('-a')
  const decoded = isBase64
    ? decode(content, 'base64')
    : { ...forgetText(content), carries: carry('decode', content.carries) }
  const result = isDecoding ? decoded : forgetText(content)
  if (out) writePath(context, out, 'replace', result)
  return out ? EMPTY_CONTENT : result
}

function readGpg(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(
    call,
    '-o -r -u --output --recipient --local-user --homedir --keyserver --passphrase --passphrase-file',
  )
  const options = [...parsed.options.keys()]
  if (options.some((option) => /^--export-secret/.test(option))) {
    readPath(context, toKnownWord(posix.join(context.reading.world.home, '.gnupg/private-keys-v1.d')))
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  }
  if (options.some((option) => /^--delete-(?:secret-)?(?:and-public-)?keys?/.test(option)))
    deletePath(context, toKnownWord(posix.join(context.reading.world.home, '.gnupg/private-keys-v1.d')), 'file')
  const files = parsed.operands.map((each) => readPath(context, each))
  const out = parsed.value('-o', '--output')
  const isEncrypting = parsed.has('-c', '-e', '--encrypt', '--symmetric')
  const carries = isEncrypting
    ? mergeCarried(files.map((each) => each.carries))
    : mergeCarried([input.carries, ...files.map((each) => each.carries)])
  if (out) writePath(context, out, 'replace', { ...UNKNOWN_CONTENT, carries })
  return { ...UNKNOWN_CONTENT, carries }
}

function readDecrypt(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const parsed = parseCall(
    call,
    '-i -o -r -R --identity --output --recipient --input-type --output-type --vault-password-file',
  )
  const isOpening =
    parsed.has('-d', '--decrypt') ||
    /^(?:decrypt|view|edit|exec-env|exec-file)$/.test(texts.find((text) => !text.startsWith('-')) ?? '')
  if (!isOpening || parsed.has('--help')) return UNKNOWN_CONTENT
  const files = parsed.operands.filter(
    (each) => !/^(?:decrypt|view|edit|exec-env|exec-file)$/.test(readWord(each) ?? ''),
  )
  for (const each of files.slice(0, 1)) readPath(context, each)
  noteChange(context, 'cloud', 'secret', showValue(files[0] ?? toKnownWord(call.name)))
  return { ...UNKNOWN_CONTENT, carries: carry('secret') }
}

function readSshKeygen(call: Call): Content {
  const parsed = parseCall(call, '-t -b -C -N -P -m -f -O -I -n -R -F -Y -s -V')
  const isMaking = !parsed.has('-l', '-y', '-F', '-R', '-H', '-B', '-Y', '-e')
  const file = parsed.value('-f')
  // A key that is there is replaced by the new one.
  const isThere = file ? resolveOne(call.context, file)?.exists === true : false
  const made = isThere ? 'replace' : 'create'
  if (file && isMaking) writePath(call.context, file, parsed.has('-p', '-c') ? 'edit' : made)
  if (file && !isMaking) readPath(call.context, file, 'name')
  return UNKNOWN_CONTENT
}

/** Lines of an editor's script that are looked at. */
const MAX_EDITOR_LINES = 200

/** Reads one command of ex: `!rm x`, `r !cat x`, `%w !curl …`, `w! ~/.bashrc`, `e ~/.netrc`. */
function readEditorLine(context: Context, line: string): void {
  const run =
    /^:?\s*(?:sil\w*!?\s+)?(?:(?:[\d.,$%'<>]+\s*)?(?:(?:r|re|rea|read)\s*|(?:w|wr|wri|write)\s+)?!)(.+)$|system\(["'](.+?)["']\)/.exec(
      line,
    )
  if (run) {
    context.reading.runScript(enterStep(context), run[1] ?? run[2] ?? '')
    return
  }
  const file =
    /^:?\s*(?:[\d.,$%'<>]+\s*)?(r|read|e|edit|sp|tabe|w|write|sav|saveas|wq|W)!?\s+([~/.]\S*|\S+\.\w+)\s*$/.exec(line)
  if (!file) return
  const path = toKnownWord((file[2] ?? '').replace(/^~(?=\/)/, context.reading.world.home))
  if (/^[wsW]/.test(file[1] ?? '') && file[1] !== 'sp') writePath(context, path, 'replace')
  else readPath(context, path)
}

/** Reads `cpio` and `pax`: the last operand of a call that passes files on is where they go. */
function readArchiver(call: Call): Content {
  const { context, name, words } = call
  const isPassing =
    name !== 'ar' && words.some((word) => /^-[a-z]*p|^--pass-through$|^-[a-z]*rw/.test(readKnownStart(word)))
  const target = isPassing ? parseCall(call, '-D -I -O -E -H -C -F').operands.at(-1) : undefined
  if (target) writePath(context, target, 'replace', call.input)
  // Archives are unpacked into the folder of the moment, wherever that is.
  const isTakingOut = name !== 'ar' && words.some((word) => /^-[a-z]*[ir]|^--extract$/.test(readKnownStart(word)))
  const here = isTakingOut && !isPassing ? context.shell.folders[0] : undefined
  if (here && /^(?:system|home)$/.test(resolveOne(context, toKnownWord(here.path))?.place ?? ''))
    writePath(lowerCertainty(context, 'likely'), toPatternWord(`${here.path.replace(/\/$/, '')}/*`), 'edit')
  return runRow(context, { ...call.row, operands: 'value uses' }, name, words, call.input)
}

function readEditorCall(call: Call): Content {
  const { context, words, name } = call
  const texts = readCallWords(words)
  if (texts.includes('--install-extension')) {
    const what = texts[texts.indexOf('--install-extension') + 1] ?? ''
    noteChange(
      context,
      'machine',
      'startup',
      `${name} --install-extension ${what}`,
      /\.vsix$|^https?:/.test(what) ? 'certain' : 'likely',
    )
    return UNKNOWN_CONTENT
  }
  if (texts[0] === 'tunnel') note(context, { does: 'listen', on: `${name} tunnel` })
  if (texts.includes('--add-mcp')) noteChange(context, 'agent', 'settings', `${name} --add-mcp`)
  const isEmacs = name === 'emacs' || name === 'emacsclient'
  const parsed = parseCall(
    call,
    isEmacs
      ? '--eval -eval -e -l -load --load -f -funcall --funcall'
      : '-c -u -S --cmd -g --goto --folder-uri --eval --batch-x -l --load',
    { oneDash: isEmacs },
  )
  for (const each of parsed.values('-c', '--cmd')) {
    const script = readWord(each)
    if (script !== null) readEditorLine(context, script)
  }
  if (/^(?:ed|ex|vi|vim|nvim)$/.test(name) && call.input.text)
    for (const line of call.input.text.split('\n', MAX_EDITOR_LINES)) readEditorLine(context, line)
  for (const each of [
    ...parsed.values('--eval', '-eval', '-e', '-c', '--cmd'),
    ...parsed.operands.filter((word) => /^\+./.test(readKnownStart(word))),
  ]) {
    const text = (readWord(each) ?? showValue(each)).replace(/^\+/, '')
    const address = /\bso(?:urce)?!?\s+(https?:\/\/\S+)/.exec(text)?.[1]
    if (address) noteFlows(context, ['fetch'], 'run', address)
    if (/delete|write|system|shell|call\s|process|execute|remove|rmdir|unlink/.test(text))
      runByShape(context, name, text)
  }
  const isTerminal = /^(?:vi|vim|nvim|nano|emacs|ed|ex|micro|helix|hx|pico|joe)$/.test(name)
  for (const each of isTerminal ? parsed.operands : []) {
    readPath(context, each)
    writePath(lowerCertainty(context, 'likely'), each, 'edit')
  }
  return runRow(context, {}, name, [], EMPTY_CONTENT)
}
