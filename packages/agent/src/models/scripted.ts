import { randomUUID } from 'node:crypto'
import { stringifyJson } from 'hookline/internal'
import type { Usage } from '../output/messages.ts'
import { CLASSIFIER, COMPACTION, type Model, ModelError, type ModelPiece, type ModelRequest } from './model.ts'
import type { ScriptedTurn, ScriptSource } from './script.ts'

/** Options of a scripted model besides its script. */
export interface ScriptedModelOptions {
  readonly name: string
  /** Makes the ids of calls whose turn names none. */
  readonly newId?: () => string
}

const CONTEXT_WINDOW = 200_000
const EFFORT = 'high'
const PIECES = 4
const CHARACTERS_PER_TOKEN = 4

const DONE: ScriptedTurn = { text: 'done' }
const ALLOWED: ScriptedTurn = { text: '{"allow": true, "reason": "The script does not object."}' }
const SUMMARY: ScriptedTurn = { text: 'Summary: the conversation so far went by the script.' }

/**
 * A model that says what a script tells it, and `done` when that is over. The session's own loop goes through `turns`
 * once for as long as the model lives, also across compactions and `/clear`. Every subagent starts the list of its type
 * anew: how far it is, is seen from how often it has answered. Compactions go through `agents.compaction`, each of them
 * one turn, and come to a one-line summary without it; verdicts on calls go through `agents.classifier`, and allow without it.
 */
export function makeScriptedModel(script: ScriptSource, options: ScriptedModelOptions): Model {
  const { name, newId = () => `toolu_${randomUUID().replaceAll('-', '')}` } = options
  const { agents = {} } = script
  const said = { main: 0, compactions: 0, verdicts: 0 }
  const takeNextTurn = ({ agentType, messages }: ModelRequest): ScriptedTurn => {
    if (agentType === null) return script.turns?.[said.main++] ?? DONE
    const turns = Object.hasOwn(agents, agentType) ? agents[agentType]?.turns : undefined
    if (agentType === COMPACTION) return turns?.[said.compactions++] ?? SUMMARY
    if (agentType === CLASSIFIER) return turns?.[said.verdicts++] ?? ALLOWED
    return turns?.[messages.filter(({ role }) => role === 'assistant').length] ?? DONE
  }
  return {
    name,
    contextWindow: script.contextWindow ?? CONTEXT_WINDOW,
    effort: script.effort ?? EFFORT,
    async *stream(request) {
      for (const piece of streamTurn(takeNextTurn(request), { request, newId })) {
        await Promise.resolve() // as a stream does, it lets others run between its pieces
        request.signal.throwIfAborted()
        yield piece
      }
    },
  }
}

function* streamTurn(
  turn: ScriptedTurn,
  { request, newId }: { request: ModelRequest; newId: () => string },
): Generator<ModelPiece> {
  const { thinking = '', text = '', tools = [], error, cutShort = false } = turn
  for (const piece of splitText(thinking)) yield { type: 'thinking', thinking: piece }
  for (const piece of splitText(text)) yield { type: 'text', text: piece }
  for (const { name, input = {}, id = newId() } of tools) yield { type: 'tool_use', id, name, input }
  if (error !== undefined) throw new ModelError(error)
  yield { type: 'end', usage: estimateUsage(turn, request), cutShort }
}

/** A text in a few pieces that join to it; characters stay whole. */
function splitText(text: string): string[] {
  const characters = [...text]
  const length = Math.max(1, Math.ceil(characters.length / PIECES))
  const starts = Array.from({ length: Math.ceil(characters.length / length) }, (_, index) => index * length)
  return starts.map((start) => characters.slice(start, start + length).join(''))
}

function estimateUsage(
  { usage, thinking, text, tools }: ScriptedTurn,
  { system, messages, tools: specs }: ModelRequest,
): Usage {
  return {
    inputTokens: usage?.inputTokens ?? estimateTokens({ system, messages, specs }),
    outputTokens: usage?.outputTokens ?? estimateTokens({ thinking, text, tools }),
  }
}

function estimateTokens(said: object): number {
  return Math.ceil(stringifyJson(said).length / CHARACTERS_PER_TOKEN)
}
