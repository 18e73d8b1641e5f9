import type { Program, Role, System, SystemChange } from '../programs/program.ts'
import {
  type Context,
  deletePath,
  fetchFrom,
  noteChange,
  noteFlows,
  noteSmallChange,
  noteUnseen,
  readPath,
  sendTo,
  writePath,
} from './context.ts'
import {
  type Content,
  carry,
  concat,
  dropStart,
  EMPTY_CONTENT,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import type { Certainty } from './view.ts'

/** The words of a call, taken apart. */
export interface Arguments {
  readonly options: ReadonlyMap<string, readonly Value[]>
  readonly operands: readonly Value[]
  /** True for a call that has one of these options. */
  has(...names: readonly string[]): boolean
  /** The last value of the first of these options that is there. */
  value(...names: readonly string[]): Value | null
  values(...names: readonly string[]): readonly Value[]
}

const sets = new Map<string, ReadonlySet<string>>()

/** A list of names, made into a set once. */
export function toSet(names: string): ReadonlySet<string> {
  let set = sets.get(names)
  if (!set) {
    set = new Set(names.split(' ').filter((name) => name !== ''))
    sets.set(names, set)
  }
  return set
}

/** Options by which programs only show what they would do. */
const DRY_OPTION = /^--?(?:dry[-_]?run|what-?if|simulate|check|preview)$/i

const NONE: readonly Value[] = []

/** Takes words apart into options and operands. */
export function parseArguments(
  words: readonly Value[],
  valued: ReadonlySet<string>,
  { oneDash = false, stopAtOperand = false } = {},
): Arguments {
  const options = new Map<string, Value[]>()
  const operands: Value[] = []
  const add = (name: string, value?: Value) => {
    const list = options.get(name) ?? []
    if (value) list.push(value)
    options.set(name, list)
  }
  let at = 0
  while (at < words.length) {
    const word = words[at]
    at += 1
    if (!word) continue
    const start = readKnownStart(word)
    if (start === '--' && readWord(word) === '--') {
      operands.push(...words.slice(at))
      break
    }
    if (!start.startsWith('-') || start === '-') {
      if (stopAtOperand) {
        operands.push(word, ...words.slice(at))
        break
      }
      operands.push(word)
      continue
    }
    const equals = start.indexOf('=')
    if (start.startsWith('--') || oneDash) {
      const name = equals === -1 ? start : start.slice(0, equals)
      // `--dry-run=false` is no dry run.
      if (equals !== -1 && DRY_OPTION.test(name) && /^(?:false|no|0)$/i.test(start.slice(equals + 1))) continue
      if (equals !== -1) add(name, dropStart(word, equals + 1))
      else if (valued.has(name)) {
        add(name, words[at])
        at += 1
      } else add(name)
      continue
    }
    at = addLetters(word, start, { words, at, valued, add })
  }
  return {
    options,
    operands,
    has: (...names) => names.some((name) => options.has(name)),
    value: (...names) => names.map((name) => options.get(name)?.at(-1)).find((value) => value !== undefined) ?? null,
    values: (...names) => names.flatMap((name) => options.get(name) ?? NONE),
  }
}

/** Takes `-abc` apart; a letter that takes a value has the rest of the word, or the next one. */
function addLetters(
  word: Value,
  start: string,
  {
    words,
    at,
    valued,
    add,
  }: { words: readonly Value[]; at: number; valued: ReadonlySet<string>; add: (name: string, value?: Value) => void },
): number {
  for (let letter = 1; letter < start.length; letter++) {
    const name = `-${start[letter]}`
    if (!valued.has(name)) {
      add(name)
      continue
    }
    const hasMore = letter + 1 < start.length || readWord(word) === null
    add(name, hasMore ? dropStart(word, letter + 1) : words[at])
    return hasMore ? at : at + 1
  }
  return at
}

/** All options of a row that take a value. */
function listValuedOptions(row: Program): ReadonlySet<string> {
  return toSet([row.valued ?? '', ...Object.values(row.options ?? {})].join(' '))
}

/** Reads a call by a row; answers with what it prints. */
export function runRow(context: Context, row: Program, name: string, words: readonly Value[], input: Content): Content {
  const parsed = parseArguments(words, listValuedOptions(row), { oneDash: row.oneDash ?? false })
  if (parsed.has('--help', '--version')) return UNKNOWN_CONTENT
  if (row.under) {
    const found = findSubcommand(row, words)
    if (found && row.options) applyOptions(context, row, parsed)
    if (found) return runRow(context, found.row, `${name} ${found.name}`, found.rest, input)
    if (!row.verbs && !row.does && !row.operands) {
      if (parsed.operands.length > 0)
        noteUnseen(context, 'program', `${name} ${showValue(parsed.operands[0] ?? EMPTY_VALUE)}`)
      return UNKNOWN_CONTENT
    }
  }
  const isDry = isDryRun(row, parsed)
  const contents = isDry ? [] : applyOptions(context, row, parsed)
  contents.push(...applyOperands(context, row, parsed, isDry, input))
  if (!isDry) applyChanges(context, row, name, parsed)
  if (row.prints === 'nothing') return EMPTY_CONTENT
  const from = contents.length > 0 ? concat(contents) : input
  const own = row.prints ? [carry(row.prints)] : []
  const carries = mergeCarried([from.carries, ...own])
  if (!row.filters) return { ...UNKNOWN_CONTENT, carries }
  // So many bytes of what has no end fill a disk as well.
  const isHuge = parsed.values('-c', '--bytes').some((each) => /^\d+[TPE]|^\d{3,}G|^\d{12,}/i.test(showValue(each)))
  // One that follows a file never ends.
  const isFollowing = name === 'tail' && parsed.has('-f', '-F', '--follow')
  const ends = (name === 'head' || name === 'tail') && !isHuge && !isFollowing
  return {
    // Lines are left out or put in another order: what is run of them is among these.
    text: from.text,
    source: from.source,
    lists: from.lists,
    carries: ends ? new Set([...carries].filter((kind) => kind !== 'endless')) : carries,
  }
}

const EMPTY_VALUE: Value = { pieces: [], carries: new Set() }

function isDryRun(row: Program, parsed: Arguments): boolean {
  if (!row.dry) return false
  return [...toSet(row.dry)].some((option) => {
    const [name = '', value] = option.split('=')
    if (!parsed.has(name)) return false
    const given = parsed.value(name)
    const text = given ? readWord(given) : null
    return value !== undefined ? text === value : text !== 'none' && text !== 'false'
  })
}

/** The subcommand that words name, behind options of the program itself. */
function findSubcommand(
  row: Program,
  words: readonly Value[],
): { readonly row: Program; readonly name: string; readonly rest: readonly Value[] } | null {
  const { operands } = parseArguments(words, listValuedOptions(row), {
    oneDash: row.oneDash ?? false,
    stopAtOperand: true,
  })
  const name = operands[0] ? readWord(operands[0]) : null
  if (name === null || !row.under) return null
  for (const [names, found] of Object.entries(row.under))
    if (toSet(names).has(name)) {
      const before = words.slice(0, words.length - operands.length)
      return {
        row: found,
        name,
        rest: [...operands.slice(1), ...before.filter((word) => readKnownStart(word) === '--help')],
      }
    }
  return null
}

function applyOptions(context: Context, row: Program, parsed: Arguments): Content[] {
  return Object.entries(row.options ?? {}).flatMap(([role, names]) =>
    // The keys of `options` are roles by its type; Object.entries widens them.
    parsed.values(...toSet(names)).flatMap((value) => applyRole(context, role as Role, value, UNKNOWN_CONTENT)),
  )
}

function applyOperands(context: Context, row: Program, parsed: Arguments, isDry: boolean, input: Content): Content[] {
  if (!row.operands) return []
  const roles = row.operands.split(' ')
  const isQuiet = row.quiet !== undefined && parsed.has(...toSet(row.quiet))
  const { operands } = parsed
  return operands.flatMap((value, at) => {
    const isLast = row.last !== undefined && at === operands.length - 1 && at > 0
    // Operand lists are written in this package and hold roles alone; a test compares them.
    const role = (isLast ? row.last : (roles[at] ?? roles.at(-1))) as Role
    if (isDry && role !== 'reads' && role !== 'names') return []
    if (isQuiet && role === 'reads') return applyRole(context, 'names', value, input)
    if (readWord(value) === '-') return role === 'reads' ? [input] : []
    return applyRole(context, role, value, input)
  })
}

/** Notes what a word in a role does; answers with the content that comes of it. */
function applyRole(context: Context, role: Role, value: Value, input: Content): Content[] {
  switch (role) {
    case 'value':
      return []
    case 'reads':
      return [readPath(context, value)]
    case 'names':
    case 'uses':
      readPath(context, value, 'name')
      return []
    case 'tree':
      return [readPath(context, value, 'tree')]
    case 'writes':
      writePath(context, value, 'replace', input.text === '' ? UNKNOWN_CONTENT : input)
      return []
    case 'makes':
      writePath(context, value, 'create')
      return []
    case 'appends':
      writePath(context, value, 'append', input)
      return []
    case 'edits':
      writePath(context, value, 'edit')
      return []
    case 'mode':
    case 'owner':
    case 'link':
      writePath(context, value, role)
      return []
    case 'deletes':
      deletePath(context, value, 'file')
      return []
    case 'deletes-tree':
      deletePath(context, value, 'tree')
      return []
    case 'empties':
      deletePath(context, value, 'truncate')
      return []
    case 'script': {
      const text = readWord(value)
      if (text === null) noteUnseen(context, 'value', showValue(value), 'run')
      else context.reading.runScript({ ...context, depth: context.depth + 1 }, text)
      return []
    }
    case 'fetch':
      return [fetchFrom(context, value)]
    case 'send':
      sendTo(context, value, input)
      return []
    case 'posts':
      return []
    case 'code': {
      const address = readWord(value) ?? showValue(value)
      if (/^https?:/.test(address) && !/\/\/(?:rubygems\.org|localhost|127\.)/.test(address)) {
        fetchFrom(context, value)
        noteFlows(context, ['fetch'], 'run', address)
      }
      return []
    }
  }
}

/** Names of places that people call production. */
const PRODUCTION = /(?:^|[^a-z])(?:prod|production|live|main|master|prd)(?:$|[^a-z])/i

/** True for words that name production. */
export function isAboutProduction(text: string): boolean {
  return PRODUCTION.test(text)
}

/** Addresses of code, but those of registries that everyone uses. */
const FOREIGN_ADDRESS =
  /^https?:|^oci:\/\/(?!(?:ghcr\.io|registry-1\.docker\.io|public\.ecr\.aws|quay\.io|docker\.io|[\w.-]+\.(?:azurecr\.io|pkg\.dev|amazonaws\.com))\/)/

function applyChanges(context: Context, row: Program, name: string, parsed: Arguments): void {
  const operands = parsed.operands.map(showValue)
  const options = [...parsed.options].flatMap(([option, values]) => [option, ...values.map(showValue)])
  const target = [name, ...operands].join(' ')
  const full = [...operands, ...options].join(' ')
  if (row.does) change(context, row.does, target, full)
  for (const [names, each] of Object.entries(row.with ?? {}))
    if (parsed.has(...toSet(names))) change(context, each, target, full)
  const address =
    row.addresses && toSet(row.addresses).has(operands[0] ?? '')
      ? operands.find((each) => FOREIGN_ADDRESS.test(each))
      : undefined
  if (address) noteFlows(context, ['fetch'], 'run', `${name} ${address}`)
  const found = row.verbs?.find(([shape]) => shape.test(full))
  if (found?.[1]) change(context, found[1], target, full)
  const isUnsaid = row.verbs && !found && !row.operands && !row.does && operands.length > 0
  if (isUnsaid) noteUnseen(context, 'program', `${name} ${operands[0] ?? ''}`)
}

function change(context: Context, written: SystemChange, target: string, words: string): void {
  const [system = '', operation = '', certainty] = written.split(' ')
  const named = isAboutProduction(words) ? `${target} (production)` : target
  // A change is written as a system and an operation; its type says which systems there are.
  if (certainty === 'small') noteSmallChange(context, system as System, operation, named, 'likely')
  else noteChange(context, system as System, operation, named, (certainty as Certainty | undefined) ?? 'certain')
}
