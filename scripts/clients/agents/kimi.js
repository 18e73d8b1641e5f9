import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

const recipe = followRecipe('kimi')

/** @type {import('../client.js').Client} */
export const kimi = {
  ...recipe,
  npm: '@moonshot-ai/kimi-code',
  program: '@moonshot-ai/kimi-code/dist/main.mjs',
  runBy: 'node 22',
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
  },
  resume: (prompt, place) => ['--continue', ...recipe.args(prompt, place)],
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
