import { join, sep } from 'node:path'
import { isBelow, resolveLinks } from '../files/paths.ts'
import { ANY, makeExactTest, matchesSteps, type WildcardStep } from './wildcard.ts'

/**
 * A pattern of files, read as .gitignore reads it: `*` and `?` stay in one name, `**` crosses folders, a name without
 * a slash counts at any depth, and a folder stands for all that is in it.
 */
export interface PathPattern {
  /** `//x` and `~/x` say where they start; `./x` and `x` start at the project; `/x` is absolute, see `touchesPath`. */
  readonly from: 'root' | 'slash' | 'home' | 'project'
  readonly anyDepth: boolean
  /** `./x`: inside of the project and nowhere else. */
  readonly dotted?: boolean
  readonly names: readonly string[]
}

/** The folders that patterns start from. */
export interface Folders {
  readonly project: string
  readonly home: string
}

/** Reads a pattern; a text is what is wrong with it. */
export function parsePathPattern(text: string): PathPattern | string {
  if (text.startsWith('!')) return 'a pattern cannot start with "!"; write a rule of the other kind instead'
  if (text.includes('\0')) return 'a path cannot contain a zero character'
  const [start = '', from] = splitStart(text)
  const rest = (DRIVE.test(text) ? text.replaceAll('\\', '/') : text.slice(start.length)).replace(/(?<!\/)\/+$/, '')
  const names = rest.split('/').filter((name) => name !== '' && name !== '.')
  const anyDepth = from === 'project' && start === '' && names.length === 1 && names[0] !== '**' && names[0] !== '..'
  return { from, anyDepth, names, ...(start === '.' ? { dotted: true } : {}) }
}

/** `C:\x` and `C:/x` are absolute on Windows. */
const DRIVE = /^[A-Za-z]:[\\/]/

function splitStart(text: string): [start: string, from: PathPattern['from']] {
  if (text.startsWith('//') || DRIVE.test(text)) return ['//', 'root']
  if (text.startsWith('/')) return ['/', 'slash']
  if (text === '~' || text.startsWith('~/')) return ['~', 'home']
  if (text === '.' || text.startsWith('./')) return ['.', 'project']
  return ['', 'project']
}

/** True if a pattern surely covers a file: by where the file really is, and by the narrower reading of the pattern. */
export function isPathCovered(pattern: PathPattern, path: string, folders: Folders): boolean {
  const base = pattern.from === 'slash' ? ROOT : chooseBase(pattern, folders)
  return makePathMatcher(pattern, resolveBase(base), SURELY)(resolveLinks(path))
}

/**
 * True if a pattern may mean a file: by its name or by where links lead. `/x` counts as absolute and as starting at
 * the project, since clients read it either way.
 */
export function isPathTouched(pattern: PathPattern, path: string, folders: Folders): boolean {
  return makePathTest(pattern, folders)([join(path), resolveLinks(path)])
}

/**
 * True if a condition of a hook means a file: in any letter case, and a pattern that begins with a star or has no slash
 * wherever the file lies. Where Claude Code reads a pattern otherwise than .gitignore does, both readings count.
 */
export function matchesPathPattern(pattern: PathPattern, path: string, folders: Folders): boolean {
  const tests = listReadings(pattern).flatMap((reading) => {
    const meant = { ...reading, anyDepth: isMetAnywhere(reading) || isMetBelowProject(reading) }
    const bases = isMetAnywhere(reading) ? [ROOT] : listBases(reading, folders)
    return bases.map((base) => makePathMatcher(meant, base, MET))
  })
  return tests.some((test) => test(join(path)) || test(resolveLinks(path))) || isPathTouched(pattern, path, folders)
}

const isMetAnywhere = ({ from, anyDepth, names, dotted = false }: PathPattern): boolean =>
  from === 'project' && !dotted && (anyDepth || names[0]?.startsWith('*') === true)

const isMetBelowProject = ({ from, names }: PathPattern): boolean =>
  from === 'project' && names.length === 1 && names[0] !== '..'

/**
 * The readings of a pattern that Claude Code has beside that of .gitignore: a star at its end is one with a backslash
 * before it too, a first star is also the nothing before the root, and `~` alone is a name.
 */
function listReadings(pattern: PathPattern): PathPattern[] {
  const { from, names, dotted = false } = pattern
  const [first = '', ...rest] = names
  const last = names.at(-1) ?? ''
  const readings: PathPattern[] = [pattern]
  if (last.endsWith('\\*')) readings.push({ ...pattern, names: [...names.slice(0, -1), `${last.slice(0, -2)}*`] })
  if (from === 'project' && !dotted && rest.length > 0 && /^\*+$/.test(first))
    readings.push({ from: 'root', anyDepth: false, names: rest })
  if (from === 'home' && names.length === 0) readings.push({ from: 'project', anyDepth: true, names: ['~'] })
  return readings
}

/** The same for many files, each by its name and by where it really is: where the pattern leads is looked up once. */
export function makePathTest(pattern: PathPattern, folders: Folders): (paths: readonly string[]) => boolean {
  const tests = listBases(pattern, folders).flatMap((base) => [
    ...[...new Set([base, resolveBase(base)])].map((each) => makePathMatcher(pattern, each, PERHAPS)),
    makeLinkTest(pattern, base),
  ])
  return (paths) => paths.some((path) => tests.some((test) => test(path)))
}

/** The folder that all lies in which a pattern means: the part of it before its first wildcard; its start for a name at any depth. */
export function findFixedFolder(pattern: PathPattern, folders: Folders): string {
  const firstWild = pattern.names.findIndex((name) => /[*?[\\]/.test(name))
  const fixed = pattern.anyDepth ? [] : pattern.names.slice(0, firstWild < 0 ? undefined : firstWild)
  return resolveBase(join(chooseBase(pattern, folders), ...fixed))
}

function listBases(pattern: PathPattern, folders: Folders): string[] {
  return pattern.from === 'slash' ? [ROOT, folders.project] : [chooseBase(pattern, folders)]
}

function chooseBase({ from }: PathPattern, { project, home }: Folders): string {
  if (from === 'home') return home
  return from === 'project' ? project : ROOT
}

/** Start of absolute patterns: above all drives, which are the first names in them on Windows. */
const ROOT = process.platform === 'win32' ? '' : sep

const resolveBase = (base: string): string => (base === '' ? base : resolveLinks(base))

/** A test for what lies where a pattern without wildcards leads that names a link. */
function makeLinkTest({ anyDepth, names }: PathPattern, base: string): (path: string) => boolean {
  const firstWild = names.findIndex((name) => /[*?[\\]/.test(name))
  if (anyDepth || firstWild === 0) return () => false
  const fixed = firstWild < 0 ? names : names.slice(0, firstWild)
  const [drive = '', ...below] = fixed
  if (base === '' && !/^[A-Za-z]:?$/.test(drive)) return () => false // a share of the network: compared by its names alone
  const real = resolveLinks(base === '' ? join(`${drive.charAt(0)}:\\`, ...below) : join(base, ...fixed))
  const rest =
    firstWild < 0
      ? () => true
      : makePathMatcher({ from: 'root', anyDepth, names: names.slice(firstWild) }, real, PERHAPS)
  return (path) => isBelow(path, real) && rest(path)
}

/** Rules for comparing the names of a path. */
export interface NameRules {
  /** Drives, network paths, and names that mean the same file although they are written in another way. */
  readonly isWindows: boolean
  readonly ignoresCase: boolean
  /** `[!a]` is any character: all but "a" in .gitignore, "!" and "a" in Claude Code. */
  readonly negatesNothing?: boolean
}

const isWindows = process.platform === 'win32'
/** A disk of macOS may tell cases apart, though hardly any does: what a rule allows is then narrower, what it denies wider. */
const SURELY: NameRules = { isWindows, ignoresCase: isWindows }
const MET: NameRules = { isWindows, ignoresCase: true, negatesNothing: true }
const PERHAPS: NameRules = { isWindows, ignoresCase: isWindows || process.platform === 'darwin' }

/** Tests absolute paths against a pattern that starts at a folder, which is empty above the drives of Windows. */
export function makePathMatcher(
  { anyDepth, names }: PathPattern,
  base: string,
  rules: NameRules,
): (path: string) => boolean {
  const steps: WildcardStep<string>[] = splitPath(base, rules).map(makeExactTest)
  if (anyDepth) steps.push(ANY)
  for (const [at, written] of names.entries()) {
    const name = at === 0 && base === '' ? written.replace(/^([A-Za-z]):$/, '$1') : written
    if (name === '..') steps.pop()
    else steps.push(name === '**' ? ANY : makeNameTest(rules.ignoresCase ? name.toLowerCase() : name, rules))
  }
  const all: readonly WildcardStep<string>[] = [...steps, ANY]
  return (path) => matchesSteps(all, splitPath(path, rules))
}

/** The names in a path. On Windows a drive is its letter, and what opens the same file has the same names. */
function splitPath(path: string, rules: NameRules): string[] {
  const cased = rules.ignoresCase ? path.toLowerCase() : path
  const parts = (rules.isWindows ? removeWindowsPrefix(cased) : cased).split(rules.isWindows ? /[\\/]/ : sep)
  return (rules.isWindows ? parts.map(toPlainName) : parts).filter((part) => part !== '')
}

/** `\\?\C:\x` is `C:\x`, and `\\?\UNC\server\x` is `\\server\x`. */
function removeWindowsPrefix(path: string): string {
  return path.replace(/^[\\/]{2}[?.][\\/](?:unc[\\/])?/i, '')
}

/** `C:` is a drive; `x.txt::$DATA`, `x.txt.` and `x.txt ` all open `x.txt`. */
function toPlainName(part: string): string {
  return part.replace(/:.*$/s, '').replace(/(?<=[^. ])[. ]+$/, '')
}

function makeNameTest(name: string, { negatesNothing = false }: NameRules): (part: string) => boolean {
  const tokens = [...name.matchAll(/\\(.)|\[(!|\^)?(\]?[^\]]*)\]|./gsu)]
  const steps = tokens.map((token) =>
    negatesNothing && token[2] !== undefined ? () => true : makeCharacterStep(token),
  )
  return (part) => matchesSteps(steps, [...part])
}

function makeCharacterStep([token, escaped, negated, members]: RegExpExecArray): WildcardStep<string> {
  if (escaped !== undefined) return makeExactTest(escaped)
  if (members !== undefined) return (item) => isMember(item, members) !== (negated !== undefined)
  if (token === '*') return ANY
  return token === '?' ? () => true : makeExactTest(token)
}

function isMember(item: string, members: string): boolean {
  const ranges = [...members.matchAll(/(.)-(.)|./gsu)]
  return ranges.some(([single, from, to]) =>
    from === undefined || to === undefined ? single === item : from <= item && item <= to,
  )
}

/** A name as a pattern that means nothing but it. */
export function escapeName(name: string): string {
  return name.replace(/[\\*?[\]]/g, '\\$&').replace(/^!/, '\\!')
}
