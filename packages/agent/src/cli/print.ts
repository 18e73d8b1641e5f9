import { toOneLine } from 'hookline/internal'
import { formatBlockedPromptForUser } from '../hooks/words.ts'
import type { AgentEvent } from '../output/events.ts'
import { replaceShownText } from '../output/messages.ts'
import type { AgentResult, Denial } from '../output/result.ts'
import { makeDeferredFields } from '../transcript/entry.ts'
import type { OutputFormat } from './arguments.ts'

/** Readers of a run: answers, data, and words for the user. */
export interface PrintTarget {
  readonly answer: (text: string) => void
  readonly data: (value: object) => void
  readonly tell: (text: string) => void
}

/** Printer of one format. */
export interface Printer {
  readonly onEvent: (event: AgentEvent) => void
  readonly onResult: (result: AgentResult, sessionId: string) => void
}

/** Makes the printer of a format: data on standard output, words for the user on standard error. */
export function makePrinter(format: OutputFormat, output: PrintTarget & { readonly prompt: string }): Printer {
  return format === 'stream-json' ? makeStreamPrinter(output) : makeFinalPrinter(format, output)
}

/** Says the answer at the end. */
function makeFinalPrinter(
  format: 'text' | 'json',
  { answer, data, tell, prompt }: PrintTarget & { readonly prompt: string },
): Printer {
  return {
    onEvent: (event) => tellPerson(event, tell),
    onResult: (result, sessionId) => {
      if (format === 'json') data(makeResultLine(result, sessionId))
      else if (result.success) answer(result.text)
      else if (result.subtype === 'error_prompt_blocked') tell(formatBlockedPromptForUser(result, prompt))
      else if (result.subtype !== 'error_stopped_by_hook' || result.untold) tell(result.error) // a halt was told when it came
    },
  }
}

/** One JSON object a line, as it happens; hooks included. */
function makeStreamPrinter({ data, tell }: PrintTarget): Printer {
  let session_id = ''
  const printLine = (value: object): void => data({ ...value, session_id })
  return {
    onEvent: (event) => {
      if (event.type === 'session') session_id = event.sessionId
      for (const value of toStreamLines(event)) printLine(value)
      tellPerson(event, tell)
    },
    onResult: (result, sessionId) => data(makeResultLine(result, sessionId)),
  }
}

function tellPerson(event: AgentEvent, tell: PrintTarget['tell']): void {
  if (event.type === 'told' && event.to === 'user') tell(event.text)
  if (event.type === 'tool_refused' && event.denial.by !== 'hook') tell(formatRefusalLine(event.denial))
}

/** Characters of an input that a line has room for. */
const MAX_INPUT_CHARS = 200

function formatRefusalLine({ toolName, toolInput, message }: Denial): string {
  const input = JSON.stringify(toolInput)
  const short = input.length > MAX_INPUT_CHARS ? `${input.slice(0, MAX_INPUT_CHARS)}…` : input
  return toOneLine(`Not run: ${toolName} ${short}: ${message}`)
}

type Began = Extract<AgentEvent, { type: 'session' }>

function toStreamLines(event: AgentEvent): object[] {
  switch (event.type) {
    case 'session':
      return [makeInitLine(event)]
    case 'message':
      return [{ type: event.message.role, message: replaceShownText(event.message, event.shown), ...makeMeta(event) }]
    case 'hook':
      return [makeHookProgressLine(event)]
    case 'told':
      return [{ type: 'system', subtype: 'told', to: event.to, text: event.text }]
    case 'compacted':
      return [{ type: 'system', subtype: 'compact_boundary', trigger: event.trigger }]
    default:
      return []
  }
}

function makeInitLine({ source, transcriptPath, cwd, model, tools, permissionMode }: Began): object {
  return { type: 'system', subtype: 'init', source, transcript_path: transcriptPath, cwd, model, tools, permissionMode }
}

function makeHookProgressLine({ event, progress }: Extract<AgentEvent, { type: 'hook' }>): object {
  const { type, ...rest } = progress
  return { type: 'system', subtype: type === 'decision' ? 'hook_decision' : type, hook_event: event, ...rest }
}

function makeMeta({ injected, agent }: Extract<AgentEvent, { type: 'message' }>): object {
  return {
    ...(injected ? { isMeta: true } : {}),
    ...(agent === null ? {} : { agent_id: agent.id, agent_type: agent.type }),
  }
}

/** A result in the shape of the transcript's last line. */
function makeResultLine(result: AgentResult, session_id: string): object {
  const { subtype, success, text, durationMs, turns, usage, toolCalls, denials } = result
  return {
    type: 'result',
    subtype,
    is_error: !success,
    result: text,
    ...(result.success ? makeDeferredFields(result.deferred) : {}),
    duration_ms: durationMs,
    num_turns: turns,
    num_tool_calls: toolCalls,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    permission_denials: denials.map(({ toolName, toolUseId, toolInput, message }) => ({
      ...{ tool_name: toolName, tool_use_id: toolUseId, tool_input: toolInput, message },
    })),
    session_id,
  }
}
