import type { RequestBody } from './model-request.ts'
import {
  type AnswerFacts,
  formatDataEvent,
  listObjects,
  listStringNames,
  splitPieces,
  USUAL_USAGE,
  type Wire,
} from './wire.ts'

const PATH = /^\/v1(?:beta|alpha)?\/models\/([^/]+):(streamG|g)enerateContent$/

/** Google's Gemini API, whose streams are those of `alt=sse`. */
export const GEMINI: Wire = {
  path: PATH,
  asked: ({ tools, contents }, path) => {
    const [, model = '', how] = PATH.exec(path) ?? []
    const declared = listObjects(tools).flatMap(({ functionDeclarations }) => listObjects(functionDeclarations))
    return {
      model: decodeURIComponent(model),
      streaming: how === 'streamG',
      tools: listStringNames(declared.map(({ name }) => name)),
      toolResults: listTurnParts(contents).filter(({ functionResponse }) => functionResponse !== undefined).length,
    }
  },
  fault: (body) => findMissingContents(body) ?? findUnansweredGeminiCall(body),
  customTools: false,
  whole: (wording) => makeChunk(wording, { parts: makeParts(wording), isLast: true }),
  stream: (wording) => {
    const all = makeParts(wording).flatMap(cutPart)
    if (all.length === 0) return [formatDataEvent(GEMINI.whole(wording))]
    return all.map((part, at) => formatDataEvent(makeChunk(wording, { parts: [part], isLast: at === all.length - 1 })))
  },
  error: (status, message) => ({ error: { code: status, message, status: ERROR_STATUS[status] ?? 'INTERNAL' } }),
  streamError: (message) => formatDataEvent(GEMINI.error(503, message)),
}

const ERROR_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const UNANSWERED =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

type GeminiPart = { text: string; thought?: true } | { functionCall: { id: string; name: string; args: unknown } }

function makeChunk(wording: AnswerFacts, { parts, isLast }: { parts: GeminiPart[]; isLast: boolean }): object {
  const { index, model } = wording
  const candidate = { content: { role: 'model', parts }, index: 0 }
  if (!isLast) return { candidates: [candidate], modelVersion: model, responseId: `resp_${index}` }
  return {
    candidates: [{ ...candidate, finishReason: chooseFinishReason(wording) }],
    ...makeGeminiUsage(wording),
    modelVersion: model,
    responseId: `resp_${index}`,
  }
}

function makeParts({ answer: { thinking, text, tools = [] }, index }: AnswerFacts): GeminiPart[] {
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true as const }]),
    ...(text === undefined ? [] : [{ text }]),
    ...tools.map(({ id, name, input }, at) => ({
      functionCall: { id: id ?? `call_${index}_${at}`, name, args: input },
    })),
  ]
}

/** Texts come in pieces, calls whole. */
function cutPart(part: GeminiPart): GeminiPart[] {
  return 'text' in part ? splitPieces(part.text).map((text) => ({ ...part, text })) : [part]
}

function chooseFinishReason({ answer: { stopReason } }: AnswerFacts): string {
  if (stopReason === 'length') return 'MAX_TOKENS'
  return stopReason === 'refusal' ? 'SAFETY' : 'STOP'
}

function makeGeminiUsage({ answer }: AnswerFacts): object {
  if (answer.usage === null) return {}
  const { inputTokens, outputTokens } = answer.usage ?? USUAL_USAGE
  return {
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  }
}

function findMissingContents({ contents }: RequestBody): string | null {
  return listObjects(contents).length > 0 ? null : '* GenerateContentRequest.contents: contents is not specified'
}

function findUnansweredGeminiCall({ contents }: RequestBody): string | null {
  const turns = listObjects(contents).map(({ parts }) => listObjects(parts))
  const isUnanswered = turns.some((parts, at) => {
    const calls = parts.filter(({ functionCall }) => functionCall !== undefined)
    const results = turns[at + 1]?.filter(({ functionResponse }) => functionResponse !== undefined) ?? []
    return calls.length > 0 && calls.length !== results.length
  })
  return isUnanswered ? UNANSWERED : null
}

function listTurnParts(turns: unknown): RequestBody[] {
  return listObjects(turns).flatMap(({ parts }) => listObjects(parts))
}
