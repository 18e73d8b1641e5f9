import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** What says where a working tree stands, and what all trees of a repository share; its own hooks and logs stay behind. */
const OF_THE_TREE = ['HEAD', 'index']
const SHARED = ['config', 'packed-refs', 'refs', 'info', 'shallow']

/**
 * Makes a `.git` that can be committed to without a trace in the real one, whose objects it borrows. The real one may be a file that
 * leads to it, as in further working trees. Rejects when it leads nowhere.
 */
export async function copyRepository(from: string, to: string): Promise<void> {
  const tree = (await stat(from)).isDirectory() ? from : await leadFrom(from)
  const shared = await readFile(join(tree, 'commondir'), 'utf8').then(
    (path) => resolve(tree, path.trim()),
    () => tree, // it is the only one
  )
  await mkdir(join(to, 'objects', 'info'), { recursive: true })
  await mkdir(join(to, 'objects', 'pack'))
  await mkdir(join(to, 'refs'))
  await writeFile(join(to, 'objects', 'info', 'alternates'), `${join(shared, 'objects')}\n`)
  const kept = [...OF_THE_TREE.map((name) => [tree, name] as const), ...SHARED.map((name) => [shared, name] as const)]
  for (const [folder, name] of kept) {
    await cp(join(folder, name), join(to, name), { recursive: true }).catch(() => {}) // not every repository has each of them
  }
}

async function leadFrom(file: string): Promise<string> {
  const [, path = ''] = /^gitdir: (.*)$/m.exec(await readFile(file, 'utf8')) ?? []
  return resolve(dirname(file), path)
}
