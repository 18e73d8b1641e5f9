import { rm } from 'node:fs/promises'
import { readText } from '../files/read.ts'
import type { PrivateFolder } from './private-folder.ts'
import { RunningProcess } from './process.ts'
import { NOTHING } from './run.ts'

/** bash prints its environment, before or after it has read the files. */
const SOURCE_AND_PRINT = 'for file in "$@"; do . "$file" >/dev/null 2>&1; done; exec env -0'
const NOT_TOLD = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD'])
const SOURCING_LIMITS = { timeoutMs: 10_000, outputLimit: 16 * 1024 * 1024 }

/** The files that hooks write environment variables into, one per hook; they live as long as the session. */
export class EnvFiles {
  readonly #folder: PrivateFolder
  readonly #files = new Map<string, string>()

  constructor(folder: PrivateFolder) {
    this.#folder = folder
  }

  /** A fresh file for a hook; null when there is no room for one, which is no reason not to run it. */
  create(): Promise<string | null> {
    return this.#folder.create('.sh', '')
  }

  /** Keeps what a hook wrote; a hook that wrote nothing this time keeps what it wrote before. */
  async keep(hook: string, path: string): Promise<void> {
    const written = await readText(path, { follow: false }) // the hook may have removed it, or put something else there
    if (written.read === 'text' && written.text.trim() !== '') this.#files.set(hook, path)
    else await rm(path, { recursive: true, force: true }).catch(() => {}) // it goes with the folder at the latest
  }

  /** The files to source before a command, in the order of the hooks. */
  inOrderOf(hooks: readonly string[]): string[] {
    return hooks.flatMap((hook) => this.#files.get(hook) ?? [])
  }
}

/** What sourcing the files by bash adds to an environment, or changes in it. */
export async function environmentChanges(
  files: readonly string[],
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): Promise<Record<string, string>> {
  if (files.length === 0) return {}
  const [before, after] = await Promise.all([printed([], env, cwd), printed(files, env, cwd)])
  return Object.fromEntries([...after].filter(([name, value]) => !NOT_TOLD.has(name) && before.get(name) !== value))
}

async function printed(files: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Map<string, string>> {
  const args = ['--noprofile', '--norc', '-c', SOURCE_AND_PRINT, 'bash', ...files]
  const spec = { file: 'bash', args, env, cwd, input: NOTHING.kept, ...SOURCING_LIMITS }
  const run = await new RunningProcess(spec).ended
  if (run.ended !== 'exited') return new Map()
  const entries = run.stdout.kept
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('='))
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
}
