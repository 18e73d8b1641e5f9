import { join, sep } from 'node:path'
import { isBelow, realPath } from '../files/paths.ts'
import { ANY, exactly, fits, type Step } from './wildcard.ts'

/**
 * A pattern of files, read as .gitignore reads it: `*` and `?` stay in one name, `**` crosses folders, a name without
 * a slash counts at any depth, and a folder stands for all that is in it.
 */
export interface PathPattern {
  /** `//x` and `~/x` say where they start; `./x` and `x` start at the project; `/x` is absolute, see `touchesPath`. */
  readonly from: 'root' | 'slash' | 'home' | 'project'
  readonly anyDepth: boolean
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
  const [start = '', from] = startOf(text)
  const rest = text.slice(start.length).replace(/\/+$/, '')
  const names = rest.split('/').filter((name) => name !== '' && name !== '.')
  const anyDepth = from === 'project' && start === '' && names.length === 1 && names[0] !== '**' && names[0] !== '..'
  return { from, anyDepth, names }
}

function startOf(text: string): [start: string, from: PathPattern['from']] {
  if (text.startsWith('//')) return ['//', 'root']
  if (text.startsWith('/')) return ['/', 'slash']
  if (text === '~' || text.startsWith('~/')) return ['~', 'home']
  if (text === '.' || text.startsWith('./')) return ['.', 'project']
  return ['', 'project']
}

/** Whether a pattern surely covers a file: by where the file really is, and by the narrower reading of the pattern. */
export function coversPath(pattern: PathPattern, path: string, folders: Folders): boolean {
  const base = pattern.from === 'slash' ? sep : baseOf(pattern, folders)
  return matcher(pattern, realPath(base))(realPath(path))
}

/**
 * Whether a pattern may mean a file: by its name or by where links lead. `/x` counts as absolute and as starting at
 * the project, since clients read it either way.
 */
export function touchesPath(pattern: PathPattern, path: string, folders: Folders): boolean {
  return pathTest(pattern, folders)([join(path), realPath(path)])
}

/** The same for many files, each by its name and by where it really is: where the pattern leads is looked up once. */
export function pathTest(pattern: PathPattern, folders: Folders): (paths: readonly string[]) => boolean {
  const bases = pattern.from === 'slash' ? [sep, folders.project] : [baseOf(pattern, folders)]
  const tests = bases.flatMap((base) => [
    ...[...new Set([base, realPath(base)])].map((each) => matcher(pattern, each)),
    leadsTo(pattern, base),
  ])
  return (paths) => paths.some((path) => tests.some((test) => test(path)))
}

function baseOf({ from }: PathPattern, { project, home }: Folders): string {
  if (from === 'home') return home
  return from === 'project' ? project : sep
}

/** A test for what lies where a pattern without wildcards leads that names a link. */
function leadsTo({ anyDepth, names }: PathPattern, base: string): (path: string) => boolean {
  const firstWild = names.findIndex((name) => /[*?[\\]/.test(name))
  if (anyDepth || firstWild === 0) return () => false
  const fixed = firstWild < 0 ? names : names.slice(0, firstWild)
  const real = realPath(join(base, ...fixed))
  const rest = firstWild < 0 ? () => true : matcher({ from: 'root', anyDepth, names: names.slice(firstWild) }, real)
  return (path) => isBelow(path, real) && rest(path)
}

function matcher({ anyDepth, names }: PathPattern, base: string): (path: string) => boolean {
  const steps: Step<string>[] = partsOf(base).map(exactly)
  if (anyDepth) steps.push(ANY)
  for (const name of names) {
    if (name === '..') steps.pop()
    else steps.push(name === '**' ? ANY : nameTest(name))
  }
  const all: readonly Step<string>[] = [...steps, ANY]
  return (path) => fits(all, partsOf(path))
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== '')
}

function nameTest(name: string): (part: string) => boolean {
  const steps = [...name.matchAll(/\\(.)|\[(!|\^)?(\]?[^\]]*)\]|./gsu)].map(characterStep)
  return (part) => fits(steps, [...part])
}

function characterStep([token, escaped, negated, members]: RegExpExecArray): Step<string> {
  if (escaped !== undefined) return exactly(escaped)
  if (members !== undefined) return (item) => isMember(item, members) !== (negated !== undefined)
  if (token === '*') return ANY
  return token === '?' ? () => true : exactly(token)
}

function isMember(item: string, members: string): boolean {
  const ranges = [...members.matchAll(/(.)-(.)|./gsu)]
  return ranges.some(([single, from, to]) =>
    from === undefined || to === undefined ? single === item : from <= item && item <= to,
  )
}

/** A name as a pattern that means nothing but it. */
export function escapedName(name: string): string {
  return name.replace(/[\\*?[\]]/g, '\\$&').replace(/^!/, '\\!')
}
