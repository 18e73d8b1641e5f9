import { type BridgedHost, findGuardedHosts, type HostSurroundings } from '../../bridges/install/standing.ts'
import { startFaultsById } from '../../check/programs.ts'
import { listHookEntries } from '../../config/hook-entries.ts'
import { readScopeSettings } from '../../engine/edit-hooks.ts'
import { openEngine } from '../../engine/engine.ts'

/** Name of Claude Code among the agents. */
export const CLAUDE_CODE = 'claude-code'

/** True for the command of an entry that runs the guard by itself, by the launcher or by PATH. */
export const isGuardCommand = (command: string | null): boolean =>
  /^(?:\S*\/\.hookline\/bin\/hookline(?:-cold)?|hookline) guard(?: [a-z -]+)?(?: \|\| exit 2)?$/.test(command ?? '')

/** A settings file with an entry of the guard, and whether anything is known to keep it from running. */
export interface GuardPlace {
  readonly agent: string
  readonly scope: string
  readonly file: string
  /** `ready`: nothing that can be read speaks against it; else the reason. */
  readonly state: string
  readonly notes: readonly string[]
}

/** Finds the entries of the guard in the settings of all agents. Never rejects. */
export async function findGuardPlaces(here: HostSurroundings): Promise<GuardPlace[]> {
  const obstacles = await findObstacles(here)
  const claude = await Promise.all(
    (['user', 'project', 'local'] as const).map(async (scope): Promise<GuardPlace[]> => {
      const file = await readScopeSettings(scope, here).catch(() => null) // a file that cannot be read has no entry
      const entries = file === null ? [] : listHookEntries(file).filter(({ runs }) => isGuardCommand(runs))
      if (file === null || entries.length === 0) return []
      const notes = entries.flatMap(({ id }) => obstacles.get(id) ?? [])
      const state = notes.length < entries.length ? 'ready' : 'does not run'
      return [{ agent: CLAUDE_CODE, scope, file: file.path, state, notes }]
    }),
  )
  return [...claude.flat(), ...(await findGuardedHosts(here)).flatMap(toPlaces)]
}

/** Finds what keeps hooks of Claude Code from running, by their ids. Trust is Hookline's own and no obstacle there. */
async function findObstacles({ project, home }: HostSurroundings): Promise<ReadonlyMap<string, string>> {
  const engine = await openEngine({ project, home, trust: 'accepted', warm: 'off' }).catch(() => null) // a policy that cannot be read
  if (engine === null) return new Map()
  const listed = engine.list()
  await engine.close()
  const faults = await startFaultsById(listed, { project })
  return new Map(
    listed.flatMap(({ hook, standing }) => {
      const because = 'because' in standing ? standing.because : faults.get(hook.id)
      return because === undefined ? [] : [[hook.id, because] as const]
    }),
  )
}

const toPlaces = ({ agent, scopes }: BridgedHost): GuardPlace[] =>
  scopes.map(({ scope, file, state, obstacles }) => ({
    ...{ agent, scope, file, state },
    notes: obstacles.map(({ text }) => text),
  }))
