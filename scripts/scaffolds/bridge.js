/** A bridge to an agent: its tables, its rows, and the payloads that the tests of all bridges ask for. */
import { toPascalCase } from './edit.js'

const LIST = 'packages/hookline/src/bridges/list.ts'
const TABLES = 'packages/hookline/generate/bridges.ts'
const FATES = 'packages/hookline/test/bridges/fates.ts'
const HOSTS = 'packages/hookline/test/bridges/host.ts'

/** @type {import('./edit.js').ScaffoldKind} */
export const bridge = {
  says: 'a bridge to an agent: its tables, its rows, and the payloads that tests ask for',
  name: /^[a-z][a-z0-9]*$/,
  names: 'an agent is called by one word, like codex',
  make(name, tree) {
    const title = toPascalCase(name)
    tree.refuse(LIST, new RegExp(`^  '${name}',`, 'm'), `There is a bridge to ${name} already.`)
    tree.add(
      `packages/hookline/src/bridges/agents/${name}.ts`,
      `import { type Bridge, makeExact, makeLost, makeRefusals, makeRefused } from '../bridge.ts'

const NOTE_SILENT = 'nobody has seen what ${title} does with it'

/** ${title}. Nobody has run it with these tables. */
export const ${name}: Bridge = {
  name: '${name}',
  title: '${title}',
  seen: { version: '0.0.0', mark: 'D' },
  detect: [{ env: { ${name.toUpperCase()}_SESSION: true } }],
  install: {
    files: { user: '.${name}/hooks.json', project: '.${name}/hooks.json' },
    shape: 'events-at-top',
    reads: { format: 'json', mark: 'D' },
    timeout: { unit: 's', most: null },
    loadsClaude: null,
    person: [],
    missing: 'passes',
  },
  project: null,
  common: { session_id: 'session_id', cwd: 'cwd' },
  subagent: null,
  modes: null,
  call: { tool: 'tool_name', input: 'tool_input', id: null, output: 'tool_response', failed: null },
  mcp: { style: { start: 'mcp__', between: '__' }, files: [] },
  events: {
    SessionStart: { as: 'SessionStart', fields: { source: 'source' } },
    UserPromptSubmit: { as: 'UserPromptSubmit', fields: { prompt: 'prompt' } },
    PreToolUse: { as: 'PreToolUse' },
    PostToolUse: { as: 'PostToolUse' },
    Stop: { as: 'Stop', fields: { stop_hook_active: { by: 'stopHookActive' } } },
  },
  tools: [
    { host: 'shell', claude: 'Bash', input: { command: 'command' }, rewrite: 'never' },
    { host: 'write', claude: 'Write', input: { file_path: 'path', content: 'content' }, rewrite: 'never' },
    { host: 'read', claude: 'Read', input: { file_path: 'path' }, rewrite: 'never' },
  ],
  answers: {
    deny: makeExact('nestedDeny', 'D'),
    ask: makeRefused('${title} cannot ask'),
    defer: makeRefused('${title} cannot leave a call open'),
    allow: makeLost('${title} asks all the same'),
    updatedInput: makeRefused('${title} takes no changed input'),
    contextBeforeTool: makeLost(NOTE_SILENT),
    contextAfterTool: makeLost(NOTE_SILENT),
    feedbackAfterTool: makeLost(NOTE_SILENT),
    updatedToolOutput: makeLost(NOTE_SILENT),
    contextAtStart: makeLost(NOTE_SILENT),
    environment: makeLost(NOTE_SILENT),
    promptBlock: makeExact('topBlock', 'D'),
    promptContext: makeLost(NOTE_SILENT),
    stopBlock: makeExact('topBlock', 'D'),
    halt: makeRefusals('${title} cannot be told to end the turn'),
    haltBeforeTool: makeRefusals('${title} cannot be told to end the turn'),
    dialog: makeLost(NOTE_SILENT),
    toUser: makeLost(NOTE_SILENT),
  },
  capabilities: { noOpinion: '', input: 'replace', stopCap: null, limit: 60, blind: [] },
  recipe: null,
}
`,
    )
    tree.insert(LIST, '\n] as const', `\n  '${name}',`, { after: 'AGENTS = [' })
    tree.import(TABLES, `import { ${name} } from '../src/bridges/agents/${name}.ts'`)
    tree.insert(TABLES, '\n}\n', `\n  ${name},`, { after: 'export const TABLES' })
    tree.insert(
      HOSTS,
      '\n}\n',
      `
  ${name}: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    stop: 'Stop',
    ...nested('shell', 'write', 'path')(claudeLike, (text) => ({ tool_response: text })),
    said: (prompt) => ({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt }),
  },`,
      { after: 'export const HOSTS' },
    )
    tree.insert(FATES, '\n}\n', `\n  ${name}: ({ stdout }) => byWord(inside(object(stdout)).permissionDecision),`, {
      after: 'export const FATES',
    })
    return {
      files: tree.files,
      next: [
        `Write in packages/hookline/src/bridges/agents/${name}.ts what you saw the agent do, each cell with its mark; what nobody saw stays D or T.`,
        'npm run generate',
        'npx vitest run --project hookline test/bridges',
        'npm run clients, once it is in scripts/clients/list.js',
      ],
    }
  },
}
