import { basename } from 'node:path'
import type { Engine } from '../../engine/engine-interface.ts'
import { isAttentionNeeded } from '../../engine/listing.ts'
import { describeEvent } from '../../log/describe-event.ts'
import { readNewestEntry } from '../../log/read-log.ts'
import type { LogEntry } from '../../log/record-store.ts'
import { isRecorderCommand } from '../../protocol/wrapped-command.ts'
import { toEngineOptions } from '../start/flags.ts'
import { openCommandTerminal } from '../start/opening.ts'
import { clipText, formatColumns, formatCount } from '../view/layout.ts'
import { describeOutcome, formatLocalTime } from '../view/outcome-view.ts'
import { listLogs } from './log-source.ts'

/** Describes the hooks of this folder, in three lines: what there is, what is wrong, what ran last. */
export async function describeState(engine: Engine): Promise<string[]> {
  const { width } = openCommandTerminal({})
  const rows = [
    ['Hooks:', countHooks(engine)],
    ['Wrong:', await describeFaults(engine)],
    ['Last:', clipText(await describeLastEvent(), width - 'Hooks:  '.length)],
  ]
  return formatColumns(rows, width)
}

function countHooks(engine: Engine): string {
  const listed = engine.list()
  const hooks = listed.filter(({ hook }) => !isRecorderCommand(hook.shown.shell ?? ''))
  const recorder = hooks.length === listed.length ? '' : ' hookline tap records their events.'
  if (hooks.length === 0) return `none are configured here. hookline init makes one.${recorder.replace('their', 'all')}`
  const events = new Set(hooks.map(({ hook }) => hook.event)).size
  const active = hooks.filter(({ standing }) => standing.verdict === 'active').length
  const all = active === hooks.length ? 'all of them active' : `${active} active`
  return `${formatCount(hooks.length, 'hook', 'hooks')} for ${formatCount(events, 'event', 'events')}, ${all} (hookline list).${recorder}`
}

/** Lists what is wrong: files that cannot be read, hooks that do not run. */
async function describeFaults(engine: Engine): Promise<string> {
  const problems = engine.problems.filter(({ rule }) => rule !== 'untrusted') // the hooks of a folder that is not trusted need attention
  const attention = engine.list().filter(isAttentionNeeded)
  const { startFaultsById } = await import('../../check/programs.ts') // with a parser that only a look at programs needs
  const stuck = (await startFaultsById(engine.list(), toEngineOptions({}))).size
  const untrusted = attention.filter(({ standing }) => standing.verdict === 'untrusted').length
  const others = attention.length - untrusted
  const faults = [
    ...(problems.length > 0
      ? [`${formatCount(problems.length, 'problem', 'problems')} in the files (hookline validate)`]
      : []),
    ...(stuck > 0 ? [`${formatCount(stuck, 'hook', 'hooks')} cannot start (hookline doctor)`] : []),
    ...(others > 0 ? [`${formatCount(others, 'hook needs', 'hooks need')} attention (hookline why)`] : []),
    ...(untrusted > 0
      ? [`${formatCount(untrusted, 'hook is', 'hooks are')} not trusted in Hookline yet (hookline trust)`]
      : []),
  ]
  return `${faults.length === 0 ? 'nothing that shows without running them' : faults.join(', ')}.`
}

async function describeLastEvent(): Promise<string> {
  const { found } = await listLogs([], {})
  const entry = await findLastEntry(found)
  if (entry === null) return 'nothing was recorded yet (hookline tap install, or HOOKLINE_LOG=FILE).'
  const { record, input } = entry
  const { label, call } = describeEvent(record.event, input)
  const { day, time } = formatLocalTime(record.at)
  const [outcome] = describeOutcome(record)
  const elsewhere = record.project?.name // a log may hold several projects
  const place = elsewhere === undefined || elsewhere === basename(process.cwd()) ? '' : `in ${elsewhere}`
  const words = [`${day} ${time}`, outcome, label, call, place].filter((word) => word !== '' && word !== '-')
  return `${words.join('  ')} (hookline log)`
}

/** The newest event of several logs. */
async function findLastEntry(logs: readonly string[]): Promise<LogEntry | null> {
  const entries = await Promise.all(logs.slice(-MAX_LOGS).map(readNewestEntry))
  const known = entries.filter((entry) => entry !== null)
  return known.toSorted((a, b) => Date.parse(a.record.at) - Date.parse(b.record.at)).at(-1) ?? null
}

/** Logs that are looked into; those that were written to last come last. */
const MAX_LOGS = 8
