import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { classic, compileProfile, type EventDefinition } from '../../src/protocol/index.ts'
import { answering, commands, engineWith } from '../support/project.ts'

/** The row that CONTRIBUTING.md adds as its example. */
const deploy: EventDefinition = {
  ...classic.PreToolUse,
  when: 'a deployment is about to start',
  matchOn: 'target',
  values: ['staging', 'production'],
  input: z.looseObject({ target: z.string(), version: z.string().optional() }),
  answer: z.looseObject({ additionalContext: z.string().optional() }),
  merges: 'block',
  rewrites: null,
  onBlock: 'the deployment does not start; the reason goes to the model',
  example: { target: 'staging' },
}

const profile = compileProfile('with-deploy', { ...classic, PreDeploy: deploy })

describe('an event is one row', () => {
  it('is matched, run, read and merged by what its row says', async () => {
    const engine = await engineWith(
      {
        PreDeploy: [
          { matcher: 'production', ...commands('echo not on Fridays >&2; exit 2') },
          { matcher: 'staging', ...commands('echo never') },
          commands(
            answering({ hookSpecificOutput: { hookEventName: 'PreDeploy', additionalContext: 'last one failed' } }),
          ),
        ],
      },
      { profile },
    )
    const {
      profile: name,
      hooks,
      decision,
    } = await engine.dispatch({ hook_event_name: 'PreDeploy', target: 'production' })
    expect(name).toBe('with-deploy')
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'matcher-miss', 'ran'])
    expect(decision).toMatchObject({ blocked: true, reason: 'not on Fridays', context: ['last one failed'] })
  })

  it('has its input checked by what its row says', async () => {
    const engine = await engineWith({}, { profile })
    await expect(engine.dispatch({ hook_event_name: 'PreDeploy' })).rejects.toThrow(/PreDeploy: target/)
  })

  it('is unknown to a profile without that row', async () => {
    const engine = await engineWith({ PreDeploy: [commands('exit 2')] })
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-03', line: 3 }])
    await expect(engine.dispatch({ hook_event_name: 'PreDeploy' as string })).rejects.toThrow(
      /"PreDeploy" is not an event/,
    )
  })
})
