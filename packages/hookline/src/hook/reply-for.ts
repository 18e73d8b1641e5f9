import type { EventRow, MergeName } from '../protocol/event-row.ts'
import { type AlongContext, type Always, type Answer, type Decisions, MADE, type Sometimes } from './reply.ts'

/** The facts of an event that say which replies it allows. */
export type ReplyRow = Pick<EventRow, 'merges' | 'plainStdout' | 'answerFields'>

type Json = Readonly<Record<string, unknown>>

/** The three ways to answer: as JSON, as plain text, or with exit code 2. */
interface AnswerWriter {
  /** `fields` stand at the top level, `specific` under `hookSpecificOutput`. */
  json(fields: Json, specific: Json, along?: AlongContext): Answer
  text(stdout: string): Answer
  exit2(stderr: string): Answer
}

/** The replies to one event, as `Reply` has them; `made` is told of each answer. */
export function replyFor(event: string, row: ReplyRow, made: () => void): object {
  const write = answerWriter(event, made)
  const { context, replaceOutput, instructions } = sometimes(write)
  return {
    ...always(write),
    ...DECISIONS[row.merges](write),
    ...(row.answerFields.includes('additionalContext') ? { context } : {}),
    ...(row.answerFields.includes('updatedMCPToolOutput') ? { replaceOutput } : {}),
    ...(row.plainStdout === 'instructions' ? { instructions } : {}),
  }
}

function answerWriter(event: string, made: () => void): AnswerWriter {
  const answer = (exitCode: 0 | 2, stdout: string, stderr: string): Answer => {
    made()
    return { exitCode, stdout, stderr, [MADE]: true }
  }
  return {
    json: (fields, specific, { context, systemMessage, suppressOutput } = {}) => {
      const under = { ...specific, additionalContext: asText(context) }
      const isSpecific = Object.values(under).some((value) => value !== undefined)
      const hookSpecificOutput = isSpecific ? { hookEventName: event, ...under } : undefined
      const whole = { ...fields, systemMessage: asText(systemMessage), suppressOutput, hookSpecificOutput }
      return answer(0, `${JSON.stringify(whole)}\n`, '')
    },
    text: (stdout) => answer(0, `${stdout}\n`, ''),
    exit2: (stderr) => answer(2, '', `${stderr}\n`),
  }
}

const DECISIONS: { readonly [Merge in MergeName]: (write: AnswerWriter) => Decisions<AlongContext>[Merge] } = {
  permission: (write) => {
    const decide = (permissionDecision: 'allow' | 'deny' | 'ask', reason: unknown, more: Json, along?: AlongContext) =>
      write.json({}, { permissionDecision, permissionDecisionReason: asText(reason), ...more }, along)
    return {
      allow: (reason, { updatedInput, ...along } = {}) => decide('allow', reason, { updatedInput }, along),
      deny: (reason, along) => decide('deny', reason, {}, along),
      ask: (reason, { updatedInput, ...along } = {}) => decide('ask', reason, { updatedInput }, along),
      rewrite: (updatedInput, along) => write.json({}, { updatedInput }, along),
    }
  },
  dialog: (write) => ({
    allow: ({ updatedInput, updatedPermissions, ...along } = {}) =>
      write.json({}, { decision: { behavior: 'allow', updatedInput, updatedPermissions } }, along),
    deny: (message, { interrupt, ...along } = {}) =>
      write.json({}, { decision: { behavior: 'deny', message: asText(message), interrupt } }, along),
  }),
  block: (write) => ({
    block: (reason, along) => write.json({ decision: 'block', reason: asText(reason) }, {}, along),
  }),
  'exit-code': (write) => ({
    block: (reason) => write.exit2(reason),
  }),
  nothing: () => ({}),
}

function always(write: AnswerWriter): Always<AlongContext> {
  return {
    halt: (stopReason, along) => write.json({ continue: false, stopReason: asText(stopReason) }, {}, along),
    systemMessage: (text, along) => write.json({}, {}, { ...along, systemMessage: text }),
  }
}

function sometimes(write: AnswerWriter): Sometimes<AlongContext> {
  return {
    context: (text, along) => write.json({}, {}, { ...along, context: text }),
    replaceOutput: (updatedMCPToolOutput, along) => write.json({}, { updatedMCPToolOutput }, along),
    instructions: (text) => {
      if (text.trimStart().startsWith('{')) throw new TypeError('instructions that start with "{" are read as JSON')
      return write.text(text)
    },
  }
}

/** A text, also where an author without types passes an error: what is no text would make the whole answer unreadable. */
function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
