import { join } from 'node:path'
import { type Bridge, type HostScope, isUnverified } from '../../../bridges/bridge.ts'
import { listUnlistedTools, readAllowedFields } from '../../../bridges/call/unknown.ts'
import { isInstalledInCloud } from '../../../bridges/install/cloud.ts'
import { toGuardBridge } from '../../../bridges/install/guard-entries.ts'
import { readInstalledEntries } from '../../../bridges/install/installed.ts'
import { explainWrappedLauncher, findLauncherPath, isOneWord } from '../../../bridges/install/launcher.ts'
import { findUncalled } from '../../../bridges/install/loaded-file.ts'
import { canBeWrapped, describeTwice, findHooksRunTwice } from '../../../bridges/install/report.ts'
import {
  examineHost,
  type HostSurroundings,
  type ScopeStanding,
  type UnreadScope,
} from '../../../bridges/install/standing.ts'
import { describeTrials, type TrialNote, type Trials } from '../../../bridges/install/try-entry.ts'
import { SETTINGS_FILES, USER_FOLDER_VARIABLE } from '../../../config/scopes.ts'
import { listWrittenEntries } from '../../../config/wrapped-hooks.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { isObjectText } from '../../../files/json-edit.ts'
import { makeProjectEnclosure, readText } from '../../../files/read.ts'
import { isAskedByPath } from '../../../protocol/wrapped-command.ts'
import { describeResident } from '../../../resident/standing.ts'
import { isAgentHere, isOnPath } from '../../input/agent-here.ts'
import { loadBridges } from '../../input/load-bridge.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { indentText } from '../../view/layout.ts'
import { withTrials } from '../../view/progress-bar.ts'
import { BRIDGE_FLAGS, listScopesToWrap, withHooks, wrapCommands } from './bridged.ts'
import { describeOutcome, probeClient } from './probe.ts'
import type { TrialOutcome } from './trial.ts'

/** A scope whose entries were started too: `silent`: guarded calls are refused since nothing answers, `open`: they are made. */
type TriedScope = Omit<ScopeStanding, 'state'> & { readonly state: ScopeStanding['state'] | 'silent' | 'open' }

interface BridgeStanding {
  readonly agent: string
  /** True if its program or its folder is on this machine. */
  readonly found: boolean
  /** Per scope: whether what is written there runs, or why not. */
  readonly installed: Readonly<Partial<Record<HostScope, TriedScope['state']>>>
  readonly scopes: readonly TriedScope[]
  /** Scopes whose file cannot be read: nobody knows what runs from it. */
  readonly unread: readonly UnreadScope[]
  readonly doubled: boolean
  /** True for an agent that was never run with these tables. */
  readonly unverified: boolean
  readonly notes: readonly string[]
}

const FLAGS = { ...BRIDGE_FLAGS, probe: { type: 'boolean' }, client: { type: 'string' } } as const

/** Runs `hookline bridge status`. */
export async function runBridgeStatus(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  if (values.client !== undefined && (agent === undefined || !values.probe))
    throw new UsageError(
      '--client names the program of one agent, with --probe: hookline bridge status AGENT --probe --client PATH.',
    )
  const bridges = await loadBridges(agent, toEngineOptions(values).home)
  return withHooks(values, async (engine, places) => {
    const all = await withTrials((trials) =>
      Promise.all(bridges.map((bridge) => readBridgeStanding(bridge, engine, { ...places, trials }))),
    )
    const shown =
      agent === undefined
        ? all.filter(({ found, scopes, unread, notes }) => found || scopes.length + unread.length + notes.length > 0)
        : all
    const tried = values.probe ? await probeAll(shown, bridges, values.client) : new Map<string, TrialOutcome>()
    const agents = all.map((one) => (tried.has(one.agent) ? { ...one, probe: tried.get(one.agent) } : one))
    if (values.json)
      printJson({
        ...{ onPath: isOnPath('hookline'), trusted: engine.trust.accepted, agents },
        resident: describeResident(engine.home, process.env),
      })
    else
      print(
        `${formatBridgeStatus(
          shown.map((one) => withOutcome(one, bridges, tried)),
          {
            ...{ engine, project: places.project, width: openCommandTerminal(values).width },
            renewals: process.platform === 'win32' ? [] : await describeWrappers(places),
          },
        ).join('\n')}\n`,
      )
    return [...tried.values()].some(({ saw }) => saw === 'not-asked' || saw === 'asked-and-made') ? 1 : 0
  })
}

/** Tries one client after the other: each of them is a whole agent. */
async function probeAll(
  shown: readonly BridgeStanding[],
  bridges: readonly Bridge[],
  client: string | undefined,
): Promise<Map<string, TrialOutcome>> {
  const tried = new Map<string, TrialOutcome>()
  for (const bridge of bridges)
    if (shown.some(({ agent }) => agent === bridge.name)) tried.set(bridge.name, await probeClient(bridge, client))
  return tried
}

function withOutcome(
  one: BridgeStanding,
  bridges: readonly Bridge[],
  tried: ReadonlyMap<string, TrialOutcome>,
): BridgeStanding {
  const outcome = tried.get(one.agent)
  const bridge = bridges.find(({ name }) => name === one.agent)
  if (outcome === undefined || bridge === undefined) return one
  return { ...one, notes: [`probe: ${describeOutcome(bridge, outcome)}`, ...one.notes] }
}

async function readBridgeStanding(
  bridge: Bridge,
  engine: Engine,
  { project, home, trials }: { readonly project: string; readonly home: string; readonly trials: Trials },
): Promise<BridgeStanding> {
  const here = { project, home, env: process.env, trials }
  const { written, scopes: read, unread, notes } = await examineHost(bridge, here)
  const seen = await tryScopes(written, read, here)
  const scopes = read.map((one, at) => ({ ...one, state: one.state === 'ready' ? readState(seen[at]) : one.state }))
  const installed = Object.fromEntries(scopes.map(({ scope, state }) => [scope, state]))
  const isInstalled = scopes.length > 0
  const found = isAgentHere(bridge, { project, home, env: process.env })
  const twice = findHooksRunTwice(bridge, engine.hooks)
  const unwrappable = twice.filter((hook) => !canBeWrapped(hook))
  const toWrap = listScopesToWrap(bridge, engine)
  return {
    agent: bridge.name,
    found,
    installed,
    scopes,
    unread,
    unverified: isUnverified(bridge),
    doubled: isInstalled && (twice.length > 0 || scopes.length > 1),
    notes: [
      ...new Set([...scopes, ...unread].flatMap(({ obstacles }) => obstacles.map(({ text }) => text))),
      ...notes,
      ...(await findUncalled(bridge, { project, home, isBridged: isInstalled })),
      ...(isInstalled && twice.length > 0 ? [describeTwice(bridge, twice)] : []),
      ...(isInstalled && toWrap.length > 0
        ? [
            `${bridge.title} loads ${formatHookCount(twice.length - unwrappable.length)} of .claude by itself as well: run ${wrapCommands(toWrap)}.`,
          ]
        : []),
      ...(isInstalled && unwrappable.length > 0
        ? [
            `${bridge.title} loads ${formatHookCount(unwrappable.length)} of .claude by itself as well that cannot be wrapped: ${unwrappable.map(({ id }) => id).join(', ')}.`,
          ]
        : []),
      ...(scopes.length > 1
        ? ['It is installed for the user and for the project, so every hook runs twice: uninstall one of them.']
        : []),
      ...(await describeGuards(written, here)),
      ...seen.flat().map(({ text }) => text),
      ...(await listRenewals(written, read, here)),
      ...(await listUnknownNotes(bridge, home)),
      ...(bridge.name === 'copilot' && installed.project !== undefined && !(await isInstalledInCloud(project))
        ? ['The cloud agent has no hookline: "hookline bridge install copilot --for cloud" writes what installs it.']
        : []),
    ],
  }
}

/** Says where entries of the guards alone stand, and what keeps them from running. */
async function describeGuards(
  bridge: Bridge,
  { trials, ...here }: HostSurroundings & { readonly trials: Trials },
): Promise<string[]> {
  const guards = toGuardBridge(bridge)
  const { scopes } = await examineHost(guards, here)
  if (scopes.length === 0) return []
  const seen = await tryScopes(guards, scopes, { ...here, trials })
  const states = scopes.map(
    ({ scope, state }, at) => `${scope}: ${STATES[state === 'ready' ? readState(seen[at]) : state]}`,
  )
  return [
    `Guards by entries of their own: ${states.join(', ')}.`,
    ...scopes.flatMap((one) => one.obstacles.map(({ text }) => text)),
    ...seen.flat().map(({ text }) => text),
  ]
}

/** Starts the entries of each scope as the agent does, and notes what was seen. */
function tryScopes(
  bridge: Bridge,
  scopes: readonly ScopeStanding[],
  { trials, ...here }: HostSurroundings & { readonly trials: Trials },
): Promise<TrialNote[][]> {
  return Promise.all(scopes.map(({ scope }) => describeTrials({ ...here, bridge, scope }, here.env, trials)))
}

/** Reads from the first of the notes, which is of this environment, whether entries that nothing speaks against answer. */
function readState([first]: readonly TrialNote[] = []): 'ready' | 'silent' | 'open' {
  if (first?.isOpen) return 'open'
  return first?.isFault ? 'silent' : 'ready'
}

/** Entries of the user that start Node for every event, since they were written before there was a resident engine. */
async function listRenewals(
  bridge: Bridge,
  scopes: readonly ScopeStanding[],
  here: HostSurroundings,
): Promise<string[]> {
  if (process.platform === 'win32' || !scopes.some(({ scope }) => scope === 'user')) return []
  const entries = await readInstalledEntries({ ...here, bridge, scope: 'user' })
  const isOld = isOneWord(findLauncherPath(here.home)) && entries.some(({ program }) => program === 'hookline')
  return isOld
    ? [
        `Every event starts Node, since the entries call the hookline of your PATH: run "hookline bridge install ${bridge.name}" again, and the resident engine answers them.`,
      ]
    : []
}

/** Says where wrapped hooks start Node for every event, and what is wrong with the launcher that the others read. */
async function describeWrappers(options: { project: string; home: string }): Promise<string[]> {
  let isReadingLauncher = false
  const found = await Promise.all(
    (['user', 'project', 'local'] as const).map(async (scope) => {
      const inside = scope === 'user' ? null : makeProjectEnclosure(options.project)
      const content = await readText(SETTINGS_FILES[scope](options), { inside })
      const text = content.read === 'text' && isObjectText(content.text) ? content.text : '{}'
      return (['wrap', 'tap'] as const).flatMap((by) => {
        const wrapped = listWrittenEntries(text, by).filter(({ isWrapped }) => isWrapped)
        const old = wrapped.filter(({ command }) => isAskedByPath(String(command?.value), by))
        if (old.length < wrapped.length) isReadingLauncher = true
        if (old.length === 0) return []
        const again = `hookline ${by} install --scope ${scope}${by === 'tap' ? ' --wrap all' : ''}`
        return [
          `${formatHookCount(old.length)} of the ${scope} settings ${old.length === 1 ? 'starts' : 'start'} Node twice for every event: run "${again}" again, and the resident engine answers.`,
        ]
      })
    }),
  )
  const fault = isReadingLauncher ? await explainWrappedLauncher(options.home) : null
  return [...found.flat(), ...(fault === null ? [] : [fault])]
}

/** Fields that the user lets pass, and tools that the table does not have. */
async function listUnknownNotes({ name, title }: Bridge, home: string): Promise<string[]> {
  const allowed = await readAllowedFields(name, home).then(
    (fields) => [...fields],
    (error) => String(error.message), // a file that is not used
  )
  const unlisted = await listUnlistedTools(name, home)
  return [
    ...(typeof allowed === 'string' ? [`${allowed}: no unknown field passes.`] : []),
    ...(typeof allowed !== 'string' && allowed.length > 0
      ? [
          `Unknown fields that you let pass: ${allowed.join(', ')}. "hookline bridge disallow ${name} FIELD" takes one back.`,
        ]
      : []),
    ...(unlisted.length > 0
      ? [
          `${title} called tools that Hookline does not know: ${unlisted.join(', ')}. Hooks see them by their own names, and as what their inputs suggest.`,
        ]
      : []),
  ]
}

const formatHookCount = (hooks: number): string => (hooks === 1 ? 'a hook' : `${hooks} hooks`)

function formatBridgeStatus(
  standings: readonly BridgeStanding[],
  {
    engine,
    project,
    width,
    renewals,
  }: {
    readonly engine: Engine
    readonly project: string
    readonly width: number
    readonly renewals: readonly string[]
  },
): string[] {
  const trust = engine.trust.accepted || engine.trust.request.digest === null
  const lines = standings.flatMap(({ agent, scopes, unread, doubled, unverified, notes }) => [
    `${agent.padEnd(11)} ${formatScopes(scopes, unread)}${doubled ? ', doubled' : ''}${unverified ? ' (unverified)' : ''}`,
    ...notes.map((note) => indentText(note, '            ', width)),
  ])
  const resident = describeResident(engine.home, process.env)
  if (standings.some(({ scopes }) => scopes.some(({ scope }) => scope === 'user')))
    lines.push(indentText(`resident    ${resident.state}: ${resident.text}`, '', width))
  for (const renewal of renewals) lines.push(indentText(renewal, '', width))
  const file = SETTINGS_FILES.user({ project, home: engine.home })
  if (file !== join(engine.home, '.claude', 'settings.json'))
    lines.push(
      indentText(
        `${USER_FOLDER_VARIABLE} is set, so your own hooks are read from ${file}. ${MOVED_ONLY_HERE}`,
        '',
        width,
      ),
    )
  if (lines.length === 0) lines.push('No agent that hooks can be bridged to was found here.')
  if (!trust)
    lines.push(
      indentText(
        'The hooks of this project are not trusted, so no bridge runs them: look with "hookline trust".',
        '',
        width,
      ),
    )
  return lines
}

const MOVED_ONLY_HERE =
  'An agent that is started without it (from a desktop, by another shell) runs those of your home instead.'

function formatScopes(scopes: BridgeStanding['scopes'], unread: BridgeStanding['unread']): string {
  const parts = [
    ...scopes.map(
      ({ scope, state, running, events }) => `${scope}: ${STATES[state]}${share(running.length, events.length)}`,
    ),
    ...unread.map(({ scope }) => `${scope}: ${STATES.unreadable}`),
  ]
  return parts.length === 0 ? 'not installed' : parts.join(', ')
}

const share = (running: number, all: number): string =>
  running > 0 && running < all ? ` (${running} of ${all} events run)` : ''

/** Words for what is known of entries that are written. */
const STATES: Readonly<Record<TriedScope['state'], string>> = {
  ready: 'ready',
  silent: 'DOES NOT ANSWER, every guarded call is refused',
  open: 'DOES NOT ANSWER, guards are open',
  missing: 'incomplete',
  unreviewed: 'NOT REVIEWED, does not run',
  untrusted: 'FOLDER NOT TRUSTED, does not run',
  off: 'SWITCHED OFF, does not run',
  unreadable: 'FILE CANNOT BE READ, does not run',
}
