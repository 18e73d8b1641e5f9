import { chmod } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readOwn, replaceFile, resolveLinks, withLock } from 'hookline/internal'
import * as z from 'zod'

/** Owner of the rules. */
interface Grantee {
  readonly home: string
  readonly project: string
}

const Store = z.record(z.string(), z.array(z.string()))

/** Allow rules that the user gave a folder through the agent; other rules in its files may come from its authors. */
export async function readGrantedRules({ home, project }: Grantee): Promise<ReadonlySet<string>> {
  return new Set((await readGrantStore(findGrantStore(home)))[resolveLinks(project)])
}

/** Remembers that the user gave a folder these rules; resolves with why it could not: they are asked for again. */
export async function rememberGranted({ home, project }: Grantee, rules: readonly string[]): Promise<string | null> {
  const folder = resolveLinks(project)
  const path = findGrantStore(home)
  const remember = async (): Promise<void> => {
    await chmod(dirname(path), 0o700)
    const store = await readGrantStore(path)
    const next = { ...store, [folder]: [...new Set([...(store[folder] ?? []), ...rules])] }
    await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, followLinks: false })
  }
  try {
    await withLock(path, remember, { folderMode: 0o700 })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error) // a full disk, or a home that may not be written to
  }
}

const findGrantStore = (home: string): string => join(home, '.hookline', 'granted.json')

/** Reads the store, which grants nothing if others may have written it. */
async function readGrantStore(path: string): Promise<z.infer<typeof Store>> {
  const content = await readOwn(path)
  if (content.read !== 'text') return {}
  try {
    return Store.parse(JSON.parse(content.text))
  } catch {
    return {} // not JSON, or of another shape
  }
}
