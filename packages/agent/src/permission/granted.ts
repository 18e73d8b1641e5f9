import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { realPathOf } from './real-path.ts'

/** Whose rules they are. */
interface Grantee {
  readonly home: string
  readonly project: string
}

const Store = z.record(z.string(), z.array(z.string()))

/** Allow rules that the person gave a folder through the agent: what else stands in its files, anybody may have written. */
export async function grantedRules({ home, project }: Grantee): Promise<ReadonlySet<string>> {
  return new Set((await readStore(home))[realPathOf(project)])
}

/** Remembers that the person gave a folder these rules; one that cannot be remembered counts in this session only. */
export async function rememberGranted({ home, project }: Grantee, rules: readonly string[]): Promise<void> {
  const folder = realPathOf(project)
  const store = await readStore(home)
  const next = { ...store, [folder]: [...new Set([...(store[folder] ?? []), ...rules])] }
  const draft = `${storeIn(home)}.${process.pid}`
  try {
    await mkdir(join(home, '.hookline'), { recursive: true, mode: 0o700 })
    await writeFile(draft, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 })
    await rename(draft, storeIn(home))
  } catch {
    // a full disk, or a home that may not be written to: the rule is asked for again next time
  }
}

const storeIn = (home: string): string => join(home, '.hookline', 'granted.json')

async function readStore(home: string): Promise<z.infer<typeof Store>> {
  try {
    return Store.parse(JSON.parse(await readFile(storeIn(home), 'utf8')))
  } catch {
    return {} // none yet, or none that can be read: nothing was granted
  }
}
