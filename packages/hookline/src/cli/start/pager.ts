import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { spawnBeside } from '../../process/spawn-group.ts'
import { printInto } from './print.ts'

/** The flag that keeps a command from opening a pager. */
export const PAGER_FLAGS = { 'no-pager': { type: 'boolean' } } as const

/** Explanation of the flag. */
export const PAGER_USAGE = `  --no-pager               print at once; otherwise PAGER, or less, shows what is
                           longer than the terminal
`

/** Options of less that were not set by the user: colours, and nothing to quit where all fits on the screen. */
const LESS = 'FRX'

/** Does something whose output a pager shows, where stdout is a terminal that has one. */
export async function withPager<Result>(isWanted: boolean, act: () => Promise<Result>): Promise<Result> {
  const pager = isWanted ? await openPager(process.env) : null
  if (pager === null) return act()
  printInto(pager.input)
  const ignore = (): void => {} // an interrupt is for the pager
  process.on('SIGINT', ignore)
  try {
    return await act()
  } finally {
    printInto(null)
    pager.input.end()
    await pager.closed
    process.off('SIGINT', ignore)
  }
}

interface Pager {
  readonly input: Writable
  readonly closed: Promise<unknown>
}

/** Starts the pager of the user; null where there is none, or nothing to page for. */
async function openPager(env: NodeJS.ProcessEnv): Promise<Pager | null> {
  const words = env.PAGER ?? 'less'
  if (process.stdout.isTTY !== true || env.TERM === 'dumb' || words.trim() === '' || words.trim() === 'cat') return null
  env.LESS ??= LESS
  const line = env.PAGER === undefined ? { file: 'less', args: [] } : { file: 'sh', args: ['-c', words] }
  const child = spawnBeside(line, ['pipe', 'inherit', 'inherit'])
  const closed = once(child, 'close').catch(() => {}) // a pager that cannot start
  const isStarted = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ]).catch(() => false) // no such program
  if (!isStarted || child.stdin === null) return null
  child.stdin.on('error', () => {}) // the user left before the end
  return { input: child.stdin, closed }
}
