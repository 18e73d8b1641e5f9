import { type Bridge, isUnverified, makeUnverifiedNote } from '../../../bridges/bridge.ts'
import { listUnlistedTools } from '../../../bridges/call/unknown.ts'
import { explainMissing } from '../../../bridges/install/entry.ts'
import { findUncalled } from '../../../bridges/install/loaded-file.ts'
import {
  findUnmappedTools,
  makeLossReport,
  type ReportLine,
  type UnmappedTool,
} from '../../../bridges/install/report.ts'
import { examineHost, type ScopeStanding, type UnreadScope } from '../../../bridges/install/standing.ts'
import { describeTrials, type Trials } from '../../../bridges/install/try-entry.ts'
import type { ListedHook } from '../../../engine/listing.ts'
import { listWaitingHooks } from '../../../engine/waiting-hooks.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { loadBridges } from '../../input/load-bridge.ts'
import { readArguments, refusePositionals, toEngineOptions } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { clipText, indentText } from '../../view/layout.ts'
import { withTrials } from '../../view/progress-bar.ts'
import type { Terminal } from '../../view/terminal.ts'
import { BRIDGE_FLAGS, withHooks } from './bridged.ts'

const FLAGS = { ...BRIDGE_FLAGS, strict: { type: 'boolean' }, markdown: { type: 'boolean' } } as const

/** Runs `hookline bridge report`: for one agent, or for all. */
export async function report(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridges = await loadBridges(agent, toEngineOptions(values).home)
  return withHooks(values, async (engine, places) => {
    const terminal = openCommandTerminal(values)
    const waiting = await listWaitingHooks({ ...toEngineOptions(values), profile: CLAUDE_CODE_PROFILE })
    const hooks = [...engine.list(), ...waiting.map(({ listed }) => listed)]
    const reports = await withTrials((trials) =>
      Promise.all(bridges.map((bridge) => reportAgent(bridge, hooks, { ...places, trials }))),
    )
    if (values.json) {
      printJson(
        reports.map(({ bridge, lines, scopes, unread, unmapped, openings, uncalled }) => ({
          agent: bridge.name,
          seen: bridge.seen,
          scopes,
          unread,
          unverified: isUnverified(bridge),
          blind: bridge.capabilities.blind,
          hooks: lines,
          unmapped,
          openings,
          uncalled,
        })),
      )
    } else {
      for (const one of reports) {
        print(`${(values.markdown ? formatReportMarkdown(one) : formatReportText(one, terminal)).join('\n')}\n\n`)
      }
    }
    return values.strict && reports.some(isWeaker) ? 1 : 0
  })
}

/** True where a guard is weaker than in Claude Code, would have to name a tool of the agent, or is not reached. */
const isWeaker = ({ lines, unmapped, openings, bridge }: AgentReport): boolean =>
  openings.length > 0 ||
  lines.some(({ weaker }) => weaker) ||
  unmapped.some(({ tool, unasked }) => unasked.length > 0 && !(tool in (bridge.capabilities.unseen ?? {})))

interface AgentReport {
  readonly bridge: Bridge
  readonly lines: readonly ReportLine[]
  /** Scopes in which the bridge is installed, and what becomes of its entries there. */
  readonly scopes: readonly ScopeStanding[]
  /** Scopes whose file cannot be read. */
  readonly unread: readonly UnreadScope[]
  readonly unmapped: readonly UnmappedTool[]
  /** Entries that open guards when they are started as the agent does: another program has that name, or none. */
  readonly openings: readonly string[]
  /** Hooks of the files that the agent loads by itself and does not call, as sentences. */
  readonly uncalled: readonly string[]
}

async function reportAgent(
  bridge: Bridge,
  hooks: readonly ListedHook[],
  { project, home, trials }: { readonly project: string; readonly home: string; readonly trials: Trials },
): Promise<AgentReport> {
  const standing = await examineHost(bridge, { project, home, env: process.env })
  const seen = await Promise.all(
    standing.scopes.map(({ scope }) =>
      describeTrials({ bridge: standing.written, scope, project, home, env: process.env }, process.env, trials),
    ),
  )
  return {
    bridge,
    lines: makeLossReport(bridge, hooks, standing),
    scopes: standing.scopes,
    unread: standing.unread,
    openings: seen.flat().flatMap(({ text, isOpen }) => (isOpen ? [text] : [])),
    uncalled: await findUncalled(bridge, { project, home, isBridged: standing.scopes.length > 0 }),
    unmapped: findUnmappedTools(bridge, hooks, await listUnlistedTools(bridge.name, home)),
  }
}

/** Says what the lines are about: what is installed, or what would be. */
function describeBasis({ bridge, scopes, unread, openings }: AgentReport): string {
  const faults = [...unread, ...scopes].flatMap(({ obstacles }) =>
    obstacles.flatMap(({ kind, text }) => (kind === 'unreadable' ? [text] : [])),
  )
  if (scopes.length === 0 && faults.length > 0) return faults.join(' ')
  if (scopes.length === 0)
    return `Not installed here: this is what will hold once "hookline bridge install ${bridge.name}" was run${bridge.install.review === undefined ? '' : ' and its entries were reviewed'}.`
  const missing = scopes.map(({ scope, ifMissing }) => `${explainMissing(bridge, ifMissing)} (${scope})`)
  return [
    `Installed: ${scopes.map(({ scope, state }) => `${scope} (${state})`).join(', ')}.`,
    ...missing,
    ...openings,
    ...faults,
  ].join(' ')
}

const formatHeading = ({ title, seen: { version } }: Bridge): string => `${title} ${version}`

function formatReportText(report: AgentReport, { width, paint }: Terminal): string[] {
  const { bridge, lines, unmapped, uncalled } = report
  const doubt = makeUnverifiedNote(bridge)
  const colour = { exact: paint.green, emulated: paint.dim, partial: paint.yellow, lost: paint.red }
  const findWidest = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => cell.length))
  const events = findWidest(lines.map(({ event }) => event))
  const matchers = findWidest(lines.map(({ matcher }) => matcher ?? ''))
  const told = lines.flatMap(({ holds, event, matcher, runs, notes }) => {
    const start = `  ${holds.padEnd(8)}  ${event.padEnd(events)}  ${(matcher ?? '').padEnd(matchers)}  `
    const line = clipText(`${start}${runs.replaceAll(/\s+/g, ' ')}`, width)
    return [colour[holds](line), ...notes.map((note) => paint.dim(indentText(note, '            ', width)))]
  })
  return [
    paint.bold(formatHeading(bridge)),
    ...(doubt === null ? [] : [paint.yellow(indentText(doubt, '  ', width))]),
    indentText(describeBasis(report), '  ', width),
    ...uncalled.map((text) => paint.yellow(indentText(text, '  ', width))),
    ...told,
    ...unmapped.map(({ note, unasked }) =>
      (unasked.length > 0 ? paint.yellow : paint.dim)(indentText(`${note}.`, '  ', width)),
    ),
    `  ${summariseReport(lines)}`,
  ]
}

function formatReportMarkdown(report: AgentReport): string[] {
  const { bridge, lines, unmapped, uncalled } = report
  const doubt = makeUnverifiedNote(bridge)
  const formatCell = (value: string): string => value.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = lines.map(({ holds, event, matcher, runs, notes }) =>
    [holds, event, matcher ?? '', `\`${runs}\``, notes.join('; ')].map(formatCell).join(' | '),
  )
  return [
    `### ${formatHeading(bridge)}`,
    '',
    ...(doubt === null ? [] : [doubt, '']),
    describeBasis(report),
    '',
    ...uncalled.flatMap((text) => [text, '']),
    '| holds | event | matcher | hook | notes |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    ...unmapped.flatMap(({ note }) => ['', `${note}.`]),
  ]
}

/** Number of hooks hold, in one line. */
export function summariseReport(lines: readonly ReportLine[]): string {
  if (lines.length === 0) return 'No hook is configured here.'
  const counts = (['exact', 'emulated', 'partial', 'lost'] as const).flatMap((word) => {
    const count = lines.filter(({ holds }) => holds === word).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const weaker = lines.filter((line) => line.weaker).length
  const guards =
    weaker === 0 ? '' : ` ${weaker === 1 ? 'One guard is' : `${weaker} guards are`} weaker than in Claude Code.`
  return `${lines.length === 1 ? '1 hook' : `${lines.length} hooks`}: ${counts.join(', ')}.${guards}`
}
