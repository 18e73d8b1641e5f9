import { SHELLS, WRAPPERS } from './command-table.ts'
import { FILE_PROGRAMS } from './files.ts'
import type { Program } from './program.ts'
import { SYSTEM_PROGRAMS } from './systems.ts'
import { WORK_PROGRAMS } from './work.ts'

/** Rows of programs, each under the names that share it. */
export const PROGRAM_ROWS: readonly (readonly [string, Program])[] = [
  FILE_PROGRAMS,
  WORK_PROGRAMS,
  SYSTEM_PROGRAMS,
].flatMap((table) => Object.entries(table))

/** Characters of the longest name that is looked up: no program has more, and endings of a longer text would be tried for minutes. */
const MAX_NAME_CHARACTERS = 64

let byName: ReadonlyMap<string, Program> | null = null

/** The row of a program; undefined for one that is not known. */
export function findProgramRow(name: string): Program | undefined {
  if (name.length > MAX_NAME_CHARACTERS) return undefined
  byName ??= new Map(PROGRAM_ROWS.flatMap(([names, row]) => names.split(' ').map((each) => [each, row] as const)))
  return byName.get(name) ?? byName.get(name.replace(/\.exe$/i, '').replace(/(?<=^[a-z_-]{2,})[\d.-]+$/, ''))
}

/** True for the name of a program that is known, alone or with its folder. */
export function isProgramName(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return SHELLS.has(base) || Object.hasOwn(WRAPPERS, base) || findProgramRow(base) !== undefined
}

/** Names of programs that a pattern matches, in the order of the table. */
export function listProgramNames(pattern: RegExp): readonly string[] {
  return PROGRAM_ROWS.flatMap(([names]) => names.split(' ')).filter((name) => pattern.test(name))
}
