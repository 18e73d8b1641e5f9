import type { AgentOptions } from '../session/options.ts'
import type { TerminalHost } from './host.ts'
import type { ModelSeat } from './model-seat.ts'

/** What an agent is told that works in a terminal: who answers, who is asked, and who follows it. */
export function optionsFor(
  host: TerminalHost,
  { model, modelOf }: ModelSeat,
  onEvent: NonNullable<AgentOptions['onEvent']>,
): AgentOptions {
  const { debug, agent, trusted } = host.options
  const write = (line: string): void => host.say({ kind: 'hook', text: line })
  return {
    ...agent,
    model,
    ...(modelOf === undefined ? {} : { modelOf }),
    ...(debug.length === 0 ? {} : { debug: { categories: debug, write } }),
    trust: trusted ? 'accepted' : 'stored',
    onEvent,
    dialog: (question) => host.ask((answer) => ({ kind: 'permission', question, answer }), question.signal),
    elicit: (question) => host.ask((answer) => ({ kind: 'form', question, answer }), question.signal),
  }
}
