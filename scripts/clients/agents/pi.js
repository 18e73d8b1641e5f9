import { serverArgs } from '../client.js'

/** A trusted folder, and all tools that it has. */
const OPTIONS = ['--approve', '--tools', '+grep,+find,+ls,+codemode', '--provider', 'scripted']

/** @type {import('../client.js').Client} */
export const pi = {
  name: 'pi',
  version: '1.5.0',
  npm: '@earendil-works/pi-coding-agent',
  program: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
  bundleNeeds: ['jiti@2.7.0', 'quickjs-wasi@3.6.2'],
  runBy: 'node 22',
  model: 'plain',
  patchModel: null,
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: {},
  seconds: 60,
  files: ({ url, model }) => ({
    '.pi/agent/models.json': {
      providers: {
        scripted: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'x', models: [{ id: model }] },
      },
    },
  }),
  env: () => ({ PI_OFFLINE: '1' }),
  args: (prompt, { model }) => ['-p', ...OPTIONS, '--model', model, prompt],
  resume: (prompt, { model }) => ['-p', '--continue', ...OPTIONS, '--model', model, prompt],
  shell: (command) => ({ name: 'bash', input: { command } }),
  read: (path) => ({ name: 'read', input: { path } }),
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  edit: (path, oldText, newText) => ({ name: 'edit', input: { path, edits: [{ oldText, newText }] } }),
  patch: null,
  patchesInShell: false,
  mcp: {
    files: (place) => ({
      '.pi/agent/mcp.json': { mcpServers: { files: { command: 'node', args: serverArgs(place) } } },
    }),
    call: (tool) => ({ name: 'codemode', input: { code: `return await tools.mcp__files__${tool}({})` } }),
  },
  movedBy: { variable: 'PI_CODING_AGENT_DIR', insteadOf: '.pi/agent/' },
  census: { models: ['plain'], shown: {} },
}
