import type { Handler, HookTypeCode, HookTypeFacts } from '../../src/protocol/hook-type.ts'

interface EchoHandler extends Handler {
  readonly say: string
}

/** Hooks that say the same each time: `{ "type": "echo", "say": "not on Fridays" }`. */
export const echo: HookTypeFacts & HookTypeCode<EchoHandler> = {
  fields: {
    say: { shape: 'string', means: 'what it says to the model', rule: 'V-HK-06', start: 'what' },
    loud: { shape: 'boolean', means: 'in capitals', otherwise: '`false`' },
  },
  required: ['say'],
  seconds: 5,
  runsIn: 'host',
  needs: null,
  readEntry: ({ say, loud }) => ({ type: 'echo', say: loud === true ? String(say).toUpperCase() : String(say) }),
  shown: ({ say }) => ({ name: say, text: say }),
  identity: ({ say }) => say,
  run: async ({ say }, _turn, { started }) => {
    const answer = { decision: 'block', reason: say }
    return { ended: 'returned', value: answer, durationMs: performance.now() - started }
  },
  meaning: ({ value }) => ({ is: 'answered', value }),
}
