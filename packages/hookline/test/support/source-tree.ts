import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Import of a file or of a package. */
export interface Import {
  readonly file: string
  readonly room: string
  readonly target: string
  /** The imported file of the same package, or the name of a package. */
  readonly imported: string
  readonly onlyTypes: boolean
  /** Loaded by `import()`, when it is needed. */
  readonly late: boolean
}

/** Sources of a package, which laws look at. Paths are relative to its `src`, with slashes. */
export interface SourceTree {
  readonly files: readonly string[]
  readonly texts: ReadonlyMap<string, string>
  /** Texts without comments, and without the pages of rules: what is left is run. */
  readonly code: ReadonlyMap<string, string>
  readonly imports: readonly Import[]
  /** Files of the repository that lists stand in, by their paths from its root. */
  readonly beside: ReadonlyMap<string, string>
}

/** Files outside of the sources that have to agree with them. */
const BESIDE = [
  'docs/how-it-works.md',
  'knip.json',
  'package.json',
  'packages/agent/package.json',
  'packages/agent/tsconfig.json',
  'packages/hookline/package.json',
  'tsconfig.json',
]

/** Reads the sources of a package. */
export function readSourceTree(name: 'hookline' | 'agent'): SourceTree {
  const folder = join(ROOT, 'packages', name, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
  const read = (path: string): string => readFileSync(path, 'utf8')
  return makeSourceTree(
    new Map(files.map((file) => [file, read(join(folder, file))])),
    new Map(BESIDE.map((file) => [file, read(join(ROOT, file))])),
  )
}

/** The same sources with other texts in some files; new files come to them. */
export function plantFiles(tree: SourceTree, files: Readonly<Record<string, string>>): SourceTree {
  const beside = Object.entries(files).filter(([file]) => tree.beside.has(file))
  const sources = Object.entries(files).filter(([file]) => !tree.beside.has(file))
  return makeSourceTree(new Map([...tree.texts, ...sources]), new Map([...tree.beside, ...beside]), tree)
}

/** Makes a tree of texts; what an earlier tree knows of the same text is taken from it. */
function makeSourceTree(
  texts: ReadonlyMap<string, string>,
  beside: ReadonlyMap<string, string>,
  earlier?: SourceTree,
): SourceTree {
  const isSame = (file: string): boolean => earlier !== undefined && earlier.texts.get(file) === texts.get(file)
  const code = new Map(
    [...texts].map(([file, text]) => [file, isSame(file) ? (earlier?.code.get(file) ?? '') : dropProse(file, text)]),
  )
  const kept = (earlier?.imports ?? []).filter(({ file }) => isSame(file))
  const fresh = [...texts].filter(([file]) => !isSame(file)).flatMap(([file, text]) => listImports(file, text))
  return { files: [...texts.keys()], texts, code, imports: [...kept, ...fresh], beside }
}

/** Code without comments; a page of a rule is read by a user, not by code. */
function dropProse(file: string, text: string): string {
  const code = file.startsWith('check/rules/') ? text.replaceAll(/^( *)page: \{$[\s\S]*?^\1\},$/gm, '') : text
  return code
    .split('\n')
    .map((line) => line.replace(/(?<![:'"`\\])\/\/ .*$/, '').replace(/^\s*\/?\*.*$/, ''))
    .join('\n')
}

function listImports(file: string, text: string): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\b(?<type> type\b)?[^'"]*?from '(?<from>[^']+)'|^import '(?<bare>[^']+)'|import\('(?<late>[^']+)'\)/gm,
  )
  return [...found].map(({ groups = {} }) => {
    const target = groups.from ?? groups.bare ?? groups.late ?? ''
    return {
      file,
      room: findRoom(file),
      target,
      imported: target.startsWith('.') ? posix.join(posix.dirname(file), target) : target,
      onlyTypes: groups.type !== undefined,
      late: groups.late !== undefined,
    }
  })
}

/** The folder of `src` that a file lies in; `door` for files beside the folders. */
export function findRoom(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : 'door'
}

/** True for a file of a list of rooms, folders and files. */
export function isIn(file: string, places: readonly string[]): boolean {
  return places.some((place) => file === place || file.startsWith(place.endsWith('/') ? place : `${place}/`))
}

/** Lines of the code that a pattern is found in, each with its file. */
export function findLines(tree: SourceTree, pattern: RegExp, isLookedAt: (file: string) => boolean): string[] {
  return tree.files.filter(isLookedAt).flatMap((file) => {
    const code = tree.code.get(file) ?? ''
    if (!pattern.test(code)) return []
    return code
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`)
  })
}

/** Every file and package that loading a file loads in turn, at once or, with `late`, also when it is needed. */
export function findReached(tree: SourceTree, start: string, { late = true } = {}): Set<string> {
  const reached = new Set([start])
  const byFile = new Map<string, Import[]>(tree.files.map((file) => [file, []]))
  for (const one of tree.imports) byFile.get(one.file)?.push(one)
  for (const file of reached)
    for (const one of byFile.get(file) ?? []) if (!one.onlyTypes && (late || !one.late)) reached.add(one.imported)
  return reached
}

/** Files that import themselves by way of others, be it a type or when it is needed. */
export function findCycles(tree: SourceTree): string[] {
  const neighbours = new Map<string, string[]>(tree.files.map((file) => [file, []]))
  for (const { file, imported } of tree.imports) if (neighbours.has(imported)) neighbours.get(file)?.push(imported)
  // Files that nothing imports are no part of a circle, nor are those that only they import, and so on; the same for those that import nothing.
  for (let size = -1; size !== neighbours.size; ) {
    size = neighbours.size
    const imported = new Set([...neighbours.values()].flat())
    for (const [file, targets] of neighbours)
      if (!imported.has(file) || !targets.some((target) => neighbours.has(target))) neighbours.delete(file)
  }
  return [...neighbours.keys()]
}
