import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

const recipe = followRecipe('gemini')

/** @type {import('../client.js').Client} */
export const gemini = {
  ...recipe,
  npm: '@google/gemini-cli',
  program: '@google/gemini-cli/bundle/gemini.js',
  runBy: 'node',
  patchModel: null,
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: { 'not reviewed or trusted (project)': 'told' },
  resume: (prompt, place) => ['--resume', 'latest', ...recipe.args(prompt, place)],
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
    env: (place) => {
      const { GEMINI_CLI_TRUST_WORKSPACE: _, ...env } = recipe.env(place)
      return env
    },
    files: (place) => {
      const settings = Object(recipe.files(place)['.gemini/settings.json'])
      return { '.gemini/settings.json': { ...settings, security: { auth: settings.security.auth } } }
    },
    args: (prompt, place) => ['--skip-trust', ...recipe.args(prompt, place)],
  },
  // Where ripgrep is in /usr/bin, grep_search has more fields: the census that is kept was taken there.
  census: { models: ['gemini-2.5-flash', 'gemini-3-pro-preview'], shown: {} },
}
