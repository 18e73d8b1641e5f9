import { expect, it } from 'vitest'
import type { AnyEngine, FunctionHook } from '../../src/index.ts'
import { PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import type { Decision } from '../../src/protocol/record/record.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'
import { toClaudeAnswer } from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'

/** What hooks can say, each with all that fits beside it. */
const SAID: readonly ((event: string) => object)[] = [
  () => ({}),
  () => ({ continue: false, stopReason: 'Enough' }),
  () => ({ continue: false }),
  () => ({ decision: 'block', reason: 'not here', systemMessage: 'Look.' }),
  (hookEventName) => ({ hookSpecificOutput: { hookEventName, additionalContext: 'It is night.' } }),
  (hookEventName) => ({
    hookSpecificOutput: { hookEventName, updatedMCPToolOutput: 'hidden', updatedToolOutput: 'hidden' },
  }),
  ...['allow', 'deny', 'ask', 'defer'].map((permissionDecision) => (hookEventName: string) => ({
    hookSpecificOutput: {
      hookEventName,
      permissionDecision,
      permissionDecisionReason: 'so',
      updatedInput: { room: 'hall' },
    },
  })),
  ...[
    {
      behavior: 'allow',
      updatedInput: { room: 'hall' },
      updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
    },
    { behavior: 'deny', message: 'no', interrupt: true },
  ].map((decision) => (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, decision } })),
  (hookEventName) => ({
    hookSpecificOutput: {
      ...{
        hookEventName,
        sessionTitle: 'Lamps',
        initialUserMessage: 'Go',
        watchPaths: ['/tmp/a'],
        reloadSkills: true,
        retry: true,
      },
      ...{
        displayContent: 'Fertig.',
        worktreePath: '/tmp/w',
        classifierContext: 'kind',
        action: 'accept',
        content: { a: 1 },
      },
      suppressOriginalPrompt: true,
    },
  }),
]

it.each(PROFILE_NAMES)('writes every decision of %s so that it is decided again', async (profile) => {
  const engine: AnyEngine = await engineWith({}, { profile })
  let answer: object = {}
  const { on } = engine as unknown as { on: (event: string, hook: FunctionHook) => Promise<unknown> }
  const events = Object.keys(EVENT_TABLES[profile])
  for (const event of events) await on.call(engine, event, () => answer)
  const decide = async (event: string, said: object) => {
    answer = said
    const example = engine.profile.events.get(event)?.example
    const tool = event === 'PostToolUse' ? { tool_name: 'mcp__docs__search', tool_response: 'secret' } : {}
    return engine.dispatch({ ...Object(example), ...tool, hook_event_name: event })
  }
  const seen: string[] = []
  for (const event of events) {
    for (const said of SAID) {
      const record = await decide(event, said(event))
      if (record.hooks.some(({ verdict }) => verdict !== 'ran')) continue // functions do not run there
      const again = await decide(event, toClaudeAnswer(record))
      expect([event, said(event), essence(again.decision)]).toEqual([event, said(event), essence(record.decision)])
      seen.push(event)
    }
  }
  expect(new Set(seen).size).toBeGreaterThan(5)
})

const essence = ({ messages, contextFrom: _, context, ...rest }: Decision) => ({
  ...rest,
  context: context.join('\n\n'),
  toUser: messages.filter(({ to }) => to === 'user').map(({ text }) => text),
})
