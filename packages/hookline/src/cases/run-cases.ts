import { existsSync, lstatSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/options.ts'
import { HooklineError } from '../files/error.ts'
import { makeFolders } from '../files/folders.ts'
import { isInside } from '../files/paths.ts'
import { readErrorCode } from '../files/read.ts'
import type { Profile } from '../protocol/profile.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import type { HookCase } from '../protocol/schemas/hook-test.ts'
import type { AgentTask, ModelPorts, ModelQuestion } from '../run/ports.ts'
import { makePathMap } from '../scratch/path-map.ts'
import { findFolderInCopy } from '../scratch/project-folder.ts'
import { type ProjectCopy, ProjectPool } from '../scratch/project-pool.ts'
import type { PlacedCase } from './case-file.ts'
import { PROJECT, toExpectation } from './case-of.ts'
import { listMismatches, type Mismatch } from './expectation.ts'
import type { CaseEdit } from './write-case-file.ts'

/** Result of a case. */
export type CaseResult = PlacedCase & { readonly durationMs: number } & (
    | { readonly ended: 'passed'; readonly record: DispatchRecord }
    | { readonly ended: 'failed'; readonly record: DispatchRecord; readonly mismatches: readonly Mismatch[] }
    /** Case that expects nothing so far. */
    | { readonly ended: 'open'; readonly record: DispatchRecord }
    /** Case that could not be tried. */
    | { readonly ended: 'broken'; readonly reason: string }
  )

/** Options of running cases. */
export interface CaseOptions extends Omit<EngineOptions, 'trust'> {
  readonly project: string
  /** The events that can be fired, by name. */
  readonly events: Profile['events']
  /** True if what the project brings along may run, its cases included: they set up files and variables. */
  readonly trusted: boolean
  readonly signal?: AbortSignal
}

/** Tries cases, some at a time; the results stand in the order of the cases, and each is told as soon as it is there. */
export async function runCases(
  cases: readonly PlacedCase[],
  { onResult = () => {}, ...options }: CaseOptions & { readonly onResult?: (result: CaseResult) => void },
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  const left = [...cases.entries()]
  const pool = new ProjectPool(options.project)
  const runNextCases = async (): Promise<void> => {
    for (let next = left.shift(); next && !options.signal?.aborted; next = left.shift()) {
      const [at, one] = next
      const result = await runCase(one, pool, options)
      results[at] = result
      onResult(result)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(cases.length, availableParallelism()) }, runNextCases))
    return results
  } finally {
    await pool.close()
  }
}

/** Lists what to write into the file of a case so that it expects what was seen: only what was wrong, or all when it expected nothing. */
export function listCaseEdits(result: CaseResult): CaseEdit[] {
  const place = ['cases', result.at, 'expect']
  if (result.ended === 'open') return [{ path: place, value: toExpectation(result.record) }]
  if (result.ended !== 'failed') return []
  return result.mismatches.map(({ path, seen }) => ({ path: [...place, ...path], value: seen }))
}

/** Tries a case in a copy of the project. Its record names the project as the case does. */
async function runCase(placed: PlacedCase, pool: ProjectPool, options: CaseOptions): Promise<CaseResult> {
  let started = performance.now()
  try {
    const record = await pool.use((copy) => {
      started = performance.now() // to make the copy is not the case's
      return fireCase(copy, placed.case, options)
    })
    const { expect } = placed.case
    const durationMs = performance.now() - started
    if (!expect) return { ...placed, durationMs, ended: 'open', record }
    const wrong = listMismatches(expect, record)
    if (wrong.length === 0) return { ...placed, durationMs, ended: 'passed', record }
    return { ...placed, durationMs, ended: 'failed', record, mismatches: wrong }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    return { ...placed, durationMs: performance.now() - started, ended: 'broken', reason: error.message }
  }
}

async function fireCase(
  { folder, project }: ProjectCopy,
  one: HookCase,
  { signal, trusted, events, ...options }: CaseOptions,
): Promise<DispatchRecord> {
  if (one.env !== undefined && !trusted)
    throw new HooklineError('"env" counts only in a project that is trusted. Use --trust for this run.')
  await writeFiles(one.files ?? {}, project)
  const names = makePathMap(PROJECT, project)
  const { HOOKLINE_LOG: _log, ...env } = options.env ?? process.env // a trial is not part of what happened
  const home = options.home ?? join(folder, 'home')
  const engine = await openEngine({
    ...options,
    project,
    home,
    managed: options.managed ?? join(folder, 'managed.json'),
    trust: trusted ? 'accepted' : 'refused',
    rehearsal: true,
    plugins: (options.plugins ?? []).map((plugin) =>
      findFolderInCopy(plugin, { copy: project, of: [options.project] }),
    ),
    permissionMode: 'default',
    transcriptPath: join(folder, 'transcript.jsonl'),
    env: { ...env, ...fillProject(one.env ?? {}, project) },
    ...(one.models === undefined ? {} : { models: makeCaseModel(one.models) }),
  })
  try {
    const example = events.get(one.event)?.example ?? {}
    const input = { ...fillProject(one.input ?? example, project), hook_event_name: one.event }
    return names.back(await engine.dispatch(input, signal === undefined ? {} : { signal }))
  } finally {
    await engine.close()
  }
}

const SCRIPTED = { model: 'scripted', usage: { inputTokens: null, outputTokens: null } }

/** A model that says what a case has it say. A question that the case does not foresee is a failure. */
function makeCaseModel(answers: NonNullable<HookCase['models']>): ModelPorts {
  const answerTo = (question: string): string => {
    const found = answers.find(({ when }) => when === undefined || question.includes(when))
    if (!found) throw new Error('the case has no answer for this question under "models"')
    return typeof found.answer === 'string' ? found.answer : JSON.stringify(found.answer)
  }
  return {
    askModel: async ({ system, messages }: ModelQuestion) => {
      const text = answerTo([system, ...messages.map((message) => message.text)].join('\n'))
      return { text, ...SCRIPTED }
    },
    runAgent: async ({ system, prompt }: AgentTask) => {
      const text = answerTo(`${system}\n${prompt}`)
      return { text, turns: 1, ...SCRIPTED }
    },
  }
}

async function writeFiles(files: Readonly<Record<string, string>>, project: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = resolve(project, path)
    const fault = placeFault(target, project)
    if (fault !== null)
      throw new HooklineError(`"${path}" under "files" ${fault}; only files of the project can be set up.`)
    try {
      makeFolders(dirname(target))
      await writeFile(target, text, text.startsWith('#!') ? { mode: 0o755 } : {})
    } catch (error) {
      throw new HooklineError(`"${path}" under "files" cannot be written (${readErrorCode(error)}).`)
    }
  }
}

/** Reason why a file cannot be set up at a place. It or a link on the way may lead out of the copy, as that of node_modules does. */
function placeFault(target: string, project: string): string | null {
  const nearest = findNearestExisting(target)
  if (!existsSync(nearest)) return 'is, or lies below, a link that leads nowhere'
  if (!isInside(nearest, project)) return 'is not in the project'
  return nearest === target && !statSync(nearest).isFile() ? 'is something else than a file already' : null
}

/** The nearest on the way up that there is, a link as itself. */
function findNearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) ? path : findNearestExisting(dirname(path))
}

/** A value in whose texts the project's folder stands for its name. */
function fillProject<Value>(value: Value, project: string): Value {
  return JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(PROJECT, project) : inner,
  )
}
