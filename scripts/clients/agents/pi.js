import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

const recipe = followRecipe('pi')
/** All tools that it has. */
const TOOLS = ['--tools', '+grep,+find,+ls,+codemode']

/** @type {import('../client.js').Client} */
export const pi = {
  ...recipe,
  npm: '@earendil-works/pi-coding-agent',
  program: '@earendil-works/pi-coding-agent/dist/bundle/cli.js',
  bundleNeeds: ['jiti@2.7.0', 'quickjs-wasi@3.6.2'],
  runBy: 'node 22',
  patchModel: null,
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: {},
  args: (prompt, place) => [...TOOLS, ...recipe.args(prompt, place)],
  resume: (prompt, place) => ['--continue', ...TOOLS, ...recipe.args(prompt, place)],
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
