import { check } from '../check/check.ts'
import { findSubjectsInPlay } from '../check/find-subjects.ts'
import { openEngine } from '../engine/engine.ts'
import { settle } from '../engine/options.ts'
import { HooklineError } from '../files/error.ts'
import { PROFILE_NAMES, type ProfileName } from '../protocol/profiles.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'
import type { PlaygroundAnswer } from './playground-answer.ts'

/** Texts that a user of the playground types. */
interface PlaygroundQuestion {
  /** Event as JSON; empty asks for findings alone. */
  readonly event: string
  /** Name of a profile; `auto` chooses by what the file holds, as the command does. */
  readonly profile: string
}

/** Rules that look for scripts and programs on the disk of a user. A playground has none: they are not looked at. */
const RULES_OF_DISK: readonly string[] = ['program-cannot-run', 'missing-script']

/** Folders of the files that a playground reads: the settings of a project, and nothing else. */
const PLAYGROUND = { project: '/project', home: '/home/you', managed: '/managed' } as const

/** Answers with the code of the commands: findings as `hookline validate`, a plan as `hookline explain`. Runs nothing. */
export async function answerPlayground({ event, profile }: PlaygroundQuestion): Promise<PlaygroundAnswer> {
  const name = PROFILE_NAMES.find((one): one is ProfileName => one === profile)
  const options = { ...PLAYGROUND, trust: 'accepted', ...(name === undefined ? {} : { profile: name }) } as const
  const { places, profiles } = await settle(options)
  const found = await check(await findSubjectsInPlay(places, profiles))
  const findings = found
    .filter((finding) => !RULES_OF_DISK.includes(finding.name))
    .map(({ severity, rule, name: word, line, column, message }) => ({
      severity,
      rule,
      name: word,
      line,
      column,
      message,
    }))
  const engine = await openEngine({ ...options, rehearsal: true })
  try {
    return { profile: engine.profile.name, findings, ...explainTyped(engine, event) }
  } finally {
    await engine.close()
  }
}

function explainTyped(
  engine: Awaited<ReturnType<typeof openEngine>>,
  text: string,
): Pick<PlaygroundAnswer, 'plan' | 'problem'> {
  if (text.trim() === '') return { plan: null, problem: null }
  const input = parseJsonOrNull(text)
  if (!isObject(input) || typeof input.hook_event_name !== 'string')
    return { plan: null, problem: 'The event is not valid JSON with a "hook_event_name".' }
  try {
    const { event, matched, hooks } = engine.explain({ ...input, hook_event_name: input.hook_event_name })
    return { plan: { event, matched, hooks }, problem: null }
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    return { plan: null, problem: error.message }
  }
}
