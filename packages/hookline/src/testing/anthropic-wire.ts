import type { RequestBody } from './model-request.ts'
import {
  type AnswerFacts,
  findCommonFault,
  formatTypedEvent,
  listObjects,
  listStringNames,
  splitPieces,
  USUAL_USAGE,
  type Wire,
} from './wire.ts'

/** Anthropic's Messages API. */
export const ANTHROPIC: Wire = {
  path: /^\/v1\/messages$/,
  asked: ({ model, stream, tools, messages }) => ({
    model: String(model),
    streaming: stream === true,
    tools: listStringNames(listObjects(tools).map(({ name }) => name)),
    toolResults: listObjects(messages)
      .flatMap(({ content }) => listObjects(content))
      .filter(({ type }) => type === 'tool_result').length,
  }),
  fault: (body) => findCommonFault(body) ?? findLimitFault(body) ?? findUnansweredCall(body),
  customTools: false,
  whole: (wording) => ({
    ...makeHead(wording),
    content: makeBlocks(wording),
    stop_reason: chooseStopReason(wording),
    stop_sequence: null,
    usage: makeUsage(wording),
  }),
  stream: (wording) => [
    formatTypedEvent({
      type: 'message_start',
      message: {
        ...makeHead(wording),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...makeUsage(wording), output_tokens: 1 },
      },
    }),
    formatTypedEvent({ type: 'ping' }),
    ...makeBlocks(wording).flatMap((block, index) => [
      formatTypedEvent({ type: 'content_block_start', index, content_block: makeBlockStart(block) }),
      ...makeDeltas(block).map((delta) => formatTypedEvent({ type: 'content_block_delta', index, delta })),
      formatTypedEvent({ type: 'content_block_stop', index }),
    ]),
    formatTypedEvent({
      type: 'message_delta',
      delta: { stop_reason: chooseStopReason(wording), stop_sequence: null },
      usage: { output_tokens: makeUsage(wording).output_tokens },
    }),
    formatTypedEvent({ type: 'message_stop' }),
  ],
  error: (status, message) => ({ type: 'error', error: { type: ERROR_TYPES[status] ?? 'api_error', message } }),
  streamError: (message) => formatTypedEvent({ type: 'error', error: { type: 'overloaded_error', message } }),
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

type AnthropicBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

function makeHead({ index, model }: AnswerFacts): object {
  return { id: `msg_${index}`, type: 'message', role: 'assistant', model }
}

/** A text that answers a forced call of a tool is that call, as the API would have it. */
function makeBlocks({ answer, body, index }: AnswerFacts): AnthropicBlock[] {
  const { thinking, text, tools = [] } = answer
  const forced = findForcedTool(body)
  const input = forced === null || text === undefined ? undefined : parseObjectOrUndefined(text)
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature: 'c2lnbmVk' }]),
    ...(text === undefined || input !== undefined ? [] : [{ type: 'text' as const, text }]),
    ...(forced === null || input === undefined
      ? []
      : [{ type: 'tool_use' as const, id: `toolu_${index}_json`, name: forced, input }]),
    ...tools.map(({ id, name, input }, at) => ({
      type: 'tool_use' as const,
      id: id ?? `toolu_${index}_${at}`,
      name,
      input,
    })),
  ]
}

function findForcedTool({ tool_choice, tools }: RequestBody): string | null {
  const { type, name }: RequestBody = Object(tool_choice)
  const only: unknown = Array.isArray(tools) && tools.length === 1 ? Object(tools[0]).name : null
  const forced = type === 'any' ? only : name
  return (type === 'tool' || type === 'any') && typeof forced === 'string' ? forced : null
}

function parseObjectOrUndefined(text: string): object | undefined {
  try {
    return Object(JSON.parse(text))
  } catch {
    return undefined // a model that answers in prose although it was held to a tool
  }
}

function chooseStopReason(wording: AnswerFacts): string {
  const { stopReason: given } = wording.answer
  if (given === 'length') return 'max_tokens'
  if (given === 'refusal') return 'refusal'
  return makeBlocks(wording).some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
}

/** Makes the usage, which this protocol always says: where the script has no number, it is 0. */
function makeUsage({ answer }: AnswerFacts): { input_tokens: number; output_tokens: number } {
  const { inputTokens, outputTokens } =
    answer.usage === undefined ? USUAL_USAGE : (answer.usage ?? { inputTokens: 0, outputTokens: 0 })
  return { input_tokens: inputTokens, output_tokens: outputTokens }
}

function makeBlockStart(block: AnthropicBlock): object {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
}

function makeDeltas(block: AnthropicBlock): object[] {
  if (block.type === 'text') return splitPieces(block.text).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'tool_use')
    return splitPieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  return [
    ...splitPieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ]
}

function findLimitFault({ max_tokens }: RequestBody): string | null {
  return typeof max_tokens === 'number' && max_tokens > 0 ? null : 'max_tokens: Field required'
}

function findUnansweredCall(body: RequestBody): string | null {
  const messages = listObjects(body.messages)
  for (const [at, message] of messages.entries()) {
    const answered = listObjects(messages[at + 1]?.content).map(({ tool_use_id }) => tool_use_id)
    const missing = listObjects(message.content).find(({ type, id }) => type === 'tool_use' && !answered.includes(id))
    if (missing)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.id}.`
  }
  return null
}
