import type { HookTypeFacts } from '../hook-type.ts'
import { commandFields, commonFields, functionFields, promptFields } from '../usual-fields.ts'

/** The hook types of `classic`. */
export const classicHookTypes = {
  command: { fields: { ...commandFields, ...commonFields }, required: ['command'], flat: true },
  prompt: { fields: { ...promptFields, ...commonFields }, required: ['prompt'] },
  agent: { fields: { ...promptFields, ...commonFields }, required: ['prompt'] },
  function: { fields: { ...functionFields, ...commonFields }, required: ['call'], inFiles: false },
} as const satisfies Readonly<Record<string, HookTypeFacts>>
