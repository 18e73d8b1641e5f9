import { resolve } from 'node:path'
import { isFault } from '../config/hook.ts'
import { chooseFileProfile } from '../config/profile-choice.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import type { Session } from '../dispatch/pipe.ts'
import { findHookProfile, listHooksInOrder } from '../dispatch/session.ts'
import { type EventRow, isGuardingCalls } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'

/** An entry that was to guard calls and was set aside. What its file loosens must not count: the entry may have been its guard. */
export interface AbsentGuard {
  /** The file's absolute path; null for hooks that the host registered. */
  readonly path: string | null
  /** Guard that was set aside, with its place and the reason. */
  readonly because: string
}

/** Entries of all files and active components that were to guard calls and cannot run, in configuration order. */
export function findAbsentGuards(session: Session): AbsentGuard[] {
  const { places, configuration, profiles } = session.snapshot
  const faulty = listHooksInOrder(session).flatMap((hook): AbsentGuard[] => {
    const profile = findHookProfile(session, hook)
    const isGuard = isStrict(profile) && isGuardEvent(profile.events.get(hook.event))
    if (!isGuard || !isFault(hook.handler)) return []
    const path = hook.file === null ? null : resolve(places.project, hook.file)
    const where = hook.line === null ? '' : ` of line ${hook.line}`
    return [{ path, because: `its ${hook.event} entry${where} was set aside (${hook.handler.because})` }]
  })
  const misplaced = configuration.files.flatMap((file) => listMisplacedGuards(file, chooseFileProfile(profiles, file)))
  return [...faulty, ...misplaced]
}

const isStrict = ({ rules }: Pick<CompleteProfile, 'rules'>): boolean => rules.misfits === 'as-the-client'
const isGuardEvent = (row: EventRow | undefined): boolean => row !== undefined && isGuardingCalls(row)

/** Guards that never became hooks: `hooks` is not an object, or they stand beside it. */
function listMisplacedGuards({ path, root }: SettingsFile, profile: CompleteProfile): AbsentGuard[] {
  if (!isStrict(profile) || !root?.fields) return []
  const hooks = root.fields.get('hooks')?.node
  const isBroken = hooks !== undefined && hooks.value !== null && hooks.fields === undefined
  const beside = [...root.fields.keys()].filter((name) => isGuardEvent(profile.events.get(name)))
  return [
    ...(isBroken ? [{ path, because: 'its "hooks" was set aside, which is not an object' }] : []),
    ...beside.map((name) => ({ path, because: `its ${name} was set aside, which belongs under "hooks"` })),
  ]
}
