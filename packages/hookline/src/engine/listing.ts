import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { type FunctionModule, MODULE_NOTICE } from '../config/modules.ts'
import { makeTrustedSnapshot } from '../config/snapshot.ts'
import { judgeStanding, makeSwitchKey, type Standing } from '../config/standing.ts'
import type { Session } from '../dispatch/pipe.ts'
import { findHookProfile, listHooksInOrder, makePolicy } from '../dispatch/session.ts'
import { DUPLICATES, type DuplicateRule } from '../match/duplicates.ts'
import { listKnownValues } from '../pattern/catalogue.ts'
import { canOverlap } from '../pattern/overlap.ts'
import { makeHookKey } from '../protocol/record/hook-key.ts'

/** A configured hook and what is settled about it before any event. */
export interface ListedHook {
  readonly hook: ConfiguredHook
  /** Short, stable name, which commands take in place of its id. */
  readonly key: string
  readonly standing: Standing
  /** Standing that it would have if it were trusted; null where that is not what keeps it from running. */
  readonly otherwise: Standing | null
  /** The hook that runs in its place whenever both match. */
  readonly duplicateOf: string | null
}

/** Every configured hook, in configuration order. */
export function listHooks(session: Session): ListedHook[] {
  const trusting = { ...session, snapshot: makeTrustedSnapshot(session.snapshot, session.options) }
  const listed = listHooksInOrder(session).flatMap((hook): PlacedHook[] => {
    const profile = findHookProfile(session, hook)
    const row = profile.events.get(hook.event)
    if (!row) return []
    const policy = makePolicy(session, profile)
    const standing = judgeStanding(hook, row, policy)
    const trusted = makePolicy(trusting, profile)
    const otherwise = standing.verdict === 'untrusted' ? judgeStanding({ ...hook, trust: 'none' }, row, trusted) : null
    return [{ hook, standing, otherwise, known: listKnownValues(row), rule: DUPLICATES[row.rules.duplicates] }]
  })
  return listed.map((one) => ({
    hook: one.hook,
    key: makeHookKey(one.hook.event, { ...one.hook.written, scope: one.hook.scope, matcher: one.hook.matcherText }),
    standing: one.standing,
    otherwise: one.otherwise,
    duplicateOf: findTwin(one, listed)?.hook.id ?? null,
  }))
}

/** A function hook of a plugin, and why it never runs here. */
export interface ListedModule extends Omit<FunctionModule, 'column'> {
  readonly type: 'module'
  readonly scope: 'plugin'
  readonly event: null
  readonly state: 'unsupported' | 'disabled' | 'policy-off'
  readonly because: string
}

/** Every function hook of the enabled plugins, in configuration order. Switches silence them in Claude Code too. */
export function listModules({ snapshot }: Session): ListedModule[] {
  const { switches, configuration } = snapshot
  const off = switches.policyOff ?? switches.only.find(({ scopes }) => !scopes.includes('plugin'))?.file ?? null
  return configuration.modules.map(({ column: _column, ...module }): ListedModule => {
    const listed = { type: 'module', event: null, scope: 'plugin', ...module } as const
    if (off !== null) return { ...listed, state: 'policy-off', because: `${off} switches it off` }
    if (switches.disabled !== null)
      return { ...listed, state: 'disabled', because: `disableAllHooks is set in ${switches.disabled}` }
    return { ...listed, state: 'unsupported', because: MODULE_NOTICE }
  })
}

/** The ids of the hooks that a word names: an id itself, or the key of one hook or of several copies. */
export function findIds(word: string, hooks: readonly ListedHook[]): string[] {
  return hooks.filter(({ hook, key }) => hook.id === word || key === word).map(({ hook }) => hook.id)
}

/** Switches a hook off for the session, or on again; policy's hooks stay on. Whether there was something to switch. */
export function switchHook(session: Session, id: string, off: boolean): boolean {
  const listed = listHooks(session).find(({ hook }) => hook.id === id)
  if (!listed || listed.hook.scope === 'managed') return false
  const key = makeSwitchKey(listed.hook)
  if (off) session.switchedOff.add(key)
  else session.switchedOff.delete(key)
  session.listeners.clear()
  return true
}

/** Names the state of a listed hook: `active`, `duplicate`, or why it never runs. */
export function nameState({ standing, duplicateOf }: ListedHook): Standing['verdict'] | 'duplicate' {
  return standing.verdict === 'active' && duplicateOf !== null ? 'duplicate' : standing.verdict
}

/** True if the user should look at a hook: it never runs as it stands, or was warned about. */
export function isAttentionNeeded(listed: ListedHook): boolean {
  return nameState(listed) !== 'active' || listed.hook.warnings.length > 0
}

interface PlacedHook extends Omit<ListedHook, 'duplicateOf' | 'key'> {
  /** Values that its matcher may be tested against. */
  readonly known: readonly string[]
  /** Rule about duplicates of its profile. */
  readonly rule: DuplicateRule
}

/** The one of several equal hooks that runs when one event concerns both. */
function findTwin(one: PlacedHook, all: readonly PlacedHook[]): PlacedHook | undefined {
  const { key, kept } = one.rule
  if (one.standing.verdict !== 'active' || isFault(one.hook.handler)) return undefined
  const equal = all.filter(
    ({ hook, standing }) =>
      standing.verdict === 'active' &&
      hook.event === one.hook.event &&
      hook.reading === one.hook.reading &&
      key(hook) === key(one.hook) &&
      canOverlap(hook, one.hook, one.known),
  )
  const [first, ...others] = equal
  if (first === undefined) return undefined
  const running = kept([first, ...others])
  return running.hook === one.hook ? undefined : running
}
