import { isObject } from '../text/json.ts'
import { countLeftover, type EventReader, type Leftovers, type PastEvent, type PastOutcome } from './past-event.ts'
import {
  beginReading,
  confirmStop,
  type Draft,
  findLoop,
  type Loop,
  makeDraft,
  noteOrigin,
  type ReadingState,
  settleCalls,
  settleResults,
  takeReleased,
} from './reading.ts'
import { isFeedback, isInputError, isToolFailure, readRefusal } from './refusal.ts'
import {
  type JsonObject,
  type Origin,
  readLineOrigin,
  readTranscriptLine,
  type ToolResult,
  type TranscriptFact,
} from './transcript-line.ts'

/** The type of a subagent that its file does not name. */
export const UNKNOWN_AGENT = 'unknown'

const PASSED: PastOutcome = { was: 'passed' }
const REFUSED_BY_HOOK: PastOutcome = { was: 'refused', by: 'hook' }

/** Reads a file of a session. Keeps only what waits for the result of a call. */
export function openEventReader({
  file,
  transcript,
  leftovers,
}: {
  readonly file: string
  /** The session's own transcript: a subagent's file belongs to it. */
  readonly transcript: string
  readonly leftovers: Leftovers
}): EventReader {
  const reading = beginReading(file, transcript, leftovers)
  return {
    take: (text) => {
      reading.line++
      return text.trim() === '' ? [] : takeLine(reading, text)
    },
    end: () => {
      for (const loop of reading.loops.values()) {
        confirmStop(reading, loop, PASSED)
        settleResults(loop)
      }
      settleCalls(reading)
      return takeReleased(reading)
    },
  }
}

function takeLine(reading: ReadingState, text: string): readonly PastEvent[] {
  const json = parseJsonObject(text)
  if (json) noteLine(reading, json)
  else reading.leftovers.torn++
  return takeReleased(reading)
}

function noteLine(reading: ReadingState, line: JsonObject): void {
  const told = readTranscriptLine(line)
  const origin = readLineOrigin(line)
  noteOrigin(reading, origin)
  const loop = findLoop(reading, origin)
  if (!SAID_ABOUT_RESULTS.has(told.told)) settleResults(loop)
  // Each kind of thing told has its note, so the pair fits.
  const note = NOTES[told.told] as (
    reading: ReadingState,
    told: TranscriptFact,
    about: { origin: Origin; loop: Loop },
  ) => void
  note(reading, told, { origin, loop })
}

/** Lines that may stand between a result and what a hook says about it. */
const SAID_ABOUT_RESULTS: ReadonlySet<TranscriptFact['told']> = new Set(['results', 'objection', 'hook-ran', 'nothing'])

interface About {
  readonly origin: Origin
  readonly loop: Loop
}

type Notes = {
  readonly [Kind in TranscriptFact['told']]: (
    reading: ReadingState,
    told: TranscriptFact & { told: Kind },
    about: About,
  ) => void
}

const NOTES: Notes = {
  prompt: (reading, { text }, { origin, loop }) => {
    confirmStop(reading, loop, PASSED)
    settleCalls(reading, loop)
    Object.assign(loop, { active: false, prompt: text })
    if (origin.loop !== null) return // the prompt of a subagent is not one of the user
    reading.waiting.push(makeDraft(reading, 'UserPromptSubmit', { fields: { prompt: text }, origin, before: PASSED }))
  },
  'dropped-prompt': (reading, { text }, { origin }) => {
    const about = { fields: { prompt: text }, origin, before: REFUSED_BY_HOOK }
    reading.waiting.push(makeDraft(reading, 'UserPromptSubmit', about))
  },
  'went-on': (reading, _told, { loop }) => {
    confirmStop(reading, loop, REFUSED_BY_HOOK)
    loop.active = true
  },
  interrupt: (_reading, _told, { loop }) => {
    loop.stop = null
  },
  objection: ({ open }, { call, made }, { loop }) => {
    const closed = call === null ? [...loop.results.values()].at(-1) : loop.results.get(call)
    if (made && closed) closed.result.event.before = REFUSED_BY_HOOK
    if (made) return
    const denied = open.get(call ?? '')
    if (denied) denied.denied = true
    else if (closed) markRefused(closed)
  },
  'hook-ran': ({ open, leftovers }, { event, call }, { loop }) => {
    countLeftover(leftovers, 'progress')
    const under = open.get(call ?? '')
    if (under && event === 'PreToolUse') under.asked = true
    if (!event.startsWith('PostToolUse')) return
    if (under) under.made = true
    const closed = loop.results.get(call ?? '')
    if (!closed) return
    closed.call.event.before = PASSED // after a call that was refused no hook runs
    closed.result.dropped = false
  },
  'stop-hooks': (reading, { halted }, { origin, loop }) => {
    countLeftover(reading.leftovers, 'system')
    loop.stop ??= makeStop(reading, origin, loop)
    if (halted) confirmStop(reading, loop, REFUSED_BY_HOOK)
  },
  answer: noteAnswer,
  results: noteResults,
  nothing: ({ leftovers }, { type }) => countLeftover(leftovers, type),
}

/** A hook refused a call, so nothing came of it. */
function markRefused({ call, result }: { readonly call: Draft; readonly result: Draft }): void {
  call.event.before = REFUSED_BY_HOOK
  result.dropped = true
}

function noteAnswer(reading: ReadingState, told: TranscriptFact & { told: 'answer' }, { origin, loop }: About): void {
  const { calls, message, mayEnd } = told
  if (message !== null && message !== loop.message) confirmStop(reading, loop, PASSED) // a new turn that the user did not ask for
  loop.message = message
  loop.agentType ??= origin.loop?.agentType ?? null
  loop.stop = mayEnd ? makeStop(reading, origin, loop) : null
  for (const { id, name, input } of calls) {
    if (reading.open.has(id)) continue // written twice
    const fields = { tool_name: name, tool_input: input, tool_use_id: id }
    const draft = makeDraft(reading, 'PreToolUse', { fields, origin, before: { was: 'unknown' } })
    draft.settled = false
    reading.open.set(id, { draft, loop, denied: false, asked: false, made: false })
    reading.waiting.push(draft)
  }
}

function noteResults(reading: ReadingState, told: TranscriptFact & { told: 'results' }, { origin, loop }: About): void {
  loop.stop = null // the turn had not ended: a call was under way
  for (const result of told.results) {
    const call = reading.open.get(result.id)
    if (!call) continue // of a call that the file does not hold
    reading.open.delete(result.id)
    const { draft, asked, made } = call
    const { event } = draft
    const hooksRan = asked || made
    event.before = call.denied ? REFUSED_BY_HOOK : readResultBefore(result, told)
    draft.dropped = !call.denied && !hooksRan && result.failed && isInputError(result.text) // no hook was asked about it
    draft.settled = draft.dropped || event.before.was === 'refused'
    if (draft.settled) continue
    const { tool_name, tool_input, tool_use_id } = event.input
    const [name, fields] = makeAfterCall(result, told.response)
    const before = isFeedback(told.beside) ? REFUSED_BY_HOOK : PASSED
    const after = makeDraft(reading, name, {
      fields: { tool_name, tool_input, tool_use_id, ...fields },
      origin,
      before,
    })
    after.settled = false
    if (result.failed && asked && !made && !isToolFailure(String(tool_name), result.text))
      markRefused({ call: draft, result: after })
    loop.results.set(result.id, { call: draft, result: after })
    reading.waiting.push(after)
  }
}

function readResultBefore(
  { failed, text }: ToolResult,
  { beside, decision }: TranscriptFact & { told: 'results' },
): PastOutcome {
  return failed ? readRefusal(text, { beside, decision }) : PASSED
}

function makeAfterCall({ failed, text, content }: ToolResult, response: unknown): [name: string, fields: object] {
  if (!failed) return ['PostToolUse', { tool_response: response ?? content }]
  return ['PostToolUseFailure', { error: text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1') }]
}

/** The end of a turn; null for a loop that is not an agent. */
function makeStop(reading: ReadingState, origin: Origin, loop: Loop): Draft | null {
  const fields = { stop_hook_active: loop.active }
  if (origin.loop === null) return makeDraft(reading, 'Stop', { fields, origin, before: PASSED })
  if (isFork(origin.loop.agent, loop.prompt)) return null
  const agent = { agent_type: loop.agentType ?? UNKNOWN_AGENT, agent_transcript_path: reading.file }
  const draft = makeDraft(reading, 'SubagentStop', { fields: { ...fields, ...agent }, origin, before: PASSED })
  if (loop.prompt !== null) draft.event.agentPrompt = loop.prompt
  return draft
}

/** Loops of the client's own, which are written down like those of subagents and fire no hook: a compaction, a suggestion. */
function isFork(agent: string | null, prompt: string | null): boolean {
  return (
    /^a(?:compact|prompt_suggestion|session_memory|side_question|speculation)\b/.test(agent ?? '') ||
    SUMMING_UP.test(prompt ?? '')
  )
}

/** Text by which a compaction is asked for. */
const SUMMING_UP =
  /^\s*(?:CRITICAL:[^\n]*\s+)?Your task is to create a detailed summary of (?:the|this|our) conversation/

function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null // cut off, or never JSON
  }
}
