import type { RequestBody } from './model-request.ts'
import {
  type AnswerFacts,
  formatTypedEvent,
  listObjects,
  listStringNames,
  splitPieces,
  USUAL_USAGE,
  type Wire,
} from './wire.ts'

/** OpenAI's Responses API. */
export const OPENAI_RESPONSES: Wire = {
  path: /^\/v1\/responses$/,
  asked: ({ model, stream, tools, input }) => ({
    model: String(model),
    streaming: stream === true,
    tools: listStringNames([...listObjects(tools), ...listLateTools(input)].map(({ type, name = type }) => name)), // hosted tools have a type alone
    toolResults: listObjects(input).filter(isResult).length,
  }),
  fault: (body) => findMissingField(body) ?? findUnansweredResponsesCall(body),
  customTools: true,
  whole: (wording) =>
    makeResponse(wording, { status: isCut(wording) ? 'incomplete' : 'completed', output: makeItems(wording) }),
  stream: (wording) => {
    const started = makeResponse(wording, { status: 'in_progress', output: [] })
    const ended = OPENAI_RESPONSES.whole(wording)
    const events = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...makeItems(wording).flatMap((item, output_index) => makeItemEvents(item, output_index)),
      { type: isCut(wording) ? 'response.incomplete' : 'response.completed', response: ended },
    ]
    return events.map((event, sequence_number) => formatTypedEvent({ ...event, sequence_number }))
  },
  error: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: null },
  }),
  streamError: (message) =>
    formatTypedEvent({ type: 'error', sequence_number: 0, ...OPENAI_RESPONSES.error(500, message) }),
}

type Item =
  | { type: 'reasoning'; id: string; summary: { type: 'summary_text'; text: string }[] }
  | { type: 'message'; id: string; status: string; role: string; content: Content[] }
  | {
      type: 'function_call'
      id: string
      status: string
      call_id: string
      name: string
      namespace?: string
      arguments: string
    }
  | { type: 'custom_tool_call'; id: string; status: string; call_id: string; name: string; input: string }
type Content =
  | { type: 'output_text'; text: string; annotations: []; logprobs: [] }
  | { type: 'refusal'; refusal: string }
interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

function makeResponse(wording: AnswerFacts, state: { status: string; output: Item[] }): object {
  const { index, model, body } = wording
  return {
    id: `resp_${index}`,
    object: 'response',
    created_at: 1_700_000_000,
    ...state,
    error: null,
    incomplete_details: state.status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: body.instructions ?? null,
    model,
    tools: body.tools ?? [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    usage: state.status === 'in_progress' ? null : makeResponsesUsage(wording),
  }
}

function makeItems({ answer: { thinking, text, tools = [], stopReason }, index }: AnswerFacts): Item[] {
  const said = text ?? ''
  const content: Content =
    stopReason === 'refusal'
      ? { type: 'refusal', refusal: said }
      : { type: 'output_text', text: said, annotations: [], logprobs: [] }
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            type: 'reasoning' as const,
            id: `rs_${index}`,
            summary: [{ type: 'summary_text' as const, text: thinking }],
          },
        ]),
    ...(text === undefined && stopReason !== 'refusal'
      ? []
      : [
          {
            type: 'message' as const,
            id: `msg_${index}`,
            status: 'completed',
            role: 'assistant',
            content: [content],
          },
        ]),
    ...tools.map(({ id, name, namespace, input }, at) => {
      const group = namespace === undefined ? {} : { namespace }
      const call = { status: 'completed', call_id: id ?? `call_${index}_${at}`, name, ...group }
      return typeof input === 'string'
        ? { type: 'custom_tool_call' as const, id: `ctc_${index}_${at}`, ...call, input }
        : { type: 'function_call' as const, id: `fc_${index}_${at}`, ...call, arguments: JSON.stringify(input) }
    }),
  ]
}

function makeItemEvents(item: Item, output_index: number): Event[] {
  const place = { item_id: item.id, output_index }
  return [
    { type: 'response.output_item.added', output_index, item: makeItemStart(item) },
    ...makeInsideEvents(item).map((event) => ({ ...event, ...place })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function makeItemStart(item: Item): Item {
  if (item.type === 'reasoning') return { ...item, summary: [] }
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'custom_tool_call') return { ...item, status: 'in_progress', input: '' }
  return { ...item, status: 'in_progress', arguments: '' }
}

function makeInsideEvents(item: Item): Event[] {
  if (item.type === 'function_call')
    return [
      ...splitPieces(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', arguments: item.arguments },
    ]
  if (item.type === 'custom_tool_call')
    return [
      ...splitPieces(item.input).map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
      { type: 'response.custom_tool_call_input.done', input: item.input },
    ]
  if (item.type === 'reasoning') return item.summary.flatMap(makeSummaryEvents)
  return item.content.flatMap(makeContentEvents)
}

function makeSummaryEvents(part: { type: 'summary_text'; text: string }, summary_index: number): Event[] {
  const { text } = part
  return [
    { type: 'response.reasoning_summary_part.added', summary_index, part: { ...part, text: '' } },
    ...splitPieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index, delta })),
    { type: 'response.reasoning_summary_text.done', summary_index, text },
    { type: 'response.reasoning_summary_part.done', summary_index, part },
  ]
}

function makeContentEvents(part: Content, content_index: number): Event[] {
  const isText = part.type === 'output_text'
  const text = isText ? part.text : part.refusal
  const field = isText ? 'text' : 'refusal'
  const name = `response.${isText ? 'output_text' : 'refusal'}`
  return [
    { type: 'response.content_part.added', content_index, part: { ...part, [field]: '' } },
    ...splitPieces(text).map((delta) => ({ type: `${name}.delta`, content_index, delta })),
    { type: `${name}.done`, content_index, [field]: text },
    { type: 'response.content_part.done', content_index, part },
  ]
}

function isCut({ answer }: AnswerFacts): boolean {
  return answer.stopReason === 'length'
}

function makeResponsesUsage({ answer }: AnswerFacts): object | null {
  if (answer.usage === null) return null
  const { inputTokens, outputTokens } = answer.usage ?? USUAL_USAGE
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}

function findMissingField({ model, input }: RequestBody): string | null {
  if (typeof model !== 'string' || model === '') return "Missing required parameter: 'model'."
  return input === undefined || input === '' ? "Missing required parameter: 'input'." : null
}

function findUnansweredResponsesCall({ input }: RequestBody): string | null {
  const answered = listObjects(input)
    .filter(isResult)
    .map(({ call_id }) => call_id)
  const calls = listObjects(input).filter(({ type }) => /^(?:function|custom_tool)_call$/.test(String(type)))
  const missing = calls.find(({ call_id }) => !answered.includes(call_id))
  return missing === undefined ? null : `No tool output found for function call ${missing.call_id}.`
}

/** Tools that a request offers among its messages. */
function listLateTools(input: unknown): RequestBody[] {
  return listObjects(input).flatMap(({ type, tools }) => (type === 'additional_tools' ? listObjects(tools) : []))
}

function isResult({ type }: RequestBody): boolean {
  return String(type).endsWith('_call_output')
}
