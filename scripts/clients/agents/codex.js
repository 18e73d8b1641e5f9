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
  known: { 'failed command': 'lost' },
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
}
