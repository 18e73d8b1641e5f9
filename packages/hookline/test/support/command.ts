import { execFile } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { findLoosening } from '../../src/effects/loosening.ts'
import type { World } from './project.ts'

/** The command as it is installed. */
export const program = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url))

/** How a call ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The commands that take the policy from where they are told. */
const UNDER_POLICY = ['fire', 'session', 'test', 'replay', 'validate']

/** Commands for which `--project` chooses among what was recorded. */
const RECORD_READERS = ['log', 'stats']

/** Commands that are about a user, wherever that is. */
const OF_A_USER = ['resident', 'ship']

/** The flags that keep a call of a command inside a world. */
export function placesOf({ project, home, managed }: World, name = ''): string[] {
  if ([...RECORD_READERS, ...OF_A_USER].includes(name)) return ['--home', home]
  return ['--project', project, '--home', home, ...(UNDER_POLICY.includes(name) ? ['--managed', managed] : [])]
}

/** The words of a call, with the yes that a script of a user has to give where nobody can be asked. */
export function withConsent(args: readonly string[]): string[] {
  const isMissing = findLoosening(args)?.unasked === 'yes' && !args.includes('--yes')
  return isMissing ? [...args, '--yes'] : [...args]
}

/**
 * Runs the built command in a world, as a script of a user. The first call of a command in a test file starts a process, and
 * the others come to one that lasts, unless the call says that it is about a process.
 */
export function hookline(
  world: World,
  args: string[],
  { isApart = false, ...options }: Parameters<typeof ended>[2] & { isApart?: boolean } = {},
): Promise<Ended> {
  const words = [...withConsent(args), ...placesOf(world, args[0])]
  const name = args.includes('--help') ? '--help' : (args[0] ?? '')
  const isFirst = isFirstCall(`${expect.getState().testPath} ${name}`)
  const isAboutNode = Object.keys(options.env ?? {}).some((variable) => variable.startsWith('NODE_'))
  return isApart || isFirst || isAboutNode || isQuick(args) || options.input !== undefined
    ? ended(process.execPath, [program, ...words], options)
    : callLasting(words, options.env ?? {})
}

/** Commands that were called, each with its test file, since files share a process; `--help` for what any of them says of itself. */
const called = new Set<string>()

function isFirstCall(call: string): boolean {
  const isFirst = !called.has(call)
  called.add(call)
  return isFirst
}

/** True for a call that the command has a shorter way for, which a process that lasts does not go. */
function isQuick([name = '', word = '']: readonly string[]): boolean {
  if (['fire', 'explain', 'guard'].includes(name)) return true
  return ['bridge', 'wrap', 'tap'].includes(name) && !/^(?:un)?install$|^status$|^report$|^table$/.test(word)
}

interface LastingCall {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<{ readonly code: number | null }>
}

type StartCall = (args: readonly string[], env: NodeJS.ProcessEnv) => LastingCall

const HOST = new URL('../../../../scripts/lasting-command.js', import.meta.url).href

async function callLasting(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const { startCall }: { startCall: StartCall } = await import(HOST) // tests that only share this file's words do without
  const call = startCall(args, { ...process.env, ...env })
  call.stdin.end()
  const timer = setTimeout(() => process.kill(call.pid ?? 0, 'SIGKILL'), CALL_TIMEOUT_MS)
  const [{ code }, stdout, stderr] = await Promise.all([call.ended, text(call.stdout), text(call.stderr)])
  clearTimeout(timer)
  return { code: code ?? Number.NaN, stdout, stderr }
}

const CALL_TIMEOUT_MS = 30_000

/** The same in a terminal in which somebody types; its stderr is in stdout. Linux only. */
export function inTerminal(world: World, args: string[], typed: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const words = [process.execPath, program, ...args, ...placesOf(world, args[0])]
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return ended('script', ['-qec', line, '/dev/null'], { input: typed, env: { COLUMNS: '80', ...env } })
}

/** Runs a program to its end, once more while the command is being built. */
export async function ended(
  file: string,
  args: string[],
  { input = '', env = {}, patience = 40 }: { input?: string; env?: NodeJS.ProcessEnv; patience?: number } = {},
): Promise<Ended> {
  const call = new Promise<Ended>((resolve) => {
    const child = execFile(
      file,
      args,
      { timeout: CALL_TIMEOUT_MS, env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin?.on('error', () => {}) // a command may end without reading
    child.stdin?.end(input)
  })
  const result = await call
  const isBeingBuilt = /ERR_MODULE_NOT_FOUND|ENOENT.*quick\.cjs|is not built/.test(`${result.stdout}${result.stderr}`)
  if (!isBeingBuilt || patience === 0) return result
  await pause(500)
  return ended(file, args, { input, env, patience: patience - 1 })
}

/** Lines that do not fit a terminal of a width. */
export function tooWide(text: string, width = 80): string[] {
  return text.split('\n').filter((line) => [...line].length > width)
}
