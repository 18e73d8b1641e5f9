import { SHELLS, WRAPPERS } from './command-table.ts'
import { makeFilePrograms } from './files.ts'
import { makeLanguagePrograms } from './languages.ts'
import type { Program } from './program.ts'
import { makeSystemPrograms } from './systems.ts'
import { makeToolPrograms } from './tools.ts'
import { makeWorkPrograms } from './work.ts'

/** Rows of one table, each under the names that share it. */
interface LoadedTable {
  readonly rows: readonly (readonly [string, Program])[]
  readonly byName: ReadonlyMap<string, Program>
}

/** Tables of programs, the most used first: each is made when a name is looked up in it, since a hook starts for one call. */
const TABLES = [makeFilePrograms, makeWorkPrograms, makeSystemPrograms, makeToolPrograms, makeLanguagePrograms]

const loaded = new Map<(typeof TABLES)[number], LoadedTable>()

function loadTable(make: (typeof TABLES)[number]): LoadedTable {
  const found = loaded.get(make)
  if (found) return found
  const rows = Object.entries(make())
  const table = {
    rows,
    byName: new Map(rows.flatMap(([names, row]) => names.split(' ').map((each) => [each, row] as const))),
  }
  loaded.set(make, table)
  return table
}

/** All rows of programs, each under the names that share it. */
export function listProgramRows(): readonly (readonly [string, Program])[] {
  return TABLES.flatMap((make) => loadTable(make).rows)
}

/** Characters of the longest name that is looked up: no program has more, and endings of a longer text would be tried for minutes. */
const MAX_NAME_CHARACTERS = 64

/** The row of a program; undefined for one that is not known. */
export function findProgramRow(name: string): Program | undefined {
  if (name.length > MAX_NAME_CHARACTERS) return undefined
  const plain = name.replace(/\.exe$/i, '').replace(/(?<=^[a-z_-]{2,})[\d.-]+$/, '')
  return findByName(name) ?? (plain === name ? undefined : findByName(plain))
}

function findByName(name: string): Program | undefined {
  for (const make of TABLES) {
    const row = loadTable(make).byName.get(name)
    if (row) return row
  }
  return undefined
}

let systemRows: ReadonlySet<Program> | null = null

/** True for the row of a program that changes systems beyond the files of this machine. */
export function isSystemRow(row: Program): boolean {
  if (!loaded.has(makeSystemPrograms)) return false
  systemRows ??= new Set(loadTable(makeSystemPrograms).rows.map(([, each]) => each))
  return systemRows.has(row)
}

/** True for the name of a program that is known, alone or with its folder. */
export function isProgramName(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return SHELLS.has(base) || Object.hasOwn(WRAPPERS, base) || findProgramRow(base) !== undefined
}

/** Names of programs that a pattern matches, in the order of the tables. */
export function listProgramNames(pattern: RegExp): readonly string[] {
  return listProgramRows()
    .flatMap(([names]) => names.split(' '))
    .filter((name) => pattern.test(name))
}
