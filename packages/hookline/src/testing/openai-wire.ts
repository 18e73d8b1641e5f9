import type { ScriptedToolCall } from './model-answer.ts'
import type { RequestBody } from './model-request.ts'
import { commonFault, dataEvent, namesIn, objectsIn, pieces, USUAL_USAGE, type Wire, type Wording } from './wire.ts'

/** OpenAI's chat completions, which Ollama, vLLM and LM Studio speak too. */
export const OPENAI: Wire = {
  path: /^\/v1\/chat\/completions$/,
  asked: ({ model, stream, tools, messages }) => ({
    model: String(model),
    streaming: stream === true,
    tools: namesIn(objectsIn(tools).map(({ function: named, custom = named }) => Object(custom).name)),
    toolResults: objectsIn(messages).filter(({ role }) => role === 'tool').length,
  }),
  fault: (body) => commonFault(body) ?? unansweredCall(body),
  customTools: true,
  whole: (wording) => ({
    ...head(wording, 'chat.completion'),
    choices: [{ index: 0, message: message(wording), logprobs: null, finish_reason: finishReason(wording) }],
    ...usage(wording),
  }),
  stream: (wording) => [
    ...deltas(wording).map((delta) => chunk(wording, [{ index: 0, delta, finish_reason: null }])),
    chunk(wording, [{ index: 0, delta: {}, finish_reason: finishReason(wording) }]),
    ...(wantsUsage(wording.body)
      ? [dataEvent({ ...head(wording, 'chat.completion.chunk'), choices: [], ...usage(wording) })]
      : []),
    'data: [DONE]\n\n',
  ],
  error: (status, message) => ({
    error: { message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null },
  }),
  streamError: (message) => dataEvent({ error: { message, type: 'server_error', param: null, code: null } }),
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_exceeded',
}

function head({ index, model }: Wording, object: string): object {
  return { id: `chatcmpl-${index}`, object, created: 1_700_000_000, model }
}

function message({ answer: { text, thinking, tools }, index }: Wording): object {
  return {
    role: 'assistant',
    content: text ?? null,
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(tools === undefined ? {} : { tool_calls: toolCalls(tools, index) }),
  }
}

/** A text is the input of a custom tool. */
function toolCalls(tools: readonly ScriptedToolCall[], index: number) {
  return tools.map(({ id, name, input }, at) => {
    const head = { id: id ?? `call_${index}_${at}` }
    return typeof input === 'string'
      ? { ...head, type: 'custom' as const, custom: { name, input } }
      : { ...head, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } }
  })
}

function callDeltas(call: ReturnType<typeof toolCalls>[number], index: number): object[] {
  return call.type === 'custom'
    ? [
        { index, ...call, custom: { ...call.custom, input: '' } },
        ...pieces(call.custom.input).map((input) => ({ index, custom: { input } })),
      ]
    : [
        { index, ...call, function: { ...call.function, arguments: '' } },
        ...pieces(call.function.arguments).map((piece) => ({ index, function: { arguments: piece } })),
      ]
}

function deltas({ answer: { text = '', thinking = '', tools = [] }, index }: Wording): object[] {
  return [
    { role: 'assistant', content: '' },
    ...pieces(thinking).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(text).map((content) => ({ content })),
    ...toolCalls(tools, index)
      .flatMap(callDeltas)
      .map((delta) => ({ tool_calls: [delta] })),
  ]
}

function chunk(wording: Wording, choices: object[]): string {
  return dataEvent({ ...head(wording, 'chat.completion.chunk'), choices })
}

function finishReason({ answer: { stopReason, tools = [] } }: Wording): string {
  if (stopReason === 'length') return 'length'
  if (stopReason === 'refusal') return 'content_filter'
  return tools.length > 0 ? 'tool_calls' : 'stop'
}

/** Servers of this protocol may leave it out. */
function usage({ answer }: Wording): object {
  if (answer.usage === null) return {}
  const { inputTokens, outputTokens } = answer.usage ?? USUAL_USAGE
  return {
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
  }
}

function wantsUsage({ stream_options }: RequestBody): boolean {
  return Object(stream_options).include_usage === true
}

function unansweredCall(body: RequestBody): string | null {
  const messages = objectsIn(body.messages)
  const answered = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
  const calls = messages.flatMap(({ tool_calls }) => objectsIn(tool_calls))
  const missing = calls.map(({ id }) => id).find((id) => !answered.includes(id))
  return missing === undefined ? null : `tool_call_ids did not have response messages: ${missing}`
}
