import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

/**
 * As advised: it loads `.claude/settings.json` by itself, so the hooks are wrapped.
 * @type {import('../client.js').Client}
 */
export const copilot = {
  ...followRecipe('copilot'),
  npm: '@github/copilot',
  program: '@github/copilot-linux-x64/copilot',
  runBy: 'itself',
  patchModel: 'gpt-5.5',
  isBridged: true,
  isWrapped: true,
  hasProjectFile: true,
  loadsClaude: true,
  known: {},
  resume: (prompt) => [
    '-p',
    prompt,
    '--continue',
    '--allow-all-tools',
    '--allow-all-paths',
    '--disable-client-telemetry',
  ],
  read: (path) => ({ name: 'view', input: { path } }),
  write: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  edit: (path, old_str, new_str) => ({ name: 'edit', input: { path, old_str, new_str } }),
  patch: (patch) => ({ name: 'apply_patch', input: patch }),
  patchesInShell: false,
  grep: (pattern, folder) => ({ name: 'grep', input: { pattern, paths: folder, output_mode: 'content' } }),
  patchModelGrep: (pattern, folder) => ({ name: 'rg', input: { pattern, paths: [folder], output_mode: 'content' } }),
  callAgent: (prompt) => ({
    name: 'task',
    input: { description: 'as scripted', prompt, agent_type: 'general-purpose', name: 'scripted' },
  }),
  mcp: {
    files: (place) => ({
      '.copilot/mcp-config.json': {
        mcpServers: { files: { type: 'local', command: 'node', args: serverArgs(place), tools: ['*'] } },
      },
    }),
    call: (tool) => ({ name: `files-${tool}`, input: {} }),
  },
  movedBy: { variable: 'COPILOT_HOME', insteadOf: '.copilot/' },
  census: { models: ['gpt-4.1', 'gpt-5.5'], shown: {} },
}
