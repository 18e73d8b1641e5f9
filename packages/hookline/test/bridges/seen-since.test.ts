import { describe, expect, it } from 'vitest'
import { findBridge } from '../../src/bridges/list.ts'
import { commands } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, worldWith } from './host.ts'
import { eventBefore, payloadOf } from './payloads.ts'

const PATCH = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'

/** Facts about calls that were seen in the clients: the agent, its tool and input, the matcher of a guard, and what the guard looks for. */
const CALLS: readonly (readonly [string, string, object, string, string])[] = [
  ['codex', 'Bash', { command: `cd secrets && apply_patch <<'EOF'\n${PATCH}\nEOF` }, 'Write', 'secrets/a"'],
  ['codex', 'view_image', { path: 'secrets/a.png' }, 'Read', 'secrets/a.png'],
  ['codex', 'read_mcp_resource', { server: 's', uri: 'file:///secrets' }, 'ReadMcpResourceTool', 'file:///secrets'],
  ['codex', 'multi_agent_v1wait_agent', { ids: ['a'] }, 'multi_agent_v1wait_agent', ''],
  ['copilot', 'rg', { pattern: 'x', paths: ['src', 'secrets'] }, 'Grep', 'secrets'],
  ['copilot', 'rg', { pattern: 'x', paths: 'secrets' }, 'Grep', 'secrets'],
  ['copilot', 'grep', { pattern: 'x', paths: 'secrets' }, 'Grep', 'secrets'],
  ['copilot', 'glob', { pattern: '*', paths: 'secrets' }, 'Glob', 'secrets'],
  ['copilot', 'files-wipe', {}, 'mcp__files__wipe', ''],
  ['copilot', 'write_agent', { agent_id: 'a', message: 'secrets' }, 'SendMessage', 'secrets'],
  ['copilot', 'sql', { query: 'secrets' }, 'sql', 'secrets'],
  ['gemini', 'run_shell_command', { command: 'cat key', dir_path: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  ['gemini', 'list_directory', { dir_path: 'secrets' }, 'Glob', 'secrets'],
  ['qwen', 'run_shell_command', { command: 'cat key', directory: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  ['qwen', 'monitor', { command: 'rm x', description: 'd' }, 'Bash', 'rm x'],
  ['qwen', 'tool_call', { name: 'monitor', arguments: { command: 'rm x', description: 'd' } }, 'Bash', 'rm x'],
  [
    'qwen',
    'tool_call',
    { name: 'notebook_edit', arguments: { notebook_path: '/n.ipynb', new_source: 'x' } },
    'NotebookEdit',
    'n.ipynb',
  ],
  [
    'qwen',
    'tool_call',
    { name: 'tool_call', arguments: { name: 'monitor', arguments: { command: 'rm x' } } },
    'Bash',
    'rm x',
  ],
  ['opencode', 'bash', { command: 'cat key', workdir: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  ['opencode', 'files_wipe', {}, 'mcp__files__wipe', ''],
  ['kilo', 'bash', { command: 'cat key', workdir: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  ['droid', 'files___wipe', {}, 'mcp__files__wipe', ''],
  ['droid', 'LS', { directory_path: 'secrets' }, 'Glob', 'secrets'],
  ['kimi', 'Bash', { command: 'cat key', cwd: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  [
    'kimi',
    'AgentSwarm',
    { prompt_template: 'read {{item}}', items: ['secrets'], description: 'd' },
    'Agent',
    'secrets',
  ],
  ['cursor', 'Delete', { file_path: 'secrets' }, 'Bash|Write|Edit', 'secrets'],
  ['cursor', 'Shell', { command: 'cat key', working_directory: 'secrets' }, 'Bash', ''],
  ['cursor', 'Shell', { command: 'cat key', cwd: 'secrets' }, 'Bash', 'cd secrets && cat key'],
  [
    'vscode',
    'multi_replace_string_in_file',
    {
      explanation: 'e',
      replacements: [
        { filePath: '/a', oldString: 'a', newString: 'b' },
        { filePath: '/secrets', oldString: 'a', newString: 'b' },
      ],
    },
    'Edit',
    '/secrets',
  ],
  ['vscode', 'insert_edit_into_file', { explanation: 'e', filePath: '/secrets', code: 'x' }, 'Edit|Write', '/secrets'],
  [
    'vscode',
    'edit_notebook_file',
    { filePath: '/secrets.ipynb', editType: 'insert', newCode: 'x' },
    'NotebookEdit',
    'secrets',
  ],
  [
    'vscode',
    'create_and_run_task',
    { workspaceFolder: '/w', task: { label: 'l', type: 'shell', command: 'rm', args: ['x'] } },
    'Bash',
    'rm',
  ],
  [
    'vscode',
    'run_vscode_command',
    { commandId: 'workbench.action.terminal.sendSequence', name: 'x', args: [{ text: 'rm x\n' }] },
    'Bash',
    'rm x',
  ],
  ['cline', 'run_commands', { commands: [{ path: 'secrets', command: 'cat key' }] }, 'Bash', 'secrets'],
  ['cline', 'run_commands', { commands: ['ls', { command: 'rm', args: ['x'] }] }, 'Bash', 'rm x'],
  ['antigravity', 'run_command', { CommandLine: 'cat key', Cwd: 'secrets' }, 'Bash', 'secrets && cat key'],
]

describe('a call that was seen in a client', () => {
  it.each(CALLS)('%s %s %j is shown to a guard on %s', async (agent, tool, input, matcher, needle) => {
    const bridge = findBridge(agent)
    if (bridge === null) throw new TypeError(agent)
    const guard = needle === '' ? 'exit 2' : `grep -qF '${needle}' && { echo guarded >&2; exit 2; }; exit 0`
    const world = await worldWith({ PreToolUse: [{ matcher, ...commands(guard) }] })
    const payload = payloadOf(bridge, tool, input, { cwd: world.project })
    const answer = await ask(world, agent, eventBefore(bridge, tool), payload)
    expect(FATES[agent]?.(answer), answer.stdout + answer.stderr).toBe('refused')
  })
})
