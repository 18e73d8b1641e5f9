import type { EventRow, MergeName } from '../protocol/event-row.ts'
import { type Answer, type Decisions, MADE, type Replies, type ReplyExtras, type ToolInput } from './reply.ts'

/** The facts of an event that say which replies it allows. */
export type ReplyRow = Pick<
  EventRow,
  'merges' | 'plainStdout' | 'answerFields' | 'permissionWords' | 'canHalt' | 'systemMessageTo'
>

/** Facts that a reply depends on besides the row. */
export interface ReplyOptions {
  /** True for a hook that may also run where exit code 2 alone blocks the event. */
  readonly exitCodeDecides: boolean
  /** The event is about a tool of an MCP server. */
  readonly isMcpTool: boolean
  /** Told of each answer. */
  readonly made: () => void
}

type JsonObject = Readonly<Record<string, unknown>>

/** The three ways to answer: as JSON, as plain text, or with exit code 2. */
interface AnswerWriter {
  /** `fields` stand at the top level, `specific` under `hookSpecificOutput`. */
  json(fields: JsonObject, specific: JsonObject, along?: ReplyExtras): Answer
  text(stdout: string): Answer
  /** With JSON beside it, for clients that read it. */
  exit2(stderr: string, beside?: Answer): Answer
}

/** The replies to one event, as `Reply` has them. */
export function makeReply(event: string, row: ReplyRow, options: ReplyOptions): object {
  const { answerFields, permissionWords = [] } = row
  const write = makeAnswerWriter(event, options.made)
  const all = makeReplies(write, chooseOutputField(row, options))
  const taken: (keyof Replies<ReplyExtras>)[] = [
    ...(row.canHalt ? (['halt'] as const) : []),
    ...(row.systemMessageTo === 'none' ? [] : (['systemMessage'] as const)),
    ...(permissionWords.includes('defer') ? (['defer'] as const) : []),
    ...OF_STDOUT[row.plainStdout],
    ...answerFields.flatMap((field) => (Object.hasOwn(OF_FIELDS, field) ? (OF_FIELDS[field] ?? []) : [])),
  ]
  return {
    ...DECISIONS[row.merges](write, options),
    ...Object.fromEntries(taken.map((name) => [name, all[name]])),
  }
}

/** The replies that a field of an answer stands for. */
const OF_FIELDS: Readonly<Record<string, readonly (keyof Replies<ReplyExtras>)[]>> = {
  additionalContext: ['context'],
  updatedInput: ['rewrite'],
  updatedToolOutput: ['replaceOutput'],
  updatedMCPToolOutput: ['replaceOutput'],
  sessionTitle: ['sessionTitle'],
  initialUserMessage: ['initialUserMessage'],
  watchPaths: ['watchPaths'],
  reloadSkills: ['reloadSkills'],
  classifierContext: ['classifierContext'],
  displayContent: ['displayContent'],
  retry: ['retry'],
  action: ['accept', 'decline', 'cancel'],
}

const OF_STDOUT: Readonly<Record<ReplyRow['plainStdout'], readonly (keyof Replies<ReplyExtras>)[]>> = {
  verbose: [],
  context: [],
  instructions: ['instructions'],
  path: ['worktreePath'],
}

/** The field that replaces an output: that of MCP tools where every profile reads it. */
function chooseOutputField({ answerFields }: ReplyRow, { isMcpTool }: ReplyOptions): string {
  return isMcpTool || !answerFields.includes('updatedToolOutput') ? 'updatedMCPToolOutput' : 'updatedToolOutput'
}

function makeAnswerWriter(event: string, made: () => void): AnswerWriter {
  const makeAnswer = (exitCode: 0 | 2, stdout: string, stderr: string): Answer => {
    made()
    return { exitCode, stdout, stderr, [MADE]: true }
  }
  return {
    json: (fields, specific, along = {}) => {
      const { context, systemMessage, suppressOutput, terminalSequence, ...asked } = along
      const { sessionTitle, initialUserMessage, watchPaths, reloadSkills, classifierContext, suppressOriginalPrompt } =
        asked
      const under = {
        ...specific,
        sessionTitle: toReplyText(sessionTitle),
        initialUserMessage: toReplyText(initialUserMessage),
        watchPaths,
        reloadSkills,
        classifierContext: toReplyText(classifierContext),
        suppressOriginalPrompt,
        additionalContext: toReplyText(context),
      }
      const isSpecific = Object.values(under).some((value) => value !== undefined)
      const hookSpecificOutput = isSpecific ? { hookEventName: event, ...under } : undefined
      const top = {
        systemMessage: toReplyText(systemMessage),
        suppressOutput,
        terminalSequence: toReplyText(terminalSequence),
      }
      return makeAnswer(0, `${JSON.stringify({ ...fields, ...top, hookSpecificOutput })}\n`, '')
    },
    text: (stdout) => makeAnswer(0, `${stdout}\n`, ''),
    exit2: (stderr, beside) => {
      if (beside === undefined) return makeAnswer(2, '', `${stderr}\n`)
      return { ...beside, exitCode: 2, stderr: `${stderr}\n` }
    },
  }
}

type DecisionWriter<Merge extends MergeName> = (
  write: AnswerWriter,
  options: ReplyOptions,
) => Decisions<ReplyExtras, { readonly updatedInput?: ToolInput | undefined }>[Merge]

const DECISIONS: { readonly [Merge in MergeName]: DecisionWriter<Merge> } = {
  permission: (write) => ({
    allow: (reason, { updatedInput, ...along } = {}) =>
      replyPermission(write, 'allow', reason, { updatedInput }, along),
    deny: (reason, along) => replyPermission(write, 'deny', reason, {}, along),
    ask: (reason, { updatedInput, ...along } = {}) => replyPermission(write, 'ask', reason, { updatedInput }, along),
  }),
  dialog: (write) => ({
    allow: ({ updatedInput, updatedPermissions, ...along } = {}) =>
      write.json({}, { decision: { behavior: 'allow', updatedInput, updatedPermissions } }, along),
    deny: (message, { interrupt, ...along } = {}) =>
      write.json({}, { decision: { behavior: 'deny', message: toReplyText(message), interrupt } }, along),
  }),
  block: (write, { exitCodeDecides }) => ({
    block: (reason, along) => {
      const json = write.json({ decision: 'block', reason: toReplyText(reason) }, {}, along)
      return exitCodeDecides ? write.exit2(reason, json) : json
    },
  }),
  'exit-code': (write) => ({
    block: (reason) => write.exit2(reason),
  }),
  nothing: () => ({}),
}

function replyPermission(
  write: AnswerWriter,
  permissionDecision: 'allow' | 'deny' | 'ask' | 'defer',
  reason: unknown,
  more: JsonObject,
  along?: ReplyExtras,
): Answer {
  return write.json({}, { permissionDecision, permissionDecisionReason: toReplyText(reason), ...more }, along)
}

function makeReplies(write: AnswerWriter, output: string): Replies<ReplyExtras> {
  return {
    halt: (stopReason, along) => write.json({ continue: false, stopReason: toReplyText(stopReason) }, {}, along),
    systemMessage: (text, along) => write.json({}, {}, { ...along, systemMessage: text }),
    context: (text, along) => write.json({}, {}, { ...along, context: text }),
    rewrite: (updatedInput, along) => write.json({}, { updatedInput }, along),
    defer: (reason, along) => replyPermission(write, 'defer', reason, {}, along),
    replaceOutput: (value, along) => write.json({}, { [output]: value }, along),
    instructions: (text) => {
      if (text.trimStart().startsWith('{')) throw new TypeError('instructions that start with "{" are read as JSON')
      return write.text(text)
    },
    worktreePath: (path) => {
      if (path.trim() !== path || path === '' || path.includes('\n') || path.startsWith('{'))
        throw new TypeError('the path of a worktree is one line, without blanks around it')
      return write.text(path)
    },
    sessionTitle: (title, along) => write.json({}, {}, { ...along, sessionTitle: title }),
    initialUserMessage: (text, along) => write.json({}, {}, { ...along, initialUserMessage: text }),
    watchPaths: (paths, along) => write.json({}, {}, { ...along, watchPaths: paths }),
    reloadSkills: (along) => write.json({}, {}, { ...along, reloadSkills: true }),
    classifierContext: (text, along) => write.json({}, {}, { ...along, classifierContext: text }),
    displayContent: (text, along) => write.json({}, { displayContent: toReplyText(text) }, along),
    retry: (along) => write.json({}, { retry: true }, along),
    accept: (content, along) => write.json({}, { action: 'accept', content }, along),
    decline: (along) => write.json({}, { action: 'decline' }, along),
    cancel: (along) => write.json({}, { action: 'cancel' }, along),
  }
}

/** A text, also where an author without types passes an error: what is no text would make the whole answer unreadable. */
function toReplyText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
