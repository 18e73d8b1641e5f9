import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import type { ScriptSource } from '../../src/models/script.ts'

/** The command as it is installed. */
export const program = fileURLToPath(new URL('../../bin/hookline-agent.js', import.meta.url))

/** How a call of the command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How the command is called. */
export interface Call {
  readonly args: readonly string[]
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs the built command in a world, with its hooks accepted. While somebody builds it, it is tried again. */
export async function runAgent(world: World, call: Call, patience = 40): Promise<Ended> {
  const ended = await startAgent(world, call).ended
  const isBeingBuilt = ended.stderr.includes('ERR_MODULE_NOT_FOUND')
  if (!isBeingBuilt || patience === 0) return ended
  await pause(500)
  return runAgent(world, call, patience - 1)
}

/** Runs it in print mode with a scripted model, and its hooks accepted unless the arguments are others. */
export const print = printingBy(runAgent)

/** The same for any way to run it. */
export function printingBy(run: (world: World, call: Call) => Promise<Ended>) {
  return async ({ world: given, script = {}, args = ['Go', '--trust'], input = '' }: Printing = {}): Promise<Ended> => {
    const world = given ?? (await makeWorld())
    return run(world, { args: ['-p', ...args, ...(await scripted(world, script))], input })
  }
}

/** What is printed, and where. */
export interface Printing {
  readonly world?: World
  readonly script?: ScriptSource
  readonly args?: readonly string[]
  readonly input?: string
}

/** Starts the built command; it is killed with the test at the latest. */
export function startAgent(
  world: World,
  { args, input = '', env = {} }: Call,
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...args, ...placesOf(world)], {
    cwd: world.root,
    env: { ...environment(), ...env },
    timeout: 50_000,
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  child.stdin.on('error', () => {}) // it may end without reading
  child.stdin.end(input)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) }
}

/** The arguments that name a world. */
export function placesOf({ project, home, managed }: World): string[] {
  return ['--project', project, '--home', home, '--managed', managed]
}

/** This environment without what would choose a model, or lead to a real one. */
export function environment(): NodeJS.ProcessEnv {
  const foreign = /^(ANTHROPIC|OPENAI|CLAUDE|HOOKLINE)_/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

/** Writes a script; resolves with the arguments that name it. */
export async function scripted(world: World, script: ScriptSource): Promise<string[]> {
  return ['--model', `script:${await put(world, 'turns.json', script)}`]
}

/** Transcripts of a world's sessions and subagents, oldest first, as lines. */
export function transcripts({ home }: World): Record<string, unknown>[][] {
  const folder = join(home, '.hookline', 'projects')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sessions = files.filter((name) => name.endsWith('.jsonl') && basename(name) !== 'hooks.jsonl')
  return sessions.map((name) => linesIn(readFileSync(join(folder, name), 'utf8'))).toSorted(byTime)
}

function byTime(one: readonly Record<string, unknown>[], other: readonly Record<string, unknown>[]): number {
  return String(one[0]?.timestamp).localeCompare(String(other[0]?.timestamp))
}

/** JSON lines, parsed. */
export function linesIn(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
