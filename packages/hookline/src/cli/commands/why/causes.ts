import type { Subject } from '../../../check/subject.ts'
import { type FunctionModule, MODULE_NOTICE } from '../../../config/modules.ts'
import type { ListedHook } from '../../../engine/listing.ts'
import type { Matcher } from '../../../pattern/matcher.ts'
import type { HookLine } from '../../../protocol/record/record.ts'
import type { Cause } from '../../input/elsewhere.ts'
import {
  formatHookPlace,
  type Remark,
  startFix,
  suggestCondition,
  suggestForFinding,
  suggestForUnsupported,
  suggestMatcher,
  switchFix,
} from './fixes.ts'

/** All that was found out about the silence of hooks, with the project trusted: Claude Code does not know of Hookline's trust. */
export interface Evidence {
  /** The event that was asked about; null: all of them. */
  readonly event: string | null
  /** Value that the event's matchers are tested against; null: nothing, or no event was named. */
  readonly matched: { readonly field: string; readonly value: string } | null
  /** Values that matchers of the event are known to be tested against. */
  readonly known: readonly string[]
  /** The call that was asked about. */
  readonly input: Readonly<Record<string, unknown>>
  readonly project: string
  readonly hooks: readonly ListedHook[]
  /** Outcomes of the event for each hook; empty where no event was named. */
  readonly lines: readonly HookLine[]
  /** Reason why hooks cannot start, by their ids. */
  readonly startFaults: ReadonlyMap<string, string>
  /** Hooks in other files, and in settings of other folders. */
  readonly elsewhere: readonly Cause[]
  /** Modules of plugins, which answer before hooks do. */
  readonly modules: readonly FunctionModule[]
  /** Files that hold hooks, as `validate` reads them, and what it finds. */
  readonly subjects: readonly Subject[]
  readonly findings: readonly Remark[]
}

/** Ranks why hooks are silent in Claude Code, the most likely cause first. */
export function rankCauses(evidence: Evidence): Cause[] {
  const own = listEventHooks(evidence)
  const files = listFileCauses(evidence)
  const isOfConcern = ({ isRelevant }: RankedCause): boolean => isRelevant
  const hasOwn = own.length > 0
  const found = [
    ...evidence.elsewhere.filter(isUnread),
    ...files.filter(isOfConcern),
    ...(hasOwn ? [] : [...evidence.elsewhere, ...listOtherEvents(evidence)]),
    ...switchCauses(own, evidence.project),
    ...listHookCauses(evidence, own),
    ...listFindingCauses(evidence, own),
    ...(hasOwn ? evidence.elsewhere : []),
    ...evidence.modules.map(makeModuleCause),
    ...files.filter((cause) => !isOfConcern(cause)),
    ...describeOtherValues(evidence, own),
  ]
  if (found.length === 0 && evidence.hooks.length === 0) return [NO_HOOK]
  const told = new Set<string>()
  return found
    .filter(({ because }) => !told.has(because) && told.add(because))
    .map(({ cause, because, fix, file }) => ({ cause, because, fix, file }))
}

/** Settings files at the right place that Claude Code does not read. */
const isUnread = ({ cause }: Cause): boolean => cause === 'broken-link'

const NO_HOOK: Cause = {
  cause: 'no-hook',
  because: 'No hook is configured, neither in this project nor for you, and no other file here has one.',
  fix: 'hookline init',
}

/** A cause, and whether it may be about the event that was asked about. */
interface RankedCause extends Cause {
  readonly isRelevant: boolean
}

/** The hooks of the event that was asked about. */
function listEventHooks({ event, hooks }: Evidence): readonly ListedHook[] {
  return event === null ? hooks : hooks.filter(({ hook }) => hook.event === event)
}

/** Names of rules about whole files; what costs a file in Claude Code is `file-dropped`. */
const FILE_CAUSES: Readonly<Record<string, string>> = {
  'V-HK-01': 'not-json',
  'V-HK-53': 'not-readable',
  'V-HK-02': 'not-under-hooks',
  'V-HK-49': 'not-under-hooks',
  'V-HK-03': 'not-an-event',
  'V-HK-26': 'file-dropped', // Claude Code takes no comment and no trailing comma
}
/** The rule that says what Claude Code drops, of places that other rules say more about. */
const DROPPED_BY_CLIENT = 'V-HK-50'
const DROPPED = { file: 'file-dropped', entry: 'entry-dropped' } as const

/** Files, and parts of files, that are not read at all: one cause a place, the first rule that says something of it. */
function listFileCauses(evidence: Evidence): RankedCause[] {
  const { event, findings, subjects } = evidence
  const links = evidence.elsewhere.flatMap(({ cause, file }) => (cause === 'broken-link' ? file : []))
  const fatal = findings.filter(
    ({ rule, loss, path }) => (rule in FILE_CAUSES || loss !== undefined) && !links.includes(path),
  )
  const told = new Set<string>()
  const first = fatal
    .toSorted((one, other) => rankRemark(one) - rankRemark(other))
    .filter((finding) => {
      const key = finding.loss === 'file' ? `${finding.path} dropped` : `${finding.path}:${finding.line}`
      return !told.has(key) && told.add(key)
    })
  return first.map((finding) => {
    const subject = subjects.find(({ path }) => path === finding.path)
    return {
      cause: FILE_CAUSES[finding.rule] ?? DROPPED[finding.loss ?? 'entry'],
      because: `${finding.file}:${finding.line}:${finding.column}  ${finding.message}`,
      fix: suggestForFinding(findings.find((other) => isMoreExactRemark(other, finding)) ?? finding),
      file: finding.file,
      isRelevant: event === null || mayBeAbout(finding, event, subject),
    }
  })
}

/** True if another rule says of the same place what is wrong there. */
function isMoreExactRemark(other: Remark, { path, line, column, rule }: Remark): boolean {
  const isSamePlace = other.path === path && other.line === line && other.column === column
  return rule === DROPPED_BY_CLIENT && isSamePlace && other.rule !== rule && other.severity !== 'note'
}

/** Files of which Claude Code applies nothing, by their names. */
export function listDroppedFiles({ findings }: Pick<Evidence, 'findings'>): ReadonlySet<string> {
  const isDropped = ({ loss, rule }: Remark): boolean =>
    loss === 'file' || rule === 'V-HK-01' || rule === 'V-HK-53' || rule === 'V-HK-26'
  return new Set(findings.filter(isDropped).map(({ file }) => file))
}

/** A file that is no JSON comes first, then what is at the wrong place, then what drops a file, then what drops an entry. */
function rankRemark({ rule, loss }: Remark): number {
  const order = ['V-HK-53', 'V-HK-01', 'V-HK-26', 'V-HK-02', 'V-HK-49', 'V-HK-03']
  const at = order.indexOf(rule)
  if (at >= 0) return at
  return order.length + (loss === 'file' ? 0 : 1)
}

/** True if a fault of a file may be why an event has no hook: the file may hold one, or the fault is at that event. */
function mayBeAbout({ rule, loss, message }: Remark, event: string, subject: Subject | undefined): boolean {
  if (rule === 'V-HK-03') return message.includes(event) || !message.includes('Did you mean')
  if (subject?.root === null || subject === undefined) return true
  const isThere = subject.text.includes(`"${event}"`)
  return loss === 'file' || rule === 'V-HK-02' || rule === 'V-HK-49' ? isThere : isThere && message.length > 0
}

/** Hooks there are, but for other events than the one that was asked about. */
function listOtherEvents({ event, hooks }: Evidence): Cause[] {
  const events = [...new Set(hooks.map(({ hook }) => hook.event))]
  const [first] = hooks
  if (event === null || first === undefined) return []
  return [
    {
      cause: 'other-event',
      because: `No hook is configured for ${event}; there are some for ${events.join(', ')}.`,
      fix: `In ${formatHookPlace(first.hook)} move the hook under "${event}"; hookline events says what each event is for`,
    },
  ]
}

/** Lists what switches hooks off, each switch once. */
function switchCauses(hooks: readonly ListedHook[], project: string): Cause[] {
  return hooks.flatMap(({ standing }) =>
    standing.verdict === 'disabled' || standing.verdict === 'policy-off'
      ? [{ cause: standing.verdict, because: `${toSentence(standing.because)}.`, fix: switchFix(standing, project) }]
      : [],
  )
}

/** Lists what keeps single hooks from running that may be meant for the call; of one that would not start either, both. */
function listHookCauses(evidence: Evidence, hooks: readonly ListedHook[]): Cause[] {
  const { event, lines, startFaults, project } = evidence
  return hooks.flatMap((listed): Cause[] => {
    const { hook, key, standing } = listed
    const makeCause = (name: string, because: string, fix: string): Cause[] => [
      {
        cause: name,
        because: `${formatHookPlace(hook)} (${key})  ${toSentence(because)}.`,
        fix,
        file: hook.file ?? undefined,
      },
    ]
    const fault = startFaults.get(hook.id)
    const start = fault === undefined ? [] : makeCause('cannot-start', fault, startFix(fault, { hook, project }))
    const edit = `Edit ${formatHookPlace(hook)}`
    if (standing.verdict === 'invalid')
      return [...makeCause('invalid', standing.because, `${edit}; hookline validate shows the place`), ...start]
    if (standing.verdict === 'unsupported')
      return isOurLack(standing.because) ? [] : makeCause('unsupported', standing.because, suggestForUnsupported(hook))
    if (standing.verdict !== 'active') return []
    const line = lines.find(({ id }) => id === hook.id)
    if (event === null || line?.planned === true) return start
    if (line === undefined || line.verdict === 'duplicate') return [] // the same runs in its place
    if (line.verdict !== 'matcher-miss')
      return [...makeCause(line.verdict, line.because ?? line.verdict, edit), ...start]
    if (isConditionMiss(listed, line, evidence))
      return [
        ...makeCause('if-miss', line.because ?? 'its "if" does not hold', suggestCondition(hook, evidence)),
        ...start,
      ]
    if (isForOtherValues(hook.matcher, line, evidence)) return []
    return [
      ...makeCause('matcher-miss', line.because ?? 'its matcher does not match', suggestMatcher(hook, evidence)),
      ...start,
    ]
  })
}

/** Models are lacking in Hookline, not in Claude Code, which judges prompt hooks with its own. */
const isOurLack = (because: string): boolean => because.includes('model is provided')

/** True if the matcher fits and the `if` does not. */
function isConditionMiss({ hook }: ListedHook, { because = '' }: HookLine, { matched }: Evidence): boolean {
  return hook.condition !== null && (matched === null || because.includes(hook.condition.text))
}

/** True if a matcher that does not match is right about another value: then the hook is not for this call. */
function isForOtherValues(matcher: Matcher, { because = '' }: HookLine, { matched, known }: Evidence): boolean {
  const isHinted = because.includes('does not match. ')
  if (matched === null || isHinted) return false
  if (matcher.kind === 'names')
    return [...matcher.names].some((name) => known.includes(name) || /^mcp__.+__./.test(name))
  return matcher.kind === 'regex' && known.some((value) => value !== matched.value && matcher.test(value))
}

/** Hooks of the event that are for other tools, in one line: they come last. */
function describeOtherValues(evidence: Evidence, hooks: readonly ListedHook[]): Cause[] {
  const { lines, matched } = evidence
  const isOther = (listed: ListedHook): boolean => {
    const line = lines.find(({ id }) => id === listed.hook.id)
    if (line?.verdict !== 'matcher-miss' || isConditionMiss(listed, line, evidence)) return false
    return isForOtherValues(listed.hook.matcher, line, evidence)
  }
  const others = hooks.filter(isOther)
  const [first] = others
  if (first === undefined || matched === null) return []
  const matchers = [...new Set(others.map(({ hook }) => JSON.stringify(hook.matcherText)))]
  const shown = matchers.slice(0, MAX_SHOWN).join(', ')
  const more = matchers.length > MAX_SHOWN ? ` and ${matchers.length - MAX_SHOWN} more` : ''
  const are = others.length === 1 ? '1 hook is' : `${others.length} hooks are`
  const by = others.length === 1 ? 'its matcher' : 'their matchers'
  return [
    {
      cause: 'other-values',
      because: `${are} not for ${matched.value}, by ${by}: ${shown}${more}.`,
      fix: suggestMatcher(first.hook, evidence),
    },
  ]
}

const MAX_SHOWN = 3

/** A call that a module refuses reaches no hook. */
function makeModuleCause({ module, file, line, plugin }: FunctionModule): Cause {
  return {
    cause: 'module',
    because: `${file}:${line}  ${module} is a module of the plugin ${plugin}: ${MODULE_NOTICE}.`,
    fix: `In ${file}:${line} remove it, or: claude plugin disable ${plugin}`,
    file,
  }
}

/** Lists what `validate` has against hooks that would run: they may run, and nothing comes of it. */
function listFindingCauses(
  { findings, subjects, lines, event, startFaults }: Evidence,
  hooks: readonly ListedHook[],
): Cause[] {
  const isRunning = hooks.filter(
    ({ hook }) => event === null || lines.some(({ id, planned }) => id === hook.id && planned),
  )
  const isTold = ({ severity, rule, loss }: Remark): boolean =>
    severity !== 'note' && loss === undefined && !(rule in FILE_CAUSES) && !TOLD_OTHERWISE.has(rule)
  const isTwice = (finding: Remark): boolean =>
    findings.some((other) => other.loss !== undefined && isMoreExactRemark(finding, other))
  return findings
    .filter(
      (finding) =>
        isTold(finding) &&
        !isTwice(finding) &&
        isRunning.some(
          (listed) =>
            !isSaidOfHook(finding, listed) &&
            !isSaidOfStart(finding, startFaults.get(listed.hook.id)) &&
            isAboutHook(finding, listed, subjects),
        ),
    )
    .map((finding) => ({
      cause: finding.rule,
      because: `${finding.file}:${finding.line}:${finding.column}  ${finding.message}`,
      fix: suggestForFinding(finding),
      file: finding.file,
    }))
}

/** True if the cause `invalid` of a hook says the same. */
const isSaidOfHook = ({ severity }: Remark, { standing }: ListedHook): boolean =>
  severity === 'error' && standing.verdict === 'invalid'

/** True if the cause `cannot-start` of a hook says the same: a path outside quotes that the shell splits here. */
const isSaidOfStart = ({ rule }: Remark, fault: string | undefined): boolean =>
  rule === 'V-HK-24' && fault?.includes('is not in quotes') === true

/** Rules whose faults are causes of their own: scripts and programs that are not there, files and components that nothing reads. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set(['V-HK-06', 'V-HK-07', 'V-HK-47', 'V-HK-48'])

/** True if a finding is about a hook: it stands in its entry or its group, or in the script that the hook runs. */
function isAboutHook(finding: Remark, { hook }: ListedHook, subjects: readonly Subject[]): boolean {
  const subject = subjects.find(({ path }) => path === finding.path)
  if (subject === undefined) {
    const words = [hook.shown.shell ?? '', ...(hook.shown.program ?? [])].join(' ')
    return words.includes(finding.file.split('/').at(-1) ?? finding.file)
  }
  const isBehind = (place: { line: number; column: number }): boolean =>
    place.line < finding.line || (place.line === finding.line && place.column <= finding.column)
  const begun = subject.entries.filter(({ group }) => isBehind(group))
  const group = begun.at(-1)?.group
  const inGroup = subject.entries.filter((entry) => entry.group === group)
  const last = inGroup.filter(({ node }) => isBehind(node)).at(-1)
  return (last === undefined ? inGroup : [last]).some(
    ({ hook: one }) => one.file === hook.file && one.line === hook.line && one.event === hook.event,
  )
}

/** A reason as it ends a line: names in it keep their letters. */
const toSentence = (text: string): string => text.replace(/\.$/, '')
