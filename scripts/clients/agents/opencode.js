import { serverArgs } from '../client.js'

/** @type {import('../client.js').Client} */
export const opencode = {
  name: 'opencode',
  version: '1.18.33',
  npm: 'opencode-linux-x64',
  program: 'opencode-linux-x64/bin/opencode',
  runBy: 'itself',
  model: 'plain',
  patchModel: 'gpt-5.5',
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: { 'Stop sends on': 'lost', 'one Stop (subagent)': 'lost' }, // it ends before its plugins have heard of it
  seconds: 120,
  files: ({ url, model }) => ({
    '.config/opencode/opencode.json': {
      model: `scripted/${model}`,
      small_model: `scripted/${model}`,
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'x' },
          models: { [model]: {} },
        },
      },
    },
  }),
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    npm_config_fetch_retries: '0',
  }),
  args: (prompt) => ['run', prompt],
  resume: (prompt) => ['run', '--continue', prompt],
  shell: (command) => ({ name: 'bash', input: { command, description: 'as scripted' } }),
  read: (filePath) => ({ name: 'read', input: { filePath } }),
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  edit: (filePath, oldString, newString) => ({ name: 'edit', input: { filePath, oldString, newString } }),
  patch: (patchText) => ({ name: 'apply_patch', input: { patchText } }),
  patchesInShell: false,
  shellIn: (command, workdir) => ({ name: 'bash', input: { command, workdir, description: 'as scripted' } }),
  callAgent: (prompt) => ({
    name: 'task',
    input: { description: 'as scripted', prompt, subagent_type: 'general' },
  }),
  mcp: {
    files: (place) => ({
      '.config/opencode/opencode.json': {
        mcp: { files: { type: 'local', enabled: true, command: ['node', ...serverArgs(place)] } },
      },
    }),
    call: (tool) => ({ name: `files_${tool}`, input: {} }),
  },
  movedBy: { variable: 'XDG_CONFIG_HOME', insteadOf: '.config/' },
  census: { models: ['plain', 'gpt-5.5'], shown: {} },
}
