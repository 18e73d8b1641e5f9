import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { type Standing, standingOf, switchKey } from '../config/standing.ts'
import { hooksInOrder, policyOf, profileOfHook, type Session } from '../dispatch/session.ts'
import { DUPLICATES, type DuplicateRule } from '../match/duplicates.ts'
import { knownValues } from '../pattern/catalogue.ts'
import { overlap } from '../pattern/overlap.ts'

/** A configured hook and what is settled about it before any event. */
export interface ListedHook {
  readonly hook: ConfiguredHook
  readonly standing: Standing
  /** The hook that runs in its place whenever both match. */
  readonly duplicateOf: string | null
}

/** Every configured hook, in configuration order. */
export function listHooks(session: Session): ListedHook[] {
  const listed = hooksInOrder(session).flatMap((hook): Placed[] => {
    const profile = profileOfHook(session, hook)
    const row = profile.events.get(hook.event)
    const standing = row && standingOf(hook, row, policyOf(session, profile))
    return standing ? [{ hook, standing, known: knownValues(row), rule: DUPLICATES[row.rules.duplicates] }] : []
  })
  return listed.map((one) => ({
    hook: one.hook,
    standing: one.standing,
    duplicateOf: twinOf(one, listed)?.hook.id ?? null,
  }))
}

/** Switches a hook off for the session, or on again; policy's hooks stay on. Whether there was something to switch. */
export function switchHook(session: Session, id: string, off: boolean): boolean {
  const listed = listHooks(session).find(({ hook }) => hook.id === id)
  if (!listed || listed.hook.scope === 'managed') return false
  const key = switchKey(listed.hook)
  if (off) session.switchedOff.add(key)
  else session.switchedOff.delete(key)
  session.listeners.clear()
  return true
}

/** What a listed hook's state is called: `active`, `duplicate`, or why it never runs. */
export function stateOf({ standing, duplicateOf }: ListedHook): Standing['verdict'] | 'duplicate' {
  return standing.verdict === 'active' && duplicateOf !== null ? 'duplicate' : standing.verdict
}

/** Whether the user should look at a hook: it never runs as it stands, or was warned about. */
export function needsAttention(listed: ListedHook): boolean {
  return stateOf(listed) !== 'active' || listed.hook.warnings.length > 0
}

interface Placed extends Omit<ListedHook, 'duplicateOf'> {
  /** Values that its matcher may be tested against. */
  readonly known: readonly string[]
  /** When another hook of its profile is its duplicate. */
  readonly rule: DuplicateRule
}

/** The one of several equal hooks that runs when one event concerns both. */
function twinOf(one: Placed, all: readonly Placed[]): Placed | undefined {
  const { key, kept } = one.rule
  if (one.standing.verdict !== 'active' || isFault(one.hook.handler)) return undefined
  const equal = all.filter(
    ({ hook, standing }) =>
      standing.verdict === 'active' &&
      hook.event === one.hook.event &&
      hook.profile === one.hook.profile &&
      key(hook) === key(one.hook) &&
      overlap(hook, one.hook, one.known),
  )
  const [first, ...others] = equal
  if (first === undefined) return undefined
  const running = kept([first, ...others])
  return running.hook === one.hook ? undefined : running
}
