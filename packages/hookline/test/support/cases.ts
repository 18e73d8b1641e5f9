import { join } from 'node:path'
import { readCaseFile } from '../../src/cases/case-file.ts'
import type { CaseResult } from '../../src/cases/run-cases.ts'
import { runCases } from '../../src/cases/run-cases.ts'
import type { Profile } from '../../src/protocol/profile.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { type Content, makeWorld, put, type World } from './project.ts'

/** What came of cases, and where. */
export interface Tried {
  readonly world: World
  readonly file: string
  readonly results: readonly CaseResult[]
}

/** Runs the cases of a file, written as YAML, in a project with these files. */
export async function tryCases(
  yaml: string,
  files: Record<string, Content>,
  options: { readonly profile?: Profile } = {},
): Promise<Tried> {
  const world = await makeWorld(files)
  await put(world, 'project/.claude/hooks/some.hooktest.yaml', yaml)
  return tryAgain(world, options)
}

/** Runs the cases of the same file again. */
export async function tryAgain(
  world: World,
  { profile = DEFAULT_PROFILE }: { readonly profile?: Profile } = {},
): Promise<Tried> {
  const file = join(world.project, '.claude/hooks/some.hooktest.yaml')
  const { cases } = await readCaseFile(file)
  const { events } = profile
  const results = await runCases(cases, { project: world.project, profile, events, trusted: true })
  return { world, file, results }
}
