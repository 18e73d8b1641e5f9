import { rm } from 'node:fs/promises'
import { readText } from '../files/read.ts'
import type { PrivateFolder } from '../files/temp-folder.ts'
import { RunningProcess } from '../process/process.ts'
import { EMPTY_STREAM } from '../process/process-run.ts'
import { toOneLine } from '../text/clean.ts'
import { quoteForShell } from '../text/quote.ts'
import type { Run } from './run.ts'

/** bash prints its environment, before or after it has read the files. */
const SOURCE_AND_PRINT = 'for file in "$@"; do . "$file" >/dev/null 2>&1; done; exec env -0'
/** bash reads a file after those that were there before, and tells when it has come to its end, and with what. */
const TRY_OUT = `for file in "\${@:2}"; do . "$file"; done </dev/null >/dev/null 2>&1
. "$1" </dev/null >/dev/null
printf "hookline-sourced %s" "$?"`
const CAME_TO_ITS_END = /hookline-sourced (\d+)$/
const NOT_TOLD = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD'])
const SOURCING_LIMITS = { timeoutMs: 10_000, outputLimit: 16 * 1024 * 1024 }

/** Place where files are sourced. */
interface ShellPlace {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** The files that hooks write environment variables into, one per hook; they live as long as the session. */
export class EnvFiles {
  readonly #folder: PrivateFolder
  readonly #place: ShellPlace
  readonly #files = new Map<string, string>()
  /** Files that bash has read once. */
  readonly #tried = new Set<string>()
  #trying: Promise<unknown> = Promise.resolve()
  #script: { readonly text: string; readonly path: Promise<string | null> } | undefined

  constructor(folder: PrivateFolder, place: ShellPlace) {
    this.#folder = folder
    this.#place = place
  }

  /** A fresh file for a hook; null when there is no room for one, which is no reason not to run it. */
  create(): Promise<string | null> {
    return this.#folder.create('.sh', '')
  }

  /** Keeps what a hook wrote; a hook that wrote nothing this time keeps what it wrote before. */
  async keep(hook: string, path: string): Promise<void> {
    const written = await readText(path, { follow: false }) // the hook may have removed it, or put something else there
    if (written.read === 'text' && written.text.trim() !== '') this.#files.set(hook, path)
    else await rm(path, { recursive: true, force: true }).catch(() => {}) // the file goes with the folder at the latest
  }

  /** Drops what a hook wrote before. */
  forget(hook: string): void {
    this.#files.delete(hook)
  }

  /**
   * Has bash read the files that it has not read yet; resolves with what is wrong with them, a sentence each. One that
   * ends the shell which reads it is forgotten: it would cost every command its run.
   */
  tryOut(hooks: readonly string[]): Promise<string[]> {
    const trying = this.#trying.then(() => this.#tryNew(hooks))
    this.#trying = trying
    return trying
  }

  /**
   * One file for BASH_ENV, which bash reads before a command: all of them in the order of the hooks. What they print is
   * dropped, and they neither move the command elsewhere nor have it end at its first failure. null when there are none,
   * or no room.
   */
  async makeScript(hooks: readonly string[]): Promise<string | null> {
    const files = this.listInOrder(hooks)
    if (files.length === 0) return null
    const text = makeSourceScript(files, this.#place.env.BASH_ENV)
    if (this.#script?.text !== text) this.#script = { text, path: this.#folder.create('.sh', text) }
    return this.#script.path
  }

  /** The files to source before a command, in the order of the hooks. */
  listInOrder(hooks: readonly string[]): string[] {
    return hooks.flatMap((hook) => this.#files.get(hook) ?? [])
  }

  async #tryNew(hooks: readonly string[]): Promise<string[]> {
    const faults: string[] = []
    const sound: string[] = []
    for (const hook of hooks) {
      const path = this.#files.get(hook)
      if (path === undefined) continue
      const fault = this.#tried.has(path)
        ? null
        : findSourceFault(await runSourcing(TRY_OUT, [path, ...sound], this.#place), path)
      this.#tried.add(path)
      if (fault !== null) faults.push(`${hook}: ${fault.words}`)
      if (fault === null || fault.isKept) sound.push(path)
      else this.#files.delete(hook)
    }
    return faults
  }
}

function makeSourceScript(files: readonly string[], bashEnv: string | undefined): string {
  return [
    bashEnv === undefined ? 'unset BASH_ENV' : `BASH_ENV=${quoteForShell(bashEnv)}; . "$BASH_ENV"`,
    '__hookline_folder=$PWD',
    ...files.map((file) => `. ${quoteForShell(file)} </dev/null >/dev/null 2>&1`),
    '[ "$PWD" = "$__hookline_folder" ] || cd -- "$__hookline_folder"',
    'unset __hookline_folder',
    'set +eu',
    '',
  ].join('\n')
}

/** Finds what is wrong with a file that bash was to read, and whether it can be kept all the same. */
function findSourceFault(run: Run, path: string): { readonly words: string; readonly isKept: boolean } | null {
  if (run.ended === 'not-started' || !('stdout' in run)) return null // there is no bash, so nothing will be sourced
  const [, status] = CAME_TO_ITS_END.exec(run.stdout.kept.toString('latin1')) ?? []
  if (status === '0') return null
  const [said = ''] = run.stderr.kept.toString('utf8').replaceAll(path, 'CLAUDE_ENV_FILE').trim().split('\n', 1)
  const because = said === '' ? '' : `: ${toOneLine(said)}`
  if (status !== undefined)
    return { words: `what it wrote into CLAUDE_ENV_FILE fails with ${status}${because}`, isKept: true }
  const how = run.ended === 'timed-out' ? 'takes too long' : 'ends the shell that reads it'
  return { words: `what it wrote into CLAUDE_ENV_FILE ${how}, and is not used${because}`, isKept: false }
}

/** Reads what sourcing the files by bash adds to an environment, or changes in it. */
export async function readEnvironmentChanges(
  files: readonly string[],
  place: ShellPlace,
): Promise<Record<string, string>> {
  if (files.length === 0) return {}
  const [before, after] = await Promise.all([printEnvironment([], place), printEnvironment(files, place)])
  return Object.fromEntries([...after].filter(([name, value]) => !NOT_TOLD.has(name) && before.get(name) !== value))
}

async function printEnvironment(files: readonly string[], place: ShellPlace): Promise<Map<string, string>> {
  const run = await runSourcing(SOURCE_AND_PRINT, files, place)
  if (run.ended !== 'exited') return new Map()
  const entries = run.stdout.kept
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('='))
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
}

function runSourcing(script: string, files: readonly string[], { env, cwd }: ShellPlace): Promise<Run> {
  const args = ['--noprofile', '--norc', '-c', script, 'bash', ...files]
  return new RunningProcess({ file: 'bash', args, env, cwd, input: EMPTY_STREAM.kept, ...SOURCING_LIMITS }).ended
}
