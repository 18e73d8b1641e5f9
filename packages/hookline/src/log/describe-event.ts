import type { EventInput } from '../protocol/event-input.ts'
import { findEventSubject } from '../protocol/event-subject.ts'
import { toSafeJson } from '../text/visible.ts'

/** Formats what an event is about, in two columns. */
export interface EventWords {
  /** The tool of a call; of other events their name, with the tool if there is one. */
  readonly label: string
  /** The command, file or prompt; empty where the event says nothing of the kind. */
  readonly call: string
}

/** Fields of a tool's input that say most about a call, the most telling first. */
const TELLING_FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'skill',
  'prompt',
] as const

/** Fields of other events that say most about them. */
const EVENT_FIELDS = ['prompt', 'message', 'agent_type', 'source', 'reason', 'trigger', 'command_name'] as const

/** Says in a few words what an event is about. */
export function describeEvent(event: string, input: EventInput | null): EventWords {
  const tool = input?.tool_name
  if (typeof tool === 'string') {
    const label = findEventSubject(event) === 'call' ? tool : `${event} ${tool}`
    return { label, call: describeToolInput(input?.tool_input) }
  }
  const told = EVENT_FIELDS.map((field) => input?.[field]).find((value) => typeof value === 'string')
  return { label: event, call: typeof told === 'string' ? told : '' }
}

function describeToolInput(toolInput: unknown): string {
  if (typeof toolInput !== 'object' || toolInput === null) return ''
  const fields = toolInput as Readonly<Record<string, unknown>> // an object
  const told = TELLING_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string')
  return typeof told === 'string' ? told : toSafeJson(toolInput)
}
