import type { Finding } from '../../check/finding.ts'
import { listSettingsPlaces, readPlugins } from '../../config/configuration.ts'
import { findTrustFile } from '../../config/trust.ts'
import type { Engine } from '../../engine/engine-interface.ts'
import { readPlaces, settle } from '../../engine/options.ts'
import { readStamp } from '../../files/read.ts'
import type { FindingsAnswer, HooksAnswer } from '../../inspect/api.ts'
import { excerptHook, placeFigures, placeFindings, showHooks } from '../../inspect/hooks-view.ts'
import type { Configuration } from '../../inspect/views.ts'
import { explainInFull, findStartFaults, toExplainedJson } from '../start/explaining.ts'
import { type EngineFlags, toEngineOptions } from '../start/flags.ts'
import { openCommandEngine } from '../start/opening.ts'

/** The configuration as it was read once, with what was made of it. */
interface Reading {
  readonly engine: Engine
  readonly faults: ReadonlyMap<string, string>
  readonly hooks: HooksAnswer
  readonly stamps: string
  /** Moment at which it was last seen to hold. */
  at: number
  /** Made when they are asked for. */
  findings: { readonly answer: Promise<FindingsAnswer>; readonly at: number } | null
  /** Answers that are being made of it. */
  readonly uses: Set<Promise<unknown>>
}

/** Milliseconds after which everything is read again behind an answer: programs and plugins have no place in the settings files. */
const FRESH_MS = 2000
/** Milliseconds for which findings are kept: all rules over all files and scripts take longer than anything else here. */
const FRESH_FINDINGS_MS = 10_000

/**
 * Answers questions about hooks. Settings files are read again before an answer where one of them was written; all else that hooks
 * depend on is looked at behind an answer, and `watch` hears when that changed something.
 */
export function watchConfiguration(flags: EngineFlags): Configuration {
  const { project } = toEngineOptions(flags)
  let current: Promise<Reading> | null = null
  let isLooking = false
  let onChange = (): void => {}

  const readAnew = (): Promise<Reading> => {
    void current?.then(closeReading, () => {}) // nothing was opened
    current = readConfiguration(flags)
    return current
  }
  const lookAgain = async (known: Reading): Promise<void> => {
    isLooking = true
    const next = await readConfiguration(flags).catch(() => null) // told to the one who asks after the next change
    isLooking = false
    known.at = Date.now()
    if (next === null) return
    await next.engine.close()
    if (next.stamps === known.stamps && JSON.stringify(next.hooks) === JSON.stringify(known.hooks)) return
    await readAnew().catch(() => {}) // told to the one who asks next
    onChange()
  }
  const findReading = async (): Promise<Reading> => {
    const known = await current?.catch(() => null) // told to the one who asked
    if (!known || known.stamps !== (await readStamps(flags))) return readAnew()
    if (!isLooking && Date.now() - known.at >= FRESH_MS) setImmediate(() => void lookAgain(known))
    return known
  }
  const ask = async <Answer>(question: (reading: Reading) => Answer | Promise<Answer>): Promise<Answer> => {
    const reading = await findReading()
    const answer = Promise.resolve(question(reading))
    reading.uses.add(answer)
    return answer.finally(() => reading.uses.delete(answer))
  }
  return {
    project,
    explain: (input) =>
      ask(async ({ engine, faults }) => toExplainedJson(await explainInFull(engine, input, { project, faults }))),
    list: () => ask(({ hooks }) => hooks),
    placeFigures: (figures) => ask(({ engine }) => placeFigures(engine, figures)),
    check: () => ask((reading) => findFindings(reading, flags)),
    excerpt: (id) => ask(({ engine }) => excerptHook(engine, id, project)),
    watch: (listener) => {
      onChange = listener
    },
  }
}

async function readConfiguration(flags: EngineFlags): Promise<Reading> {
  const { project } = toEngineOptions(flags)
  const stamps = await readStamps(flags)
  const engine = await openCommandEngine(flags)
  const faults = await findStartFaults(engine, project)
  const hooks = showHooks(engine, { project, faults })
  return { engine, faults, hooks, stamps, at: Date.now(), findings: null, uses: new Set() }
}

async function closeReading({ engine, uses }: Reading): Promise<void> {
  await Promise.allSettled(uses)
  await engine.close()
}

/** The stamps of all settings files that there are or could be, and of the list of trusted folders. */
async function readStamps(flags: EngineFlags): Promise<string> {
  const places = readPlaces(toEngineOptions(flags))
  const files = listSettingsPlaces(places, await readPlugins(places)).map(({ path }) => path)
  return [...files, findTrustFile(places.home)].map((path) => `${path} ${readStamp(path)}`).join('\n')
}

function findFindings(reading: Reading, flags: EngineFlags): Promise<FindingsAnswer> {
  const now = Date.now()
  if (reading.findings === null || now - reading.findings.at >= FRESH_FINDINGS_MS)
    reading.findings = { answer: findFaults(flags).then((found) => placeFindings(reading.engine, found)), at: now }
  return reading.findings.answer
}

/** The findings of `hookline validate` about the files in play. */
async function findFaults(flags: EngineFlags): Promise<Finding[]> {
  const { places, profiles } = await settle(toEngineOptions(flags))
  const { findSubjectsInPlay } = await import('../../check/find-subjects.ts') // with all rules and their pages
  const { check } = await import('../../check/check.ts')
  return check(await findSubjectsInPlay(places, profiles))
}
