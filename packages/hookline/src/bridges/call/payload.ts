import { readShippedBridge } from '../../files/shipped.ts'
import { isObject } from '../../text/json.ts'
import type {
  Bridge,
  CallPart,
  CallPlaces,
  EventRule,
  FailureName,
  FieldSource,
  Fingerprint,
  FrameName,
  JsonObject,
  ReaderName,
  ShownCall,
  SpuriousName,
  ToolRule,
} from '../bridge.ts'
import type { SessionMemory } from '../memory.ts'
import { findMisfit, findUnknownFields, listShownTools } from './fields.ts'
import { makeFingerprints } from './fingerprints.ts'
import { type McpNames, type McpReadings, nameMcpTool, readMcpName } from './mcp-names.ts'
import { findRule, readPath } from './origin.ts'
import { chooseParts, findToolRow, isOfServer, readOwnValue } from './parts.ts'

/** Result of translating a payload of a host. */
export type Translation = TranslatedPayload | Unreadable

/** A payload that hooks cannot be shown. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly why: string
  /** The tools of Claude Code that the call would be shown as: a hook on one of them was to be asked. Without it, any hook was. */
  readonly tools?: readonly string[]
}

/** Events for the engine: one, or one for each part of a call. */
export interface TranslatedPayload {
  readonly kind: 'events'
  /** The event in Claude Code. */
  readonly event: string
  readonly parts: readonly TranslatedPart[]
  readonly call: HostCall | null
}

/** Events of one thing that a call does. */
export interface TranslatedPart {
  readonly label: string
  readonly inputs: Alternatives
  /** Further readings of the call; `others`: for hooks that match none of `inputs`. */
  readonly also?: readonly Alternatives[]
  readonly alsoTo?: McpReadings['alsoTo']
}

/** Events of which a hook sees the first that it matches. */
export type Alternatives = readonly [JsonObject, ...JsonObject[]]

/** A call as the host made it. */
export interface HostCall {
  readonly tool: string
  readonly input: unknown
  readonly id: string
  readonly parts: readonly CallPart[]
  /** No table names the tool. */
  readonly isUnlisted: boolean
}

/** Facts that are known beside the payload. */
export interface PayloadContext {
  readonly cwd: string
  /** The session of the user; null: the payload does not say. */
  readonly session: string | null
  /** Reads what tells the names of tools of MCP servers. */
  readonly readMcpNames: () => Promise<McpNames>
  readonly memory: SessionMemory
  /** The folder that the session began in. */
  readonly base: string
  /** Reads the fields that the user lets pass, as `tool.field`. */
  readonly readAllowed: () => Promise<ReadonlySet<string>>
}

/** True if a host fires an event beside what it means. */
export function isSpurious(bridge: Bridge, rule: EventRule, payload: JsonObject, memory: SessionMemory): boolean {
  if (rule.as === null || rule.unless === undefined) return false
  return SPURIOUS[rule.unless](payload, { ...bridge.call, ...rule.call }, memory)
}

/** Makes the events of Claude Code of a host's payload. */
export async function translate(
  bridge: Bridge,
  hostEvent: string,
  payload: JsonObject,
  surroundings: PayloadContext,
): Promise<Translation> {
  const rule = findRule(bridge, hostEvent, payload)
  if (rule == null || rule.as === null) return { kind: 'unreadable', why: `${hostEvent} is not an event for hooks` }
  const named = readEventName(payload)
  if (named !== null && named !== hostEvent && foldEventCase(named) !== foldEventCase(hostEvent))
    return { kind: 'unreadable', why: `it is a payload of ${named}, not of ${hostEvent}` }
  const places = { ...bridge.call, ...rule.call }
  const fields = {
    ...mapPayload(bridge.common, payload, surroundings),
    ...mapPayload(rule.fields ?? {}, payload, surroundings),
  }
  const common: JsonObject = {
    cwd: surroundings.cwd,
    ...fields,
    hook_event_name: rule.as,
    ...(OWN_FIELDS[rule.as] ?? {}),
    ...fields,
    ...(surroundings.session === null ? {} : { session_id: surroundings.session }),
  }
  if (!(rule.as in OF_A_CALL)) return makeSingle(rule.as, withHost(common, bridge, hostEvent))
  return callEvents(bridge, hostEvent, payload, { rule, places, common, ...surroundings })
}

/** Reads which event a payload says that it is of; null: it does not say. */
export function readEventName(payload: JsonObject): string | null {
  const named = payload.hook_event_name ?? payload.hookEventName ?? payload.hookName ?? payload.agent_action_name
  return typeof named === 'string' ? named : null
}

/** Finds the event of a table that a name means, however it is written; null: there is none. */
export function findEvent({ events }: Pick<Bridge, 'events'>, name: string | null): string | null {
  if (name === null || Object.hasOwn(events, name)) return name
  return Object.keys(events).find((one) => foldEventCase(one) === foldEventCase(name)) ?? null
}

/** Some hosts write an event otherwise in a payload than in their files, and so do people: `pre_tool_use`. */
const foldEventCase = (event: string): string => event.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

/** Fields that an event always has, where the host does not know them. */
const OWN_FIELDS: Readonly<Record<string, JsonObject>> = {
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'other' },
  UserPromptSubmit: { prompt: '' },
  Stop: { stop_hook_active: false, last_assistant_message: '', background_tasks: [], session_crons: [] },
  SubagentStart: { agent_id: '', agent_type: '' },
  SubagentStop: {
    stop_hook_active: false,
    agent_id: '',
    agent_type: '',
    agent_transcript_path: '',
    last_assistant_message: '',
    background_tasks: [],
    session_crons: [],
  },
  StopFailure: { error: 'unknown', last_assistant_message: '' },
  PreCompact: { trigger: 'auto', custom_instructions: null },
  PostCompact: { trigger: 'auto', compact_summary: '' },
  Notification: { message: '', notification_type: 'permission_prompt' },
  PermissionDenied: { reason: '' },
}

/** Events of a call of a tool. */
const OF_A_CALL: Readonly<Record<string, true>> = {
  PreToolUse: true,
  PermissionRequest: true,
  PermissionDenied: true,
  PostToolUse: true,
}

/** True for an event of a call of a tool. */
export const isOfCall = (event: string): boolean => Object.hasOwn(OF_A_CALL, event)

function makeSingle(event: string, input: JsonObject): TranslatedPayload {
  return { kind: 'events', event, parts: [{ label: event, inputs: [input] }], call: null }
}

interface PayloadReading extends PayloadContext {
  readonly rule: Exclude<EventRule, { readonly as: null }>
  readonly places: CallPlaces
  readonly common: JsonObject
}

async function callEvents(
  bridge: Bridge,
  hostEvent: string,
  payload: JsonObject,
  { rule, places, common, cwd, memory, base, readAllowed, readMcpNames }: PayloadReading,
): Promise<Translation> {
  const tool = typeof places.tool === 'string' ? readPath(payload, places.tool) : places.tool.value
  if (typeof tool !== 'string' || tool === '') return { kind: 'unreadable', why: `it names no tool (${places.tool})` }
  if (typeof places.tool !== 'string' && readPath(payload, places.input) === undefined)
    return { kind: 'unreadable', why: `it has no call (${places.input})` }
  const { prefix } = memory
  const written = readInput(payload, places)
  const input = prefix === null ? written : removePrefix(written, prefix)
  const named = places.mcp === undefined ? null : nameFromPayload(payload, places.mcp)
  const name = named ?? tool
  const row = findToolRow(bridge.tools, name)
  const foreign = row === undefined ? explainForeign(bridge, name, payload) : null
  if (foreign !== null) return { kind: 'unreadable', why: foreign }
  const given = places.id === null ? undefined : readPath(payload, places.id)
  const id = isId(given) ? String(given) : memory.makeCallId(name, input, { starts: rule.as === 'PreToolUse' })
  const known = rule.as === 'PreToolUse' ? null : memory.findParts(id)
  const unfit = rule.as === 'PostToolUse' ? null : await findUnreadableInput(bridge, name, input, { cwd, readAllowed })
  if (unfit !== null) return unfit
  const asIs = (row && findInnerName(row, input)) ?? tool
  const isListed = row !== undefined && asIs === tool
  const readings = named === null && !isListed ? await readUnlistedName(bridge, asIs, readMcpNames) : null
  const isInNoTable = row === undefined && !isOfServer(name)
  const isUnlisted = isInNoTable && readings?.alsoTo !== 'all' // a configured server may have the tool
  const split = known ?? (await chooseParts(bridge.tools, name).split(input, { name, cwd, base }))
  const parts = isInNoTable && !isUnlisted ? omitReadings(split) : split
  if (parts === null || typeof parts === 'string') {
    const why = parts ?? `the input of ${tool} cannot be read`
    return { kind: 'unreadable', why, ...(row === undefined ? {} : { tools: listShownTools(row) }) }
  }
  const after = rule.as === 'PostToolUse' ? readResult(payload, places) : null
  const event = after?.error == null ? rule.as : 'PostToolUseFailure'
  const host = { agent: bridge.name, event: hostEvent, tool_name: tool, tool_input: input }
  const translated: TranslatedPart[] = []
  for (const [index, { label, calls, cwd: folder = cwd }] of parts.entries()) {
    const own = parts.length === 1 ? id : `${id}#${index + 1}`
    const inputs: JsonObject[] = []
    for (const call of calls) {
      const original = after === null ? undefined : memory.findOriginal(own)
      inputs.push({
        ...common,
        cwd: folder,
        hook_event_name: event,
        tool_name: call.tool,
        tool_input: call.input,
        ...(event === 'PermissionRequest' ? {} : { tool_use_id: own }),
        ...(after === null ? {} : makeAfterFields(call, after, { original, frame: places.frame })),
        host,
      })
    }
    const part = { label, inputs: inputs as [JsonObject, ...JsonObject[]] } // a part has a call
    translated.push(readings === null ? part : withReadings(part, asIs, readings))
  }
  return { kind: 'events', event, call: { tool: name, input, id, parts, isUnlisted }, parts: translated }
}

/** A call without what its input suggests. */
function omitReadings(parts: readonly CallPart[] | string | null): readonly CallPart[] | string | null {
  if (parts === null || typeof parts === 'string') return parts
  return parts.slice(0, 1).map((part) => ({ ...part, calls: [part.calls[0]] }))
}

/** Reason why a call cannot be shown as what the row of its tool says; null: it can. */
async function findUnreadableInput(
  bridge: Bridge,
  name: string,
  input: unknown,
  { cwd, readAllowed }: Pick<PayloadContext, 'cwd' | 'readAllowed'>,
): Promise<Unreadable | null> {
  const row = findToolRow(bridge.tools, name)
  if (row === undefined) return null
  const inner = findInnerName(row, input)
  if (inner !== null && isObject(input))
    return findUnreadableInput(bridge, inner, input.arguments ?? {}, { cwd, readAllowed })
  const misfit = findMisfit(row, input)
  if (misfit !== null) return { kind: 'unreadable', why: misfit, tools: listShownTools(row) }
  const found = findUnknownFields(row, input, cwd).filter(({ moves }) => moves)
  if (found.length === 0) return null
  const allowed = await readAllowed()
  const moving = found.find(({ field }) => !allowed.has(`${name}.${field}`))
  return moving === undefined
    ? null
    : { kind: 'unreadable', why: formatUnknownField(bridge, name, moving.field), tools: listShownTools(row) }
}

const formatUnknownField = ({ name, title }: Bridge, tool: string, field: string): string =>
  `${title} calls ${tool} with a field "${field}" that Hookline does not know, and that may change what is done. Call it without "${field}"; a user lets it pass with: hookline bridge allow ${name} ${tool}.${field}`

/** The tool that is called by the one of a row; null: it calls none. */
function findInnerName(row: ToolRule, input: unknown): string | null {
  const isOuter = 'parts' in row && row.parts === 'inner'
  return isOuter && isObject(input) && typeof input.name === 'string' ? input.name : null
}

/** Reason why a call is taken for another agent's, whose tool is not in the table of this one; null: it is not. */
function explainForeign(bridge: Bridge, name: string, payload: JsonObject): string | null {
  const other = findOtherAgent(bridge, payload)
  if (other !== null) return `it is a payload of ${other}`
  const runsCommands = readOwnValue<readonly string[]>(JSON.parse(readShippedBridge('command-tools.json')), name)
  return runsCommands === undefined
    ? null
    : `${name} runs commands in ${runsCommands.join(' and ')}, and ${bridge.title} is not known to have it`
}

/** The agent that alone has the keys of a payload, where that is another one; null: it may be of this one. */
function findOtherAgent({ name, detect }: Bridge, payload: JsonObject): string | null {
  const hasKeys = ({ payload: keys, env }: Fingerprint): boolean =>
    env === undefined && (keys ?? []).every((key) => Object.hasOwn(payload, key))
  if (detect.some(hasKeys)) return null
  const prints = Object.entries(makeFingerprints())
  return prints.find(([agent, all]) => agent !== name && all.some(hasKeys))?.[0] ?? null
}

const isId = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && value !== '')

interface ToolOutput {
  readonly text: string
  readonly error: string | null
}

/** Reads what a tool gave, or how it failed. */
function readResult(payload: JsonObject, places: CallPlaces): ToolOutput {
  const text = readResultText(places.output === null ? null : readPath(payload, places.output))
  return { text, error: places.failed === null ? null : FAILED[places.failed](text, payload, places) }
}

/** A result as text: some hosts send an object that has its words in a field. */
function readResultText(value: unknown): string {
  if (typeof value === 'string') return value
  if (isObject(value) && typeof value.message === 'string') return value.message
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function makeAfterFields(call: ShownCall, { text, error }: ToolOutput, { original, frame }: AfterCall): JsonObject {
  const removeFrame = (words: string): string =>
    call.tool === 'Bash' && frame !== undefined ? FRAMES[frame](words) : words
  if (error !== null) return { error: toClaudeError(error, removeFrame), is_interrupt: false, duration_ms: 0 }
  return {
    tool_response: readOwnValue(RESPONSES, call.tool)?.(removeFrame(text), call.input, original) ?? text,
    duration_ms: 0,
  }
}

interface AfterCall {
  readonly original: string | null | undefined
  readonly frame: FrameName | undefined
}

/** A failed command begins with its exit code, wherever the host has put that. */
function toClaudeError(error: string, unframed: (words: string) => string): string {
  const code = /exit code:? (\d+)/i.exec(error)?.[1]
  const words = unframed(error.replace(/^Exit code \d+\n/, ''))
  return code === undefined ? error : `Exit code ${code}\n${words}`
}

const FRAMES: Readonly<Record<FrameName, (text: string) => string>> = {
  shellReport: (text) => {
    const start = /^Output: ?/m.exec(text)
    if (start === null) return text
    const rest = text.slice(start.index + start[0].length)
    const end = /^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID|<\/untrusted_context>)/m.exec(rest)
    return (end === null ? rest : rest.slice(0, end.index)).replace(/\n$/, '').replace(/^\(empty\)$/, '')
  },
  exitLine: (text) =>
    text.replace(/\n?\[Process exited with code \d+\]\s*$/, '').replace(/^Command completed successfully\s*$/, ''),
  shellIdLine: (text) => text.replace(/\n?<shellId: \S+ completed with exit code \d+>\s*$/, ''),
}

/** The shape of what the tools of Claude Code give. */
const RESPONSES: Readonly<
  Record<string, (text: string, input: JsonObject, original: string | null | undefined) => JsonObject>
> = {
  Bash: (stdout) => ({ stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }),
  Write: (_, { file_path, content }, original) => ({
    type: original == null ? 'create' : 'update',
    filePath: file_path,
    content,
    structuredPatch: [],
    originalFile: original ?? null,
    userModified: false,
  }),
  Edit: (_, { file_path, old_string, new_string, replace_all }, original) => ({
    filePath: file_path,
    oldString: old_string,
    newString: new_string,
    originalFile: original ?? null,
    structuredPatch: [],
    userModified: false,
    replaceAll: replace_all,
  }),
  Read: (content, { file_path, offset }) => {
    const lines = content.split('\n').length
    return {
      type: 'text',
      file: { filePath: file_path, content, numLines: lines, startLine: offset ?? 1, totalLines: lines },
    }
  },
}

const FAILED: Readonly<Record<FailureName, (text: string, payload: JsonObject, places: CallPlaces) => string | null>> =
  {
    errorText: (text) => text || 'The tool failed.',
    exitCodeInText: (text) => exitCode(/completed with exit code (\d+)/.exec(text), text),
    errorOrExitCode: (text, payload, { error: place }) => {
      const error = place === undefined ? null : readPath(payload, place)
      if (error != null) return readResultText(error)
      return exitCode(/^Exit Code: (\d+)/m.exec(text), text)
    },
    exitNumber: (text, payload) => {
      const code = readPath(payload, 'metadata.exit')
      return typeof code === 'number' && code !== 0 ? `Exit code ${code}\n${text}` : null
    },
  }

function exitCode(found: RegExpExecArray | null, text: string): string | null {
  return found === null || Number(found[1]) === 0 ? null : `Exit code ${found[1]}\n${text}`
}

function readInput(payload: JsonObject, { input, inputIsText }: CallPlaces): unknown {
  const value = readPath(payload, input)
  if (typeof value !== 'string') return value ?? {}
  if (!inputIsText) return value
  try {
    return JSON.parse(value)
  } catch {
    return value // then no rule can read it
  }
}

/** A command as the model wrote it, without what was put before it for the variables of hooks. */
function removePrefix(input: unknown, prefix: string): unknown {
  if (!isObject(input)) return input
  const readOwn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(readOwn)
    return typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : value
  }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, readOwn(value)]))
}

/** The name of a tool of an MCP server, where the payload names both; null: it does not. */
function nameFromPayload(payload: JsonObject, mcp: NonNullable<CallPlaces['mcp']>): string | null {
  const [server, tool] = [readPath(payload, mcp.server), readPath(payload, mcp.tool)]
  return typeof server === 'string' && typeof tool === 'string' ? nameMcpTool(server, tool.replace(/^MCP:/, '')) : null
}

/** Readings of a tool that is in no row, as one of an MCP server; null: it is none. */
async function readUnlistedName(
  bridge: Bridge,
  tool: string,
  readMcpNames: PayloadContext['readMcpNames'],
): Promise<McpReadings | null> {
  const { style } = bridge.mcp
  if (style === null || findToolRow(bridge.tools, tool) !== undefined) return null
  const isLike = readMcpName(tool, style, { servers: [], wanted: [] }) !== null
  return isLike ? readMcpName(tool, style, await readMcpNames()) : null
}

/** A part with its call under the names that the tool may have in Claude Code. */
function withReadings(part: TranslatedPart, tool: string, readings: McpReadings): TranslatedPart {
  const [own, ...others] = part.inputs
  if (own.tool_name !== tool) return part
  const makeAlternatives = ([first, ...more]: McpReadings['names']): Alternatives => [
    { ...own, tool_name: first },
    ...more.map((tool_name) => ({ ...own, tool_name })),
  ]
  return {
    ...part,
    inputs: [...makeAlternatives(readings.names), ...others] as unknown as Alternatives, // the first is there
    also: readings.also.map(makeAlternatives),
    alsoTo: readings.alsoTo,
  }
}

function withHost(input: JsonObject, { name }: Bridge, event: string): JsonObject {
  return { ...input, host: { agent: name, event } }
}

function mapPayload(
  fields: Readonly<Record<string, FieldSource>>,
  payload: JsonObject,
  surroundings: PayloadContext,
): JsonObject {
  const found: Record<string, unknown> = {}
  for (const [name, source] of Object.entries(fields)) {
    const value = readField(source, payload, surroundings)
    if (value !== undefined && value !== null) found[name] = value
  }
  return { ...found, cwd: surroundings.cwd }
}

function readField(source: FieldSource, payload: JsonObject, surroundings: PayloadContext): unknown {
  if (typeof source === 'string') return readPath(payload, source)
  return 'by' in source ? FIELD_READERS[source.by](payload, surroundings) : source.value
}

const FIELD_READERS: Readonly<Record<ReaderName, (payload: JsonObject, surroundings: PayloadContext) => unknown>> = {
  promptParts: ({ prompt, parts }) => {
    const pieces = prompt ?? parts
    return Array.isArray(pieces) ? pieces.flatMap(listPieceTexts).join('\n') : pieces
  },
  sessionEndReason: ({ reason }) => readOwnValue(END_REASONS, reason) ?? 'other',
  stopHookActive: ({ stop_hook_active, stopHookActive }, { memory }) =>
    stop_hook_active === true || stopHookActive === true || memory.kept.stops > 0,
}

const END_REASONS: Readonly<Record<string, string>> = {
  user_exit: 'prompt_input_exit',
  prompt_input_exit: 'prompt_input_exit',
  logout: 'logout',
  clear: 'clear',
  resume: 'resume',
}

function listPieceTexts(piece: unknown): string[] {
  if (typeof piece === 'string') return [piece]
  return isObject(piece) && typeof piece.text === 'string' ? [piece.text] : []
}

const SPURIOUS: Readonly<
  Record<SpuriousName, (payload: JsonObject, places: CallPlaces, memory: SessionMemory) => boolean>
> = {
  noSubmittedPrompt: ({ submitted_prompt }) => submitted_prompt === undefined,
  ourOwnWords: ({ prompt }, _, memory) => typeof prompt === 'string' && memory.wasSentOnWith(prompt),
  refusedByUs: (payload, { id }, memory) => id !== null && memory.wasRefused(String(readPath(payload, id))),
  endOfSubagent: (_, __, { kept: { delegated, subagents } }) => delegated.length > 0 && subagents > 0,
  toolOfMcp: (payload, { tool }) => typeof tool === 'string' && String(readPath(payload, tool)).startsWith('MCP:'),
}

/** The names that tables may use for what is in this file, by what they name. */
export const PAYLOAD_NAMES = {
  event: [...Object.keys(OWN_FIELDS), ...Object.keys(OF_A_CALL)],
  reader: Object.keys(FIELD_READERS),
  spurious: Object.keys(SPURIOUS),
  failure: Object.keys(FAILED),
  frame: Object.keys(FRAMES),
} as const
