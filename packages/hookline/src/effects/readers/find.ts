import { type Context, deletePath, readPath, writePath } from '../context.ts'
import {
  type Content,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of find and fd. */
const FIND_READERS: Readonly<Record<string, Reader>> = {
  find: readFind,
  fd: readFd,
  locate: readLocate,
}

/** Reads a call by the one of them that its row names. */
export const readFindCall: Reader = (call) => readByRow(FIND_READERS, call)

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
