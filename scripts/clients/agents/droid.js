import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

/** With a GPT-5 model Droid speaks the Responses API and has a patch tool. */
const isPatching = (/** @type {string} */ model) => model.startsWith('gpt-5')

const recipe = followRecipe('droid')

/** @type {import('../client.js').Client} */
export const droid = {
  ...recipe,
  npm: '@factory/cli-linux-x64',
  program: '@factory/cli-linux-x64/bin/droid',
  runBy: 'itself',
  patchModel: 'gpt-5.5',
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: {
    'UserPromptSubmit context': 'lost',
    'refused prompt': 'lost',
    'failed command': 'lost',
    'one prompt (calls)': 'lost',
    'one prompt (stop)': 'lost',
  },
  files: (place) => {
    const provider = isPatching(place.model) ? 'openai' : 'generic-chat-completion-api'
    return JSON.parse(JSON.stringify(recipe.files(place)).replace('generic-chat-completion-api', provider))
  },
  resume: (prompt, { home }) => ['exec', '--auto', 'high', '-m', 'custom:scripted', '-s', sessionIn(home), prompt],
  read: (file_path) => ({ name: 'Read', input: { file_path } }),
  write: (file_path, content) => ({ name: 'Create', input: { file_path, content } }),
  edit: (file_path, old_str, new_str) => ({ name: 'Edit', input: { file_path, old_str, new_str, change_all: false } }),
  patch: (patch) => ({ name: 'ApplyPatch', input: patch }),
  patchesInShell: false,
  grep: (pattern, path) => ({ name: 'Grep', input: { pattern, path, output_mode: 'content' } }),
  mcp: {
    files: (place) => ({
      '.factory/mcp.json': { mcpServers: { files: { type: 'stdio', command: 'node', args: serverArgs(place) } } },
    }),
    call: (tool) => ({ name: `files___${tool}`, input: {} }),
  },
  movedBy: { variable: 'FACTORY_HOME_OVERRIDE', insteadOf: '' },
  census: {
    models: ['plain', 'gpt-5.5'],
    shown: { ApplyPatch: { text: 'input' } },
    load: ({ body, toolResults }) => {
      const names = /Deferred tools:\\n(.*?)\\n</.exec(JSON.stringify(body))?.[1]?.split('\\n')
      return names === undefined || toolResults > 0
        ? null
        : { name: 'ToolSearch', input: { query: `select:${names.join(',')}` } }
    },
  },
}

/**
 * The id of the only session that it has kept.
 * @param {string} home
 */
function sessionIn(home) {
  const files = readdirSync(join(home, '.factory/sessions'), { recursive: true, encoding: 'utf8' })
  return files.flatMap((file) => /([\w-]+)\.jsonl$/.exec(file)?.[1] ?? [])[0] ?? ''
}
