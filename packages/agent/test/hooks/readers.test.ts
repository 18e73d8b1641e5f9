import { describe, expect, it } from 'vitest'
import { answering } from '../../../hookline/test/support/project.ts'
import { EVERY_EVENT, type FiredEvent, playEverything } from '../support/every-event.ts'
import { type OpenedAgent, textsOf } from '../support/opened-agent.ts'

/** Where a word was read. */
function readersOf(word: string, { requests, told }: OpenedAgent): string[] {
  const model = requests.flatMap(({ system, messages }) => [system, ...messages.flatMap(textsOf)])
  const reads = (texts: readonly string[]): boolean => texts.some((text) => text.includes(word))
  return [...(reads(model) ? ['model'] : []), ...(reads(told().user) ? ['user'] : [])]
}

/** Events whose context the model gets under one of the profiles, none of which is chosen here. */
const WITH_CONTEXT: readonly FiredEvent[] = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'Notification',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
]

/** Events whose plain output the model gets: as context, or as a wish about the summary. */
const WITH_PLAIN_OUTPUT: readonly FiredEvent[] = ['SessionStart', 'UserPromptSubmit', 'PreCompact']

describe.each(EVERY_EVENT)('at %s', (event) => {
  it('a systemMessage is read by the user alone', async () => {
    const seen = await playEverything(event, answering({ systemMessage: 'canary-system' }))
    expect(readersOf('canary-system', seen)).toEqual(['user'])
  })

  it('a stopReason is read by the user alone, and in no later request either', async () => {
    const answer = { continue: false, stopReason: 'canary-stop' }
    const once = `[ -e halted ] || { touch halted; ${answering(answer)}; }`
    const seen = await playEverything(event, once)
    expect(readersOf('canary-stop', seen)).toEqual(['user'])
    expect(seen.requests.length).toBeGreaterThan(0)
  })

  it('additionalContext is read by the model where the event has it, and in the verbose view', async () => {
    const answer = { hookSpecificOutput: { hookEventName: event, additionalContext: 'canary-context' } }
    const seen = await playEverything(event, answering(answer))
    expect(readersOf('canary-context', seen)).toEqual(WITH_CONTEXT.includes(event) ? ['model'] : [])
    expect(seen.told().verbose.some((text) => text.includes('canary-context'))).toBe(true)
  })

  it('plain output is read in the verbose view, and by the model where it is context', async () => {
    const seen = await playEverything(event, 'echo canary-plain')
    const ofPerson = event === 'PreCompact' ? ['user'] : [] // its own line says what each hook printed
    expect(readersOf('canary-plain', seen)).toEqual([
      ...(WITH_PLAIN_OUTPUT.includes(event) ? ['model'] : []),
      ...ofPerson,
    ])
    expect(seen.told().verbose.some((text) => text.includes('canary-plain'))).toBe(true)
  })

  it('stderr of a failing hook is read by the user alone', async () => {
    const seen = await playEverything(event, 'echo canary-failure >&2; exit 1')
    expect(readersOf('canary-failure', seen)).toEqual(['user'])
  })

  it('a reason without a decision is read by nobody', async () => {
    const seen = await playEverything(event, answering({ reason: 'canary-reason' }))
    expect(readersOf('canary-reason', seen)).toEqual([])
  })
})
