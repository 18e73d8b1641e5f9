/** What is looked at where an agent could lead a call past a guard: other folders, other tools, other homes, other files. */
import { hookedProject, inputs, isTold, patchOf, refusal, settingsWith, withheld } from './looking.js'

/**
 * @import { Client } from './client.js'
 * @import { Capability, Run } from './looking.js'
 */

/** A character that is not seen, and one that Persian words are written with. */
const ZERO_WIDTH_SPACE = '\u200b'
const NON_JOINER = '\u200c'

/** What a secret holds. */
const CONTENT = 'content-of-the-secret'
/** The task of a subagent, which is told by it from the agent that started it. */
const SUBTASK = 'Do the subtask as scripted.'

const DATE = '2026-11-01T00:00:00.000Z'

const WIDE = 'Read|Grep|NotebookEdit'
const BY_NAME = 'mcp__files__wipe'
const BY_PATTERN = 'mcp__files__b.*'

/** Guard for machines without Node: it refuses commands that ask for it. */
const SHELL_GUARD = 'grep -q deny-me && { echo reason-of-the-shell >&2; exit 2; }; exit 0'

/** @type {readonly Run[]} */
export const BORDER_RUNS = [
  {
    name: 'patch',
    model: ({ patchModel }) => patchModel,
    files: { 'patched.txt': 'one\n', 'secrets/key': `${CONTENT}-by-rg\n`, 'protected/.keep': '' },
    hooked: () => hookedProject(WIDE),
    calls: ({ patch, patchesInShell, shell, patchModelGrep }, project) => [
      patch?.(patchOf('*** Update File: patched.txt\n@@\n-one\n+two\n*** Add File: patched.secret\n+SECRET')),
      patchesInShell ? shell(patchCommand('protected.txt')) : null,
      patchesInShell ? shell(`cd protected && ${patchCommand('moved.txt')}`) : null,
      patchModelGrep?.(CONTENT, `${project}/secrets`),
    ],
  },
  {
    name: 'borders',
    model: ({ model }) => model,
    files: {
      'read.secret': `${CONTENT}-by-read\n`,
      'secrets/key': `${CONTENT}-by-grep\n`,
      'protected.ipynb': notebook('one'),
    },
    hooked: () => hookedProject(WIDE),
    calls: ({ shell, shellIn, read, grep, editNotebook, monitor }, project) => [
      shell(`echo ran > quoted.txt # quote-me ${ZERO_WIDTH_SPACE}`),
      shell('echo ran > persian.txt # persian-me'),
      shell('echo original > hidden.txt # hide-in-me'),
      shell('echo ran > context.txt # hidden-context'),
      shellIn?.('cat key > ../folder.txt', `${project}/secrets`),
      read?.(`${project}/read.secret`),
      grep?.(CONTENT, `${project}/secrets`),
      editNotebook && read?.(`${project}/protected.ipynb`),
      editNotebook?.(`${project}/protected.ipynb`, 'two'),
      monitor?.('echo ran > monitored.txt # deny-me'),
      shell("echo '{}' > .claude/settings.json"),
      shell('echo ran > shrunk.txt # deny-me'),
    ],
  },
  {
    name: 'servers',
    model: ({ model, mcp, isBridged }) => (mcp || isBridged ? model : null),
    files: {},
    hooked: () => hookedProject(BY_NAME, BY_PATTERN),
    homeFiles: pluginFiles,
    as: (client) => ({ ...client, files: (place) => mergeFiles(client.files(place), client.mcp?.files(place) ?? {}) }),
    calls: ({ mcp, shell }) => [
      mcp?.call('look'),
      mcp?.call('wipe'),
      mcp?.call('burn'),
      shell('echo ran > plugin.txt # plugin-me'),
    ],
  },
  {
    name: 'moved',
    model: ({ model, movedBy, callAgent }) => (movedBy || callAgent ? model : null),
    files: {},
    as: moveHome,
    calls: ({ shell, callAgent }) => [shell('echo ran > moved.txt # deny-me'), callAgent?.(SUBTASK)],
    script:
      ({ shell, waitForAgent }, main) =>
      (request) => {
        if (request.tools.length === 0 || JSON.stringify(request.body).includes('Do as scripted.'))
          return waitForAgent?.(request) ?? main(request)
        return request.toolResults === 0 ? { tools: [shell('echo ran > subagent.txt # deny-me')] } : { text: 'Done.' }
      },
  },
  {
    name: 'no program',
    model: ({ model, isBridged, isWrapped }) => (isBridged || isWrapped ? model : null),
    files: {},
    missing: 'hookline',
    calls: ({ shell }) => [shell('echo ran > unprogrammed.txt # deny-me')],
  },
  {
    name: 'no node',
    model: ({ model, isBridged, isWrapped }) => (isBridged || isWrapped ? model : null),
    files: {},
    hooked: () =>
      settingsWith({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: SHELL_GUARD }] }] }),
    missing: 'node',
    calls: ({ shell }) => [shell('echo ran > nodeless.txt # deny-me')],
  },
  ...['user', 'project'].map((scope) => ({
    name: `untrusting (${scope})`,
    model: (/** @type {Client} */ { model, untrusting }) => (untrusting ? model : null),
    files: {},
    as: (/** @type {Client} */ client) => ({ ...client, ...client.untrusting }),
    scope: /** @type {'user' | 'project'} */ (scope),
    calls: (/** @type {Client} */ { shell }) => [shell('echo ran > untrusting.txt # deny-me')],
  })),
]

/** @param {Client} client */
const IS_GUARDED = ({ isBridged, isWrapped }) => isBridged || isWrapped === true

/** @type {readonly Capability[]} */
export const BORDER_CAPABILITIES = [
  {
    ...refusal('patch after cd', {
      run: 'patch',
      file: 'protected/moved.txt',
      reason: 'reason-of-the-secret-in-Write',
    }),
    has: ({ patchesInShell }) => patchesInShell,
  },
  {
    ...withheld('secret by rg', { run: 'patch', content: `${CONTENT}-by-rg`, reason: 'reason-of-the-secret-in-Grep' }),
    has: ({ patchModelGrep }) => patchModelGrep !== undefined,
  },
  refusal('hidden character in a reason', { run: 'borders', file: 'quoted.txt', reason: 'reason-of-the-quote' }),
  refusal('Persian reason', { run: 'borders', file: 'persian.txt', reason: `reason${NON_JOINER}of-the-Persian` }),
  {
    name: 'hidden character in a rewrite',
    run: 'borders',
    control: ({ read }) => read('hidden.txt') === 'original\n',
    guarded: ({ read, requests }) => {
      const text = read('hidden.txt')
      if (text === `hidden${ZERO_WIDTH_SPACE}`) return 'yes'
      if (text !== null) return { wrong: `the command wrote ${JSON.stringify(text)}` }
      return isTold(requests, '> hidden.txt; :') ? 'refused' : { wrong: 'no command ran, without advice' }
    },
  },
  {
    name: 'hidden character in context',
    run: 'borders',
    control: ({ read, requests }) => read('context.txt') !== null && !isTold(requests, 'context-of-the-hidden'),
    guarded: ({ requests }) => (isTold(requests, `context-of-the-hidden${NON_JOINER}`) ? 'yes' : 'lost'),
  },
  {
    ...refusal('folder of a command', { run: 'borders', file: 'folder.txt', reason: 'reason-of-the-folder' }),
    has: ({ shellIn }) => shellIn !== undefined,
  },
  {
    ...withheld('secret by read', {
      run: 'borders',
      content: `${CONTENT}-by-read`,
      reason: 'reason-of-the-secret-in-Read',
    }),
    has: ({ read }) => read !== null,
  },
  {
    ...withheld('secret by grep', {
      run: 'borders',
      content: `${CONTENT}-by-grep`,
      reason: 'reason-of-the-secret-in-Grep',
    }),
    has: ({ grep }) => grep !== undefined,
  },
  {
    ...refusal('notebook', {
      run: 'borders',
      file: 'protected.ipynb',
      was: notebook('one'),
      reason: 'reason-of-the-secret-in-NotebookEdit',
    }),
    has: ({ editNotebook }) => editNotebook !== undefined,
  },
  {
    ...refusal('monitor', { run: 'borders', file: 'monitored.txt', reason: 'reason-of-the-command' }),
    has: ({ monitor }) => monitor !== undefined,
  },
  {
    name: 'guards do not shrink',
    run: 'borders',
    has: ({ isBridged, loadsClaude }) => isBridged && !loadsClaude,
    control: ({ read }) => read('shrunk.txt') !== null,
    guarded: ({ read }) =>
      read('shrunk.txt') === null ? 'yes' : { wrong: 'the call ran once the settings were empty' },
  },
  ofServer('MCP guard by name', { file: 'wipe.txt', reason: 'reason-of-the-server-for-wipe' }),
  ofServer('MCP guard by pattern', { file: 'burn.txt', reason: 'reason-of-the-server-for-burn' }),
  {
    name: 'other MCP tools',
    run: 'servers',
    has: ({ mcp }) => mcp !== undefined,
    control: ({ read }) => read('look.txt') !== null,
    guarded: ({ read }) => (read('look.txt') === null ? { wrong: 'a call that no hook refuses did not run' } : 'yes'),
  },
  {
    ...refusal('hook of a plugin', { run: 'servers', file: 'plugin.txt', reason: 'reason-of-the-plugin' }),
    has: ({ readsPlugins }) => readsPlugins !== false,
  },
  {
    ...refusal('moved home', { run: 'moved', file: 'moved.txt', reason: 'reason-of-the-command' }),
    has: ({ movedBy }) => movedBy !== undefined,
  },
  {
    ...refusal('subagent', { run: 'moved', file: 'subagent.txt', reason: 'reason-of-the-command' }),
    has: ({ callAgent }) => callAgent !== undefined,
  },
  {
    name: 'one prompt (subagent)',
    run: 'moved',
    has: ({ callAgent }) => callAgent !== undefined,
    control: ({ read }) => read('subagent.txt') !== null,
    guarded: (seen) => {
      const prompts = inputs(seen, 'UserPromptSubmit').map(({ prompt }) => String(prompt))
      if (prompts.some((prompt) => prompt.includes(SUBTASK))) return { wrong: 'a task of the model came as a prompt' }
      return prompts.length === 1 ? 'yes' : { wrong: `UserPromptSubmit came ${prompts.length} times for one prompt` }
    },
  },
  {
    name: 'one Stop (subagent)',
    run: 'moved',
    has: ({ callAgent }) => callAgent !== undefined,
    control: ({ read }) => read('subagent.txt') !== null,
    guarded: (seen) => {
      const { length } = inputs(seen, 'Stop')
      if (length > 1) return { wrong: `Stop came ${length} times for one prompt` }
      return length === 1 ? 'yes' : 'lost'
    },
  },
  {
    name: 'program is missing',
    run: 'no program',
    has: IS_GUARDED,
    control: ({ read }) => read('unprogrammed.txt') !== null,
    guarded: ({ read }) => (read('unprogrammed.txt') === null ? 'yes' : 'lost'),
  },
  {
    ...refusal('Node is missing', { run: 'no node', file: 'nodeless.txt', reason: 'reason-of-the-shell' }),
    has: IS_GUARDED,
  },
  ...['user', 'project'].map(untrusting),
]

/**
 * A client that drops hooks which nobody reviewed, or of a folder that it does not trust: the guard holds, or the user is told beforehand.
 * @param {string} scope
 * @returns {Capability}
 */
function untrusting(scope) {
  return {
    name: `not reviewed or trusted (${scope})`,
    run: `untrusting (${scope})`,
    has: ({ untrusting }) => untrusting !== undefined,
    control: ({ read }) => read('untrusting.txt') !== null,
    guarded: ({ read, told }) => {
      if (read('untrusting.txt') === null) return 'yes'
      return /review|trust/.test(told) ? 'told' : 'lost'
    },
  }
}

/**
 * A guard on a tool of an MCP server: it holds, or the user is told beforehand that the client does not call it.
 * @param {string} name
 * @param {{ file: string, reason: string }} call
 * @returns {Capability}
 */
function ofServer(name, call) {
  const whole = refusal(name, { run: 'servers', ...call })
  return {
    ...whole,
    has: ({ mcp }) => mcp !== undefined,
    guarded: (seen) => {
      const isOpen = seen.read(call.file) !== null
      return isOpen && /names for\s+tools of MCP servers/.test(seen.told) ? 'told' : whole.guarded(seen)
    },
  }
}

/** @param {string} file */
function patchCommand(file) {
  return `apply_patch <<'EOF'\n${patchOf(`*** Add File: ${file}\n+SECRET`)}\nEOF`
}

/** @param {string} source of its only cell */
function notebook(source) {
  const cell = { cell_type: 'code', execution_count: null, id: 'a', metadata: {}, outputs: [], source: [source] }
  return `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`
}

/**
 * A plugin of Claude Code that is installed and enabled, with a guard.
 * @param {string} home
 */
function pluginFiles(home) {
  const folder = '.claude/plugins/cache/local/guards/1.0.0'
  const hook = { type: 'command', command: 'grep -q plugin-me && { echo reason-of-the-plugin >&2; exit 2; }; exit 0' }
  const installed = { scope: 'user', installPath: `${home}/${folder}`, version: '1.0.0' }
  const dates = { installedAt: DATE, lastUpdated: DATE }
  const market = `${home}/.claude/plugins/marketplaces/local`
  return {
    '.claude/settings.json': { enabledPlugins: { 'guards@local': true } },
    '.claude/plugins/installed_plugins.json': { version: 2, plugins: { 'guards@local': [{ ...installed, ...dates }] } },
    '.claude/plugins/known_marketplaces.json': {
      local: { source: { source: 'github', repo: 'scripted/local' }, installLocation: market, lastUpdated: DATE },
    },
    '.claude/plugins/marketplaces/local/.claude-plugin/marketplace.json': {
      name: 'local',
      owner: { name: 'scripted' },
      plugins: [{ name: 'guards', source: './guards', description: 'Guards.', version: '1.0.0' }],
    },
    '.claude/plugins/marketplaces/local/guards/.claude-plugin/plugin.json': { name: 'guards', version: '1.0.0' },
    [`${folder}/.claude-plugin/plugin.json`]: { name: 'guards', version: '1.0.0', description: 'Guards.' },
    [`${folder}/hooks/hooks.json`]: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } },
  }
}

/**
 * The client with its files in another folder, which a variable names; as it is where there is no such variable.
 * @param {Client} client
 * @returns {Client}
 */
function moveHome(client) {
  const { movedBy } = client
  if (movedBy === undefined) return client
  const { variable, insteadOf } = movedBy
  const moved = (/** @type {string} */ path) =>
    `moved/${path.startsWith(insteadOf) ? path.slice(insteadOf.length) : path}`
  return {
    ...client,
    env: (place) => ({ ...client.env(place), [variable]: `${place.home}/moved` }),
    files: (place) =>
      Object.fromEntries(Object.entries(client.files(place)).map(([path, text]) => [moved(path), text])),
  }
}

/**
 * Files with more in them: texts one after the other, fields of objects beside each other.
 * @param {Record<string, string | object>} files
 * @param {Record<string, string | object>} more
 */
function mergeFiles(files, more) {
  const merged = Object.entries(more).map(([path, content]) => {
    const before = files[path]
    if (before === undefined) return [path, content]
    return [path, typeof before === 'string' ? `${before}${content}` : { ...before, ...Object(content) }]
  })
  return { ...files, ...Object.fromEntries(merged) }
}
