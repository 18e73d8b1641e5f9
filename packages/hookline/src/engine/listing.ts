import { type ConfiguredHook, isFault } from '../config/hook.ts'
import { type FunctionModule, MODULE_NOTICE } from '../config/modules.ts'
import { makeTrustedSnapshot } from '../config/snapshot.ts'
import { judgeStanding, makeSwitchKey, type Standing } from '../config/standing.ts'
import { acceptInput, findRow } from '../dispatch/accept-event.ts'
import type { Session } from '../dispatch/pipe.ts'
import { findHookProfile, findListeners, listHooksInOrder, makePolicy } from '../dispatch/session.ts'
import { DUPLICATES, type DuplicateRule } from '../match/duplicates.ts'
import { plan } from '../match/plan.ts'
import { listKnownValues } from '../pattern/catalogue.ts'
import { findOverlaps } from '../pattern/overlap.ts'
import type { EventInput } from '../protocol/event-input.ts'
import { makeHookKey } from '../protocol/record/hook-key.ts'
import type { HookLine } from '../protocol/record/record.ts'

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
  const twins = findTwins(listed)
  return listed.map((one) => ({
    hook: one.hook,
    key: makeHookKey(one.hook.event, { ...one.hook.written, scope: one.hook.scope, matcher: one.hook.matcherText }),
    standing: one.standing,
    otherwise: one.otherwise,
    duplicateOf: twins.get(one)?.hook.id ?? null,
  }))
}

/** A hook of an event, and what keeps it from running, if anything does. */
export interface ListeningHook {
  readonly hook: ConfiguredHook
  readonly verdict: 'active' | HookLine['verdict']
}

/** True if a hook that can run listens to an event of a name, or if the event would wait for one. */
export function isListenedTo(session: Session, event: string | EventInput): boolean {
  if (typeof event === 'string') {
    for (const { verdict } of listListeners(session, event)) if (verdict === 'active') return true
    return false
  }
  const { row, input } = acceptInput(session, event)
  return plan(findListeners(session, row, input), input).runs.some(({ hook }) => hook.waits)
}

/** The hooks that are configured for an event, in configuration order, those of subagents last. From the index that dispatching uses. */
export function listListeners(session: Session, event: string): ListeningHook[] {
  const row = findRow(session.snapshot, event)
  if (row === undefined) return []
  const all = [...findListeners(session, row, {} as EventInput)] // the loop is all that is asked
  for (const agent of session.loopHooks?.listAgents() ?? [])
    all.push(...findListeners(session, row, { agent_id: agent } as unknown as EventInput))
  const listening = new Map<ConfiguredHook, ListeningHook>()
  for (const { hooks, missLines } of all)
    for (const [at, hook] of hooks.entries()) {
      const verdict = missLines[at]?.verdict
      if (verdict !== undefined) listening.set(hook, { hook, verdict: verdict === 'matcher-miss' ? 'active' : verdict })
    }
  return [...listening.values()]
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

/** A listed hook, with what keeps it from starting; null: nothing that is known. */
export interface StartableHook extends ListedHook {
  readonly cannotStart: string | null
}

/** Joins a listed hook with the fault of its program: a hook that is active, or will be once it is trusted, may still not start. */
export function withStart(listed: ListedHook, faults: ReadonlyMap<string, string>): StartableHook {
  const isNext = nameState(listed) === 'active' || listed.otherwise?.verdict === 'active'
  return { ...listed, cannotStart: (isNext && faults.get(listed.hook.id)) || null }
}

/** Explains why a hook never runs as it stands; null for one that does. */
export function explainNotRun({ standing, otherwise, duplicateOf, cannotStart }: StartableHook): string | null {
  if (otherwise !== null)
    return `not trusted in Hookline yet; otherwise: ${describeStandingOtherwise(otherwise, cannotStart)}`
  if ('because' in standing) return standing.because
  if (cannotStart !== null) return cannotStart
  return duplicateOf === null ? null : `runs the same as ${duplicateOf}`
}

function describeStandingOtherwise(standing: Standing, cannotStart: string | null): string {
  if (cannotStart !== null) return `cannot start (${cannotStart})`
  return 'because' in standing ? `${standing.verdict} (${standing.because})` : standing.verdict
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

/** The hooks that run in place of others when one event concerns both. Hooks that run the same are compared among themselves alone. */
function findTwins(all: readonly PlacedHook[]): Map<PlacedHook, PlacedHook> {
  const groups = new Map<string, PlacedHook[]>()
  for (const one of all) {
    const { event, reading, handler } = one.hook
    if (one.standing.verdict !== 'active' || isFault(handler)) continue
    const name = JSON.stringify([event, reading, one.rule.key(one.hook)])
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return new Map([...groups.values()].flatMap((group) => (group.length === 1 ? [] : findTwinsInGroup(group))))
}

function findTwinsInGroup(group: readonly PlacedHook[]): [PlacedHook, PlacedHook][] {
  const byMatcher = new Map<string | null, PlacedHook[]>()
  for (const one of group) {
    const same = byMatcher.get(one.hook.matcherText)
    if (same) same.push(one)
    else byMatcher.set(one.hook.matcherText, [one])
  }
  const matchers = [...byMatcher.values()]
  const firsts = matchers.flatMap(([first]) => first ?? [])
  const overlaps = findOverlaps(
    firsts.map(({ hook }) => hook),
    firsts[0]?.known ?? [],
  )
  const order = new Map(group.map((one, at) => [one, at]))
  const findPlace = (one: PlacedHook): number => order.get(one) ?? 0
  return matchers.flatMap((own, at) => {
    const met = (overlaps[at] ?? [])
      .flatMap((other) => matchers[other] ?? [])
      .sort((a, b) => findPlace(a) - findPlace(b))
    const [first, ...others] = met
    const running = first?.rule.kept([first, ...others])
    return running === undefined
      ? []
      : own.flatMap((one) => (one === running ? [] : [[one, running] as [PlacedHook, PlacedHook]]))
  })
}
