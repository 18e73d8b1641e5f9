import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'

const recipe = followRecipe('codex')

/** @type {import('../client.js').Client} */
export const codex = {
  ...recipe,
  npm: '@openai/codex',
  program: '@openai/codex/bin/codex.js',
  runBy: 'node',
  patchModel: 'gpt-5.5',
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: {
    'failed command': 'lost',
    'not reviewed or trusted (user)': 'told',
    'not reviewed or trusted (project)': 'told',
  },
  resume: (prompt, place) => [...recipe.args('resume', place), '--last', prompt],
  read: null,
  write: null,
  edit: null,
  patch: (patch) => ({ name: 'apply_patch', input: patch }),
  patchesInShell: true,
  shellIn: (cmd, workdir) => ({ name: 'exec_command', input: { cmd, workdir } }),
  callAgent: (message) => ({ name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message } }),
  waitForAgent: ({ body, toolResults }) => {
    const id = /agent_id\\+":\\+"([\w-]+)/.exec(JSON.stringify(body))?.[1]
    if (toolResults !== 2 || id === undefined) return null
    return {
      tools: [{ name: 'wait_agent', namespace: 'multi_agent_v1', input: { targets: [id], timeout_ms: 60_000 } }],
    }
  },
  mcp: {
    files: (place) => ({
      '.codex/config.toml': `\n[mcp_servers.files]\ncommand = "node"\nargs = ${JSON.stringify(serverArgs(place))}\n`,
    }),
    call: (name) => ({ name, namespace: 'mcp__files', input: {} }),
  },
  movedBy: { variable: 'CODEX_HOME', insteadOf: '.codex/' },
  untrusting: {
    args: (prompt, place) => recipe.args(prompt, place).filter((word) => word !== '--dangerously-bypass-hook-trust'),
  },
  census: {
    models: ['gpt-5.5', 'gpt-4.1', 'gpt-6-sol'],
    shown: {
      exec_command: { name: 'Bash', fields: { cmd: 'command' } }, // `workdir` is the `cwd` of the payload
      apply_patch: { text: 'command' },
      multi_agent_v1spawn_agent: { name: 'spawn_agent' },
      exec: null, // code that calls tools, which are seen one by one
      wait: null,
      write_stdin: null,
      tool_search: null,
      web_search: null,
    },
    described: ({ body }) => JSON.stringify(body).split('declare const tools: { ').slice(1).map(readDeclaration),
  },
}

/**
 * A tool of code mode, which is declared in TypeScript: `name(args: {\\n  // words\\n  field?: type;\\n}): …`, as it stands in JSON.
 * @param {string} text
 */
function readDeclaration(text) {
  const [, name = '', group = '', inside = ''] = /^((?:(\w+?)__)?\w+)\((?:args: \{(.*?)\}|input)/.exec(text) ?? []
  const fields = [...inside.matchAll(/\\n {2}(\w+)(\??): (.*?);(?=\\n)/g)].map(([, field = '', mark, type = '']) => {
    return [
      field,
      { type: type.startsWith('\\"') ? 'string' : type.replace(/^Array.*/, 'array'), required: mark === '' },
    ]
  })
  return { name: name.replace(`${group}__`, group), isText: false, fields: Object.fromEntries(fields) }
}
