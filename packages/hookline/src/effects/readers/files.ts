import { posix } from 'node:path'
import { type Context, deletePath, noteChange, readPath, resolveOne, writePath } from '../context.ts'
import { isTrash } from '../places.ts'
import {
  type Content,
  carry,
  concat,
  EMPTY_CONTENT,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import type { Path } from '../view.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { forgetText } from './printed.ts'
import { runPagerCommand } from './text.ts'

/** Readers of programs that list, make, move and remove files. */
const FILE_READERS: Readonly<Record<string, Reader>> = {
  cat: readCat,
  list: readList,
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
}

/** Reads a call by the one of them that its row names. */
export const readFileCall: Reader = (call) => readByRow(FILE_READERS, call)

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
export function splitTarget(
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
  const { project } = context.reading.world
  const isTrashed = to !== null && isTrash(to.text)
  const isWhole =
    (from?.text === project || from?.text === `${project}/*`) && to?.text.startsWith(`${project}/`) !== true
  const stays =
    from &&
    to &&
    from.place === to.place &&
    !isTrashed &&
    !isWhole &&
    (from.place === 'project' || from.place === 'built' || from.place === 'temp' || from.place === 'home')
  if (
    stays ||
    (from &&
      (from.place === 'built' ||
        from.place === 'temp' ||
        (from.place === 'project' && to?.place !== 'device' && !isWhole)))
  ) {
    if (from && context.reading.files.has(from.text) && from.place !== 'project')
      context.reading.files.delete(from.text)
    return
  }
  deletePath(context, source, 'move-away')
}

/** Notes that a source is written to a target, which may be a folder. */
export function writeInto(
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
    readPath(context, each, 'name')
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
function isUsualMode(mode: string, path: Path | null): boolean {
  if (path === null || /^\/(?:etc|usr|var|root|boot)\//.test(path.text)) return false
  const { place } = path
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
    if (isUsualMode(mode, resolveOne(context, each))) readPath(context, each, 'name')
    else writePath(context, each, 'mode')
  if (isTree && /^(?:000|777|a[-+]rwx|a-rwx)$/.test(mode))
    for (const each of files) {
      const path = resolveOne(context, each)
      if (path && /^(?:home|system|git)$/.test(path.place)) noteChange(context, 'machine', 'permissions', path.text)
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
