import { readFile } from 'node:fs/promises'
import type { Block, Message, ToolUse } from '../output/messages.ts'
import { repairConversation } from './repair.ts'
import { readLine, type StoredLine } from './stored-line.ts'

/** Content of a session's file. */
export type StoredConversation =
  | {
      /** Messages for a model when the session goes on: from the last compaction on, and such that a provider accepts it. */
      readonly messages: readonly Message[]
      /** The calls at the end that hooks put off: they have no result. */
      readonly open: readonly ToolUse[]
      /** The uuid of the last line of the conversation; null: it has none. */
      readonly lastUuid: string | null
      /** The last line has no end, as when the process was killed; it was dropped. */
      readonly unfinished: boolean
      /** Whole lines that could not be read. */
      readonly broken: number
      /** Title that hooks gave the session; null: nothing. */
      readonly title: string | null
      /** Responses of tools, by the ids of their calls. */
      readonly responses: ReadonlyMap<string, unknown>
      /** Time of the model's last answer, and the tokens that it took; null: it never did, or the lines do not say. */
      readonly answered: { readonly at: Date; readonly tokens: number } | null
    }
  | { readonly fault: string }

/** Reads a transcript, also one of another client, and whatever state it was left in. */
export async function readTranscript(path: string): Promise<StoredConversation> {
  try {
    return parseConversation(await readFile(path, 'utf8'))
  } catch (error) {
    return {
      fault: `The transcript ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    }
  }
}

function parseConversation(text: string): StoredConversation {
  const texts = text.split('\n')
  const end = texts.pop() ?? ''
  const lines = texts.filter((line) => line.trim() !== '').map(readLine)
  const last = end === '' ? null : readLine(end)
  const unfinished = last?.kind === 'broken'
  const known = last && !unfinished ? [...lines, last] : lines
  const spoken = dropSidechains(removeRepeatedLines(known))
  const messages = spoken.slice(spoken.findLastIndex(({ kind }) => kind === 'boundary') + 1).flatMap(toMessages)
  const open = known.at(-1)?.kind === 'deferred' ? openCalls(messages) : []
  return {
    messages: repairConversation(messages, { open }),
    open,
    lastUuid: spoken.at(-1)?.uuid ?? null,
    unfinished,
    broken: known.filter(({ kind }) => kind === 'broken').length,
    title: known.findLast((line) => line.kind === 'title')?.title ?? null,
    responses: listResponses(spoken),
    answered: findLastAnswer(spoken),
  }
}

function listResponses(spoken: readonly SpokenLine[]): Map<string, unknown> {
  const entries = spoken.flatMap((line): [string, unknown][] => {
    if (line.kind !== 'message' || line.response === undefined) return []
    const { response, message } = line
    return message.content.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, response]] : []))
  })
  return new Map(entries)
}

function findLastAnswer(spoken: readonly SpokenLine[]): { at: Date; tokens: number } | null {
  const last = spoken.findLast((line) => line.kind === 'message' && line.message.role === 'assistant')
  return last?.kind === 'message' && last.at !== null ? { at: last.at, tokens: last.tokens } : null
}

/** The calls of the last answer that have no result. */
function openCalls(messages: readonly Message[]): ToolUse[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(at + 1).flatMap(({ content }) => content)
  const isOpen = (block: Block): block is ToolUse =>
    block.type === 'tool_use' &&
    !results.some((other) => other.type === 'tool_result' && other.tool_use_id === block.id)
  return messages[at]?.content.filter(isOpen) ?? []
}

type SpokenLine = Extract<StoredLine, { kind: 'message' | 'boundary' }>

/** The lines of the conversation; one that a failing disk made be written twice counts once. */
function removeRepeatedLines(lines: readonly StoredLine[]): SpokenLine[] {
  const spoken = lines.flatMap((line) => (line.kind === 'message' || line.kind === 'boundary' ? [line] : []))
  return spoken.filter(({ uuid }, index) => uuid === null || uuid !== spoken[index - 1]?.uuid)
}

/** Without the subagents' lines that some clients write between the session's own; a subagent's file is all of them. */
function dropSidechains(lines: readonly SpokenLine[]): SpokenLine[] {
  const own = lines.filter((line) => line.kind === 'boundary' || !line.sidechain)
  return own.some(({ kind }) => kind === 'message') ? own : [...lines]
}

function toMessages(line: SpokenLine): Message[] {
  return line.kind === 'message' ? [line.message] : []
}
