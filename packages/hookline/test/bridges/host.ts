import { resolve } from 'node:path'
import type { BridgeAnswer } from '../../src/bridges/answer/answer.ts'
import { isSayingEverything } from '../../src/bridges/install/read-back.ts'
import { findBridge } from '../../src/bridges/list.ts'
import { runBridge } from '../../src/bridges/run.ts'
import type { CallEnd } from '../resident/resident.ts'
import { askLauncher, isAskedByLauncher } from '../support/both-ways.ts'
import { makeWorld, type World } from '../support/project.ts'
import { asRead, type ReadAnswer } from './fates.ts'

/** A call as each host sends it, before it is made and after. */
interface HostCalls {
  readonly before: string
  readonly after: string
  /** Null: it has no such event. */
  readonly prompt: string | null
  readonly start: string | null
  readonly stop: string | null
  /** The payload of a shell command. */
  readonly shell: (command: string, more?: Said) => object
  /** The payload of a write of a whole file. */
  readonly write: (file: string, content: string, more?: Said) => object
  readonly said: (prompt: string) => object
  /** It does not tell what a command printed. */
  readonly tellsNoOutput?: true
  /** The event before a write, where each tool has its own. */
  readonly writes?: string
}

interface Said {
  readonly cwd?: string
  readonly output?: string
}

const nested =
  (shell: string, write: string, path: string, extra: object = {}) =>
  (event: (after: boolean) => string, output: (text: string) => object): Pick<HostCalls, 'shell' | 'write'> => {
    const call = (tool_name: string, tool_input: object, { cwd, output: text }: Said = {}): object => ({
      session_id: 's1',
      transcript_path: 'host-transcript',
      ...(cwd === undefined ? {} : { cwd }),
      hook_event_name: event(text !== undefined),
      tool_name,
      tool_input,
      ...extra,
      ...(text === undefined ? {} : output(text)),
    })
    return {
      shell: (command, more) => call(shell, { command }, more),
      write: (file, content, more) => call(write, { [path]: file, content }, more),
    }
  }

const claudeLike = (after: boolean): string => (after ? 'PostToolUse' : 'PreToolUse')

/** OpenCode, and its fork Kilo. */
const OPENCODE: HostCalls = {
  before: 'tool.execute.before',
  after: 'tool.execute.after',
  prompt: 'chat.message',
  start: 'session.created',
  stop: null,
  shell: (command, more) => opencodeCall('bash', { command, description: 'x' }, more),
  write: (file, content, more) => opencodeCall('write', { filePath: file, content }, more),
  said: (prompt) => ({ sessionID: 's1', parts: [{ type: 'text', text: prompt }] }),
}

/** The payloads of the hosts: of eight as they were observed, of the unverified ones as others tell. */
export const HOSTS: Readonly<Record<string, HostCalls>> = {
  codex: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    ...nested('Bash', 'unused', 'file_path', { turn_id: 't1', model: 'gpt-5.5', tool_use_id: 'call_0' })(
      claudeLike,
      (tool_response) => ({ tool_response }),
    ),
    write: (file, content, { cwd, output } = {}) => ({
      session_id: 's1',
      turn_id: 't1',
      ...(cwd === undefined ? {} : { cwd }),
      hook_event_name: claudeLike(output !== undefined),
      model: 'gpt-5.5',
      tool_name: 'apply_patch',
      tool_input: { command: `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch` },
      tool_use_id: 'call_0',
      ...(output === undefined ? {} : { tool_response: output }),
    }),
    said: (prompt) => ({ session_id: 's1', turn_id: 't1', model: 'm', hook_event_name: 'UserPromptSubmit', prompt }),
  },
  copilot: {
    before: 'preToolUse',
    after: 'postToolUse',
    prompt: 'userPromptSubmitted',
    start: 'sessionStart',
    stop: 'agentStop',
    shell: (command, more) => copilotCall('bash', { command, description: 'x' }, more),
    write: (file, content, more) => copilotCall('create', { path: file, file_text: content }, more),
    said: (prompt) => ({ sessionId: 's1', timestamp: 1_794_706_392_402, prompt }),
  },
  cursor: {
    before: 'preToolUse',
    after: 'postToolUse',
    prompt: 'beforeSubmitPrompt',
    start: 'sessionStart',
    stop: 'stop',
    shell: (command, more) => cursorCall('Shell', { command, cwd: '' }, more),
    write: (file, content, more) => cursorCall('Write', { file_path: file, content }, more),
    said: (prompt) => ({ conversation_id: 's1', cursor_version: '3', hook_event_name: 'beforeSubmitPrompt', prompt }),
  },
  opencode: OPENCODE,
  kilo: OPENCODE,
  pi: {
    before: 'tool_call',
    after: 'tool_result',
    prompt: 'input',
    start: 'session_start',
    stop: 'agent_before_settle',
    shell: (command, more) => piCall('bash', { command }, more),
    write: (path, content, more) => piCall('write', { path, content }, more),
    said: (prompt) => ({ sessionID: 's1', prompt }),
  },
  gemini: {
    before: 'BeforeTool',
    after: 'AfterTool',
    prompt: 'BeforeAgent',
    start: 'SessionStart',
    stop: 'AfterAgent',
    ...nested('run_shell_command', 'write_file', 'file_path', { timestamp: 'now' })(
      (after) => (after ? 'AfterTool' : 'BeforeTool'),
      (text) => ({ tool_response: { llmContent: text, returnDisplay: text } }),
    ),
    said: (prompt) => ({ session_id: 's1', hook_event_name: 'BeforeAgent', prompt }),
  },
  qwen: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    ...nested('run_shell_command', 'write_file', 'file_path', { permission_mode: 'yolo', tool_use_id: 'toolu_1' })(
      claudeLike,
      (text) => ({ tool_response: { llmContent: text, returnDisplay: text } }),
    ),
    said: (prompt) => ({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt, submitted_prompt: prompt }),
  },
  droid: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    ...nested('Execute', 'Create', 'file_path', { permission_mode: 'auto-high' })(claudeLike, (tool_response) => ({
      tool_response,
    })),
    said: (prompt) => ({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt }),
  },
  kimi: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    ...nested('Bash', 'Write', 'path', { client_type: 'kimi_code_cli', tool_call_id: 'call_1' })(
      claudeLike,
      (tool_output) => ({ tool_output }),
    ),
    said: (prompt) => ({
      hook_event_name: 'UserPromptSubmit',
      session_id: 's1',
      client_type: 'kimi_code_cli',
      prompt: [{ type: 'text', text: prompt }],
    }),
  },
  vscode: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    shell: (command, more) => vscodeCall('run_in_terminal', { command, explanation: 'x', isBackground: false }, more),
    write: (filePath, content, more) => vscodeCall('create_file', { filePath, content }, more),
    said: (prompt) => ({ sessionId: 's1', timestamp: 'now', hookEventName: 'UserPromptSubmit', prompt }),
  },
  cline: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: null,
    stop: null,
    shell: (command, more) => clineCall('run_commands', { commands: [command] }, more),
    write: (path, new_text, more) => clineCall('editor', { path, new_text }, more),
    said: (prompt) => ({ hookName: 'UserPromptSubmit', taskId: 's1', workspaceRoots: [], prompt }),
  },
  windsurf: {
    before: 'pre_run_command',
    after: 'post_run_command',
    prompt: 'pre_user_prompt',
    start: null,
    stop: null,
    tellsNoOutput: true,
    shell: (command_line, { cwd, output } = {}) => ({
      agent_action_name: output === undefined ? 'pre_run_command' : 'post_run_command',
      trajectory_id: 's1',
      execution_id: 'e1',
      tool_info: { command_line, ...(cwd === undefined ? {} : { cwd }) },
    }),
    write: (file_path, new_string, { cwd = '' } = {}) => ({
      agent_action_name: 'pre_write_code',
      trajectory_id: 's1',
      execution_id: 'e1',
      tool_info: { file_path: resolve(cwd, file_path), edits: [{ old_string: '', new_string }] },
    }),
    writes: 'pre_write_code',
    said: (user_prompt) => ({
      agent_action_name: 'pre_user_prompt',
      trajectory_id: 's1',
      tool_info: { user_prompt },
    }),
  },
  kiro: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: null,
    ...nested('execute_bash', 'unused', 'path')(claudeLike, (tool_response) => ({ tool_response })),
    write: (path, file_text, { cwd } = {}) => ({
      session_id: 's1',
      ...(cwd === undefined ? {} : { cwd }),
      hook_event_name: 'PreToolUse',
      tool_name: 'fs_write',
      tool_input: { command: 'create', path, file_text },
    }),
    said: (prompt) => ({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt }),
  },
  grok: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    shell: (command, more) => grokCall('run_terminal_command', { command }, more),
    write: (file_path, new_string, more) => grokCall('search_replace', { file_path, old_string: '', new_string }, more),
    said: (prompt) => ({ sessionId: 's1', hookEventName: 'user_prompt_submit', prompt }),
  },
  antigravity: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: null,
    start: 'SessionStart',
    stop: null,
    tellsNoOutput: true,
    shell: (CommandLine, more) => antigravityCall('run_command', { CommandLine, Cwd: '.' }, more),
    write: (TargetFile, CodeContent, more) => antigravityCall('write_to_file', { TargetFile, CodeContent }, more),
    said: () => ({ conversationId: 's1' }),
  },
}

function vscodeCall(tool_name: string, tool_input: object, { cwd, output }: Said = {}): object {
  return {
    timestamp: 'now',
    ...(cwd === undefined ? {} : { cwd }),
    sessionId: 's1',
    hookEventName: claudeLike(output !== undefined),
    transcript_path: 'host-transcript',
    tool_name,
    tool_input,
    tool_use_id: 'call_0',
    ...(output === undefined ? {} : { tool_response: output }),
  }
}

function clineCall(name: string, input: object, { cwd, output }: Said = {}): object {
  const call = { id: 'call_0', name, input }
  return {
    hookName: claudeLike(output !== undefined),
    taskId: 's1',
    workspaceRoots: cwd === undefined ? [] : [cwd],
    ...(output === undefined ? { tool_call: call } : { tool_result: { ...call, output, durationMs: 3 } }),
  }
}

function grokCall(toolName: string, toolInput: object, { cwd, output }: Said = {}): object {
  return {
    hookEventName: output === undefined ? 'pre_tool_use' : 'post_tool_use',
    sessionId: 's1',
    ...(cwd === undefined ? {} : { workspaceRoot: cwd }),
    permissionMode: 'default',
    toolName,
    toolInput,
    ...(output === undefined ? {} : { toolResult: output }),
  }
}

function antigravityCall(name: string, args: object, { cwd }: Said = {}): object {
  return {
    conversationId: 's1',
    stepIdx: 4,
    transcriptPath: 'host-transcript',
    workspacePaths: cwd === undefined ? [] : [cwd],
    toolCall: { name, args },
  }
}

function copilotCall(toolName: string, toolArgs: object, { cwd, output }: Said = {}): object {
  const result = output === undefined ? {} : { toolResult: { resultType: 'success', textResultForLlm: output } }
  return {
    sessionId: 's1',
    timestamp: 1_794_706_392_402,
    ...(cwd === undefined ? {} : { cwd }),
    toolName,
    toolArgs,
    ...result,
  }
}

function cursorCall(tool_name: string, tool_input: object, { cwd, output }: Said = {}): object {
  return {
    conversation_id: 's1',
    generation_id: 'g1',
    hook_event_name: output === undefined ? 'preToolUse' : 'postToolUse',
    cursor_version: '3.0',
    workspace_roots: cwd === undefined ? [] : [cwd],
    tool_name,
    tool_input,
    tool_use_id: 'u1',
    ...(cwd === undefined ? {} : { cwd }),
    ...(output === undefined ? {} : { tool_output: output, duration: 3 }),
  }
}

function opencodeCall(tool: string, args: object, { cwd, output }: Said = {}): object {
  const after = output === undefined ? {} : { output, metadata: { exit: 0 } }
  return { tool, sessionID: 's1', callID: 'call_3', ...(cwd === undefined ? {} : { cwd }), args, ...after }
}

function piCall(tool: string, args: object, { cwd, output }: Said = {}): object {
  const place = { sessionID: 's1', ...(cwd === undefined ? {} : { cwd }) }
  return { ...place, tool, callID: 'call_4', args, ...(output === undefined ? {} : { output }) }
}

/** What a host is answered in a world; a payload that is text goes as it is. */
export async function ask(
  world: World,
  agent: string,
  hostEvent: string,
  payload: object | string | null,
  {
    attended = false,
    env = {},
    limit = null,
    trust = 'accepted',
  }: { attended?: boolean; env?: NodeJS.ProcessEnv; limit?: number | null; trust?: 'accepted' | 'stored' } = {},
): Promise<ReadAnswer & Pick<BridgeAnswer, 'notes'>> {
  const bridge = findBridge(agent)
  if (bridge === null) throw new TypeError(`no bridge ${agent}`)
  const { project, home, managed } = world
  const text = payload === null || typeof payload === 'string' ? payload : JSON.stringify({ cwd: project, ...payload })
  if (isAskedByLauncher(world) && text !== null && limit === null) {
    const words = ['bridge', 'run', agent, hostEvent, ...(attended ? ['--attended'] : [])]
    const isTrusted = trust === 'accepted'
    return readEnd(await askLauncher(world, words, { input: text, env, isTrusted }))
  }
  const answer = await runBridge({
    bridge,
    hostEvent,
    text,
    env: { PATH: process.env.PATH, ...env },
    attended,
    nativeTranscript: false,
    limit,
    handOver: null,
    engine: { project, home, managed, trust },
  })
  if (!isSayingEverything(answer)) throw new TypeError('the answer does not say what was decided')
  return asRead(answer)
}

/** Reads how a call ended, with what Hookline itself notes on stderr. */
export function readEnd({ code, stdout, stderr }: CallEnd): ReadAnswer & Pick<BridgeAnswer, 'notes'> {
  const lines = stderr.split(/(?<=\n)/)
  const notes = code === 0 ? lines.filter((line) => line.startsWith(NOTE)) : []
  return {
    ...{ code: code ?? -1, stdout: stdout.replace(/\n$/, '') },
    stderr: lines
      .filter((line) => !notes.includes(line))
      .join('')
      .replace(/\n$/, ''),
    notes: notes.map((line) => line.slice(NOTE.length, -1)),
  }
}

const NOTE = 'hookline: '

/** A world whose project has these hooks. */
export const worldWith = (hooks: object): Promise<World> => makeWorld({ 'project/.claude/settings.json': { hooks } })
