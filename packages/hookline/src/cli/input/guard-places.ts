import { type BridgedHost, findGuardedHosts, type HostSurroundings } from '../../bridges/standing.ts'
import { listHookEntries } from '../../config/hook-entries.ts'
import { readScopeSettings } from '../../engine/edit-hooks.ts'

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
  const claude = await Promise.all(
    (['user', 'project', 'local'] as const).map(async (scope): Promise<GuardPlace[]> => {
      const file = await readScopeSettings(scope, here).catch(() => null) // a file that cannot be read has no entry
      const isThere = file !== null && listHookEntries(file).some(({ runs }) => isGuardCommand(runs))
      return isThere ? [{ agent: CLAUDE_CODE, scope, file: file.path, state: 'ready', notes: [] }] : []
    }),
  )
  return [...claude.flat(), ...(await findGuardedHosts(here)).flatMap(toPlaces)]
}

const toPlaces = ({ agent, scopes }: BridgedHost): GuardPlace[] =>
  scopes.map(({ scope, file, state, obstacles }) => ({
    ...{ agent, scope, file, state },
    notes: obstacles.map(({ text }) => text),
  }))
