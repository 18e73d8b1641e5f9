import { serverArgs } from '../client.js'

/** @type {import('../client.js').Client} */
export const claude = {
  name: 'claude',
  version: '2.1.328',
  npm: '@anthropic-ai/claude-code-linux-x64',
  program: '@anthropic-ai/claude-code-linux-x64/claude',
  runBy: 'itself',
  model: 'claude-sonnet-5',
  patchModel: null,
  isBridged: false,
  hasProjectFile: false,
  loadsClaude: true,
  known: { 'halt before a call': 'lost' }, // the turn ends, and the call is made
  seconds: 60,
  files: () => ({}),
  env: ({ url, model }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'x',
    ANTHROPIC_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  args: (prompt) => ['-p', prompt, '--allowedTools', 'Bash,Write,Edit,Read,mcp__files'],
  resume: (prompt) => ['-p', prompt, '--continue', '--allowedTools', 'Bash,Write,Edit,Read,mcp__files'],
  shell: (command) => ({ name: 'Bash', input: { command, description: 'as scripted' } }),
  read: (file_path) => ({ name: 'Read', input: { file_path } }),
  write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => ({ name: 'Edit', input: { file_path, old_string, new_string } }),
  patch: null,
  patchesInShell: false,
  callAgent: (prompt) => ({
    name: 'Agent',
    input: { description: 'as scripted', prompt, subagent_type: 'general-purpose', run_in_background: false },
  }),
  mcp: {
    files: (place) => ({ '.claude.json': { mcpServers: { files: { command: 'node', args: serverArgs(place) } } } }),
    call: (tool) => ({ name: `mcp__files__${tool}`, input: {} }),
  },
  movedBy: { variable: 'CLAUDE_CONFIG_DIR', insteadOf: '.claude/' },
}
