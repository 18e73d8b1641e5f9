import { accessSync, constants, statSync } from 'node:fs'

/** Shortages of the system, for which no hook is to blame. */
const SHORTAGES: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many files open',
  ENFILE: 'the system has too many files open',
  EAGAIN: 'the system has too many processes',
  ENOMEM: 'the system is out of memory',
}

/** Meanings of the system's codes for a hook that did not start. */
const MEANINGS: Readonly<Record<string, string>> = {
  E2BIG: 'the command and the environment together are too long for the system',
  EACCES: 'it may not be executed',
  ENOENT: 'there is no such program',
  ...SHORTAGES,
}

/** Finds the shortage of the system that a failed start was put down to; null: it had another reason. */
export function findShortage(description: string): string | null {
  return Object.values(SHORTAGES).find((meaning) => description.includes(meaning)) ?? null
}

/** A failed start as a sentence, with the system's own words. */
export function describeStartFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(MEANINGS, code) ? `${MEANINGS[code]} (${message})` : message
}

/** One less than the 260 of a path with its end, and a backslash that Windows adds. */
const MAX_WINDOWS_PATH_CHARS = 258

/** True if a process can be started in a folder: one step on the disk, where the fault of another takes two. */
function canEnter(folder: string): boolean {
  try {
    accessSync(`${folder}/.`, constants.X_OK)
    return folder !== ''
  } catch {
    return false // the fault is looked for
  }
}

/** Finds what keeps a process from starting in a folder; the system blames the program instead. */
export function findFolderFault(folder: string): string | null {
  if (process.platform !== 'win32' && canEnter(folder)) return null
  try {
    if (!statSync(folder).isDirectory()) return `the working directory ${folder} is not a folder`
    accessSync(folder, constants.X_OK)
    return process.platform === 'win32' && folder.length >= MAX_WINDOWS_PATH_CHARS
      ? `the working directory ${folder} is too long: Windows starts programs only in folders with less than ${MAX_WINDOWS_PATH_CHARS} characters`
      : null
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return `the working directory ${folder} ${gone ? 'does not exist' : 'may not be entered'}`
  }
}
