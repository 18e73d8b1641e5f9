import type { ScriptedToolCall } from './model-answer.ts'
import type { RequestBody } from './model-request.ts'
import {
  type AnswerFacts,
  findCommonFault,
  formatDataEvent,
  listObjects,
  listStringNames,
  splitPieces,
  USUAL_USAGE,
  type Wire,
} from './wire.ts'

/** OpenAI's chat completions, which Ollama, vLLM and LM Studio speak too. */
export const OPENAI: Wire = {
  path: /^\/v1\/chat\/completions$/,
  asked: ({ model, stream, tools, messages }) => ({
    model: String(model),
    streaming: stream === true,
    tools: listStringNames(listObjects(tools).map(({ function: named, custom = named }) => Object(custom).name)),
    toolResults: listObjects(messages).filter(({ role }) => role === 'tool').length,
  }),
  fault: (body) => findCommonFault(body) ?? findUnansweredOpenAICall(body),
  customTools: true,
  whole: (wording) => ({
    ...makeOpenAIHead(wording, 'chat.completion'),
    choices: [{ index: 0, message: makeOpenAIMessage(wording), logprobs: null, finish_reason: finishReason(wording) }],
    ...makeOpenAIUsage(wording),
  }),
  stream: (wording) => [
    ...makeOpenAIDeltas(wording).map((delta) => makeOpenAIChunk(wording, [{ index: 0, delta, finish_reason: null }])),
    makeOpenAIChunk(wording, [{ index: 0, delta: {}, finish_reason: finishReason(wording) }]),
    ...(isUsageWanted(wording.body)
      ? [
          formatDataEvent({
            ...makeOpenAIHead(wording, 'chat.completion.chunk'),
            choices: [],
            ...makeOpenAIUsage(wording),
          }),
        ]
      : []),
    'data: [DONE]\n\n',
  ],
  error: (status, message) => ({
    error: { message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null },
  }),
  streamError: (message) => formatDataEvent({ error: { message, type: 'server_error', param: null, code: null } }),
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_exceeded',
}

function makeOpenAIHead({ index, model }: AnswerFacts, object: string): object {
  return { id: `chatcmpl-${index}`, object, created: 1_700_000_000, model }
}

function makeOpenAIMessage({ answer: { text, thinking, tools }, index }: AnswerFacts): object {
  return {
    role: 'assistant',
    content: text ?? null,
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(tools === undefined ? {} : { tool_calls: makeToolCalls(tools, index) }),
  }
}

/** A text is the input of a custom tool. */
function makeToolCalls(tools: readonly ScriptedToolCall[], index: number) {
  return tools.map(({ id, name, input }, at) => {
    const makeOpenAIHead = { id: id ?? `call_${index}_${at}` }
    return typeof input === 'string'
      ? { ...makeOpenAIHead, type: 'custom' as const, custom: { name, input } }
      : { ...makeOpenAIHead, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } }
  })
}

function callDeltas(call: ReturnType<typeof makeToolCalls>[number], index: number): object[] {
  return call.type === 'custom'
    ? [
        { index, ...call, custom: { ...call.custom, input: '' } },
        ...splitPieces(call.custom.input).map((input) => ({ index, custom: { input } })),
      ]
    : [
        { index, ...call, function: { ...call.function, arguments: '' } },
        ...splitPieces(call.function.arguments).map((piece) => ({ index, function: { arguments: piece } })),
      ]
}

function makeOpenAIDeltas({ answer: { text = '', thinking = '', tools = [] }, index }: AnswerFacts): object[] {
  return [
    { role: 'assistant', content: '' },
    ...splitPieces(thinking).map((reasoning_content) => ({ reasoning_content })),
    ...splitPieces(text).map((content) => ({ content })),
    ...makeToolCalls(tools, index)
      .flatMap(callDeltas)
      .map((delta) => ({ tool_calls: [delta] })),
  ]
}

function makeOpenAIChunk(wording: AnswerFacts, choices: object[]): string {
  return formatDataEvent({ ...makeOpenAIHead(wording, 'chat.completion.chunk'), choices })
}

function finishReason({ answer: { stopReason, tools = [] } }: AnswerFacts): string {
  if (stopReason === 'length') return 'length'
  if (stopReason === 'refusal') return 'content_filter'
  return tools.length > 0 ? 'tool_calls' : 'stop'
}

/** Servers of this protocol may leave it out. */
function makeOpenAIUsage({ answer }: AnswerFacts): object {
  if (answer.usage === null) return {}
  const { inputTokens, outputTokens } = answer.usage ?? USUAL_USAGE
  return {
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  }
}

function isUsageWanted({ stream_options }: RequestBody): boolean {
  return Object(stream_options).include_usage === true
}

function findUnansweredOpenAICall(body: RequestBody): string | null {
  const messages = listObjects(body.messages)
  const answered = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
  const calls = messages.flatMap(({ tool_calls }) => listObjects(tool_calls))
  const missing = calls.map(({ id }) => id).find((id) => !answered.includes(id))
  return missing === undefined ? null : `tool_call_ids did not have response messages: ${missing}`
}
