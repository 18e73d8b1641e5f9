import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Finding } from '../check/finding.ts'
import { maskSecrets } from '../config/text-diff.ts'
import type { Engine } from '../engine/engine-interface.ts'
import { explainNotRun, type ListedModule, nameState, type StartableHook, withStart } from '../engine/listing.ts'
import { type HookStatistics, isSameRedacted } from '../log/statistics.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import { isRecorderCommand } from '../protocol/wrapped-command.ts'
import { parseJsonOrNull } from '../text/json.ts'
import type {
  ConfiguredHookRow,
  ExcerptAnswer,
  FiguresAnswer,
  FindingsAnswer,
  HookFinding,
  HooksAnswer,
} from './api.ts'

/** Facts about the configuration beside the engine's own. */
export interface HookFacts {
  readonly project: string
  /** Reasons why hooks cannot start, by their ids. */
  readonly faults: ReadonlyMap<string, string>
}

/** Shows every configured hook with its state. */
export function showHooks(engine: Engine, { project, faults }: HookFacts): HooksAnswer {
  return {
    project,
    profile: engine.profile.name,
    isTrusted: engine.trust.accepted,
    hooks: [...engine.list().map((one) => toRow(withStart(one, faults))), ...engine.listModules().map(toModuleRow)],
    events: [...engine.profile.events.keys()],
  }
}

/** Puts findings at the hooks that they are about: each at the last hook that begins before it. */
export function placeFindings(engine: Engine, findings: readonly Finding[]): FindingsAnswer {
  const placed = new Map<string, HookFinding[]>()
  const others: HookFinding[] = []
  const starts = new Map<string, { line: number; id: string }[]>()
  for (const { hook } of engine.list()) {
    if (hook.file === null) continue
    const known = starts.get(hook.file) ?? []
    starts.set(hook.file, known)
    known.push({ line: hook.line ?? 0, id: hook.id })
  }
  for (const one of starts.values()) one.sort((a, b) => a.line - b.line)
  for (const finding of findings) {
    const owner = starts.get(finding.file)?.findLast(({ line }) => line <= (finding.line ?? 0))
    const shown = toHookFinding(finding)
    if (owner === undefined) others.push(shown)
    else placed.set(owner.id, [...(placed.get(owner.id) ?? []), shown])
  }
  return { placed: Object.fromEntries(placed), others }
}

function toHookFinding({ severity, rule, name, file, line, message }: Finding): HookFinding {
  return { severity, rule, name, place: `${file}:${line ?? 1}`, message }
}

/** Puts the figures of hooks at those that ran the same then: another command at the same place was another hook. */
export function placeFigures(engine: Engine, figures: readonly HookStatistics[]): FiguresAnswer {
  const placed: Record<string, HookStatistics> = {}
  for (const { hook } of engine.list()) {
    const runs = readRuns(hook.written)
    const own = figures.filter(({ id }) => id === hook.id)
    const found = own.find((one) => one.runs === runs) ?? own.find((one) => isSameRedacted(one.runs, runs))
    if (found !== undefined) placed[hook.id] = found
  }
  return { placed }
}

function toRow(listed: StartableHook): ConfiguredHookRow {
  const { hook, key, otherwise, cannotStart } = listed
  const state = cannotStart === null || otherwise !== null ? nameState(listed) : 'cannot start'
  return {
    id: hook.id,
    key,
    scope: hook.scope,
    event: hook.event,
    matcher: hook.matcherText ?? '',
    name: hook.shown.name,
    runs: hook.shown.text,
    type: hook.written.type ?? 'hook',
    state,
    because: explainNotRun(listed),
    place: hook.file === null ? hook.id : `${hook.file}:${hook.line}`,
    isRecorder: isRecorderCommand(hook.shown.text),
  }
}

/** A function hook of a plugin, which never runs here. */
function toModuleRow({ scope, file, line, module, type, state, because }: ListedModule): ConfiguredHookRow {
  const place = `${file}:${line}`
  const texts = { name: module, runs: module, event: '', matcher: '' }
  return { id: `${type} ${place}`, key: '', scope, ...texts, type, state, because, place, isRecorder: false }
}

const LINES_AROUND = 6

/** The lines of a settings file around a hook, without secrets. */
export async function excerptHook(engine: Engine, id: string, project: string): Promise<ExcerptAnswer | null> {
  const hook = engine.list().find((one) => one.hook.id === id)?.hook
  if (hook?.file === undefined || hook.file === null || hook.line === null) return null
  const path = isAbsolute(hook.file) ? hook.file : join(project, hook.file)
  const text = await readFile(path, 'utf8').catch(() => null) // deleted since it was read
  if (text === null) return null
  const lines = maskSecrets(text, [parseJsonOrNull(text)]).split('\n')
  const first = Math.max(0, hook.line - 3)
  return {
    file: hook.file,
    lines: lines.slice(first, hook.line + LINES_AROUND).map((line, at) => ({ line: first + at + 1, text: line })),
  }
}
