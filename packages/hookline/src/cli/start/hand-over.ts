import { spawnGroup } from '../../process/spawn-group.ts'

/** Calls this command line again in a process that outlives this one; resolves when it has its work. */
export function startHandOver(
  words: readonly string[],
  work: string | Buffer,
  { env = process.env, cwd = undefined as string | undefined } = {},
): Promise<void> {
  return new Promise((resolve) => {
    try {
      const call = [process.argv[1] ?? '', ...words]
      const place = cwd === undefined ? { env } : { env, cwd }
      const child = spawnGroup(process.execPath, call, { ...place, stdio: ['pipe', 'ignore', 'ignore'] })
      child.unref()
      child.on('error', () => resolve()) // there is no room for a process: what comes late decides nothing
      child.stdin?.on('error', () => {}) // the child has ended already
      child.stdin?.end(work, () => resolve())
    } catch {
      resolve() // no descriptor is left for one
    }
  })
}
