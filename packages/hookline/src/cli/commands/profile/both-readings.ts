import type { ProfileChoices } from '../../../config/profile-choice.ts'
import { openEngine } from '../../../engine/engine.ts'
import { type ListedHook, nameState } from '../../../engine/listing.ts'
import type { EngineOptions } from '../../../engine/options.ts'
import { listSimpleMatchers } from '../../../pattern/matcher.ts'
import { CLAUDE_CODE_PROFILE, PROFILE_NAMES, type ProfileName } from '../../../protocol/profiles.ts'
import { toOneLine } from '../../../text/clean.ts'
import { indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

/** Reading of a hook by one profile. */
interface HookReading {
  /** `active`, `duplicate`, or why it never runs; `unknown`: the profile does not have its event. */
  readonly state: ReturnType<typeof nameState> | 'unknown'
  readonly because: string | null
  /** Meaning of its matcher. */
  readonly matcher: string | null
}

/** A hook that the profiles read otherwise. */
interface ReadHook {
  readonly id: string
  readonly event: string
  readonly file: string | null
  readonly line: number | null
  /** Command that it runs. */
  readonly runs: string
  readonly readings: Readonly<Record<ProfileName, HookReading>>
}

/** Both readings of the hooks of a folder. */
export interface BothReadings {
  /** Number of hooks that both profiles read alike. */
  readonly alike: number
  readonly differing: readonly ReadHook[]
  /** The command that chooses the profile under which most of them run. */
  readonly choose: string
}

/** Reads the hooks of a folder once under each profile. Runs nothing. */
export async function readBothWays(options: EngineOptions, { project }: ProfileChoices): Promise<BothReadings> {
  const lists = await Promise.all(PROFILE_NAMES.map((profile) => listUnder(profile, options)))
  const ids = [...new Set(lists.flatMap((list) => [...list.keys()]))]
  const hooks = ids.flatMap((id): ReadHook[] => {
    const known = lists.map((list) => list.get(id)).find((listed) => listed !== undefined)
    if (known === undefined) return []
    const { event, file, line, shown } = known.hook
    const readings = PROFILE_NAMES.map((profile, at) => [profile, makeReading(lists[at]?.get(id))])
    return [{ id, event, file, line, runs: toOneLine(shown.text), readings: Object.fromEntries(readings) }]
  })
  const differing = hooks.filter(({ readings }) => new Set(Object.values(readings).map(describeReading)).size > 1)
  const name = chooseBestProfile(hooks)
  return {
    alike: hooks.length - differing.length,
    differing,
    choose: `hookline profile ${name}${project.readAs === null ? ' --scope user' : ''}`,
  }
}

/** The hooks of a folder as one profile lists them, by id. */
async function listUnder(profile: ProfileName, options: EngineOptions): Promise<ReadonlyMap<string, ListedHook>> {
  const engine = await openEngine({ ...options, profile, trust: 'accepted', rehearsal: true })
  const listed = engine.list()
  await engine.close()
  return new Map(listed.map((one) => [one.hook.id, one]))
}

function makeReading(listed: ListedHook | undefined): HookReading {
  if (listed === undefined) return { state: 'unknown', because: 'it does not have the event', matcher: null }
  const { hook, standing } = listed
  return {
    state: nameState(listed),
    because: standing.verdict === 'active' ? null : standing.because,
    matcher:
      hook.matcherText === null
        ? null
        : listSimpleMatchers(hook.matcher)
            .map(({ kind }) => KINDS[kind])
            .join(' or '),
  }
}

const KINDS = { all: 'everything', names: 'exact names', regex: 'a pattern', expression: 'an expression' } as const

/** The profile under which most hooks run; of two that are equal, the one of Claude Code. */
function chooseBestProfile(hooks: readonly ReadHook[]): ProfileName {
  const countRunning = (name: ProfileName): number =>
    hooks.filter(({ readings }) => ['active', 'duplicate'].includes(readings[name].state)).length
  const others = PROFILE_NAMES.filter((name) => name !== CLAUDE_CODE_PROFILE)
  return others.find((name) => countRunning(name) > countRunning(CLAUDE_CODE_PROFILE)) ?? CLAUDE_CODE_PROFILE
}

function describeReading({ state, because, matcher }: HookReading): string {
  const runs = state === 'active' ? 'runs' : `${state}${because === null ? '' : `: ${because}`}`
  return matcher === null || state !== 'active' ? runs : `runs, its matcher is ${matcher}`
}

/** Both readings, for people. */
export function formatReadings({ alike, differing, choose }: BothReadings, { width }: Terminal): string[] {
  const [one, other] = PROFILE_NAMES
  const formatHookCount = (count: number): string => `${count} ${count === 1 ? 'hook' : 'hooks'}`
  const summary =
    differing.length === 0
      ? `${one} and ${other} read ${alike === 0 ? 'nothing here: there are no hooks' : `the ${formatHookCount(alike)} here alike`}.`
      : `${one} and ${other} read ${formatHookCount(differing.length)} otherwise, and ${alike} alike:`
  return [
    'No one chose: hooks run where either profile runs them, and the stricter outcome counts.',
    summary,
    ...differing.flatMap(({ event, file, line, runs, readings }) => [
      '',
      indentText(`${event}  ${runs}  (${file === null ? 'in memory' : `${toOneLine(file)}:${line}`})`, '  ', width),
      ...PROFILE_NAMES.map((name) => indentText(`${name}: ${describeReading(readings[name])}`, '    ', width)),
    ]),
    '',
    `Choose one: ${choose}`,
  ]
}
