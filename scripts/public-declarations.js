/** Leaves of a package's declarations what its doors lead to: nothing that is internal, and no library that only internals need. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * A top-level statement of a declaration file, as the compiler prints it: what it declares, brings in from elsewhere (by its
 * name here) or passes on.
 * @typedef {{ text: string, declares: string[], from: string | null, names: Map<string, string>, kept: Set<string> }} Statement
 */

/** A keyword at the start of a line, with the comment before it. */
const BEGINNING = /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?(?:import|export|declare|interface|type|const)\b/gm
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|function|const|let|class|enum) (\w+)/m
const LIST = /^(import|export) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?;/m
const NAMESPACE = /^import (?:type )?\* as (\w+) from ['"]([^'"]+)['"];/m
const INLINE_IMPORT = /import\(["']([^"']+)["']\)(?:\.(\w+))?/g

/**
 * Removes every declaration in dist that no door leads to.
 * @param {string} folder the package
 * @param {readonly string[]} doors their sources, relative to it
 */
export function keepPublicDeclarations(folder, doors) {
  const dist = join(folder, 'dist')
  const files = declarationsBelow(dist)
  const roots = doors.map((door) => join(dist, relative('src', door)).replace(/\.ts$/, '.d.ts'))
  const statements = new Map(files.map((file) => [file, statementsOf(readFileSync(file, 'utf8'))]))
  for (const root of roots) keepAll(root, statements)
  for (const [file, parts] of statements) {
    const text = parts.map(keptText).join('')
    if (text === '') rmSync(file)
    else writeFileSync(file, text)
  }
  removeEmptyFolders(dist)
}

/** @typedef {ReadonlyMap<string, readonly Statement[]>} Declarations */

/**
 * @param {string} file
 * @param {Declarations} all
 */
function keepAll(file, all) {
  for (const statement of all.get(file) ?? []) {
    for (const name of [...statement.declares, ...statement.names.keys()]) keep(file, name, all)
  }
}

/**
 * Keeps what a file calls by a name, and whatever that mentions.
 * @param {string} file
 * @param {string} name
 * @param {Declarations} all
 */
function keep(file, name, all) {
  for (const statement of all.get(file) ?? []) {
    if (statement.kept.has(name)) continue
    const there = statement.names.get(name)
    if (there !== undefined) {
      statement.kept.add(name)
      const target = statement.from === null ? file : fileOf(statement.from, file)
      if (target !== null) keep(target, there, all)
    } else if (statement.declares.includes(name)) {
      statement.kept.add(name)
      for (const word of new Set(withoutComments(statement.text).match(/\w+/g))) keep(file, word, all)
      for (const [, from = '', inner] of statement.text.matchAll(INLINE_IMPORT)) {
        const target = fileOf(from, file)
        if (target !== null && inner !== undefined) keep(target, inner, all)
        else if (target !== null) keepAll(target, all)
      }
    }
  }
}

/**
 * The declaration file that another one names; null for a package.
 * @param {string} from
 * @param {string} file
 */
function fileOf(from, file) {
  if (!from.startsWith('.')) return null
  const target = resolve(dirname(file), from.replace(/\.(?:ts|js)$/, '.d.ts'))
  return existsSync(target) ? target : null
}

/**
 * @param {string} text
 * @returns {Statement[]}
 */
function statementsOf(text) {
  const begins = [...text.matchAll(BEGINNING)].map(({ index }) => index)
  return begins.map((begin, at) => statementOf(text.slice(begin, begins[at + 1])))
}

/**
 * @param {string} text
 * @returns {Statement}
 */
function statementOf(text) {
  const code = withoutComments(text)
  const list = LIST.exec(code)
  const space = NAMESPACE.exec(code)
  const names = new Map(list ? entriesOf(list[2] ?? '') : [])
  if (space) names.set(space[1] ?? '', '*')
  const [, declared] = list || space ? [] : (DECLARATION.exec(code) ?? [])
  return { text, declares: declared ? [declared] : [], from: list?.[3] ?? space?.[2] ?? null, names, kept: new Set() }
}

/**
 * The entries of a list of names: what each is called on the side that asks, and on the other.
 * @param {string} list
 * @returns {[string, string][]}
 */
function entriesOf(list) {
  const entries = list.split(',').map((entry) => entry.trim().replace(/^type /, ''))
  return entries.filter(Boolean).map((entry) => {
    const [there = '', here = there] = entry.split(' as ')
    return [here, there]
  })
}

/** @param {Statement} statement */
function keptText({ text, names, kept }) {
  if (names.size === 0) return kept.size > 0 ? text : ''
  if (kept.size === 0) return ''
  return text.replace(/\{([^}]*)\}/, (_list, /** @type {string} */ inner) => {
    const left = inner.split(',').filter((entry) =>
      kept.has(
        entry
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1) ?? '',
      ),
    )
    return `{ ${left.map((entry) => entry.trim()).join(', ')} }`
  })
}

/** @param {string} text */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '')
}

/** @param {string} dist */
function declarationsBelow(dist) {
  const entries = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path.endsWith('.d.ts'))
}

/** @param {string} folder */
function removeEmptyFolders(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!statSync(path).isDirectory()) continue
    removeEmptyFolders(path)
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true })
  }
}
