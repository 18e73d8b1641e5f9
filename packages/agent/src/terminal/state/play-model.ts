import { randomUUID } from 'node:crypto'
import { COMPACTION, type Model, type ModelPiece, type ModelRequest, type ToolSpec } from '../../models/model.ts'

/** Asks the user for what the model says; rejects when the signal aborts. */
export type AskForWords = (as: string, signal: AbortSignal) => Promise<string>

/** A model whose words a user types. */
export function makePlayedModel(ask: AskForWords): Model {
  return {
    name: 'you',
    contextWindow: 200_000,
    async *stream(request) {
      const words = await ask(nameSpeaker(request), request.signal)
      yield* toTypedPieces(words, request.tools)
      yield { type: 'end', usage: { inputTokens: 0, outputTokens: 0 }, cutShort: false }
    },
  }
}

function nameSpeaker({ agentType }: ModelRequest): string {
  if (agentType === null) return 'model'
  return agentType === COMPACTION ? 'summary' : agentType
}

/**
 * Reads what was typed in the model's place: a line that begins with the name of a tool is a call, all else is text. `done` and
 * nothing at all end the turn.
 */
export function toTypedPieces(words: string, tools: readonly ToolSpec[]): ModelPiece[] {
  const text: string[] = []
  const calls: ModelPiece[] = []
  for (const line of splitCallLines(words.trim(), tools)) {
    const call = parseTypedCall(line, tools)
    if (call === null) text.push(line)
    else calls.push(call)
  }
  const said = text.join('\n').trim()
  return [...(said === '' || said === 'done' ? [] : [{ type: 'text', text: said } as const]), ...calls]
}

/** The lines; those after a call that begin with no tool belong to it, as the text of a file does. */
function splitCallLines(words: string, tools: readonly ToolSpec[]): string[] {
  const lines: string[] = []
  for (const line of words.split('\n')) {
    const last = lines.at(-1)
    const continues =
      last !== undefined && findTypedTool(last, tools) !== undefined && findTypedTool(line, tools) === undefined
    if (continues) lines[lines.length - 1] = `${last}\n${line}`
    else lines.push(line)
  }
  return lines
}

function findTypedTool(line: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const [word = ''] = line.split(/\s/, 1)
  return tools.find(({ name }) => name === word)
}

function parseTypedCall(line: string, tools: readonly ToolSpec[]): ModelPiece | null {
  const tool = findTypedTool(line, tools)
  if (tool === undefined) return null
  const rest = line.slice(tool.name.length).trim()
  return {
    type: 'tool_use',
    id: `toolu_${randomUUID().replaceAll('-', '')}`,
    name: tool.name,
    input: parseTypedInput(rest, tool),
  }
}

/** JSON as it is; else words for the required fields in their order, all that is left for the last of them. */
function parseTypedInput(rest: string, { inputSchema }: ToolSpec): unknown {
  if (rest.startsWith('{')) return parseJsonOrText(rest)
  const { required } = inputSchema
  const fields: string[] = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const values = splitValues(rest, fields.length)
  return Object.fromEntries(fields.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])))
}

/** Two texts after the first word are told apart by an arrow: `Edit notes.txt old => new`. */
function splitValues(rest: string, count: number): string[] {
  if (count <= 1) return rest === '' ? [] : [rest]
  const [, first = '', others = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? []
  const arrow = others.split(/\s*=>\s?/)
  if (count === 3 && arrow.length === 2) return [first, ...arrow]
  return [first, ...splitValues(others, count - 1)]
}

/** A text that is no JSON stays one: the check of inputs says what is wrong. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
