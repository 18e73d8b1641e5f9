import { readFields } from '../census.js'
import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

const recipe = followRecipe('qwen')

/** @type {import('../client.js').Client} */
export const qwen = {
  ...recipe,
  npm: '@qwen-code/qwen-code',
  program: '@qwen-code/qwen-code/cli-entry.js',
  runBy: 'node 22',
  patchModel: null,
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: { 'rewritten command': 'refused', 'hidden character in a rewrite': 'refused' },
  resume: (prompt, place) => ['--continue', ...recipe.args(prompt, place)],
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => ({ name: 'edit', input: { file_path, old_string, new_string } }),
  patch: null,
  patchesInShell: false,
  shellIn: (command, directory) => ({
    name: 'run_shell_command',
    input: { command, directory, is_background: false },
  }),
  grep: (pattern, path) => ({ name: 'grep_search', input: { pattern, path } }),
  editNotebook: (notebook_path, new_source) => ({
    name: 'notebook_edit',
    input: { notebook_path, cell_id: 'a', new_source },
  }),
  monitor: (command) => ({
    name: 'tool_call',
    input: { name: 'monitor', arguments: { command, description: 'as scripted' } },
  }),
  callAgent: (prompt) => ({
    name: 'agent',
    input: { description: 'as scripted', prompt, subagent_type: 'general-purpose', run_in_background: false },
  }),
  mcp: {
    files: (place) => ({
      '.qwen/settings.json': { mcpServers: { files: { command: 'node', args: serverArgs(place), trust: true } } },
    }),
    call: (tool) => ({ name: `mcp__files__${tool}`, input: {} }),
  },
  movedBy: { variable: 'QWEN_HOME', insteadOf: '.qwen/' },
  census: {
    models: ['m'],
    shown: { tool_call: null }, // hooks see the tool that it calls
    load: ({ body, toolResults }) => {
      const names = [...JSON.stringify(body).matchAll(/\\n- \\"(\w+)\\": /g)].map(([, name]) => name)
      const next = names.slice(3 * toolResults, 3 * toolResults + 3) // the output of more is cut
      return next.length === 0 ? null : { name: 'tool_search', input: { query: `select:${next.join(',')}` } }
    },
    described: ({ body }) =>
      [...JSON.stringify(body).matchAll(/<function>(.*?)<\/function>/g)].map(([, text]) => {
        const { name, parametersJsonSchema } = JSON.parse(JSON.parse(`"${text}"`))
        return { name, isText: false, fields: readFields(parametersJsonSchema) }
      }),
  },
}
