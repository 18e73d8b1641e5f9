import type { HookField } from './hook-type.ts'

type HookFieldTable = Readonly<Record<string, HookField>>

/** Fields that a hook of any type may have. */
export const commonFields = {
  timeout: { shape: { above: 0 }, means: 'seconds', otherwise: 'that of its type', rule: 'V-HK-12' },
  statusMessage: { shape: 'string', means: "text beside the host's spinner while the hook runs", rule: 'V-HK-13' },
  onFailure: {
    shape: { values: ['continue', 'block'] },
    means: 'block: a failure of the hook blocks the event',
    otherwise: '`continue`',
    rule: 'V-HK-25',
  },
  once: {
    shape: 'boolean',
    means: 'runs once per session; in skills and slash commands only',
    otherwise: '`false`',
    rule: 'V-HK-14',
  },
} as const satisfies HookFieldTable

/** Fields of a hook that starts a program. */
export const commandFields = {
  command: { shape: 'string', means: 'shell text', rule: 'V-HK-06', start: 'what' },
  async: {
    shape: 'boolean',
    means: 'starts in the background and cannot decide anything',
    otherwise: '`false`',
    rule: 'V-HK-15',
    background: true,
  },
} as const satisfies HookFieldTable

/** Fields of a hook that a model decides. */
export const promptFields = {
  prompt: { shape: 'string', means: '$ARGUMENTS stands for the event as JSON', rule: 'V-HK-08', start: 'what' },
  model: {
    shape: 'string',
    means: 'the model that is asked',
    otherwise: "the host's small fast one",
    rule: 'V-HK-29',
  },
} as const satisfies HookFieldTable

/** Fields of a hook that the host calls itself. */
export const functionFields = {
  call: { shape: 'any', means: 'the function of the host that is called' },
} as const satisfies HookFieldTable
