import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DispatchRecord } from '../../src/index.ts'
import type { EventName } from '../../src/protocol/event-input.ts'
import { classic } from '../../src/protocol/schemas/events/classic.ts'
import { type Content, commands, makeWorld, openClassicOn, put, type World } from './project.ts'

/** The package's folder, whose `dist` a hook file loads. */
export const hooklinePackage = fileURLToPath(new URL('../..', import.meta.url))

/** A project that has the package, and a hook written with its door `hookline/hook`. */
export async function worldWith(defined: string, files: Record<string, Content> = {}): Promise<World> {
  const world = await makeWorld({ 'project/package.json': { type: 'module' }, ...files })
  await put(world, 'project/hook.js', `import { defineHook } from 'hookline/hook'\n${defined}\n`)
  await mkdir(join(world.project, 'node_modules'))
  await symlink(hooklinePackage, join(world.project, 'node_modules/hookline'))
  return world
}

/** Runs the hook as the command hook of an event, through the engine, under `classic`. */
export async function fire(event: EventName, defined: string, fields: object = {}): Promise<DispatchRecord> {
  const world = await worldWith(defined)
  const hooks = { [event]: [commands('node "$CLAUDE_PROJECT_DIR"/hook.js')] }
  await put(world, 'project/.claude/settings.json', { hooks })
  const engine = await openClassicOn(world)
  return engine.dispatch({ ...classic[event].example, ...fields, hook_event_name: event } as {
    hook_event_name: string
  })
}

/** How a hook's process ended. */
interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the hook by itself, with this on its stdin. */
export async function run(
  defined: string,
  stdin: string | object,
  { files = {}, flags = [] }: { files?: Record<string, Content>; flags?: string[] } = {},
): Promise<Ended & { world: World }> {
  const world = await worldWith(defined, files)
  const ended = await new Promise<Ended>((resolve) => {
    const child = execFile(
      process.execPath,
      [...flags, 'hook.js'],
      { cwd: world.project, timeout: 30_000, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin?.end(typeof stdin === 'string' ? stdin : JSON.stringify(stdin))
  })
  return { ...ended, world }
}
