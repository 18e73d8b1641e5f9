import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { gemini } from '../../src/bridges/agents/gemini.ts'
import { checkAgentFile } from '../../src/bridges/install/agent-file.ts'
import { check } from '../../src/check/check.ts'
import { findNamedSubjects, findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import type { Finding } from '../../src/check/finding.ts'
import { run } from '../../src/cli/commands/validate/validate.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import type { ProfileName } from '../../src/protocol/profiles.ts'
import { makeWorld, put, type World } from './project.ts'

/** A project with these files, by their path in it; one that starts with `#!` can be executed. */
export async function projectWith(files: Readonly<Record<string, string>>): Promise<World> {
  const world = await makeWorld()
  for (const [path, text] of Object.entries(files)) await put(world, join('project', path), text)
  return world
}

/** What is found in a project with these files, under `classic` unless said otherwise; a folder `plugin` in it is an enabled plugin. */
export async function findingsIn(
  files: Readonly<Record<string, string>>,
  profile: ProfileName = 'classic',
): Promise<Finding[]> {
  const world = await projectWith(files)
  const plugins = Object.keys(files).some((path) => path.startsWith('plugin/')) ? [join(world.project, 'plugin')] : []
  const source = makeProfileSource(profile)
  const foreign = Object.keys(files).filter((path) => path.startsWith('.gemini/'))
  return check([
    ...(await findSubjectsInPlay({ ...world, plugins }, source)),
    ...(await findNamedSubjects(
      foreign.map((path) => join(world.project, path)),
      { ...world, plugins },
      source,
      { recognize: (path, text) => checkAgentFile(path, text, gemini) },
    )),
  ])
}

/** A settings file of the project with one command on an event. */
export function oneCommand(event: string, command: string, group: object = {}): Record<string, string> {
  const hooks = { [event]: [{ ...group, hooks: [{ type: 'command', command }] }] }
  return { '.claude/settings.json': JSON.stringify({ hooks }, null, 2) }
}

/** How a command ended, and what it printed. */
interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `hookline validate` on a world, under `classic` unless the call names another profile. */
export function validate(world: World, ...args: string[]): Promise<Ended> {
  const profile = args.includes('--profile') ? [] : ['--profile', 'classic']
  return validateUnchosen(world, ...args, ...profile)
}

/** Runs `hookline validate` on a world with these arguments alone. */
export async function validateUnchosen({ project, home, managed }: World, ...args: string[]): Promise<Ended> {
  const stdout: string[] = []
  const stderr: string[] = []
  const catching = (kept: string[]) => (text: unknown) => kept.push(String(text)) > 0
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(catching(stdout))
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(catching(stderr))
  try {
    const code = await run([...args, '--project', project, '--home', home, '--managed', managed])
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
}

/** A file of a world's project. */
export function textOf({ project }: World, path: string): Promise<string> {
  return readFile(join(project, path), 'utf8')
}
