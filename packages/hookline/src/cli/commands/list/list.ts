import { startFaultsById } from '../../../check/programs.ts'
import { isSilencingHooks, type Problem } from '../../../config/problem.ts'
import {
  explainNotRun,
  isAttentionNeeded,
  type ListedHook,
  type ListedModule,
  nameState,
  type StartableHook,
  withStart,
} from '../../../engine/listing.ts'
import { listSimpleMatchers } from '../../../pattern/matcher.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { type Cause, findCausesElsewhere, isNeverRead } from '../../input/elsewhere.ts'
import { findEventRow, listEventsUnder } from '../../input/event-argument.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  refusePositionals,
  toEngineOptions,
  trustCommands,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal, tellProblems, tellProjectAbove, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatCauses } from '../../view/cause-view.ts'
import { formatHanging, trustHint } from '../../view/hook-view.ts'
import { clipText, indentText } from '../../view/layout.ts'
import { formatModules } from '../../view/module-view.ts'
import { describeProfiles } from '../../view/profile-view.ts'
import type { Paint, Terminal } from '../../view/terminal.ts'

/** States of a hook, as `--state` names them. */
const STATES = [
  'active',
  'untrusted',
  'duplicate',
  'invalid',
  'unsupported',
  'disabled',
  'policy-off',
  'cannot-start',
] as const

export const usage = `hookline list [flags]

Shows every configured hook with its scope, its place, its key, its matcher and
how that is understood, and its state: active, or why it never runs. Commands
that want a hook take its key, or its id as records have it (--json).

  hookline list
  hookline list --event PreToolUse --state untrusted
  hookline list --json --plugin ./my-plugin

  --compact                one line per hook; the default on narrow terminals
  --event EVENT            only hooks of this event (repeatable)
  --state STATE            only hooks in this state (repeatable):
                           ${STATES.slice(0, 5).join(', ')},
                           ${STATES.slice(5).join(', ')}
${ENGINE_USAGE}
Exit codes: 0 also when hooks need attention; 1 a mistake in the call.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  compact: { type: 'boolean' },
  event: { type: 'string', multiple: true },
  state: { type: 'string', multiple: true },
} as const

/** Below this width a hook has one line. */
const NARROW = 60

/** Readings of a matcher, for people. */
const UNDERSTOOD = { all: 'all', names: 'exact names', regex: 'regular expression', expression: 'expression' } as const

/** Describes what a written matcher means: what is neither empty nor a star, and yet for all, counts for nothing. */
function describeMatcher({ hook: { matcher, matcherText }, standing }: ListedHook): string {
  if (matcher.kind !== 'all' || matcherText === null || matcherText === '' || matcherText === '*')
    return listSimpleMatchers(matcher)
      .map(({ kind }) => UNDERSTOOD[kind])
      .join(' or ')
  return standing.verdict === 'invalid' ? 'not understood' : 'ignored, the event takes none'
}

/** Runs `hookline list`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const states = (values.state ?? []).map(parseState)
  return withEngine(values, async (engine) => {
    const known = await listEventsUnder(engine.profiles)
    const events = (values.event ?? []).map((name) => findEventRow(name, known).name)
    const faults = await startFaultsById(engine.list(), toEngineOptions(values))
    const all = engine.list().map((listed) => withStart(listed, faults))
    const hooks = all.filter(
      (one) =>
        (events.length === 0 || events.includes(one.hook.event)) &&
        (states.length === 0 || states.includes(findState(one))),
    )
    const modules = events.length > 0 ? [] : engine.listModules().filter(hasState(states))
    const elsewhere = await findCausesElsewhere(toEngineOptions(values))
    const causes = all.length === 0 ? elsewhere : elsewhere.filter(isNeverRead)
    if (values.json) printJson({ profiles: engine.profiles, hooks: [...hooks.map(toListedJson), ...modules], causes })
    else {
      tellProblems(engine)
      if (all.length > 0) await tellProjectAbove(engine, values)
      const terminal = openCommandTerminal(values)
      const profile = `Profile: ${describeProfiles(engine.profiles, { trusted: engine.trust.accepted })}.`
      const compact = values.compact === true || terminal.width < NARROW
      const shown = [
        ...(all.length === 0
          ? explainNoHook(engine.problems, causes, terminal)
          : [...listView(hooks, { compact, terminal }), ...formatCauses(causes, terminal)]),
        ...formatModules(modules, terminal),
        ...(hooks.some(({ otherwise }) => otherwise !== null)
          ? [indentText(trustHint(trustCommands(values)), '', terminal.width)]
          : []),
      ]
      print(`${[...shown, indentText(profile, '', terminal.width)].join('\n')}\n`)
    }
    return 0
  })
}

function parseState(name: string): (typeof STATES)[number] {
  const state = STATES.find((one) => one === name)
  if (state === undefined)
    throw new UsageError(`--state must be one of ${STATES.join(', ')}, not "${name}".${formatSuggestion(name, STATES)}`)
  return state
}

/** True for modules in one of these states; for all where none is named. */
function hasState(states: readonly string[]): (module: ListedModule) => boolean {
  return ({ state }) => states.length === 0 || states.includes(state)
}

/** The state that a hook is in, as `--state` names it. */
function findState(listed: StartableHook): (typeof STATES)[number] {
  return listed.cannotStart === null || listed.otherwise !== null ? nameState(listed) : 'cannot-start'
}

/** Reason why there is no hook: none that can be read, none here, or none at all. */
function explainNoHook(problems: readonly Problem[], causes: readonly Cause[], terminal: Terminal): string[] {
  const faults = problems.filter(isSilencingHooks)
  const [first, ...others] = [...new Set(faults.map(({ file }) => file))]
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const told = `No hook can be read: ${first}${more} ${others.length === 0 ? 'has' : 'have'} errors, shown above. hookline validate shows them in place.`
    return [indentText(told, '', terminal.width), ...formatCauses(causes, terminal)]
  }
  return [
    `No hook is configured.${causes.length === 0 ? ' hookline init makes one.' : ''}`,
    ...formatCauses(causes, terminal),
  ]
}

function toListedJson(listed: StartableHook): object {
  const { hook, key, standing, otherwise, duplicateOf, cannotStart } = listed
  return {
    id: hook.id,
    key,
    event: hook.event,
    scope: hook.scope,
    profile: hook.profile,
    file: hook.file,
    line: hook.line,
    matcher: hook.matcherText,
    understood: describeMatcher(listed),
    ...hook.written,
    state: nameState(listed),
    ...('because' in standing ? { because: standing.because } : {}),
    ...(otherwise === null ? {} : { otherwise }),
    ...(cannotStart === null ? {} : { cannotStart }),
    duplicateOf,
    warnings: hook.warnings,
  }
}

function listView(
  hooks: readonly StartableHook[],
  { compact, terminal }: { readonly compact: boolean; readonly terminal: Terminal },
): string[] {
  const attention = hooks.filter((one) => isAttentionNeeded(one) || one.cannotStart !== null).length
  const count = `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}, ${attention} ${attention === 1 ? 'needs' : 'need'} attention`
  if (compact)
    return [...hooks.map((listed) => compactLine(listed, terminal)), ...(hooks.length > 0 ? [''] : []), count]
  const events = [...new Set(hooks.map(({ hook }) => hook.event))]
  return [
    ...events.flatMap((event) => [
      terminal.paint.bold(event),
      ...hooks.filter(({ hook }) => hook.event === event).flatMap((listed) => formatListedHook(listed, terminal)),
      '',
    ]),
    count,
  ]
}

/** A hook in one line: its key and state, the event with the matcher, and what it runs. */
function compactLine(listed: StartableHook, { width, paint }: Terminal): string {
  const { hook, key } = listed
  const state = findState(listed)
  const label = hook.matcherText === null ? hook.event : `${hook.event}:${hook.matcherText}`
  const rest = clipText(`${label}  ${hook.shown.text}`, Math.max(10, width - key.length - state.length - 4))
  return `${paint.dim(key)}  ${paint[STATE_COLOURS[state] ?? 'yellow'](state)}  ${rest}`
}

const STATE_COLOURS: Readonly<Record<string, keyof Paint>> = {
  active: 'green',
  invalid: 'red',
  'cannot-start': 'red',
  'cannot start': 'red',
  duplicate: 'dim',
}

function formatListedHook(listed: StartableHook, { width, paint }: Terminal): string[] {
  const { hook, key } = listed
  const state = findState(listed).replace('cannot-start', 'cannot start')
  const place = hook.file === null ? hook.id : `${hook.file}:${hook.line}`
  const why = explainNotRun(listed)
  const matcher =
    hook.matcherText === null
      ? '(none: every call)'
      : `${clipText(hook.matcherText, width - 36)}  (${describeMatcher(listed)})`
  return [
    `  ${paint[STATE_COLOURS[state] ?? 'yellow'](state)}  ${paint.bold(clipText(place, width - state.length - hook.scope.length - key.length - 8))}  ${paint.dim(`${hook.scope}  ${key}`)}`,
    formatHanging('matcher', matcher, width),
    `    ${(hook.written.type ?? 'hook').padEnd(7)}  ${clipText(hook.shown.text, width - 13)}`,
    ...(why === null ? [] : [paint.yellow(formatHanging('because', why, width))]),
    ...hook.warnings.map((warning) => paint.yellow(formatHanging('warning', warning, width))),
  ]
}
