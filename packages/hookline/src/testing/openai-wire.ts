import type { RequestBody } from './model-request.ts'
import { answeringModel, commonFault, messagesOf, pieces, USUAL_USAGE, type Wire, type Wording } from './wire.ts'

/** OpenAI's chat completions, which Ollama, vLLM and LM Studio speak too. */
export const OPENAI: Wire = {
  fault: (body) => commonFault(body) ?? unansweredCall(body),
  whole: (wording) => ({
    ...head(wording, 'chat.completion'),
    choices: [{ index: 0, message: message(wording), logprobs: null, finish_reason: finishReason(wording) }],
    ...usage(wording),
  }),
  stream: (wording) => [
    ...deltas(wording).map((delta) => chunk(wording, [{ index: 0, delta, finish_reason: null }])),
    chunk(wording, [{ index: 0, delta: {}, finish_reason: finishReason(wording) }]),
    ...(wantsUsage(wording.body)
      ? [event({ ...head(wording, 'chat.completion.chunk'), choices: [], ...usage(wording) })]
      : []),
    'data: [DONE]\n\n',
  ],
  error: (status, message) => ({
    error: { message, type: ERROR_TYPES[status] ?? 'server_error', param: null, code: null },
  }),
  streamError: (message) => event({ error: { message, type: 'server_error', param: null, code: null } }),
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  429: 'rate_limit_exceeded',
}

function head(wording: Wording, object: string): object {
  return { id: `chatcmpl-${wording.index}`, object, created: 1_700_000_000, model: answeringModel(wording) }
}

function message({ answer: { text, thinking, tools }, index }: Wording): object {
  return {
    role: 'assistant',
    content: text ?? null,
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(tools === undefined ? {} : { tool_calls: toolCalls(tools, index) }),
  }
}

function toolCalls(tools: NonNullable<Wording['answer']['tools']>, index: number) {
  return tools.map(({ id, name, input }, at) => ({
    id: id ?? `call_${index}_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
}

function deltas({ answer: { text = '', thinking = '', tools = [] }, index }: Wording): object[] {
  return [
    { role: 'assistant', content: '' },
    ...pieces(thinking).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(text).map((content) => ({ content })),
    ...toolCalls(tools, index).flatMap((call, at) => [
      { tool_calls: [{ index: at, ...call, function: { name: call.function.name, arguments: '' } }] },
      ...pieces(call.function.arguments).map((piece) => ({
        tool_calls: [{ index: at, function: { arguments: piece } }],
      })),
    ]),
  ]
}

function chunk(wording: Wording, choices: object[]): string {
  return event({ ...head(wording, 'chat.completion.chunk'), choices })
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
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
  const messages = messagesOf(body)
  const answered = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
  const calls = messages.flatMap(({ tool_calls }) => (Array.isArray(tool_calls) ? tool_calls : []))
  const missing = calls.map(({ id }) => id).find((id) => !answered.includes(id))
  return missing === undefined ? null : `tool_call_ids did not have response messages: ${missing}`
}
