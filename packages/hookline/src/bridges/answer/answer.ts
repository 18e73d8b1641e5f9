import {
  encodeText,
  joinProgramLines,
  NO_TEXT,
  type ProgramText,
  toJsonText,
  toProgramText,
} from '../../text/program-text.ts'
import type { Answers, Bridge, Exact, WriterName } from '../bridge.ts'
import type { FoldedDecision } from '../call/fold.ts'
import { findEvent } from '../call/payload.ts'
import type { SessionMemory } from '../memory.ts'

/** Answer that the host reads. */
export interface HostAnswer {
  readonly stdout: ProgramText
  readonly stderr: ProgramText
  readonly code: 0 | 2
  /** Statements that it has to make, each as it is written when it stands alone. */
  readonly says: readonly Statement[]
  /** True if a call is made or not by what it says. */
  readonly guards: boolean
}

/** Answer to the host, and what else there is to say. */
export interface BridgeAnswer extends HostAnswer {
  readonly notes: readonly string[]
}

/** One thing that an answer says, in the places where the host reads it. */
export interface Statement {
  readonly json: Readonly<Record<string, unknown>>
  readonly lines: readonly object[]
  readonly text: string
  readonly stderr: string
  readonly code: 0 | 2
}

/** Events at which a call waits for the answer: what goes wrong there refuses it, and nothing else is ever refused for that. */
const GUARDING: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest'])

/** True if a call waits for the answer to an event of Claude Code. */
export const isAwaited = (event: string): boolean => GUARDING.has(event)

/** True if a call waits for the answer to a host's event; also for an event that is in no table. */
export function isGuarding(bridge: Bridge, hostEvent: string): boolean {
  const rule = bridge.events[findEvent(bridge, hostEvent) ?? '']
  return rule === undefined || (rule.as !== null && isAwaited(rule.as))
}

/** Subject of an answer. */
export interface AnswerSubject {
  readonly bridge: Bridge
  readonly hostEvent: string
  /** The event in Claude Code. */
  readonly event: string
  /** A person sits in front of the host. */
  readonly attended: boolean
  /** The host does not wait, or ignores what it is answered. */
  readonly observes: boolean
  readonly memory: SessionMemory
  /** Event of the one hook that is asked; without it, all that are configured are. */
  readonly only?: string
  /** Variables that hooks of this event wrote for later commands. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Moment of an event: what can be said about it. */
type Moment = 'beforeTool' | 'afterTool' | 'prompt' | 'start' | 'stop' | 'dialog' | 'other'

const MOMENTS: Readonly<Record<string, Moment>> = {
  PreToolUse: 'beforeTool',
  PostToolUse: 'afterTool',
  PostToolUseFailure: 'afterTool',
  UserPromptSubmit: 'prompt',
  SessionStart: 'start',
  SubagentStart: 'start',
  Stop: 'stop',
  SubagentStop: 'stop',
  PermissionRequest: 'dialog',
}

const CONTEXT = {
  beforeTool: 'contextBeforeTool',
  afterTool: 'contextAfterTool',
  prompt: 'promptContext',
  start: 'contextAtStart',
} as const satisfies Partial<Record<Moment, keyof Answers>>

/** Number of times in a row a Stop hook may send an agent on that would go on for ever. */
const STOP_CAP = 8

/** The answer for an event about which no hook said anything. */
export function makeNoOpinion(bridge: Bridge, hostEvent: string): HostAnswer {
  const { capabilities, events } = bridge
  const rule = Object.hasOwn(events, hostEvent) ? events[hostEvent] : undefined
  const own = rule === undefined || rule.as === null ? undefined : rule.noOpinion
  const stdout = toProgramText(own ?? capabilities.noOpinion)
  return { stdout, stderr: NO_TEXT, code: 0, says: [], guards: isGuarding(bridge, hostEvent) }
}

/** Refuses a call that could not be shown to the hooks that guard it; at any other event model and user are told. */
export function refuseUnasked(asked: AnswerSubject, why: string): HostAnswer {
  const reason = `Hookline could not ask the hooks about this: ${why}.`
  const { bridge, event, observes } = asked
  const moment = findMoment(event)
  const draft = new DraftAnswer(asked)
  if (moment === 'beforeTool') draft.write(bridge.answers.deny, reason)
  else if (moment === 'dialog' && bridge.answers.dialog.how === 'exact')
    draft.write(bridge.answers.dialog, { behavior: 'deny', message: reason })
  else {
    tellModel(draft, [reason], { moment, asked, alone: observes })
    tellUser(draft, [reason], { asked, alone: observes })
  }
  return draft.answer()
}

/** Writes the answer to a host: never milder than what was decided, and nothing in it that the host does not know. */
export function answer(
  asked: AnswerSubject,
  folded: FoldedDecision,
  input: Rewritten = { rewrite: 'none' },
): HostAnswer {
  const draft = new DraftAnswer(asked)
  const moment = findMoment(asked.event)
  const { memory, observes } = asked
  const context = [...memory.waiting.context, ...folded.context]
  const isRefused = ANSWER[moment](draft, folded, { ...asked, input })
  const extra = FEEDBACK[moment] ? addFeedback(draft, folded, asked) : []
  tellModel(draft, [...context, ...extra], { moment, asked, alone: isRefused || observes })
  const { environment } = asked.bridge.answers
  if (asked.variables !== undefined && environment.how === 'exact') draft.write(environment, asked.variables)
  tellUser(draft, folded.toUser, { asked, alone: isRefused || observes })
  return draft.answer()
}

/** The host's input as hooks want it. */
export type Rewritten =
  | { readonly rewrite: 'none' }
  | { readonly rewrite: 'input'; readonly input: unknown }
  | { readonly rewrite: 'impossible'; readonly wanted: string }

interface DecidingMoment extends AnswerSubject {
  readonly input: Rewritten
}

/** Writes what was decided; tells whether it is a refusal, beside which a host takes nothing else. */
type Decide = (draft: DraftAnswer, folded: FoldedDecision, deciding: DecidingMoment) => boolean

const FEEDBACK: Readonly<Partial<Record<Moment, true>>> = { afterTool: true }

const ANSWER: Readonly<Record<Moment, Decide>> = {
  beforeTool: (draft, folded, { bridge: { answers, title }, attended, input, memory }) => {
    const { halt, permission } = folded
    const reason = folded.reason ?? 'Blocked by hook'
    const refuse = (why: string): true => {
      draft.write(answers.deny, why)
      return true
    }
    if (halt !== null) {
      if (answers.haltBeforeTool.how === 'exact') {
        draft.write(answers.deny, halt) // the call is not made, whatever becomes of the turn
        return draft.write(answers.haltBeforeTool, halt)
      }
      memory.change((kept) => ({ ...kept, halted: halt }))
      return refuse(permission === 'deny' ? `${halt}\n${reason}` : halt)
    }
    if (permission === 'deny') return refuse(reason)
    if (permission === 'defer') {
      const why = `A hook deferred this call, which ${title} cannot do: ${folded.reason ?? 'it gave no reason'}`
      return answers.defer.how === 'exact' ? draft.write(answers.defer, why) : refuse(why)
    }
    const isTaken = input.rewrite === 'input' && answers.updatedInput.how === 'exact' && isWritable(input.input)
    if (input.rewrite !== 'none' && !isTaken) {
      const wanted = input.rewrite === 'impossible' ? input.wanted : JSON.stringify(input.input)
      return refuse(`A hook changed this call in a way ${title} cannot take over. Call it again as: ${wanted}`)
    }
    if (permission === 'ask') {
      const { ask } = answers
      if (ask.how !== 'exact' || (ask.attended && !attended) || input.rewrite === 'input')
        return refuse(folded.reason ?? 'A hook wants a person to be asked about this call.')
      draft.write(ask, reason)
      return true
    }
    if (input.rewrite === 'input' && answers.updatedInput.how === 'exact')
      draft.write(answers.updatedInput, input.input)
    if (permission === 'allow' && answers.allow.how === 'exact') draft.write(answers.allow, folded.reason ?? '')
    return false
  },
  afterTool: (draft, folded, { bridge: { answers }, memory }) => {
    const { halt, output } = folded
    if (halt !== null) {
      if (answers.halt.how === 'exact') draft.write(answers.halt, halt)
      else memory.change((kept) => ({ ...kept, halted: halt }))
    }
    if (output != null && answers.updatedToolOutput.how === 'exact') {
      draft.write(answers.updatedToolOutput, typeof output === 'string' ? output : JSON.stringify(output))
      return true
    }
    return false
  },
  prompt: (draft, folded, { bridge: { answers }, memory }) => {
    const { halt, blocked, reason } = folded
    if (halt === null && !blocked) return false
    const why = halt ?? reason ?? 'Blocked by hook'
    if (answers.promptBlock.how === 'exact') draft.write(answers.promptBlock, why)
    else memory.change((kept) => ({ ...kept, halted: why }))
    return true
  },
  start: () => false,
  stop: (draft, folded, { bridge: { answers, capabilities }, memory }) => {
    const { halt, blocked, reason, context } = folded
    const why = [...(blocked ? [reason ?? 'Blocked by hook'] : []), ...context].join('\n')
    const isCapped = capabilities.stopCap === null && memory.kept.stops >= stopCap()
    if (halt !== null || why === '' || isCapped || answers.stopBlock.how !== 'exact') return false
    memory.change((kept) => ({ ...kept, stops: kept.stops + 1, sentOn: why }))
    draft.write(answers.stopBlock, why)
    return true
  },
  dialog: (draft, { permission, reason, interrupt, halt }, { bridge: { answers } }) => {
    if (answers.dialog.how !== 'exact') return false
    if (permission === 'deny' || halt !== null)
      draft.write(answers.dialog, {
        behavior: 'deny',
        message: halt ?? reason ?? 'Permission denied by hook',
        interrupt,
      })
    else if (permission === 'allow') draft.write(answers.dialog, { behavior: 'allow' })
    return permission === 'deny' || halt !== null
  },
  other: () => false,
}

/** True if a host gets an input as it is: halves of characters do not leave, and the call would be another one. */
function isWritable(input: unknown): boolean {
  return JSON.stringify(JSON.parse(encodeText(toJsonText(input)).toString())) === JSON.stringify(input)
}

const findMoment = (event: string): Moment => (Object.hasOwn(MOMENTS, event) ? (MOMENTS[event] ?? 'other') : 'other')

/** An objection after a tool: beside the output where the host can, else with the context. */
function addFeedback(
  draft: DraftAnswer,
  { blocked, reason }: FoldedDecision,
  { bridge: { answers }, memory }: AnswerSubject,
): string[] {
  if (!blocked) return []
  const text = reason ?? 'Blocked by hook'
  const how = answers.feedbackAfterTool
  if (how.how === 'emulated') return [text]
  if (how.how === 'queued') memory.queue({ context: [text] })
  if (how.how === 'exact') draft.write(how, text)
  return []
}

interface TextTarget {
  readonly asked: AnswerSubject
  /** The answer holds something beside which the host takes nothing else. */
  readonly alone: boolean
}

/** Texts for the model go now where they can, else with the next event that can carry them. */
function tellModel(
  draft: DraftAnswer,
  texts: readonly string[],
  { moment, asked, alone }: TextTarget & { readonly moment: Moment },
): void {
  const { bridge, memory } = asked
  const waiting = memory.waiting.context.length
  const fresh = texts.slice(waiting)
  if (moment === 'stop') return // there they send the agent on
  const cell = moment in CONTEXT ? bridge.answers[CONTEXT[moment as keyof typeof CONTEXT]] : null
  if (cell?.how !== 'exact' || alone) {
    if (canCarryContext(bridge)) memory.queue({ context: fresh })
    return
  }
  if (texts.length === 0) return
  draft.write(cell, texts.join('\n'))
  memory.noteDelivered('context')
}

/** True if any event of a host can carry a text to the model: else none waits for one. */
const canCarryContext = ({ answers }: Bridge): boolean =>
  Object.values(CONTEXT).some((name) => answers[name].how === 'exact')

function tellUser(draft: DraftAnswer, texts: readonly string[], { asked, alone }: TextTarget): void {
  const { bridge, memory } = asked
  const waiting = memory.waiting.toUser
  const { toUser } = bridge.answers
  if (toUser.how !== 'exact') return
  if (alone) {
    memory.queue({ toUser: texts })
    return
  }
  if (waiting.length + texts.length === 0) return
  draft.write(toUser, [...waiting, ...texts].join('\n'))
  memory.noteDelivered('toUser')
}

function stopCap(): number {
  const set = Number(process.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP)
  return Number.isInteger(set) && set > 0 ? set : STOP_CAP
}

/** An answer that is being written: only by writers, so that it holds nothing else. */
class DraftAnswer implements Statement {
  readonly #asked: Pick<AnswerSubject, 'bridge' | 'hostEvent'>
  readonly #says: Statement[] = []
  readonly json: Record<string, unknown> = {}
  text = ''
  stderr = ''
  code: 0 | 2 = 0
  readonly lines: object[] = []

  constructor(asked: Pick<AnswerSubject, 'bridge' | 'hostEvent'>) {
    this.#asked = asked
  }

  get specific(): Record<string, unknown> {
    this.json.hookSpecificOutput ??= { hookEventName: this.#asked.hostEvent }
    return this.json.hookSpecificOutput as Record<string, unknown> // made above
  }

  write({ write }: Exact, value: unknown): true {
    const alone = new DraftAnswer(this.#asked)
    for (const draft of [alone, this]) writeInto(draft, WRITERS[write], value)
    this.#says.push(alone)
    return true
  }

  answer(): HostAnswer {
    const { json, text, stderr, code, lines } = this
    const { bridge, hostEvent } = this.#asked
    const isObject = Object.keys(json).length > 0
    if (lines.length === 0 && !isObject && text === '' && code === 0)
      return { ...makeNoOpinion(bridge, hostEvent), stderr: toProgramText(stderr), says: this.#says }
    return {
      stdout: joinProgramLines([
        ...lines.map((line) => toJsonText(line)),
        isObject ? toJsonText(json) : toProgramText(text),
      ]),
      stderr: toProgramText(stderr),
      code,
      says: this.#says,
      guards: isGuarding(bridge, hostEvent),
    }
  }
}

/** A form of an answer: fields at its top, fields of the event's own object, or whatever else stands in it. */
type Writer =
  | { readonly top: (value: unknown) => object }
  | { readonly nested: (value: unknown) => object }
  | { readonly whole: (draft: DraftAnswer, value: unknown) => void }

function writeInto(draft: DraftAnswer, writer: Writer, value: unknown): void {
  if ('top' in writer) Object.assign(draft.json, writer.top(value))
  else if ('nested' in writer) Object.assign(draft.specific, writer.nested(value))
  else writer.whole(draft, value)
}

const makePermissionFields = (word: string, reason: unknown) => ({
  permissionDecision: word,
  ...(reason === '' ? {} : { permissionDecisionReason: reason }),
})

const WRITERS: Readonly<Record<WriterName, Writer>> = {
  nestedDeny: { nested: (reason) => makePermissionFields('deny', reason) },
  nestedAsk: { nested: (reason) => makePermissionFields('ask', reason) },
  nestedAllow: { nested: (reason) => makePermissionFields('allow', reason) },
  nestedAllowedInput: { nested: (updatedInput) => ({ permissionDecision: 'allow', updatedInput }) },
  nestedInput: { nested: (updatedInput) => ({ updatedInput }) },
  nestedContext: { nested: (additionalContext) => ({ additionalContext }) },
  nestedDialog: {
    nested: (answer) => {
      const { behavior, message } = answer as { behavior: string; message?: string } // written above
      return { decision: { behavior, ...(message === undefined ? {} : { message }) } }
    },
  },
  flatDeny: { top: (reason) => makePermissionFields('deny', reason) },
  flatAsk: { top: (reason) => makePermissionFields('ask', reason) },
  flatAllow: { top: (reason) => makePermissionFields('allow', reason) },
  flatInput: { top: (modifiedArgs) => ({ modifiedArgs }) },
  flatContext: { top: (additionalContext) => ({ additionalContext }) },
  flatOutput: { top: (text) => ({ modifiedResult: { resultType: 'success', textResultForLlm: text } }) },
  flatDialog: { top: (answer) => answer as object }, // written above
  topDeny: { top: (reason) => ({ decision: 'deny', reason }) },
  topAsk: { top: (reason) => ({ decision: 'ask', reason }) },
  topBlock: { top: (reason) => ({ decision: 'block', reason }) },
  replacedInput: { nested: (tool_input) => ({ tool_input }) },
  cursorDeny: { top: (text) => ({ permission: 'deny', user_message: text, agent_message: text }) },
  cursorAsk: { top: (text) => ({ permission: 'ask', user_message: text, agent_message: text }) },
  cursorAllow: { top: () => ({ permission: 'allow' }) },
  cursorInput: { top: (updated_input) => ({ updated_input }) },
  cursorContext: { top: (additional_context) => ({ additional_context }) },
  cursorStop: { top: (user_message) => ({ continue: false, user_message }) },
  cursorFollowUp: { top: (followup_message) => ({ followup_message }) },
  cursorOutput: { top: (updated_mcp_tool_output) => ({ updated_mcp_tool_output }) },
  cursorUser: { top: (user_message) => ({ user_message }) },
  systemMessage: { top: (systemMessage) => ({ systemMessage }) },
  progressLine: { whole: ({ lines }, message) => void lines.push({ type: 'progress', message }) },
  stopContinuing: { top: (stopReason) => ({ continue: false, stopReason }) },
  exit2: {
    whole: (draft, text) => {
      draft.code = 2
      draft.stderr = String(text)
    },
  },
  plainText: {
    whole: (draft, text) => {
      draft.text = String(text)
    },
  },
  errorText: {
    whole: (draft, text) => {
      draft.stderr = String(text)
    },
  },
  thrown: { top: (refuse) => ({ refuse }) },
  changedArguments: { top: (args) => ({ args }) },
  appended: { top: (append) => ({ append }) },
  replacedText: { top: (output) => ({ output }) },
  toast: { top: (toast) => ({ toast }) },
  aborted: { top: (reason) => ({ refuse: reason, abort: true }) },
  environment: { top: (env) => ({ env }) },
  envFile: { top: () => ({}) }, // the host gives a file for them
  nestedBlock: { nested: (reason) => ({ decision: 'block', reason }) },
  denyAndExit2: {
    whole: (draft, reason) => {
      Object.assign(draft.json, { decision: 'deny', reason })
      draft.code = 2
      draft.stderr = String(reason)
    },
  },
  forceAsk: { top: (reason) => ({ decision: 'force_ask', reason }) },
  cancel: { top: (errorMessage) => ({ cancel: true, errorMessage }) },
  contextModification: { top: (contextModification) => ({ contextModification }) },
  overrideInput: { top: (overrideInput) => ({ overrideInput }) },
}

/** The forms of an answer that tables may name. */
export const WRITER_NAMES = Object.keys(WRITERS)
