import { serverArgs } from '../client.js'

/** @type {import('../client.js').Client} */
export const codex = {
  name: 'codex',
  version: '0.166.0',
  npm: '@openai/codex',
  program: '@openai/codex/bin/codex.js',
  runBy: 'node',
  model: 'gpt-5.5',
  patchModel: 'gpt-5.5',
  isBridged: true,
  hasProjectFile: true,
  loadsClaude: false,
  known: {
    'failed command': 'lost',
    'not reviewed or trusted (user)': 'told',
    'not reviewed or trusted (project)': 'told',
  },
  seconds: 60,
  files: ({ project, url, model }) => ({
    '.codex/config.toml': `model = "${model}"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"
`,
  }),
  env: () => ({ SCRIPTED_KEY: 'x' }),
  args: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-hook-trust',
    '-s',
    'workspace-write',
    '--json',
    prompt,
  ],
  resume: (prompt) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-hook-trust',
    '-s',
    'workspace-write',
    '--json',
    'resume',
    '--last',
    prompt,
  ],
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
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
  untrusting: { args: (prompt) => ['exec', '--skip-git-repo-check', '-s', 'workspace-write', '--json', prompt] },
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
