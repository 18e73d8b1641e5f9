import { startFaultsById } from '../../../check/programs.ts'
import { type ListedHook, needsAttention, stateOf } from '../../../engine/listing.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, engineOptions, readArguments, refusePositionals } from '../../start/flags.ts'
import { commandTerminal, tellProblems, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { hanging } from '../../view/hook-view.ts'
import { clipped, indented } from '../../view/layout.ts'
import { profileWords } from '../../view/profile-view.ts'
import type { Paint, Terminal } from '../../view/terminal.ts'

export const usage = `hookline list [flags]

Shows every configured hook with its scope, its place, its matcher and how that
is understood, and its state: active, or why it never runs.

  hookline list
  hookline list --json --plugin ./my-plugin

${ENGINE_USAGE}
Exit codes: 0 also when hooks need attention; 1 a mistake in the call.
`

/** How a matcher is understood, for people. */
const UNDERSTOOD = { all: 'all', names: 'exact names', regex: 'regular expression', expression: 'expression' } as const

/** What a written matcher means: what is neither empty nor a star, and yet for all, counts for nothing. */
function understood({ hook: { matcher, matcherText }, standing }: ListedHook): string {
  if (matcher.kind !== 'all' || matcherText === null || matcherText === '' || matcherText === '*')
    return UNDERSTOOD[matcher.kind]
  return standing.verdict === 'invalid' ? 'not understood' : 'ignored, the event takes none'
}

/** Runs `hookline list`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, ENGINE_FLAGS)
  refusePositionals(positionals)
  return withEngine(values, async (engine) => {
    const faults = await startFaultsById(engine.list(), engineOptions(values))
    const hooks = engine.list().map((listed) => withStart(listed, faults))
    if (values.json) printJson({ profiles: engine.profiles, hooks: hooks.map(asJson) })
    else {
      tellProblems(engine)
      const terminal = commandTerminal(values)
      const profile = `Profile: ${profileWords(engine.profiles, { trusted: engine.trust.accepted })}.`
      print(`${[...listView(hooks, terminal), indented(profile, '', terminal.width)].join('\n')}\n`)
    }
    return 0
  })
}

/** A listed hook, with what keeps it from starting; null: nothing that is known. */
interface ShownHook extends ListedHook {
  readonly cannotStart: string | null
}

/** A hook that is active may still not start. */
function withStart(listed: ListedHook, faults: ReadonlyMap<string, string>): ShownHook {
  return { ...listed, cannotStart: (stateOf(listed) === 'active' && faults.get(listed.hook.id)) || null }
}

function asJson(listed: ShownHook): object {
  const { hook, standing, duplicateOf, cannotStart } = listed
  return {
    id: hook.id,
    event: hook.event,
    scope: hook.scope,
    profile: hook.profile,
    file: hook.file,
    line: hook.line,
    matcher: hook.matcherText,
    understood: understood(listed),
    ...hook.written,
    state: stateOf(listed),
    ...('because' in standing ? { because: standing.because } : {}),
    ...(cannotStart === null ? {} : { cannotStart }),
    duplicateOf,
    warnings: hook.warnings,
  }
}

function listView(hooks: readonly ShownHook[], terminal: Terminal): string[] {
  if (hooks.length === 0) return ['No hook is configured. hookline init makes one.']
  const events = [...new Set(hooks.map(({ hook }) => hook.event))]
  const attention = hooks.filter((one) => needsAttention(one) || one.cannotStart !== null).length
  return [
    ...events.flatMap((event) => [
      terminal.paint.bold(event),
      ...hooks.filter(({ hook }) => hook.event === event).flatMap((listed) => hookLines(listed, terminal)),
      '',
    ]),
    `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}, ${attention} ${attention === 1 ? 'needs' : 'need'} attention`,
  ]
}

function whyNot({ standing, duplicateOf, cannotStart }: ShownHook): string | null {
  if ('because' in standing) return standing.because
  if (cannotStart !== null) return cannotStart
  return duplicateOf === null ? null : `runs the same as ${duplicateOf}`
}

const COLOURS: Readonly<Record<string, keyof Paint>> = {
  active: 'green',
  invalid: 'red',
  'cannot start': 'red',
  duplicate: 'dim',
}

function hookLines(listed: ShownHook, { width, paint }: Terminal): string[] {
  const { hook, cannotStart } = listed
  const state = cannotStart === null ? stateOf(listed) : 'cannot start'
  const place = hook.file === null ? hook.id : `${hook.file}:${hook.line}`
  const why = whyNot(listed)
  const matcher =
    hook.matcherText === null ? 'none: all' : `${clipped(hook.matcherText, width - 36)}  (${understood(listed)})`
  return [
    `  ${paint[COLOURS[state] ?? 'yellow'](state)}  ${paint.bold(clipped(place, width - 20))}  ${paint.dim(hook.scope)}`,
    hanging('matcher', matcher, width),
    `    ${(hook.written.type ?? 'hook').padEnd(7)}  ${clipped(hook.shown.text, width - 13)}`,
    ...(why === null ? [] : [paint.yellow(hanging('because', why, width))]),
    ...hook.warnings.map((warning) => paint.yellow(hanging('warning', warning, width))),
  ]
}
