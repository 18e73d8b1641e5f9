import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

/** @type {import('../client.js').Client} */
export const opencode = {
  ...followRecipe('opencode'),
  npm: 'opencode-linux-x64',
  program: 'opencode-linux-x64/bin/opencode',
  runBy: 'itself',
  patchModel: 'gpt-5.5',
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: { 'Stop sends on': 'lost' }, // it ends before its plugins have answered
  resume: (prompt) => ['run', '--continue', prompt],
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
