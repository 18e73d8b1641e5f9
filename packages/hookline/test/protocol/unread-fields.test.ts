import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { HooklineError } from '../../src/index.ts'
import { compileProfile, type EventDefinition } from '../../src/protocol/index.ts'
import { defineEvents } from '../../src/protocol/schemas/define-events.ts'
import { usual } from '../../src/protocol/usual.ts'

const moved = {
  ...usual,
  when: 'a folder was moved',
  merges: 'block',
  onBlock: 'it moves back',
  input: z.looseObject({}),
  example: {},
} as const
const answer = z.looseObject({ watchPaths: z.array(z.string()).optional() })
const watched = { watchPaths: { fields: ['watchPaths'], from: 'specific', merge: 'all' } } as const

describe('a field of an answer that nothing reads', () => {
  it('does not compile in a table of events', () => {
    // @ts-expect-error nothing reads watchPaths
    defineEvents({ FolderMoved: { ...moved, answer } })
    // @ts-expect-error an effect of another event does not read it either
    defineEvents({ FolderMoved: { ...moved, answer }, Other: { ...moved, answer, effects: watched } })
    // @ts-expect-error permissions are not what this event decides about
    defineEvents({ FolderMoved: { ...moved, answer: z.looseObject({ permissionDecision: z.string() }) } })
    const events = defineEvents({
      FolderMoved: { ...moved, answer, effects: watched },
      Blocked: { ...moved, answer: z.looseObject({ decision: z.string(), additionalContext: z.string() }) },
    })
    expect(Object.keys(events)).toEqual(['FolderMoved', 'Blocked'])
  })

  it('is refused with a sentence in a profile that is made at run time', () => {
    const events: Record<string, EventDefinition> = { FolderMoved: { ...moved, answer } }
    expect(() => compileProfile('mine', events)).toThrow(HooklineError)
    expect(() => compileProfile('mine', events)).toThrow(
      'mine: nothing reads the field "watchPaths" of answers to FolderMoved. Declare an effect',
    )
    expect(compileProfile('mine', { FolderMoved: { ...moved, answer, effects: watched } }).events.size).toBe(1)
  })
})
