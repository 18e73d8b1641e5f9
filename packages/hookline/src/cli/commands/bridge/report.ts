import { type Bridge, isUnverified, unverifiedNote } from '../../../bridges/bridge.ts'
import { explainMissing } from '../../../bridges/entry.ts'
import { lossReport, type ReportLine } from '../../../bridges/report.ts'
import { examineHost, type ScopeStanding } from '../../../bridges/standing.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { engineOptions, readArguments, refusePositionals } from '../../start/flags.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { clipped, indented } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'
import { BRIDGE_FLAGS, namedBridges, withHooks } from './bridged.ts'

const FLAGS = { ...BRIDGE_FLAGS, strict: { type: 'boolean' }, markdown: { type: 'boolean' } } as const

/** Runs `hookline bridge report`: for one agent, or for all. */
export async function report(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridges = await namedBridges(agent, engineOptions(values).home)
  return withHooks(values, async (engine, places) => {
    const terminal = commandTerminal(values)
    const reports = await Promise.all(bridges.map((bridge) => reportOn(bridge, engine, places)))
    if (values.json) {
      printJson(
        reports.map(({ bridge, lines, scopes }) => ({
          agent: bridge.name,
          seen: bridge.seen,
          scopes,
          unverified: isUnverified(bridge),
          blind: bridge.capabilities.blind,
          hooks: lines,
        })),
      )
    } else {
      for (const one of reports) {
        print(`${(values.markdown ? markdown(one) : text(one, terminal)).join('\n')}\n\n`)
      }
    }
    return values.strict && reports.some(({ lines }) => lines.some(({ weaker }) => weaker)) ? 1 : 0
  })
}

interface AgentReport {
  readonly bridge: Bridge
  readonly lines: readonly ReportLine[]
  /** Where the bridge is installed, and what becomes of its entries there. */
  readonly scopes: readonly ScopeStanding[]
}

async function reportOn(
  bridge: Bridge,
  engine: Engine,
  { project, home }: { readonly project: string; readonly home: string },
): Promise<AgentReport> {
  const standing = await examineHost(bridge, { project, home, env: process.env })
  return { bridge, lines: lossReport(bridge, engine.list(), standing), scopes: standing.scopes }
}

/** Says what the lines are about: what is installed, or what would be. */
function basisOf({ bridge, scopes }: AgentReport): string {
  if (scopes.length === 0)
    return `Not installed here: this is what will hold once "hookline bridge install ${bridge.name}" was run${bridge.install.review === undefined ? '' : ' and its entries were reviewed'}.`
  const missing = scopes.map(({ scope, ifMissing }) => `${explainMissing(bridge, ifMissing)} (${scope})`)
  return [`Installed: ${scopes.map(({ scope, state }) => `${scope} (${state})`).join(', ')}.`, ...missing].join(' ')
}

const headingOf = ({ title, seen: { version } }: Bridge): string => `${title} ${version}`

function text(report: AgentReport, { width, paint }: Terminal): string[] {
  const { bridge, lines } = report
  const doubt = unverifiedNote(bridge)
  const colour = { exact: paint.green, emulated: paint.dim, partial: paint.yellow, lost: paint.red }
  const widest = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => cell.length))
  const events = widest(lines.map(({ event }) => event))
  const matchers = widest(lines.map(({ matcher }) => matcher ?? ''))
  const told = lines.flatMap(({ holds, event, matcher, runs, notes }) => {
    const start = `  ${holds.padEnd(8)}  ${event.padEnd(events)}  ${(matcher ?? '').padEnd(matchers)}  `
    const line = clipped(`${start}${runs.replaceAll(/\s+/g, ' ')}`, width)
    return [colour[holds](line), ...notes.map((note) => paint.dim(indented(note, '            ', width)))]
  })
  return [
    paint.bold(headingOf(bridge)),
    ...(doubt === null ? [] : [paint.yellow(indented(doubt, '  ', width))]),
    indented(basisOf(report), '  ', width),
    ...told,
    `  ${summary(lines)}`,
  ]
}

function markdown(report: AgentReport): string[] {
  const { bridge, lines } = report
  const doubt = unverifiedNote(bridge)
  const cell = (value: string): string => value.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = lines.map(({ holds, event, matcher, runs, notes }) =>
    [holds, event, matcher ?? '', `\`${runs}\``, notes.join('; ')].map(cell).join(' | '),
  )
  return [
    `### ${headingOf(bridge)}`,
    '',
    ...(doubt === null ? [] : [doubt, '']),
    basisOf(report),
    '',
    '| holds | event | matcher | hook | notes |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ]
}

/** How many hooks hold, in one line. */
export function summary(lines: readonly ReportLine[]): string {
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
