import { cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readText } from '../files/read.ts'

/** What says where a working tree stands, and what all trees of a repository share; its own hooks and logs stay behind. */
const OF_THE_TREE = ['HEAD', 'index']
const SHARED = ['config', 'packed-refs', 'refs', 'info', 'shallow']

/**
 * Makes a `.git` that can be committed to without a trace in the real one, whose objects it borrows. The real one may be a file that
 * leads to it, as in further working trees. Rejects when it leads nowhere.
 */
export async function copyRepository(from: string, to: string): Promise<void> {
  const tree = (await stat(from)).isDirectory() ? from : await leadFrom(from)
  const common = await readText(join(tree, 'commondir'))
  const shared = common.read === 'text' ? resolve(tree, common.text.trim()) : tree // it is the only one
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
  const content = await readText(file)
  const [, path = ''] = (content.read === 'text' && /^gitdir: (.*)$/m.exec(content.text)) || []
  return resolve(dirname(file), path)
}
