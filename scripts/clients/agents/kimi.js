import { serverArgs } from '../client.js'

/** @type {import('../client.js').Client} */
export const kimi = {
  name: 'kimi',
  version: '2.1.0',
  npm: '@moonshot-ai/kimi-code',
  program: '@moonshot-ai/kimi-code/dist/main.mjs',
  runBy: 'node 22',
  model: 'm',
  patchModel: null,
  isBridged: true,
  hasProjectFile: false,
  loadsClaude: false,
  known: {
    'rewritten command': 'refused',
    'hidden character in a rewrite': 'refused',
    'PreToolUse context': 'queued',
    'PostToolUse context': 'queued',
    'hidden character in context': 'queued',
    'one Stop (subagent)': 'wrong', // nothing tells the Stop of a subagent from that of the turn
  },
  seconds: 60,
  files: ({ url, model }) => ({
    '.kimi-code/config.toml': `default_model = "scripted"

[providers.scripted]
type = "openai"
base_url = "${url}/v1"
api_key = "x"

[models.scripted]
provider = "scripted"
model = "${model}"
max_context_size = 100000
`,
  }),
  env: () => ({}),
  args: (prompt) => ['-p', prompt],
  resume: (prompt) => ['--continue', '-p', prompt],
  shell: (command) => ({ name: 'Bash', input: { command } }),
  read: (path) => ({ name: 'Read', input: { path } }),
  write: (path, content) => ({ name: 'Write', input: { path, content } }),
  edit: (path, old_string, new_string) => ({ name: 'Edit', input: { path, old_string, new_string } }),
  patch: null,
  patchesInShell: false,
  shellIn: (command, cwd) => ({ name: 'Bash', input: { command, cwd } }),
  callAgent: (prompt) => ({ name: 'Agent', input: { description: 'as scripted', prompt } }),
  mcp: {
    files: (place) => ({
      '.kimi-code/mcp.json': { mcpServers: { files: { command: 'node', args: serverArgs(place) } } },
    }),
    call: (tool) => ({ name: `mcp__files__${tool}`, input: {} }),
  },
  movedBy: { variable: 'KIMI_CODE_HOME', insteadOf: '.kimi-code/' },
  census: { models: ['m'], shown: {} },
}
