import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  classic,
  compileProfile,
  type EventDefinition,
  recordSchema,
  recordSchemaFor,
} from '../../src/protocol/index.ts'
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

  it('makes records that fit the schema of its profile, with an effect that no other has', async () => {
    const coloured = compileProfile('coloured', {
      ...classic,
      PreDeploy: {
        ...deploy,
        answer: z.looseObject({ colour: z.string().optional() }),
        effects: { colour: { fields: ['colour'], from: 'specific', merge: 'last' } },
      },
    })
    const answer = { hookSpecificOutput: { hookEventName: 'PreDeploy', colour: 'red' } }
    const engine = await engineWith({ PreDeploy: [commands(answering(answer))] }, { profile: coloured })
    const record = await engine.dispatch({ hook_event_name: 'PreDeploy', target: 'staging' })
    expect(record.decision).toMatchObject({ colour: 'red' })
    const written = JSON.parse(JSON.stringify(record))
    expect(recordSchemaFor(coloured).safeParse(written).error).toBeUndefined()
    expect(recordSchemaFor(coloured).safeParse({ ...written, colour: 'red' }).success).toBe(false)
    expect(recordSchema.safeParse(written).error?.message).toContain('Unrecognized key: \\"colour\\"')
  })
})
