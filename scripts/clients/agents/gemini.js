import { serverArgs } from '../client.js'

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  hooksConfig: { enabled: true },
  tools: { enableHooks: true },
  model: { disableLoopDetection: true },
}

/** @type {import('../client.js').Client} */
export const gemini = {
  name: 'gemini',
  version: '0.61.0',
  npm: '@google/gemini-cli',
  program: '@google/gemini-cli/bundle/gemini.js',
  runBy: 'node',
  model: 'gemini-2.5-flash',
  patchModel: null,
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: { 'not reviewed or trusted (project)': 'told' },
  seconds: 60,
  files: () => ({ '.gemini/settings.json': SETTINGS }),
  env: ({ url }) => ({
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'x',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }),
  args: (prompt, { model }) => ['-y', '-m', model, '-o', 'json', '-p', prompt],
  resume: (prompt, { model }) => ['-y', '-m', model, '-o', 'json', '--resume', 'latest', '-p', prompt],
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'as scripted' } }),
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => ({
    name: 'replace',
    input: { file_path, old_string, new_string, instruction: 'as scripted' },
  }),
  patch: null,
  patchesInShell: false,
  shellIn: (command, dir_path) => ({ name: 'run_shell_command', input: { command, dir_path } }),
  grep: (pattern, dir_path) => ({ name: 'grep_search', input: { pattern, dir_path } }),
  callAgent: (prompt) => ({ name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
  mcp: {
    files: (place) => ({
      '.gemini/settings.json': { mcpServers: { files: { command: 'node', args: serverArgs(place), trust: true } } },
    }),
    call: (tool) => ({ name: `mcp_files_${tool}`, input: {} }),
  },
  movedBy: { variable: 'GEMINI_CLI_HOME', insteadOf: '' },
  untrusting: {
    env: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'x', GEMINI_CLI_NO_RELAUNCH: 'true' }),
    files: () => ({ '.gemini/settings.json': { ...SETTINGS, security: { auth: SETTINGS.security.auth } } }),
    args: (prompt, { model }) => ['-y', '--skip-trust', '-m', model, '-o', 'json', '-p', prompt],
  },
  census: { models: ['gemini-2.5-flash', 'gemini-3-pro-preview'], shown: {} },
}
