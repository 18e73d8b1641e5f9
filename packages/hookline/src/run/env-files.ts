import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RunningProcess } from './process.ts'
import { NOTHING } from './run.ts'

/** bash prints its environment, before or after it has read the files. */
const SOURCE_AND_PRINT = 'for file in "$@"; do . "$file" >/dev/null 2>&1; done; exec env -0'
const NOT_TOLD = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD'])
const SOURCING_LIMITS = { timeoutMs: 10_000, outputLimit: 16 * 1024 * 1024 }

/** The files that hooks write environment variables into, one per hook; they live as long as the session. */
export class EnvFiles {
  #folder: string | undefined
  readonly #files = new Map<string, string>()

  /** A fresh private file for a hook; null when the disk has no room for one, which is no reason not to run it. */
  async create(): Promise<string | null> {
    try {
      this.#folder ??= await makeFolder()
      const path = join(this.#folder, `${randomUUID()}.sh`)
      await writeFile(path, '', { mode: 0o600, flag: 'wx' })
      return path
    } catch {
      return null // full, or not writable
    }
  }

  /** Keeps what a hook wrote; a hook that wrote nothing this time keeps what it wrote before. */
  async keep(hook: string, path: string): Promise<void> {
    const written = await readFile(path, 'utf8').catch(() => '') // the hook may have removed it
    if (written.trim() !== '') this.#files.set(hook, path)
  }

  /** The files to source before a command, in the order of the hooks. */
  inOrderOf(hooks: readonly string[]): string[] {
    return hooks.flatMap((hook) => this.#files.get(hook) ?? [])
  }

  async remove(): Promise<void> {
    if (this.#folder === undefined) return
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {}) // the folder for temp files is itself gone
    forget(this.#folder)
  }
}

/** Folders of sessions that are open. They go even when a host ends without closing its engine. */
const folders = new Set<string>()

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-env-'))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(folder)
  return folder
}

function forget(folder: string): void {
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
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
  const run = await new RunningProcess({ file: 'bash', args, env, cwd, input: NOTHING.kept, ...SOURCING_LIMITS }).ended
  if (run.ended !== 'exited') return new Map()
  const entries = run.stdout.kept
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('='))
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
}
