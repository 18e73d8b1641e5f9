import type { Finding } from '../../../check/finding.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { settle } from '../../../engine/options.ts'
import { excerptHook, placeFindings, showHooks } from '../../../inspect/hooks-view.ts'
import type { Configuration } from '../../../inspect/inspector.ts'
import { explainInFull, findStartFaults, toExplainedJson } from '../../start/explaining.ts'
import { type EngineFlags, toEngineOptions } from '../../start/flags.ts'
import { openCommandEngine } from '../../start/opening.ts'

/** An engine with the settings as they were when it was opened. */
interface OpenedEngine {
  readonly engine: Engine
  readonly faults: ReadonlyMap<string, string>
  readonly at: number
}

/** Milliseconds for which settings are taken to be the same: while a user types a call, they are not read for every letter. */
const FRESH_MS = 1000

/** Answers questions about hooks with the settings files as they are now. */
export function watchConfiguration(flags: EngineFlags): Configuration {
  const { project } = toEngineOptions(flags)
  let opened: Promise<OpenedEngine> | null = null
  const open = async (): Promise<OpenedEngine> => {
    const engine = await openCommandEngine(flags)
    return { engine, faults: await findStartFaults(engine, project), at: Date.now() }
  }
  const openFresh = async (): Promise<OpenedEngine> => {
    const known = await opened?.catch(() => null) // told to the one who asked
    if (known && Date.now() - known.at < FRESH_MS) return known
    opened = open()
    const fresh = await opened
    await known?.engine.close()
    return fresh
  }
  let last: Promise<unknown> = Promise.resolve()
  const ask = <Answer>(question: (opened: OpenedEngine) => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(async () => question(await openFresh()))
    last = answer.catch(() => {}) // told to the one who asked
    return answer
  }
  return {
    project,
    explain: (input) =>
      ask(async ({ engine, faults }) => toExplainedJson(await explainInFull(engine, input, { project, faults }))),
    list: () => ask(async ({ engine, faults }) => showHooks(engine, { project, faults })),
    check: () => ask(async ({ engine }) => placeFindings(engine, await findFaults(flags))),
    excerpt: (id) => ask(({ engine }) => excerptHook(engine, id, project)),
  }
}

/** The findings of `hookline validate` about the files in play. */
async function findFaults(flags: EngineFlags): Promise<Finding[]> {
  const { places, profiles } = await settle(toEngineOptions(flags))
  const { findSubjectsInPlay } = await import('../../../check/find-subjects.ts') // with all rules and their pages
  const { check } = await import('../../../check/check.ts')
  return check(await findSubjectsInPlay(places, profiles))
}
