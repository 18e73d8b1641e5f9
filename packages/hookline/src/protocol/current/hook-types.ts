import type { HookField, HookTypeFacts } from '../hook-type.ts'
import { commandFields, commonFields, functionFields, promptFields } from '../usual-fields.ts'

type CurrentFieldTable = Readonly<Record<string, HookField>>

const { onFailure: usualOnFailure, ...unfailing } = commonFields
const onFailure = { ...usualOnFailure, misfit: 'invalid', onOtherTypes: 'ignored' } as const satisfies HookField

const common = {
  ...unfailing,
  once: { ...unfailing.once, means: 'gone after its first success; in skills that the model opened only' },
  if: { shape: 'string', means: 'one permission rule that the call must match', start: 'whether', usual: [''] },
} as const satisfies CurrentFieldTable

const shellFields = {
  args: {
    shape: { list: 'string' },
    means: 'its arguments, one an element; no shell reads them',
    start: 'what',
    misfit: 'invalid',
  },
  shell: {
    shape: { values: ['bash', 'powershell'] },
    means: 'the shell that reads the command',
    otherwise: '`bash`',
    start: 'what',
    usual: ['bash'],
    misfit: 'invalid',
  },
  asyncRewake: {
    shape: 'boolean',
    means: 'runs in the background, and exit code 2 wakes the model',
    otherwise: '`false`',
    background: true,
  },
  rewakeMessage: { shape: 'string', means: 'handed on with a late answer' },
  rewakeSummary: { shape: 'string', means: 'handed on with a late answer' },
} as const satisfies CurrentFieldTable

const httpFields = {
  url: { shape: 'string', means: 'where the event is sent to, by POST', start: 'what', isAddress: true },
  headers: {
    shape: { each: 'string' },
    means: 'headers of the request; `$NAME` stands for a variable',
    isHeaders: true,
    misfit: 'invalid',
  },
  allowedEnvVars: {
    shape: { list: 'string' },
    means: 'the variables that `headers` may name',
    otherwise: 'none',
    misfit: 'invalid',
  },
} as const satisfies CurrentFieldTable

const toolFields = {
  server: { shape: 'string', means: 'the MCP server', start: 'what' },
  tool: { shape: 'string', means: 'the tool of it that is called', start: 'what' },
  input: { shape: 'any', means: 'its input, in which parts of the event can be named' },
} as const satisfies CurrentFieldTable

const continueOnBlock = {
  shape: 'boolean',
  means: 'the turn goes on after a refusal',
  otherwise: '`false`',
} as const satisfies HookField

/** The hook types of `current`; they also keep its hooks from running as something else in other profiles. */
export const currentHookTypes = {
  command: { fields: { ...commandFields, ...shellFields, onFailure, ...common }, required: ['command'], flat: true },
  http: { fields: { ...httpFields, onFailure, ...common }, required: ['url'] },
  mcp_tool: { fields: { ...toolFields, ...common }, required: ['server', 'tool'] },
  prompt: { fields: { ...promptFields, continueOnBlock, ...common }, required: ['prompt'] },
  agent: { fields: { ...promptFields, ...common }, required: ['prompt'] },
  function: { fields: { ...functionFields, ...common }, required: ['call'], inFiles: false },
} as const satisfies Readonly<Record<string, HookTypeFacts>>
