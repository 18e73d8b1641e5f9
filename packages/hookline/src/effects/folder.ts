import { posix } from 'node:path'
import { type Context, noteUnseen, resolveOne } from './context.ts'
import { readWord, showValue, toKnownWord, type Value } from './value.ts'

/** Changes the folder of the shell. */
export function changeFolder(context: Context, target: Value | null): void {
  const { shell, reading } = context
  const text = target === null ? reading.world.home : readWord(target)
  const here = shell.folders
  if (text === '-') {
    shell.folders = shell.before
    shell.before = here
    return
  }
  if (target !== null && text === null) {
    noteUnseen(context, 'value', showValue(target))
    const reached = resolveOne(context, target)
    shell.before = here
    // A variable that nothing sets leads home.
    shell.folders = reached
      ? [{ path: reached.text, certainty: 'likely' }, ...here.slice(0, 1)]
      : [
          ...here.slice(0, 1).map(({ path }) => ({ path, certainty: 'likely' as const })),
          { path: reading.world.home, certainty: 'possible' },
        ]
    return
  }
  if (context.mounts !== null || typeof context.where === 'object') {
    shell.before = here
    shell.folders = [{ path: posix.resolve(here[0]?.path ?? '/', text ?? '/'), certainty: 'certain' }]
    return
  }
  const reached = resolveOne(context, findOnPath(context, target) ?? toKnownWord(reading.world.home))
  if (!reached) return
  shell.before = here
  const isThere = reached.exists || reading.folders.has(reached.text)
  shell.folders = isThere
    ? [{ path: reached.text, certainty: here.length === 1 && here[0] ? here[0].certainty : 'certain' }]
    : [
        { path: reached.text, certainty: 'likely' },
        ...here.slice(0, 2).map(({ path }) => ({ path, certainty: 'likely' as const })),
      ]
}

/** The folder that `cd` finds below those of CDPATH, where one of them has it; the target itself otherwise. */
function findOnPath(context: Context, target: Value | null): Value | null {
  const list = context.shell.variables.get('CDPATH')
  const text = target ? readWord(target) : null
  if (!list || text === null || /^(?:\/|\.{1,2}(?:\/|$))/.test(text)) return target
  const below = showValue(list)
    .split(':')
    .map((folder) => posix.join(folder === '' ? '.' : folder, text))
    .find((path) => resolveOne(context, toKnownWord(path))?.exists)
  return below === undefined ? target : toKnownWord(below)
}
