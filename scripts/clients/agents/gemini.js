/** @type {import('../client.js').Client} */
export const gemini = {
  name: 'gemini',
  version: '0.61.0',
  npm: '@google/gemini-cli',
  program: '@google/gemini-cli/bundle/gemini.js',
  runBy: 'node',
  model: 'gemini-2.5-flash',
  patchModel: null,
  isBridged: true,
  known: {},
  seconds: 60,
  files: () => ({
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      hooksConfig: { enabled: true },
      tools: { enableHooks: true },
      model: { disableLoopDetection: true },
    },
  }),
  env: ({ url }) => ({
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'x',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }),
  args: (prompt, { model }) => ['-y', '-m', model, '-o', 'json', '-p', prompt],
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'as scripted' } }),
  read: (file_path) => ({ name: 'read_file', input: { file_path } }),
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => ({
    name: 'replace',
    input: { file_path, old_string, new_string, instruction: 'as scripted' },
  }),
  patch: null,
  patchesInShell: false,
}
