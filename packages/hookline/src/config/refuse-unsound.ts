import { HooklineError } from '../files/error.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { readHooks } from './read-hooks.ts'
import type { NewHook } from './settings-text.ts'
import { makeValueNode } from './source.ts'

/** Throws a HooklineError for a hook that could not run as it is written; resolves with what is merely odd about it. */
export async function refuseUnsound({ event, matcher, hook }: NewHook, profile: CompleteProfile): Promise<string[]> {
  const written = makeValueNode({ [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] })
  const origin = { scope: 'session', name: null, file: null, pluginRoot: null, needsTrust: false } as const
  const { problems } = await readHooks(written, origin, { profile })
  const [problem] = problems.filter(({ severity }) => severity === 'error')
  if (problem) throw new HooklineError(`The hook is not sound, so nothing was written. ${problem.message}`)
  return problems.map(({ message }) => message)
}
