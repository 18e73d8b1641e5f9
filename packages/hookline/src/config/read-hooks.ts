import {
  ALL,
  compileMatcher,
  hasEmptyName,
  isLikeExpression,
  type Matcher,
  parseListedNames,
} from '../pattern/matcher.ts'
import type { BadPattern } from '../pattern/regex.ts'
import { formatMisfit } from '../protocol/check.ts'
import { makeCheck } from '../protocol/checker.ts'
import { type EventRow, isGuardingCalls } from '../protocol/event-row.ts'
import {
  findFieldElsewhere,
  findOtherProfileWithType,
  isChangingStart,
  listFieldsInFiles,
  listTypesInFiles,
} from '../protocol/hook-fields.ts'
import type { EntryFault, Handler, HookField, HookText, HookType } from '../protocol/hook-type.ts'
import { describeOwner, describeUnknownEvent, type ProfileInForce } from '../protocol/other-profiles.ts'
import { type CompleteProfile, makeProfileKey } from '../protocol/profile.ts'
import { KNOWN_HOOK_TYPES } from '../protocol/profiles.ts'
import type { ProtocolRules } from '../protocol/rules.ts'
import type { Scope } from '../protocol/scope.ts'
import { unwrapEntry } from '../protocol/wrapped-command.ts'
import type { Condition } from '../rule/condition.ts'
import { redactAddress } from '../text/address.ts'
import { removeControls } from '../text/clean.ts'
import { clipName, findNearest, formatSuggestion } from '../text/nearest.ts'
import { type ConfiguredHook, type Fault, isFault, type WrittenHook } from './hook.ts'
import { findUsesInGroup } from './other-profile-use.ts'
import {
  isReadingRule,
  makeProblem,
  NAMING_NOTHING_TO_RUN,
  type Problem,
  READING_RULES,
  type ReadingRule,
} from './problem.ts'
import { isComponentScope } from './scopes.ts'
import {
  findCopies,
  listRepeatedKeys,
  type Place,
  type RepeatedKey,
  type SourceField,
  type SourceNode,
} from './source.ts'

/** Origin of a set of hooks. */
export interface Origin {
  readonly scope: Scope
  /** The plugin's or component's name, which their ids carry. */
  readonly name: string | null
  /** For showing. */
  readonly file: string | null
  readonly pluginRoot: string | null
  readonly needsTrust: boolean
  /** An agent that is the session's own, not a subagent. */
  readonly isMainAgent?: boolean
}

/** The fields a group may have. */
export const GROUP_FIELDS: readonly string[] = ['matcher', 'description', 'hooks']

/** The most problems that are reported of one file; more would not help its author. */
const MAX_PROBLEMS = 100

/** Hooks in file order, and everything that is wrong with them. */
export interface ReadHooks {
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly Problem[]
}

/** Reports a problem of the file; reading goes on. */
export type Report = (
  place: Place,
  rule: ReadingRule,
  message: string | (() => string),
  more?: { readonly severity: Problem['severity'] },
) => void

/** Counts the groups of one scope and event over all its files, so that every id is given once. */
export type GroupCounter = Map<string, number>

/** Inputs of reading hooks. */
interface HooksReading {
  readonly profile: CompleteProfile
  readonly counter?: GroupCounter
  /** The hook types that may be named; those that files may hold by default. */
  readonly types?: readonly string[] | undefined
}

/** Reads a `hooks` object entry by entry: a malformed one is set aside and reported, the others are kept. */
export async function readHooks(
  node: SourceNode,
  origin: Origin,
  { profile, counter = new Map(), types }: HooksReading,
): Promise<ReadHooks> {
  const problems: Problem[] = []
  const report: Report = ({ line, column }, rule, message, more) => {
    if (problems.length >= MAX_PROBLEMS) return
    const words = removeControls(typeof message === 'string' ? message : message())
    problems.push({ ...makeProblem(origin.file ?? '(in memory)', { rule, line, column, message: words }), ...more })
  }
  const hooks: ConfiguredHook[] = []
  if (!node.fields)
    report(
      node,
      'V-HK-02',
      '"hooks" must be an object that maps event names to lists of groups.',
      gradeEmpty(node, profile),
    )
  for (const [name, field] of node.fields ?? []) {
    const row = profile.events.get(name)
    if (row)
      for (const copy of findCountedCopies(node, name, { profile, origin }))
        hooks.push(...(await readEvent({ ...field, node: copy }, row, origin, { profile, counter, types, report })))
    else if (!isCommentKey(name))
      report(field.key, 'V-HK-03', () => describeUnknownEvent(name, profile, findProfileInForce(profile, origin)))
  }
  return { hooks, problems }
}

/** Grades a value where a list or object should be: of null the client takes no notice. */
function gradeEmpty({ value }: SourceNode, { rules }: CompleteProfile): { readonly severity: 'error' | 'warning' } {
  return { severity: value === null && rules.misfits === 'as-the-client' ? 'warning' : 'error' }
}

/** Grades a command or prompt without a word in it: the client loads the hook, and it does nothing. */
function gradeEmptyText(
  rule: ReadingRule,
  { value }: SourceNode,
  { rules }: CompleteProfile,
): { readonly severity: 'error' | 'warning' } | undefined {
  if (value !== '' || rules.misfits !== 'as-the-client') return undefined
  return NAMING_NOTHING_TO_RUN.has(rule) ? { severity: 'warning' } : undefined
}

/** Finds the copies of a member whose hooks run: in files that need no trust all of them, since a guard must not vanish; else the last. */
export function findCountedCopies(
  node: SourceNode,
  name: string,
  { profile, origin }: { readonly profile: CompleteProfile; readonly origin: Pick<Origin, 'needsTrust'> },
): readonly SourceNode[] {
  const last = node.fields?.get(name)?.node
  if (last === undefined) return []
  const isAll = node.repeated !== undefined && profile.rules.repeatedHooks === 'all' && !origin.needsTrust
  return isAll ? findCopies(node, name) : [last]
}

/** Finds the profile that counts for an origin. A project's files follow its choice, all others the user's. */
function findProfileInForce({ name }: CompleteProfile, { needsTrust }: Origin): ProfileInForce {
  return { profile: name, isUsers: !needsTrust }
}

const COMMENT_KEYS = ['id', 'name', 'description']

/** True if only people read a key: nothing is meant by it, whatever it says. */
export function isCommentKey(name: string): boolean {
  return COMMENT_KEYS.includes(name) || (/^(?:_|\/\/|#)/.test(name) && name !== '__proto__')
}

async function readEvent(
  { key, node }: SourceField,
  row: EventRow,
  origin: Origin,
  { profile, counter, types, report }: HooksReading & { counter: GroupCounter; report: Report },
): Promise<ConfiguredHook[]> {
  const misplaced = isComponentScope(origin.scope) && !(row.component && (row.inAgents || origin.scope !== 'agent'))
  if (misplaced) report(key, 'V-HK-03', `${row.name} cannot be used in frontmatter.${listComponentEvents(profile)}`)
  if (!node.items) report(node, 'V-HK-04', `${row.name} must be a list of groups.`, gradeEmpty(node, profile))

  const makeFieldFault = misplaced || !node.items ? describeMisplacedEvent(row, misplaced) : null
  const isSubagent = origin.isMainAgent !== true || row.rules.scopes.mainAgent === 'as-subagent'
  const event = (origin.scope === 'agent' && isSubagent ? row.inAgent : null) ?? row.name
  const hooks: ConfiguredHook[] = []
  for (const group of node.items ?? listGroups(node, profile)) {
    const label = origin.name === null ? `${origin.scope}:${event}` : `${origin.scope}:${origin.name}:${event}`
    const index = counter.get(label) ?? 0
    counter.set(label, index + 1)
    const reader = profile.twin === undefined ? profile : chooseReader(group, row, profile)
    const reading: GroupReading = {
      row: reader.events.get(row.name) ?? row,
      event,
      origin,
      label: `${label}:${index}`,
      report,
      profile: reader,
      types: types ?? listTypesInFiles(reader.hookTypes),
    }
    for (const hook of await readGroup(group, reading, makeFieldFault)) hooks.push(hook)
  }
  return hooks
}

/** The groups of an event; what stands in the place of their list is one, but for null where the client takes no notice of it. */
export function listGroups(node: SourceNode, { rules }: CompleteProfile): readonly SourceNode[] {
  if (node.items) return node.items
  return node.value === null && rules.misfits === 'as-the-client' ? [] : [node]
}

/** The profile that reads a group: where no one chose between two, the leading one, unless only the other one can. */
function chooseReader(group: SourceNode, row: EventRow, profile: CompleteProfile): CompleteProfile {
  const { twin } = profile
  if (twin === undefined) return profile
  const inOrder = row.rules === twin.rules ? [twin, profile] : [profile, twin]
  let able: CompleteProfile | undefined
  for (const reader of inOrder) {
    const { name, rules } = reader
    if (!hasKnownForm(group, rules)) continue
    if (findUsesInGroup(group, { name, hookTypes: KNOWN_HOOK_TYPES[name] ?? {} }).length === 0) return reader
    able ??= reader
  }
  return able ?? profile
}

/** True if a protocol knows the form in which a group is written: without a list of hooks, or with an expression. */
function hasKnownForm({ fields }: SourceNode, { flatHooks, matchers }: ProtocolRules): boolean {
  const matcher = fields?.get('matcher')?.node.value
  const isExpression = typeof matcher === 'string' && isLikeExpression(matcher)
  return (fields?.has('hooks') || flatHooks === 'read') && (!isExpression || matchers.expressions === 'read')
}

function describeMisplacedEvent({ name }: EventRow, misplaced: boolean): string {
  return misplaced ? `${name} cannot be used in frontmatter` : 'the event has no list of groups'
}

function listComponentEvents(profile: CompleteProfile): string {
  const names = [...profile.events.values()].filter(({ component }) => component).map(({ name }) => name)
  return ` Only ${names.join(', ')} can.`
}

/** Place of a group, as reading it needs to know it. */
interface GroupReading {
  /** The event as written. */
  readonly row: EventRow
  /** The event it is for, which differs from the written one in an agent. */
  readonly event: string
  readonly origin: Origin
  /** The part of the hooks' ids that names the group. */
  readonly label: string
  readonly report: Report
  readonly profile: CompleteProfile
  /** The hook types that may be named. */
  readonly types: readonly string[]
}

/** Fields that all hooks of a group share. */
interface GroupShare {
  readonly matcherText: string | null
  readonly matcher: Matcher
  readonly warnings: readonly string[]
  /** Reason why none of its hooks can run. */
  readonly fault: string | null
  /** The fault is in its matcher, so it is unknown which events it is for. */
  readonly unreadable: boolean
  /** The matcher is one that the client runs, and that cannot be decided here. */
  readonly undecided: boolean
  /** The group holds a key twice, for which its hooks are set aside. */
  readonly ambiguous: boolean
}

/** Reads a group, or an entry that is a hook and its group in one. Gives at least one hook, unless its list is empty. */
async function readGroup(node: SourceNode, reading: GroupReading, fault: string | null): Promise<ConfiguredHook[]> {
  const hooks = node.fields?.get('hooks')?.node
  const mayBeFlat = reading.row.rules.flatHooks === 'read' && hooks === undefined
  const flat = mayBeFlat ? findFlatType(node, reading) : null
  const share = await readShare(node, reading, fault)
  if (flat !== null) return [readHook(node, { ...reading, share, index: 0, flat })]
  if (hooks !== undefined || !isLoneHook(node, reading)) reportUnknownFields(node, reading)
  const isUnclear = share.ambiguous && isRefusedPolicy(reading)
  if (hooks?.items && (hooks.items.length > 0 || !isUnclear)) {
    const readCondition = await loadConditionReader(hooks.items, reading)
    const read: ConfiguredHook[] = []
    for (const [index, hook] of hooks.items.entries())
      read.push(readHook(hook, { ...reading, share, index, flat, readCondition }))
    return read
  }
  if (share.fault === null) reading.report(hooks ?? node, 'V-HK-04', describeMissingList(node, reading))
  const broken = { ...share, fault: share.fault ?? 'the group has no "hooks" list' }
  return [readHook(node, { ...reading, share: broken, index: 0, flat })]
}

/** Describes a group that has no list of hooks: it may be a hook that stands where its group should. */
function describeMissingList(node: SourceNode, reading: GroupReading): string {
  if (!isLoneHook(node, reading)) return 'A group needs a "hooks" list.'
  return 'A hook belongs in a group. Write { "matcher": …, "hooks": [{ "type": …, … }] }.'
}

/** True for a hook that stands where its group should. */
function isLoneHook({ fields }: SourceNode, { profile: { hookTypes }, types }: GroupReading): boolean {
  if (fields?.has('hooks') !== false) return false
  const telling = types.flatMap((type) => hookTypes[type]?.required ?? [])
  return telling.some((name) => fields.has(name))
}

/** Loads the reader of conditions; most have none, and load nothing for it. */
async function loadConditionReader(
  hooks: readonly SourceNode[],
  { profile }: GroupReading,
): Promise<HookReading['readCondition']> {
  let isNeeded = false
  for (const { fields } of hooks) isNeeded ||= fields?.has(CONDITION) === true
  isNeeded &&= listFieldsInFiles(profile.hookTypes).has(CONDITION)
  if (!isNeeded) return undefined
  const { isAboutEffects, readCondition } = await import('../rule/condition.ts')
  if (!hooks.some(({ fields }) => isAboutEffects(fields?.get(CONDITION)?.node.value))) return readCondition
  const effects = await import('../rule/effect-match.ts')
  return (text) => readCondition(text, effects)
}

/** The field that holds a condition. */
const CONDITION = 'if'

/** The type of an entry that is a hook and its group in one; null when it is not. */
function findFlatType({ fields }: SourceNode, { profile: { hookTypes }, types }: GroupReading): string | null {
  const isMeant = (type: string): boolean =>
    hookTypes[type]?.flat === true && hookTypes[type].required.every((name) => fields?.has(name))
  return types.find(isMeant) ?? null
}

async function readShare(
  node: SourceNode,
  { row, origin, report, profile }: GroupReading,
  outer: string | null,
): Promise<GroupShare> {
  const ambiguity = node.repeated === undefined ? null : describeAmbiguity(node.repeated, origin, profile)
  const makeFieldFault = outer ?? ambiguity
  const ambiguous = ambiguity !== null
  const written = node.fields?.get('matcher')?.node
  const text = written?.value ?? null
  const matcherText = typeof text === 'string' ? text : null
  const share = {
    matcherText,
    matcher: ALL,
    warnings: [],
    fault: makeFieldFault,
    unreadable: false,
    undecided: false,
    ambiguous,
  }
  const isAbsent = written === undefined || (text === null && row.rules.matchers.nulls === 'absent')
  const isRepeated = ambiguous && findCopies(node, 'matcher').length > 1
  if (isAbsent || isRepeated || row.matchOn === null) return share
  if (matcherText === null) {
    const meant = Array.isArray(text) && text.every((name) => typeof name === 'string') ? text.join('|') : null
    const makeHint = meant === null ? '' : `; names are separated by "|": ${JSON.stringify(meant)}`
    report(written, 'V-HK-09', `A matcher must be a string${makeHint}.`)
    return {
      ...share,
      fault: makeFieldFault ?? `its matcher is not a string${makeHint}`,
      unreadable: makeFieldFault === null,
    }
  }
  const compiled = await compileMatcher(matcherText, row)
  if ('problem' in compiled) {
    const isElsewhere = compiled.isPatternElsewhere === true && row.rules.matchers.lookAround !== 'none'
    report(
      { line: written.line, column: written.column + 1 + compiled.offset },
      isElsewhere ? 'V-HK-32' : 'V-HK-09',
      () => describeBadMatcher(compiled, { isElsewhere, field: row.matchOn }),
    )
    const isOwn = makeFieldFault === null
    return {
      ...share,
      fault: makeFieldFault ?? `its matcher ${compiled.problem}`,
      unreadable: isOwn,
      undecided: isOwn && isElsewhere,
    }
  }
  const warnings = hasEmptyName(matcherText, row)
    ? [`The matcher ${JSON.stringify(matcherText)} has an empty name in its list.`]
    : []
  for (const warning of warnings) report(written, 'V-HK-30', warning)
  return { ...share, matcher: compiled, warnings }
}

function describeBadMatcher(
  { problem, isPatternElsewhere }: BadPattern,
  { isElsewhere, field }: { isElsewhere: boolean; field: string | null },
): string {
  const so = isElsewhere ? ': Claude Code runs its hooks, and here they are set aside' : ''
  const instead = ` List the names that are meant, as in "Edit|Write", or match everything and look at ${field} in the hook.`
  return `The matcher ${problem}${so}.${isPatternElsewhere ? instead : ''}`
}

function reportUnknownFields(node: SourceNode, { profile, report }: GroupReading): void {
  for (const [name, { key }] of node.fields ?? []) {
    if (GROUP_FIELDS.includes(name) || isCommentKey(name)) continue
    const makeHint = (): string =>
      listFieldsInFiles(profile.hookTypes).has(name)
        ? ' It belongs on the hooks inside.'
        : formatSuggestion(name, GROUP_FIELDS)
    const isNearMiss = findNearest(name, GROUP_FIELDS) !== undefined
    const runs = isNearMiss ? '' : ' The group runs all the same.'
    const makeMessage = (): string => `"${clipName(name)}" is not a field of a group.${makeHint()}${runs}`
    report(key, 'V-HK-17', makeMessage, gradeIgnored(profile, { isNearMiss }))
  }
}

/** Grades a field that the client ignores. */
function gradeIgnored({ rules }: CompleteProfile, { isNearMiss }: { readonly isNearMiss: boolean }) {
  return { severity: isNearMiss || rules.ignoredFields === 'error' ? 'error' : 'warning' } as const
}

/** True for a field of another type of hook, or of another profile: no misspelling of one of this type. */
function isKnownElsewhere(name: string, profile: CompleteProfile): boolean {
  return listFieldsInFiles(profile.hookTypes).has(name) || findFieldElsewhere(name, profile.name) !== null
}

/** The most problems that are reported of one hook. */
const MAX_HOOK_WARNINGS = 20

/** True if a timeout was most likely meant in milliseconds: it is that many, and thousands of them, or not whole minutes. */
function isLikeMilliseconds(timeout: unknown): timeout is number {
  return typeof timeout === 'number' && timeout >= 1000 && (timeout % 1000 === 0 || timeout % 60 !== 0)
}

interface HookReading extends GroupReading {
  readonly share: GroupShare
  readonly index: number
  /** The type of an entry that is a hook and its group in one; null: it is in a group's list. */
  readonly flat: string | null
  /** Reads a condition; undefined where no hook of the group has one. */
  readonly readCondition?: ((text: string) => Condition) | undefined
}

/** Reads one hook. A bad optional field falls back to its default with a warning; without what it runs it is a fault. */
function readHook(node: SourceNode, reading: HookReading): ConfiguredHook {
  const { share, origin, label, index } = reading
  const warnings: string[] = [...share.warnings]
  const repeated = listRepeatedKeys(node)
  const ambiguity = repeated.length === 0 ? null : describeAmbiguity(repeated, origin, reading.profile)
  const makeFieldFault = share.fault ?? ambiguity
  const isRefusing = (share.ambiguous || ambiguity !== null) && isRefusedPolicy(reading)
  const written = toWrittenHook(node, reading)
  const type = findHookType(written.type, reading)
  const sound = makeFieldFault === null ? readSoundFields(node, { type, reading, warnings }) : {}
  const handler =
    makeFieldFault === null
      ? readHandler(node, { type, sound, reading })
      : { ...makeFaultyHook(makeFieldFault, node, reading), ...(isRefusing && REFUSING) }
  const id = `${label}:${index}`
  const { readCondition } = reading
  const condition = readCondition === undefined ? null : readHookCondition(sound[CONDITION], readCondition)
  if (condition !== null && condition.fault !== null)
    reading.report(node.fields?.get(CONDITION)?.node ?? node, 'V-HK-09', `The "if" never holds: ${condition.fault}`)
  return Object.freeze({
    id,
    event: reading.event,
    scope: origin.scope,
    profile: reading.profile.name,
    reading: makeProfileKey(reading.profile),
    file: origin.file,
    line: origin.file === null ? null : node.line,
    matcherText: share.matcherText,
    matcher: isFault(handler) && handler.elsewhere !== null ? keepMatcherElsewhere(share) : share.matcher,
    condition,
    written: Object.freeze(written),
    shown: isFault(handler) || type === null ? formatWritten(written) : type.shown(handler),
    handler,
    identity: isFault(handler) || type === null ? id : makeIdentity(id, type, { handler, condition }),
    waits: type === null || findBackgroundField(type, sound) === undefined,
    timeout: typeof sound.timeout === 'number' ? sound.timeout : null,
    statusMessage: typeof sound.statusMessage === 'string' ? sound.statusMessage : null,
    once: sound.once === true,
    blocksOnFailure: sound.onFailure === 'block',
    rewake: sound.asyncRewake === true ? readRewake(sound) : null,
    pluginRoot: origin.pluginRoot,
    trust: origin.needsTrust ? 'project' : 'none',
    warnings: Object.freeze(warnings),
  })
}

/** Reads what a hook that wakes the model says about it. */
function readRewake({ rewakeMessage, rewakeSummary }: Record<string, unknown>): ConfiguredHook['rewake'] {
  return {
    message: typeof rewakeMessage === 'string' ? rewakeMessage : null,
    summary: typeof rewakeSummary === 'string' ? rewakeSummary : null,
  }
}

/** Reason why an entry that holds a key twice cannot run: another reader may show or run the other one. */
function describeAmbiguity([first]: readonly RepeatedKey[], origin: Origin, profile: CompleteProfile): string | null {
  const isSetAside = origin.needsTrust || profile.rules.repeatedFields === 'set-aside'
  return first && isSetAside ? `it has "${clipName(first.key)}" twice` : null
}

/** Mark of an entry without which the calls it was to guard are refused. */
const REFUSING = { refuses: true } as const

/** True if calls are refused where an entry that was to guard them is set aside since it holds a key twice. */
function isRefusedPolicy({ origin, row, profile }: GroupReading): boolean {
  return origin.scope === 'managed' && profile.rules.repeatedPolicy === 'counted' && isGuardingCalls(row)
}

/** Reads its type, and every field that says what a hook of some type runs. */
function toWrittenHook({ value }: SourceNode, { flat, profile: { hookTypes }, types }: HookReading): WrittenHook {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const telling = new Set<string>()
  for (const type of types) {
    const { required = [], fields: ofType = {} } = hookTypes[type] ?? {}
    for (const name of required) telling.add(name)
    for (const name in ofType) if (ofType[name]?.start === 'what') telling.add(name)
  }
  const known = listFieldsInFiles(hookTypes)
  const told: Record<string, unknown> = {}
  for (const name of telling) {
    const text = fields[name]
    if (known.get(name)?.usual?.includes(text) || !isTelling(text)) continue
    told[name] = typeof text === 'string' && known.get(name)?.isAddress ? redactAddress(text) : text
  }
  const written = { type: typeof fields.type === 'string' ? fields.type : flat, ...told }
  const wrapped = unwrapEntry(fields)
  if (wrapped === null) return written
  const { command, args } = wrapped
  return { ...written, command, ...(args === undefined ? {} : { args }), wrapped: true }
}

const isTelling = (text: unknown): text is string | readonly string[] =>
  typeof text === 'string' || (Array.isArray(text) && text.every((part) => typeof part === 'string'))

function findHookType(name: string | null, { profile: { hookTypes }, types }: HookReading): HookType | null {
  return (name !== null && types.includes(name) && hookTypes[name]) || null
}

/** Words for a hook that cannot be run, as far as it says something. */
function formatWritten({ type, wrapped, ...telling }: WrittenHook): HookText {
  const texts = [wrapped && '(wrapped)', ...Object.values(telling)].flatMap((text) => text ?? [])
  return { name: '', text: texts.join(' ') || (type ?? 'nothing') }
}

function makeIdentity(
  id: string,
  type: HookType,
  { handler, condition }: { handler: Handler; condition: Condition | null },
): string {
  const what = type.identity(handler)
  if (what === null) return id
  return JSON.stringify(condition === null ? [handler.type, what] : [handler.type, what, condition.text])
}

/** The rule that a call has to fit; an empty one says nothing. */
function readHookCondition(text: unknown, readCondition: (text: string) => Condition): Condition | null {
  return typeof text === 'string' && text !== '' ? readCondition(text) : null
}

/** The field that sends a hook to the background; undefined: none does. */
function findBackgroundField({ fields }: HookType, sound: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in fields) if (fields[name]?.background && sound[name] === true) return name
  return undefined
}

/** The fields whose values can be used; of the others a warning is told and the default holds. */
function readSoundFields(
  node: SourceNode,
  { type, reading, warnings }: { type: HookType | null; reading: HookReading; warnings: string[] },
): Record<string, unknown> {
  const { flat, origin, profile, row, report } = reading
  const known = listKnownFields(type, reading)
  const sound: Record<string, unknown> = {}
  for (const [name, { key, node: field }] of node.fields ?? []) {
    const isOwn = name === 'type' || type?.fields[name] !== undefined
    if (known.has(name) && (isOwn || !isOfOtherType(name, type, reading))) sound[name] = field.value
    else if (isOfTypeElsewhere(name, node, reading)) continue
    else if ((flat === null || !GROUP_FIELDS.includes(name)) && !isCommentKey(name)) {
      const makeMessage = (): string => describeStrangeField(name, field.value, reading)
      const isNearMiss = findNearest(name, Object.keys(type?.fields ?? {})) !== undefined
      report(
        key,
        'V-HK-16',
        makeMessage,
        gradeIgnored(profile, { isNearMiss: isNearMiss && !isKnownElsewhere(name, profile) }),
      )
      if (warnings.length < MAX_HOOK_WARNINGS) warnings.push(removeControls(makeMessage()))
    }
  }
  const setAside = (name: string, message: string): void => {
    const rule = known.get(name)?.rule ?? ''
    report(node.fields?.get(name)?.node ?? node, isReadingRule(rule) ? rule : 'V-HK-16', message)
    warnings.push(removeControls(message))
    delete sound[name]
  }
  const otherwise = row.rules.misfits === 'entry' ? '; its default holds' : ''
  for (const [name, { shape }] of Object.entries(type?.fields ?? {})) {
    if (sound[name] === undefined || type?.required.includes(name)) continue
    if (type?.fields[name]?.misfit === 'invalid') continue // told with the hook itself
    const [misfit] = makeCheck(shape)(sound[name])
    if (misfit) setAside(name, `${formatMisfit({ ...misfit, path: [name, ...misfit.path] })}${otherwise}.`)
  }
  if (sound.timeout !== undefined && isLikeMilliseconds(sound.timeout)) {
    const field = node.fields?.get('timeout')?.node ?? node
    report(field, 'V-HK-12', `timeout is in seconds; ${sound.timeout} looks like milliseconds.`)
  }
  const { countsIn } = row.rules.once
  if (sound.once === true && !countsIn.includes(origin.scope)) {
    setAside('once', `once counts in ${formatScopes(countsIn)} only; the hook runs each time.`)
  }
  for (const [name, field] of known) {
    if (sound[name] !== undefined && type?.fields[name] === undefined && isIgnoredElsewhere(field))
      setAside(name, `${name} is for ${listTypesWith(name, profile).join(' and ')} hooks only.`)
  }
  const inBackground = type === null ? undefined : findBackgroundField(type, sound)
  const { onFailure } = sound
  if (onFailure === 'block' && inBackground)
    setAside('onFailure', `onFailure "block" is ignored: nothing waits for an ${inBackground} hook.`)
  else if (onFailure === 'block' && !(row.canBlock && row.failureBlocks))
    setAside('onFailure', `onFailure "block" is ignored on ${row.name}: ${explainIgnored(row)}.`)
  return sound
}

/** True if a field is one of a hook whose type only another profile has: the type is told, and that says it all. */
function isOfTypeElsewhere(name: string, node: SourceNode, reading: HookReading): boolean {
  const { type } = toWrittenHook(node, reading)
  if (type === null || findHookType(type, reading) !== null) return false
  const other = findOtherProfileWithType(type, reading.profile.name)
  return other !== null && KNOWN_HOOK_TYPES[other]?.[type]?.fields[name] !== undefined
}

/** True if a field is one that hooks of its type do not have; `setAside` tells of those that are ignored elsewhere. */
function isOfOtherType(name: string, type: HookType | null, { profile }: HookReading): boolean {
  if (profile.rules.hookFields === 'of-any-type' || type === null || name === 'type') return false
  return type.fields[name] === undefined && !isIgnoredElsewhere(listFieldsInFiles(profile.hookTypes).get(name))
}

/** True if a field does nothing on hooks of types that do not have it, and a warning is enough. */
function isIgnoredElsewhere(field: HookField | undefined): boolean {
  return field?.background === true || field?.onOtherTypes === 'ignored'
}

/** The fields of all types that files may hold, and those of a type that they may not. */
function listKnownFields(type: HookType | null, { profile }: HookReading): ReadonlyMap<string, HookField> {
  const fields = listFieldsInFiles(profile.hookTypes)
  return type?.inFiles === false ? new Map([...fields, ...Object.entries(type.fields)]) : fields
}

function listTypesWith(field: string, { hookTypes }: CompleteProfile): string[] {
  return listTypesInFiles(hookTypes).filter((type) => hookTypes[type]?.fields[field] !== undefined)
}

/** Scopes as the user reads them. */
function formatScopes(scopes: readonly Scope[]): string {
  const words = scopes.map((scope) => ({ skill: 'skills', command: 'slash commands' })[scope as string] ?? scope)
  return words.join(' and ')
}

const explainIgnored = ({ canBlock }: EventRow): string =>
  canBlock ? 'a hook that always fails would never let it end' : 'the event cannot be blocked'

/** A field that hooks do not have here: another profile may know it, and then it may decide what starts. */
function describeStrangeField(name: string, value: unknown, { profile, origin }: HookReading): string {
  const fields = listFieldsInFiles(profile.hookTypes)
  if (fields.has(name)) return `"${name}" is for ${listTypesWith(name, profile).join(' and ')} hooks only.`
  const known = findFieldElsewhere(name, profile.name)
  const suggestField = (): string => formatSuggestion(name, fields.keys()) || (LIKELY_MEANINGS[name] ?? '')
  if (!known) return `"${clipName(name)}" is not a field of a hook.${suggestField()}`
  const said = describeOwner(known.profile, `"${name}" is a field`, findProfileInForce(profile, origin))
  if (isChangingStart(known.field, value)) return `${said}. A hook that has it does not run here.`
  return known.field.start === undefined ? `${said}. It is ignored here.` : `${said}. It changes nothing here.`
}

/** Meanings of fields that hooks do not have, but authors give them. */
const LIKELY_MEANINGS: Readonly<Record<string, string>> = {
  matcher: ' It belongs on the group.',
  enabled: ' The hook runs all the same.',
  disabled: ' The hook runs all the same.',
  background: ' Did you mean "async"?',
  run_in_background: ' Did you mean "async"?',
}

/** A field that only another profile has, and that says there what is started or whether it is. */
interface FieldElsewhere {
  readonly name: string
  readonly profile: string
  readonly field: HookField
}

function listFieldsOfElsewhere({ fields }: SourceNode, { profile }: HookReading): FieldElsewhere[] {
  const own = listFieldsInFiles(profile.hookTypes)
  const found: FieldElsewhere[] = []
  for (const [name, { node }] of fields ?? []) {
    const known = own.has(name) ? null : findFieldElsewhere(name, profile.name)
    if (known && isChangingStart(known.field, node.value)) found.push({ name, ...known })
  }
  return found
}

/** Reason why a hook that is sound otherwise must not run here: it would start something else than its author meant, or more often. */
function makeFaultByFields(fields: readonly FieldElsewhere[], decides: boolean): Fault {
  const names = fields.map(({ name }) => `"${name}"`).join(' and ')
  const are = fields.length > 1 ? 'are fields' : 'is a field'
  const { profile = '', field } = fields[0] ?? {}
  const because = `${names} ${are} of the profile "${profile}", and ${STARTS[field?.start ?? 'what']}`
  return { verdict: 'unsupported', because, elsewhere: { profile, decides } }
}

const STARTS: Readonly<Record<NonNullable<HookField['start']>, string>> = {
  what: 'without it something else would be started',
  whether: 'without it the hook would run when it should not',
}

/** A hook whose group is at fault, so that it is unknown which events its matcher accepts: another profile may still run it. */
function makeFaultyHook(fault: string, node: SourceNode, reading: HookReading): Fault {
  const { share, profile } = reading
  if (share.undecided) {
    const elsewhere = { profile: profile.name, decides: isAwaited(node, reading) }
    return { verdict: 'unsupported', because: fault, elsewhere }
  }
  const { type } = toWrittenHook(node, reading)
  const byType = type === null ? null : findOtherProfileWithType(type, profile.name)
  const other = findHookType(type, reading) === null ? byType : listFieldsOfElsewhere(node, reading)[0]?.profile
  const elsewhere = share.unreadable && other ? { profile: other, decides: isAwaited(node, reading) } : null
  return { ...makeFault(fault), elsewhere }
}

/** Nothing waits for a hook in the background, so it could not have objected. */
function isAwaited({ fields }: SourceNode, { profile }: HookReading): boolean {
  const names = [...listFieldsInFiles(profile.hookTypes)].filter(([, { background }]) => background)
  return names.every(([name]) => fields?.get(name)?.node.value !== true)
}

/** Other profiles write lists of names with commas and spaces too; what would be accepted there counts as accepted. */
function keepMatcherElsewhere({ matcher, matcherText }: GroupShare): ConfiguredHook['matcher'] {
  return (matcher.kind === 'regex' && matcherText !== null && parseListedNames(matcherText)) || matcher
}

function readHandler(
  node: SourceNode,
  { type, sound, reading }: { type: HookType | null; sound: Record<string, unknown>; reading: HookReading },
): Handler | Fault {
  const { report, profile, types } = reading
  const makeFieldFault = (field: string, because: string, hint = ''): Fault => {
    const rule = (type?.fields[field] ?? listFieldsInFiles(profile.hookTypes).get(field))?.rule ?? ''
    const place = node.fields?.get(field)?.node ?? node
    const told = isError(rule) ? rule : 'V-HK-16'
    report(place, told, `${capitalise(because)}.${hint}`, gradeEmptyText(told, place, profile))
    return makeFault(because)
  }
  if (!node.fields) return makeFieldFault('type', 'a hook must be an object')
  const { type: name } = toWrittenHook(node, reading)
  if (name === null) return makeFieldFault('type', 'a hook needs a "type"', ` One of ${types.join(', ')}.`)
  if (type === null) {
    const other = findOtherProfileWithType(name, profile.name)
    if (other === null)
      return makeFieldFault('type', `"${clipName(name)}" is not a hook type`, formatSuggestion(name, types))
    const because = `"${name}" is a hook type of the profile "${other}"`
    const told = describeOwner(other, `"${name}" is a hook type`, findProfileInForce(profile, reading.origin))
    report(node.fields.get('type')?.node ?? node, 'V-HK-05', `${told}. The hook does not run here.`)
    return { verdict: 'unsupported', because, elsewhere: { profile: other, decides: isAwaited(node, reading) } }
  }
  for (const field of type.required)
    if (!isFieldUsable(sound[field], type.fields[field]))
      return makeFieldFault(field, `a ${name} hook needs a "${field}"`)
  const unfit = findEntryMisfit(type, sound)
  if (unfit) return makeFieldFault(unfit.field, unfit.because)
  const read = type.readEntry(sound)
  if ('because' in read) return makeFieldFault(read.field, read.because)
  const elsewhere = listFieldsOfElsewhere(node, reading)
  return elsewhere.length === 0 ? read : makeFaultByFields(elsewhere, isAwaited(node, reading))
}

/** The first bad value that makes a hook one that cannot run: without it the hook would do something else than it says. */
function findEntryMisfit({ fields }: HookType, sound: Readonly<Record<string, unknown>>): EntryFault | null {
  for (const [name, { shape, misfit }] of Object.entries(fields)) {
    const [found] = misfit === 'invalid' && sound[name] !== undefined ? makeCheck(shape)(sound[name]) : []
    if (found) return { field: name, because: `its ${formatMisfit({ ...found, path: [name, ...found.path] })}` }
  }
  return null
}

/** A hook that is set aside is an error, whichever rule its field has. */
function isError(rule: string): rule is ReadingRule {
  return isReadingRule(rule) && READING_RULES[rule] === 'error'
}

/** True if a required field can be handed to its type; no file holds a function, so its type says what it makes of one. */
function isFieldUsable(value: unknown, field: HookField | undefined): boolean {
  if (typeof value === 'function') return true
  return value !== undefined && field !== undefined && makeCheck(field.shape)(value).length === 0
}

const makeFault = (because: string): Fault => ({
  verdict: 'invalid',
  because: removeControls(because),
  elsewhere: null,
})

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
