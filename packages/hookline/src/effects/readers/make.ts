import { posix } from 'node:path'
import { type Context, deletePath, enterStep, noteUnseen, readSource, resolveOne, writePath } from '../context.ts'
import { noteFetchedFile, runFile, showFile } from '../run-file.ts'
import { type Content, EMPTY_CONTENT, readWord, toKnownWord, UNKNOWN_CONTENT, type Value } from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { matchesWildcard, moveFolder } from './npm.ts'

/** Readers of make, its relatives, and compilers. */
const MAKE_READERS: Readonly<Record<string, Reader>> = {
  cmake: readCmake,
  make: readMake,
  maker: readMaker,
}

/** Reads a call by the one of them that its row names. */
export const readMakeCall: Reader = (call) => readByRow(MAKE_READERS, call)

function readCmake(call: Call): Content {
  const { context, words } = call
  const parsed = parseCall(
    call,
    '-S -B -G -D -P -E-x --prefix --target --config --component --build --install -j --parallel --preset',
  )
  const texts = readCallWords(words)
  if (texts[0] === '-E') {
    const [verb = '', ...rest] = texts.slice(1)
    if (/^(?:rm|remove|remove_directory)$/.test(verb))
      for (const each of rest.filter((text) => !text.startsWith('-'))) deletePath(context, toKnownWord(each), 'tree')
    if (/^(?:copy|copy_directory|rename|touch)$/.test(verb))
      writePath(context, toKnownWord(rest.at(-1) ?? ''), 'replace')
    if (verb === 'env') return context.reading.runWords(enterStep(context), words.slice(2), EMPTY_CONTENT)
    return UNKNOWN_CONTENT
  }
  if (parsed.has('--install') || texts.includes('install')) {
    const prefix = parsed.value('--prefix') ?? toKnownWord('/usr/local')
    writePath(context, toKnownWord(`${(readWord(prefix) ?? '/usr/local').replace(/\/$/, '')}/*`), 'create')
  }
  const script = parsed.value('-P')
  if (script) runFile(context, script, [], { language: 'cmake' })
  return UNKNOWN_CONTENT
}

/** Targets that are followed in one Makefile. */
const MAX_TARGETS = 60

function readMake(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-C -f -E -j-x -I -o -W --directory --file --makefile --eval')
  if (parsed.has('-n', '--dry-run', '--just-print', '--recon', '-q', '--question', '-p', '--help', '--version'))
    return UNKNOWN_CONTENT
  const inner = moveFolder(context, parsed.value('-C', '--directory'))
  for (const each of parsed.values('--eval', '-E')) {
    const rule = readWord(each) ?? ''
    context.reading.runScript(enterStep(context), rule.replace(/^[^:\n]*:[^;\n]*(?:[;\n]|$)/, ''))
  }
  if (readCallWords(call.words).some((text) => /^(?:SHELL|\.SHELLFLAGS)=/.test(text)))
    noteUnseen(context, 'code', 'a shell of its own', 'run')
  const named = parsed.value('-f', '--file', '--makefile')
  if (named && /^(?:-|\/dev\/stdin)$/.test(readWord(named) ?? '') && call.input.text !== null) {
    const targets = parsed.operands.map((each) => readWord(each) ?? '').filter((text) => !text.includes('='))
    const path = posix.join(inner.shell.folders[0]?.path ?? inner.reading.world.folder, 'Makefile')
    runTargets(inner, { path, text: call.input.text, targets, variables: new Map() })
    return UNKNOWN_CONTENT
  }
  const files = named ? [named] : ['GNUmakefile', 'makefile', 'Makefile'].map((name) => toKnownWord(name))
  for (const file of files) {
    const path = resolveOne(inner, file)
    const text = path ? readSource(inner, path.text) : null
    if (!path || text === null) continue
    inner.reading.runFiles.set(path.text, text)
    const variables = new Map(
      parsed.operands.flatMap((each) => {
        const pair = /^(\w+)[:+?]?=(.*)$/s.exec(readWord(each) ?? '')
        return pair ? [[pair[1] ?? '', pair[2] ?? ''] as const] : []
      }),
    )
    const targets = parsed.operands
      .map((each) => readWord(each) ?? '')
      .filter((text) => text !== '' && !text.includes('='))
    runTargets(inner, { path: path.text, text, targets, variables })
    return UNKNOWN_CONTENT
  }
  noteFetchedFile(inner, posix.join(inner.shell.folders[0]?.path ?? '/', 'Makefile'))
  noteUnseen(inner, 'program', 'make')
  return UNKNOWN_CONTENT
}

interface Makefile {
  readonly path: string
  readonly text: string
  readonly targets: readonly string[]
  readonly variables: ReadonlyMap<string, string>
}

/** Characters of a file after which more of it may not have been read. */
const MAX_READ_CHARS = 60 * 1024

interface Rule {
  readonly needs: readonly string[]
  readonly lines: readonly { readonly text: string; readonly number: number }[]
}

function runTargets(context: Context, { path, text, targets, variables }: Makefile): void {
  const { rules, values, first, includes } = parseMakefile(text)
  for (const [name, value] of variables) values.set(name, value)
  if (includes) noteUnseen(context, 'code', `${showFile(context, path)}: include`)
  const done = new Set<string>()
  const visit = (target: string): void => {
    if (done.has(target) || done.size > MAX_TARGETS) return
    done.add(target)
    const rule =
      rules.get(target) ?? [...rules].find(([name]) => name.includes('%') && matchesWildcard(name, target, '%'))?.[1]
    if (!rule) {
      // A Makefile that is longer than what is read of it may have the target further down.
      const isCut = text.length >= MAX_READ_CHARS
      if (targets.includes(target)) noteUnseen(context, isCut ? 'too-much' : 'program', `make ${target}`, 'run')
      return
    }
    for (const need of rule.needs) visit(fillMake(context, need, values))
    for (const { text: line, number } of rule.lines) {
      const script = fillMake(context, line.replace(/^[@+-]+\s*/, ''), values)
      const step = { text: `${target}: ${script}`.slice(0, 160), at: `${showFile(context, path)}:${number}` }
      const shell = { ...context.shell, folders: [{ path: posix.dirname(path), certainty: 'certain' as const }] }
      context.reading.runScript({ ...enterStep(context, step), shell }, script)
    }
  }
  const otherwise = first ? [first] : []
  for (const target of targets.length > 0 ? targets : otherwise) visit(target)
}

function parseMakefile(text: string): {
  rules: Map<string, Rule>
  values: Map<string, string>
  first: string | null
  includes: boolean
} {
  const rules = new Map<string, Rule>()
  const values = new Map<string, string>()
  let first: string | null = null
  let includes = false
  let current: string[] = []
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  lines.forEach((line, at) => {
    if (/^\t/.test(line) && current.length > 0) {
      for (const name of current) {
        const rule = rules.get(name)
        rules.set(name, {
          needs: rule?.needs ?? [],
          lines: [...(rule?.lines ?? []), { text: line.trim(), number: at + 1 }],
        })
      }
      return
    }
    const pair = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?::{0,3}|\+|\?|!)=\s*(.*)$/.exec(line)
    if (pair) {
      values.set(pair[1] ?? '', pair[2] ?? '')
      return
    }
    if (/^-?s?include\s/.test(line)) includes = true
    const rule = /^([^\s#:=][^#:=]*):{1,2}(?!=)\s*([^#;]*)(?:;(.*))?$/.exec(line)
    if (!rule) return
    current = (rule[1] ?? '').trim().split(/\s+/)
    for (const name of current) {
      const before = rules.get(name)
      const own = rule[3] ? [{ text: rule[3].trim(), number: at + 1 }] : []
      rules.set(name, {
        needs: [
          ...(before?.needs ?? []),
          ...(rule[2] ?? '')
            .trim()
            .split(/\s+/)
            .filter((each) => each !== '' && each !== '|'),
        ],
        lines: [...(before?.lines ?? []), ...own],
      })
      if (first === null && !name.startsWith('.')) first = name
    }
  })
  return { rules, values, first, includes }
}

function fillMake(context: Context, text: string, values: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > 8 || text.length > 20_000) return text
  const filled = text.replaceAll(
    /\$(?:\(([^()]*)\)|\{([^{}]*)\}|([@<^*?$]))/g,
    (written, round: string | undefined, curly: string | undefined, sign: string | undefined) => {
      if (sign === '$') return '\0'
      if (sign) return '"$MAKE_AUTOMATIC"'
      const name = round ?? curly ?? ''
      const script = /^shell\s+(.*)$/.exec(name)
      if (script) return `\0(${script[1]})`
      const value = values.get(name)
      if (value !== undefined) return value
      if (/^\w+$/.test(name)) return `\0{${name}}`
      return /^\w+\s/.test(name) ? '"$MAKE_FUNCTION"' : written
    },
  )
  const next = filled === text ? filled : fillMake(context, filled, values, depth + 1)
  return depth === 0 ? next.replaceAll('\0', '$') : next
}

const COMPILERS = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|rustc|ghc|swiftc)$/

/** Keeps what a program is made of, for when the same call runs it. */
function noteCompiled(context: Context, operands: readonly Value[], output: Value | null, input: Content): void {
  // A source that comes by a pipe is kept under a name of its own.
  if (input.text && operands.some((each) => readWord(each) === '-')) {
    const made = resolveOne(context, output ?? toKnownWord('a.out'))
    if (!made) return
    context.reading.files.set(`${made.text}.c`, input)
    context.reading.settings.set(`compiled ${made.text}`, `${made.text}.c`)
    return
  }
  const source = operands.find((each) => /\.(?:c|cc|cpp|cxx|rs|hs|swift)$/.test(readWord(each) ?? ''))
  const from = source && resolveOne(context, source)
  const made = resolveOne(context, output ?? toKnownWord('a.out'))
  if (from && made) context.reading.settings.set(`compiled ${made.text}`, from.text)
}

/** Tools that write what they make into the project; named outputs elsewhere are looked at. */
function readMaker(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(
    call,
    '-o -c -t -p -k -m -g -e -n -r -f -x -w-x --output --outDir --outdir --out --out-dir --outFile --outfile --config --project --reporter -d --dist --destination --host',
  )
  for (const each of parsed.values('--outDir', '--outdir', '--out', '--out-dir', '--outFile', '--outfile', '--output'))
    writePath(context, each, 'create')
  if (/^(?:gcc|g\+\+|cc|c\+\+|clang|ld|javac|protoc)$/.test(name))
    for (const each of parsed.values('-o', '-d')) writePath(context, each, 'create')
  if (COMPILERS.test(name)) noteCompiled(context, parsed.operands, parsed.value('-o'), call.input)
  const jar = name === 'java' ? call.words.findIndex((word) => readWord(word) === '-jar') : -1
  if (jar !== -1 && call.words[jar + 1])
    return context.reading.runWords(
      enterStep(context),
      [
        toKnownWord(posix.basename(readWord(call.words[jar + 1] ?? toKnownWord('')) ?? '')),
        ...call.words.slice(jar + 2),
      ],
      call.input,
    )
  if (name === 'java' && /\.java$/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? ''))
    runFile(context, parsed.operands[0] ?? toKnownWord(''), [], { language: 'java' })
  return { ...UNKNOWN_CONTENT, carries: call.input.carries }
}
