import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Engine, type EngineOptions, openEngine } from '../../src/index.ts'

/** A file's content: text as it is, anything else as JSON. */
export type Content = string | Buffer | object

/** A temp folder with a project, a home and a policy file; removed when the test is over. Its path has a space in it. */
export interface World {
  readonly root: string
  readonly project: string
  readonly home: string
  readonly managed: string
}

/** Makes a world with these files, by path relative to its root: `project/…`, `home/…`, `managed.json`. */
export async function makeWorld(files: Record<string, Content> = {}): Promise<World> {
  const world = await makeLastingWorld(files)
  onTestFinished(() => removeWorld(world))
  return world
}

/** A world that several tests have in common: `removeWorld` ends it. */
export async function makeLastingWorld(files: Record<string, Content> = {}): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline test-'))) // at once: by Node's threads it takes twice the CPU
  const world = { root, project: join(root, 'project'), home: join(root, 'home'), managed: join(root, 'managed.json') }
  mkdirSync(world.project)
  mkdirSync(world.home)
  for (const [path, content] of Object.entries(files)) await put(world, path, content)
  return world
}

/** Removes all of a world. */
export async function removeWorld({ root }: World): Promise<void> {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * Writes a file of a world; one that starts with `#!` can be executed. Whatever else goes on gets its turn before: a test that
 * writes until a process has ended would otherwise never hear of its end.
 */
export async function put({ root }: World, path: string, content: Content): Promise<string> {
  await setImmediate()
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  const isText = typeof content === 'string' || Buffer.isBuffer(content)
  writeFileSync(target, isText ? content : JSON.stringify(content, null, 2))
  if (content.toString().startsWith('#!')) chmodSync(target, 0o755)
  return target
}

/** An engine on a world whose project is accepted; closed when the test is over. */
export async function openOn({ project, home, managed }: World, options: EngineOptions = {}): Promise<Engine> {
  const engine = await openEngine({ project, home, managed, trust: 'accepted', ...options })
  onTestFinished(async () => {
    await engine.close()
  })
  return engine
}

/** An engine on a new project with these hooks, written as in its settings: `{ Stop: [{ hooks: […] }] }`. */
export async function engineWith(hooks: object, options: EngineOptions = {}): Promise<Engine> {
  return openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), options)
}

/** The same under `classic`, for tests of what that profile alone does. */
export function classicEngineWith(hooks: object, options: EngineOptions = {}): Promise<Engine> {
  return engineWith(hooks, { profile: 'classic', ...options })
}

/** `openOn` under `classic`. */
export function openClassicOn(world: World, options: EngineOptions = {}): Promise<Engine> {
  return openOn(world, { profile: 'classic', ...options })
}

/** A group of command hooks. */
export function commands(...lines: string[]): { hooks: { type: 'command'; command: string }[] } {
  return { hooks: lines.map((command) => ({ type: 'command', command })) }
}

/** A shell command that prints a JSON answer. */
export function answering(answer: object): string {
  return `printf '%s' '${JSON.stringify(answer).replaceAll("'", "'\\''")}'`
}

/** A call of the Bash tool, about to run. */
export const bashCall = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'toolu_1',
} as const
