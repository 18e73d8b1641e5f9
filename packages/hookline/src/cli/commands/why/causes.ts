import type { Finding } from '../../../check/finding.ts'
import type { Problem } from '../../../config/problem.ts'
import type { ListedHook } from '../../../engine/listing.ts'
import type { HookLine } from '../../../protocol/record.ts'
import { shellWord } from '../../../text/quote.ts'
import type { Cause } from '../../start/elsewhere.ts'

/** All that was found out about the silence of hooks. */
export interface Evidence {
  /** The event that was asked about; null: all of them. */
  readonly event: string | null
  readonly problems: readonly Problem[]
  readonly hooks: readonly ListedHook[]
  /** What the event would do with each hook, with the project trusted or not; empty where no event was named. */
  readonly lines: readonly HookLine[]
  readonly trustedLines: readonly HookLine[]
  /** Why hooks cannot start, by their ids. */
  readonly startFaults: ReadonlyMap<string, string>
  /** Hooks in other files, and in settings of other folders. */
  readonly elsewhere: readonly Cause[]
  /** What `validate` finds; those about hooks that would run. */
  readonly findings: readonly Finding[]
}

/** The commands that show the hooks and trust them. */
interface TrustCommands {
  readonly show: string
  readonly accept: string
}

/** Rules that a file breaks whose hooks are not read, the most fatal first. */
const UNREAD = [
  'V-HK-01',
  'V-HK-02',
  'V-HK-49',
  'V-HK-03',
  'V-HK-04',
  'V-HK-05',
  'V-HK-06',
  'V-HK-08',
  'V-HK-09',
] as const

/** Why hooks are silent, the most likely cause first. */
export function causesOf(evidence: Evidence, trust: TrustCommands): Cause[] {
  const own = ownHooks(evidence)
  const found = [
    ...fileCauses(evidence),
    ...(own.length === 0 ? [...evidence.elsewhere, ...otherEvents(evidence)] : []),
    ...switchCauses(own),
    ...trustCauses(evidence, own, trust),
    ...hookCauses(evidence, own),
    ...(own.length === 0 ? [] : evidence.elsewhere),
    ...findingCauses(evidence, own),
  ]
  if (found.length === 0 && evidence.hooks.length === 0) return [NO_HOOK]
  const told = new Set<string>()
  return found.filter(({ because }) => !told.has(because) && told.add(because))
}

const NO_HOOK: Cause = {
  cause: 'no-hook',
  because: 'No hook is configured, neither in this project nor for you, and no other file here has one.',
  fix: 'hookline init makes one; hookline doctor shows which files are read',
}

/** The hooks of the event that was asked about. */
function ownHooks({ event, hooks }: Evidence): readonly ListedHook[] {
  return event === null ? hooks : hooks.filter(({ hook }) => hook.event === event)
}

/** Files, and parts of files, that are not read at all. */
function fileCauses({ problems, event }: Evidence): Cause[] {
  const errors = UNREAD.slice(0, 4).flatMap((rule) => problems.filter((problem) => problem.rule === rule))
  const isMeant = ({ rule, message }: Problem): boolean =>
    event === null || rule !== 'V-HK-03' || message.includes(event) || !message.includes('Did you mean')
  return errors.filter(isMeant).map(({ rule, file, line, column, message }) => ({
    cause: FILE_CAUSES[rule] ?? 'unread',
    because: `${file}:${line}:${column}  ${message}`,
    fix:
      rule === 'V-HK-01' ? `Open ${file}:${line} and fix it there: until then nothing in it counts.` : FIX_BY_VALIDATE,
    file,
  }))
}

const FILE_CAUSES: Readonly<Record<string, string>> = {
  'V-HK-01': 'not-json',
  'V-HK-02': 'not-under-hooks',
  'V-HK-49': 'not-under-hooks',
  'V-HK-03': 'not-an-event',
}

const FIX_BY_VALIDATE = 'hookline validate --fix, which shows what it changes, or edit that line'

/** Hooks there are, but for other events than the one that was asked about. */
function otherEvents({ event, hooks }: Evidence): Cause[] {
  const events = [...new Set(hooks.map(({ hook }) => hook.event))]
  if (event === null || events.length === 0) return []
  return [
    {
      cause: 'other-event',
      because: `No hook is configured for ${event}; there are some for ${events.join(', ')}.`,
      fix: `Move the hook under "${event}", or look at what each event is for: hookline events`,
    },
  ]
}

/** What switches hooks off, with how many it concerns. */
function switchCauses(hooks: readonly ListedHook[]): Cause[] {
  const off = hooks.flatMap(({ standing }) =>
    standing.verdict === 'disabled' || standing.verdict === 'policy-off' ? [standing] : [],
  )
  return off.map(({ verdict, because }) => ({
    cause: verdict,
    because: `${sentence(because)}.`,
    fix:
      verdict === 'disabled'
        ? 'Take the switch out, or set it to false.'
        : 'The administrator of this machine decides about it: hookline doctor names the file.',
  }))
}

/** Hooks that wait to be trusted: those that would run then are the likely ones. */
function trustCauses(
  { event, trustedLines, startFaults }: Evidence,
  hooks: readonly ListedHook[],
  { show, accept }: TrustCommands,
): Cause[] {
  const held = hooks.filter(({ standing }) => standing.verdict === 'untrusted')
  const runs = ({ hook, otherwise }: ListedHook): boolean =>
    otherwise?.verdict === 'active' &&
    !startFaults.has(hook.id) &&
    (event === null || trustedLines.some(({ id, planned }) => id === hook.id && planned === true))
  const ready = held.filter(runs)
  if (ready.length === 0) return []
  const are = ready.length === 1 ? '1 hook is' : `${ready.length} hooks are`
  return [
    {
      cause: 'untrusted',
      because: `${are} not trusted in Hookline yet, and would run otherwise. This trust is Hookline's own: Claude Code asks for its own.`,
      fix: `${show} shows the hooks, ${accept} trusts them; --trust does so for one run`,
    },
  ]
}

/** What keeps single hooks from running, trusted or not. */
function hookCauses({ event, trustedLines, startFaults }: Evidence, hooks: readonly ListedHook[]): Cause[] {
  return hooks.flatMap((listed): Cause[] => {
    const { hook, key } = listed
    const standing = listed.otherwise ?? listed.standing
    const where = `${hook.file === null ? hook.id : `${hook.file}:${hook.line}`} (${key})`
    const cause = (name: string, because: string, fix: string): Cause[] => [
      { cause: name, because: `${where}  ${sentence(because)}.`, fix, file: hook.file ?? undefined },
    ]
    if (standing.verdict === 'invalid') return cause('invalid', standing.because, 'hookline validate shows the place')
    if (standing.verdict === 'unsupported')
      return cause('unsupported', standing.because, 'Write a command hook that does the same, or see: hookline doctor')
    if (standing.verdict !== 'active') return []
    const line = trustedLines.find(({ id }) => id === hook.id)
    const isPlanned = event === null || line?.planned === true
    const fault = startFaults.get(hook.id)
    if (isPlanned && fault !== undefined) return cause('cannot-start', fault, startFix(fault))
    if (isPlanned || line === undefined) return []
    if (line.verdict === 'matcher-miss')
      return cause('matcher-miss', line.because ?? 'its matcher does not match', missFix(hook.matcherText))
    if (line.verdict === 'duplicate') return [] // the same runs in its place
    return cause(line.verdict, line.because ?? line.verdict, 'hookline explain says more')
  })
}

/** What to do about a hook that cannot start. */
function startFix(fault: string): string {
  const [, script] = /^(\S+) (?:is not executable|has CRLF)/.exec(fault) ?? []
  if (script !== undefined && fault.includes('not executable')) return `chmod +x ${shellWord(script)}`
  if (script !== undefined) return `sed -i 's/\\r$//' ${shellWord(script)}`
  if (fault.includes('does not exist')) return 'Name the script by "$CLAUDE_PROJECT_DIR"/…, or put it there.'
  return fault.includes('on PATH') ? 'Install it, or name it by its whole path.' : 'hookline doctor says more'
}

function missFix(matcher: string | null): string {
  return matcher === null ? 'hookline explain says more' : `hookline match ${shellWord(matcher)} shows what it matches`
}

/** What `validate` has against hooks that would run: they may run, and nothing comes of it. */
function findingCauses({ findings, lines, event }: Evidence, hooks: readonly ListedHook[]): Cause[] {
  const isConcerned = ({ file, line }: Finding): boolean =>
    hooks.some(({ hook }) => hook.file === file && Math.abs((hook.line ?? 0) - line) <= NEAR)
  const serious = findings.filter(({ severity, rule }) => severity !== 'note' && !UNREAD.some((id) => id === rule))
  if (event !== null && !lines.some(({ planned }) => planned)) return []
  return serious.filter(isConcerned).map(({ rule, file, line, column, message }) => ({
    cause: rule,
    because: `${file}:${line}:${column}  ${message}`,
    fix: `hookline validate --explain ${rule}`,
    file,
  }))
}

/** Lines between a hook and what is said of its group. */
const NEAR = 3

/** A reason as it ends a line: names in it keep their letters. */
const sentence = (text: string): string => text.replace(/\.$/, '')
