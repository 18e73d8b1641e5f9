import { AGENTS } from '../../src/bridges/list.ts'
import { HOOK_TYPES } from '../../src/hook-types/table.ts'
import { KNOWN_HOOK_TYPES, PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'
import { findCycles, findLines, findReached, findRoom, type Import, isIn, type SourceTree } from './source-tree.ts'

/** A law of the source: a sentence that begins with "the rooms", and the breaches of it. */
export interface Law {
  readonly says: string
  /** What breaks it, each with the file that does. */
  findBreaches(tree: SourceTree): readonly string[]
}

/** Which rooms a room may import from; files at the root of src are the doors. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  files: ['text'],
  text: [],
  protocol: ['files', 'text'],
  pattern: ['text', 'protocol'],
  programs: [],
  rule: ['files', 'text', 'programs', 'effects'],
  effects: ['files', 'text', 'programs'],
  guards: ['files', 'text', 'programs', 'effects'],
  config: ['files', 'text', 'protocol', 'pattern', 'rule'],
  match: ['text', 'protocol', 'pattern', 'config', 'rule'],
  process: ['files', 'text'],
  run: ['files', 'text', 'protocol', 'config', 'process'],
  'hook-types': ['files', 'text', 'protocol', 'process', 'run'],
  models: ['files', 'text', 'pattern', 'run'],
  read: ['text', 'protocol', 'process', 'run'],
  decide: ['text', 'protocol', 'read'],
  record: ['files', 'text', 'protocol'],
  dispatch: ['files', 'text', 'protocol', 'config', 'match', 'process', 'run', 'read', 'decide', 'record'],
  engine: [
    ...['files', 'text', 'protocol', 'pattern', 'config', 'match', 'process', 'run', 'hook-types'],
    ...['record', 'dispatch', 'fleet'],
  ],
  fleet: ['files', 'text', 'protocol', 'config', 'record', 'dispatch'],
  log: ['files', 'text', 'protocol', 'process', 'run', 'read', 'decide', 'record', 'engine'],
  check: ['files', 'text', 'protocol', 'pattern', 'rule', 'config', 'match', 'process'],
  scratch: ['files', 'text', 'process'],
  replay: ['files', 'text', 'protocol', 'config', 'engine', 'log', 'scratch'],
  bridges: ['files', 'text', 'protocol', 'programs', 'config', 'process', 'engine'],
  races: ['files', 'text', 'protocol', 'read', 'replay'],
  cases: ['files', 'text', 'protocol', 'config', 'run', 'engine', 'log', 'scratch'],
  inspect: ['files', 'text', 'protocol', 'config', 'engine', 'log', 'check', 'cases'],
  resident: ['files', 'text', 'process', 'bridges'],
  cli: [
    ...['files', 'text', 'protocol', 'pattern', 'config', 'models', 'process', 'record', 'dispatch', 'engine', 'log'],
    ...['check', 'scratch', 'replay', 'bridges', 'resident', 'races', 'cases', 'tools', 'mcp', 'testing', 'inspect'],
    ...['effects', 'guards', 'fleet'],
  ],
  testing: ['files', 'text'],
  tools: ['files', 'text', 'protocol', 'process', 'engine', 'bridges'],
  adapters: ['files', 'text', 'protocol', 'record', 'engine', 'tools'],
  mcp: ['files', 'text', 'process', 'engine', 'tools'],
  hook: ['text', 'protocol'],
  internal: [
    ...['files', 'text', 'protocol', 'models', 'dispatch', 'config', 'engine', 'record', 'log', 'fleet', 'inspect'],
  ],
}

/**
 * Which rooms of the command line a room of it may import from. Files at the root of `cli` are the ways in, and may
 * import all; a command imports no other command.
 */
export const CLI_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  view: [],
  start: ['view'],
  input: ['view', 'start'],
  edit: ['view', 'start', 'input'],
  commands: ['view', 'start', 'input', 'edit'],
}

/** Packages each room may use; modules of Node have laws of their own. */
export const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  protocol: ['zod'],
  pattern: ['re2js'],
  'hook-types': ['string-argv'],
  rule: ['unbash'],
  effects: ['unbash'],
  check: ['unbash'],
  tools: ['zod'],
  adapters: ['ai', 'langchain', '@langchain/langgraph', '@openai/agents', '@opentelemetry/api'],
  models: ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible'],
  files: ['jsonc-parser', 'smol-toml'],
  config: ['diff', 'jsonc-parser', 'yaml'],
  cases: ['jsonc-parser', 'yaml'],
}

/** Something of the machine, how code that reaches for it looks, and the rooms and files that may. Every other room is pure of it. */
export interface Resource {
  readonly name: string
  readonly code: RegExp
  /** Rooms, folders with a slash at the end, and files. */
  readonly places: readonly string[]
}

/** Files whose tables name functions and options of other programs, and call none of them. */
const NAMES_CALLS = ['effects/code/', 'effects/readers/keys.ts']

/** Loading of a module of Node, but for its types. */
const loads = (modules: string): RegExp =>
  new RegExp(
    `^(?:import|export) (?!type\\b).*from '(?:node:)?(?:${modules})'|(?:import|require)\\('(?:node:)?(?:${modules})'\\)`,
    'm',
  )

/** Resources of the machine, and who may reach for them. */
export const RESOURCES: readonly Resource[] = [
  { name: 'the home of the user', code: /\bhomedir\b/, places: ['files/home.ts', ...NAMES_CALLS] },
  {
    name: 'the environment',
    code: /\bprocess\.env\b|\bprocess\[|\{[^}]*\benv\b[^}]*\} = process\b/,
    places: [
      ...['cli', 'process', 'engine', 'models', 'check'],
      ...[
        'adapters/otel.ts',
        'bridges/answer/answer.ts',
        'bridges/answer/late.ts',
        'bridges/open-readable.ts',
        'cases/run-cases.ts',
      ],
      ...['config/scopes.ts', 'config/stray-files.ts', 'config/trust.ts', 'log/file-store.ts', 'mcp/server-process.ts'],
      ...['replay/stage.ts', 'resident/caller.ts', 'scratch/project-version.ts'],
      'bridges/install/launcher.ts', // lines for the Node that the launcher starts
    ],
  },
  {
    name: 'the disk',
    code: loads('fs|fs/promises'),
    places: [
      ...['files', 'process', 'config', 'record', 'engine', 'log', 'check', 'scratch', 'replay', 'bridges', 'cases'],
      ...['inspect', 'resident', 'cli', 'models', 'testing', 'fleet'],
      ...['adapters/framework-version.ts', 'effects/world.ts', 'run/env-files.ts', 'tools/clearance.ts'],
      'programs/', // examples of commands
    ],
  },
  {
    name: 'the network',
    code: new RegExp(
      `${loads('https?|http2|net|tls|dgram|dns|dns/promises').source}|\\bfetch\\(|\\bnew (?:WebSocket|EventSource)\\(`,
      'm',
    ),
    places: [
      ...['hook-types/http-client.ts', 'mcp/remote-server.ts', 'testing/model-server.ts', 'inspect/server.ts'],
      ...['fleet/ship.ts', 'fleet/enrolment.ts'],
      ...['process/', 'resident/serve.ts'], // sockets that are pipes
      ...['text/http.ts', 'rule/host-pattern.ts'], // checks of words
    ],
  },
  {
    name: 'the clock and chance',
    code: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\brandom(?:UUID|Bytes|Int)\b/,
    places: [
      ...['files', 'process', 'run', 'models', 'dispatch', 'engine', 'scratch', 'bridges', 'cases', 'inspect'],
      ...['resident', 'cli', 'tools', 'mcp', 'fleet'],
      ...['config/trust.ts', 'guards/function-hook.ts'],
    ],
  },
  {
    name: 'processes',
    code: loads('child_process|worker_threads|cluster'),
    places: ['process/spawn-group.ts'],
  },
  {
    name: 'colours and other sequences of a terminal',
    code: /\\x1b|\\u001b|\\u\{1b\}|\\x9b|\bstyleText\b/i,
    places: ['cli/view/', 'text/clean.ts', 'read/effects.ts'],
  },
  {
    name: 'the screen',
    code: /process\.std(?:out|err)(?:\.write\b|;?$)|^\s*console\./m,
    places: [
      'cli/start/print.ts',
      'cli/view/progress-bar.ts',
      'cli/commands/init/hook-script.ts',
      'hook/define-hook.ts',
    ],
  },
  {
    name: 'the end of this process',
    code: /process\.exit\(/,
    places: ['cli/start/exit.ts', 'hook/define-hook.ts'],
  },
  {
    name: 'replacing and locking files',
    code: /\brename(?:Sync)?\(|\blink(?:Sync)?\(|\.lock\b/,
    places: ['files/lock.ts', 'files/make-once.ts', 'files/replace.ts', 'files/rotate.ts', 'effects/code/'],
  },
  {
    name: 'making all folders above a folder, which some systems never end',
    code: /mkdir(?:Sync)?\([^)]*recursive/,
    places: [],
  },
]

/** Rooms and files that judge one call, which waits for all of them to load. */
const JUDGE_CALLS = [
  ...['files', 'text', 'programs', 'effects', 'guards', 'cli/start/', 'cli/input/', 'cli/view/', 'cli/commands/guard/'],
  ...['call/caller', 'call/fingerprints', 'install/guard-entries', 'list'].map((name) => `bridges/${name}.ts`),
]

/** Rooms that know events by name: the tables, and hosts of them. Every other room gets the row. */
const KNOWS_EVENTS = ['protocol', 'bridges', 'tools', 'adapters', 'mcp', 'replay', 'cli', 'check/rules/example.ts']

const isQuoted = (names: readonly string[]): RegExp => new RegExp(`'(?:${names.join('|')})'`)

const EVENT_NAMES = [...new Set(Object.values(EVENT_TABLES).flatMap((table) => Object.keys(table)))]

const HOOK_TYPE_NAMES = [
  ...new Set([...Object.keys(HOOK_TYPES), ...Object.values(KNOWN_HOOK_TYPES).flatMap((types) => Object.keys(types))]),
]

/** Files that read entries which others wrote, or write some: `command` is what both call it. */
const KNOWS_HOOK_TYPES = [
  ...['protocol', 'hook-types', 'bridges', 'cli', 'check/programs.ts', 'check/client-settings.ts'],
  ...['check/rules/', 'config/wrapped-hooks.ts', 'config/hook-entries.ts', 'log/tapped-record.ts'],
  ...['engine/register.ts', 'engine/special-commands.ts'], // hooks that the host itself brings
]

/** Files outside of the tables that name an agent, and what for. */
const KNOWS_AGENTS = [
  ...['bridges/list.ts', 'bridges/agents/'],
  ...['bridges/bridge.ts', 'bridges/install/entry.ts', 'bridges/install/agent-file.ts', 'bridges/install/try-entry.ts'], // shapes of files, named after the first that had them
  'bridges/install/hook-review.ts', // how Codex keeps what its user has reviewed
  ...['cli/commands/bridge/install.ts', 'cli/commands/bridge/status.ts'], // files that two agents read
  'cli/start/calling-agent.ts', // the variable that an agent sets
  ...['effects/readers/agents.ts', 'effects/readers/npm.ts'], // programs on a command line, and packages that bring one
  'testing/model-request.ts', // a wire format of the same name
  'adapters/pi.ts', // a framework of the same name
]

/** Files that may name a profile: its own folder, and where profiles are listed. */
const PROFILE_LISTS = [
  ...['hook-fields.ts', 'index.ts', 'profile-events.ts', 'profile-rows.ts', 'profiles.ts', 'schemas/tables.ts'].map(
    (file) => `protocol/${file}`,
  ),
  ...PROFILE_NAMES.map((profile) => `protocol/${profile}/`),
]

/** `cli/commands/fire/fire.ts` is of the room `commands` and the command `fire`. */
export function findCliRoom(file: string): { readonly room: string; readonly command: string } {
  const [, room = '', command = ''] = file.split('/')
  if (room.endsWith('.ts')) return { room: 'way in', command: '' }
  return { room, command: room === 'commands' ? command : '' }
}

const tell = ({ file, target }: Import): string => `${file} imports ${target}`

/** The doors of the package by its `package.json`: the name that a host imports, and the source behind it. */
export function listDoors(tree: SourceTree): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(tree.beside.get('packages/hookline/package.json') ?? '{}')
  const entries = Object.entries<{ readonly default?: string }>(exports)
  return new Map(
    entries.flatMap(([name, { default: built }]) =>
      built === undefined
        ? []
        : [[name.replace(/^\./, 'hookline'), built.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')] as const],
    ),
  )
}

/** A configuration with comments as an object. */
function parseConfiguration(text = '{}'): {
  readonly compilerOptions?: { readonly paths?: Readonly<Record<string, readonly string[]>> }
  readonly workspaces?: Readonly<Record<string, { readonly entry?: readonly string[] }>>
} {
  return JSON.parse(text.replaceAll(/(?<=^|\s)\/\/ .*$/gm, ''))
}

/** Doors that a list leaves out, and entries of it that are none. */
function compareDoors(tree: SourceTree): string[] {
  const doors = listDoors(tree)
  const paths = parseConfiguration(tree.beside.get('tsconfig.json')).compilerOptions?.paths ?? {}
  const expected = Object.fromEntries([...doors].map(([name, file]) => [name, `./packages/hookline/src/${file}`]))
  const found = Object.fromEntries(Object.entries(paths).map(([name, [file]]) => [name, file]))
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  const inPaths = names
    .filter((name) => expected[name] !== found[name])
    .map((name) => `tsconfig.json has ${name} as ${found[name]}, package.json as ${expected[name]}`)
  const entries = parseConfiguration(tree.beside.get('knip.json')).workspaces?.['packages/hookline']?.entry ?? []
  const known = entries.flatMap((entry) => expandBraces(entry))
  const inKnip = [...doors.values()]
    .filter((file) => !known.includes(`src/${file}`))
    .map((file) => `knip.json does not have src/${file}`)
  const indexes = tree.files.filter((file) => /(?:^|\/)index\.ts$/.test(file))
  const closed = indexes
    .filter((file) => ![...doors.values()].includes(file))
    .map((file) => `${file} is called index.ts and is no door of package.json`)
  const gone = [...doors].filter(([, file]) => !tree.texts.has(file)).map(([name, file]) => `${name} has no ${file}`)
  return [...inPaths, ...inKnip, ...closed, ...gone]
}

function expandBraces(pattern: string): string[] {
  const [, before, inside, after] = /^(.*?)\{(.*?)\}(.*)$/.exec(pattern) ?? []
  if (inside === undefined) return [pattern]
  return inside.split(',').flatMap((part) => expandBraces(`${before}${part}${after}`))
}

interface FunctionText {
  readonly name: string
  readonly isExported: boolean
  readonly body: string
}

/** Functions of a file at its top, by name, with their bodies. */
function listFunctions(code: string): FunctionText[] {
  const declared = code.matchAll(
    /^(?<exported>export )?(?:async )?function\*? (?<name>\w+)(?<body>[\s\S]*?^\})|^(?<public>export )?const (?<bound>\w+)(?:: [^=\n]+)? = (?<arrow>(?:async )?\([^()]*\)[^=\n]*=>(?:[^\n{]*\n?(?:^ [^\n]*\n)*| \{[\s\S]*?^\}))/gm,
  )
  return [...declared].map(({ groups = {} }) => ({
    name: groups.name ?? groups.bound ?? '',
    isExported: (groups.exported ?? groups.public) !== undefined,
    body: toShape(groups.body ?? groups.arrow ?? ''),
  }))
}

/** A body with its own names by number, so that a copy with other words is one too. */
function toShape(body: string): string {
  const names = new Map<string, string>()
  const plain = body.replaceAll(/\s+/g, ' ').trim()
  return plain.replaceAll(/(?<![\w.'"])[a-z]\w*(?!\w|\(|<|'|")/g, (name) => {
    if (KEYWORDS.test(name)) return name
    names.set(name, names.get(name) ?? `$${names.size}`)
    return names.get(name) ?? name
  })
}

const KEYWORDS =
  /^(?:async|await|boolean|case|catch|const|else|false|for|function|if|in|is|let|new|null|number|of|readonly|return|string|throw|true|try|type|typeof|undefined|unknown|void|while)$/

/** Shortest body of which two are called a copy. */
const MIN_COPIED_LENGTH = 70

/** Functions that are like a helper, and are none. */
const NO_COPIES = ['run/environment.ts readText'] // a type check of one line

/** Functions of a tree, each with its file. */
function listAllFunctions(tree: SourceTree): (FunctionText & { readonly file: string })[] {
  return tree.files
    .filter((file) => !/(?:^|\/)generated\//.test(file))
    .flatMap((file) => listFunctions(tree.code.get(file) ?? '').map((one) => ({ ...one, file })))
    .filter(({ file, name }) => !NO_COPIES.includes(`${file} ${name}`))
}

const isHelper = (file: string): boolean => isIn(file, ['text', 'files'])

/** Helpers that stand a second time: by the name of one of the two rooms at the bottom, or word for word in two files. */
export function findCopies(tree: SourceTree): string[] {
  const all = listAllFunctions(tree)
  const helpers = new Map(
    all.filter(({ file, isExported }) => isHelper(file) && isExported).map(({ name, file }) => [name, file]),
  )
  const byName = all
    .filter(({ file, name }) => !isHelper(file) && helpers.has(name))
    .map(({ file, name }) => `${file}: ${name} has the name of a helper in ${helpers.get(name)}`)
  const places = new Map<string, { readonly file: string; readonly name: string }[]>()
  for (const { body, ...place } of all)
    if (body.length >= MIN_COPIED_LENGTH) places.set(body, [...(places.get(body) ?? []), place])
  const byBody = [...places.values()]
    .filter((them) => new Set(them.map(({ file }) => file)).size > 1)
    .map((them) => `${them.map(({ file, name }) => `${file}: ${name}`).join(' and ')} are the same`)
  return [...byName, ...byBody]
}

/** Functions of one package that are helpers of another, word for word. */
export function findForeignCopies(tree: SourceTree, other: SourceTree): string[] {
  const bodies = new Map(
    listAllFunctions(other)
      .filter(({ file }) => isHelper(file))
      .map(({ body, file, name }) => [body, `${file}: ${name}`]),
  )
  return listAllFunctions(tree)
    .filter(({ body }) => body.length >= MIN_COPIED_LENGTH && bodies.has(body))
    .map(({ file, name, body }) => `${file}: ${name} is the same as ${bodies.get(body)}`)
}

/** Fewest lines of a file that has one importer, beside it. */
const MIN_LINES = 25

/** Importers that are tables, of which a file of few lines is an entry. */
const TABLE_FILES = /(?:^|\/)(?:index|table|stages|formats|commands|bridge|profile|profiles)\.ts$/

/** Slices: short files beside their one importer. */
function findSlices(tree: SourceTree): string[] {
  const importers = new Map<string, Import[]>()
  for (const one of tree.imports) importers.set(one.imported, [...(importers.get(one.imported) ?? []), one])
  return tree.files.flatMap((file) => {
    const them = importers.get(file) ?? []
    const [importer] = them
    const lines = (tree.texts.get(file) ?? '').trimEnd().split('\n').length
    if (importer === undefined || lines >= MIN_LINES || them.some((one) => one.late || one.file !== importer.file))
      return []
    const isBeside = file.slice(0, file.lastIndexOf('/')) === importer.file.slice(0, importer.file.lastIndexOf('/'))
    const isEntry = TABLE_FILES.test(importer.file) || /(?:^|\/)generated\//.test(file) || STAGES.includes(file)
    return isBeside && !isEntry ? [`${file} has ${lines} lines, and ${importer.file} alone imports it`] : []
  })
}

/** Stages of the pipe that are made when they are needed. */
const STAGES = ['dispatch/live-settings.ts', 'dispatch/doubled-key.ts']

/** Calls that make a value of JSON. */
const PARSES = String.raw`(?:JSON\.parse|parseJsonOrNull|parseSafely|parseStrictly|jsonIn)\(`

/** Files that take a line of a log apart: by a function of `log` that does, or by what they parse themselves. */
function findLogReaders({ files, code }: SourceTree): string[] {
  const parsers = /\b(?:parseLogLine|parseTapLine|parseLines|splitLines|readOneFile)\(/
  const atOnce = new RegExp(
    `${PARSES}[^;\\n]*\\)\\??\\.record\\b|\\brecord\\b[^}\\n]*\\} = [^\\n]*${PARSES}|\\btap === 1\\b`,
  )
  const isLookingInside = (text: string): boolean => {
    const values = [...text.matchAll(new RegExp(`\\b(?:const|let) (\\w+)(?:: [^=\\n]+)? = [^\\n]*${PARSES}`, 'g'))]
    const names = ['line', 'json', 'parsed', 'logged', ...values.map(([, name = '']) => name)].join('|')
    const inside = `\\b(?:${names})\\??(?:\\.record\\b(?!\\()|\\['record'\\])|\\{[^}\\n]*\\brecord\\b[^}\\n]*\\} = (?:${names})\\b`
    return new RegExp(PARSES).test(text) && new RegExp(inside).test(text)
  }
  return files
    .filter((file) => !isIn(file, ['log', 'record']))
    .filter((file) => {
      const text = code.get(file) ?? ''
      return parsers.test(text) || atOnce.test(text) || isLookingInside(text)
    })
}

/** Law of a resource: only its places reach for it. */
export function toResourceLaw({ name, code, places }: Resource): Law {
  return {
    says: `reach for ${name} where the list says`,
    findBreaches: ({ files, code: texts }) =>
      files.filter((file) => !isIn(file, places) && code.test(texts.get(file) ?? '')),
  }
}

/** Laws of the engine's package. */
export const LAWS: readonly Law[] = [
  {
    says: 'have a row each in the table of what they may import',
    findBreaches: ({ files }) =>
      files.filter((file) => findRoom(file) !== 'door' && !Object.hasOwn(MAY_IMPORT, findRoom(file))),
  },
  {
    says: 'import only from the rooms they may',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ target, room }) => target.startsWith('.') && room !== 'door')
        .filter(({ room, imported }) => findRoom(imported) !== room && !MAY_IMPORT[room]?.includes(findRoom(imported)))
        .map(tell),
  },
  {
    says: 'of the command line draw, start, and hold commands that know nothing of each other',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ room, imported }) => room === 'cli' && findRoom(imported) === 'cli')
        .filter(({ file, imported }) => {
          const from = findCliRoom(file)
          const to = findCliRoom(imported)
          if (from.room === 'way in' || (from.room === to.room && from.command === to.command)) return false
          return !CLI_MAY_IMPORT[from.room]?.includes(to.room)
        })
        .map(tell),
  },
  {
    says: 'use only the packages that are theirs',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:') && !/^[a-z_]+$/.test(target))
        .concat(imports.filter(({ target }) => /^(?!node:)[a-z][a-z0-9_-]*$/.test(target)))
        .filter(({ room, target }) => !MAY_USE[room]?.includes(target))
        .map(tell),
  },
  ...['index.ts', 'cli/main.ts', 'cli/quick.ts'].map((door) => ({
    says: `load no schema library behind ${door}`,
    findBreaches: (tree: SourceTree) => {
      const reached = findReached(tree, door)
      // `session` and `mcp` guard calls, and neither passes the schema of a tool.
      const isUnused = ({ file, late }: Import): boolean =>
        late && file === 'tools/check-input.ts' && door.includes('main')
      return tree.imports
        .filter((one) => one.target === 'zod' && !one.onlyTypes && reached.has(one.file) && !isUnused(one))
        .map(tell)
    },
  })),
  {
    says: 'keep the schema library in one room of the protocol',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ target, room }) => target === 'zod' && room === 'protocol')
        .filter(({ file }) => !file.startsWith('protocol/schemas/'))
        .map(tell),
  },
  {
    says: 'load the shell parser only when a command is looked into',
    findBreaches: (tree) =>
      ['rule/index.ts', 'index.ts', 'cli/main.ts', 'cli/quick.ts'].filter((door) =>
        findReached(tree, door, { late: false }).has('unbash'),
      ),
  },
  {
    says: 'judge a call without the engine, its configuration and the ways of other agents',
    findBreaches: (tree) => {
      const reached = findReached(tree, 'cli/quick-guard.ts', { late: false })
      return tree.imports
        .filter(({ file, late, onlyTypes }) => reached.has(file) && !late && !onlyTypes)
        .filter(({ imported }) => tree.files.includes(imported) && !isIn(imported, JUDGE_CALLS))
        .map(tell)
    },
  },
  {
    says: 'load rules and their pages for the commands that show what they find, alone',
    findBreaches: (tree) =>
      tree.files
        .filter((file) => /^cli\/(?:commands\/|main\.ts)/.test(file))
        .filter((file) => !['validate', 'why'].includes(findCliRoom(file).command))
        .filter((file) => findReached(tree, file, { late: false }).has('check/rules/table.ts')),
  },
  {
    says: 'load nothing for a hook but the room of hooks and the rows',
    findBreaches: (tree) => {
      const rows = ['profile-rows.ts', 'usual.ts', ...PROFILE_NAMES.map((profile) => `${profile}/generated/rows.ts`)]
      const own = rows.map((file) => `protocol/${file}`)
      return [...findReached(tree, 'hook/index.ts')].filter(
        (target) => findRoom(target) !== 'hook' && !target.startsWith('node:') && !own.includes(target),
      )
    },
  },
  {
    says: 'know no event by name between the table and the host',
    findBreaches: (tree) =>
      findLines(tree, new RegExp(`\\b(?:${EVENT_NAMES.join('|')})\\b`), (file) => !isIn(file, KNOWS_EVENTS)),
  },
  {
    says: 'name a profile in its own folder, and where the profiles are listed',
    findBreaches: (tree) =>
      findLines(
        tree,
        new RegExp(`(?:'|[./](?=\\w+['/]))(?:${PROFILE_NAMES.join('|')})(?![a-z])`), // some are words that mean something else too
        (file) => !isIn(file, PROFILE_LISTS),
      ),
  },
  {
    says: 'name a hook type in its own file, and in the tables of the profiles',
    findBreaches: (tree) => {
      const names = HOOK_TYPE_NAMES.join('|')
      const asks = new RegExp(
        `(?<!typeof [\\w.?#]+ )(?<=[\\w)] )[!=]==? '(?:${names})'(?<=(?:type|handler|hook|entry|written|line)\\)?\\s*[!=]==? '\\w+')|\\btype: '(?:${names})'|switch \\((?:handler|hook|entry)\\b|case '(?:${names})':`,
      )
      return findLines(
        tree,
        asks,
        (file) => !isIn(file, KNOWS_HOOK_TYPES) && !isIn(file, ['rule', 'effects', 'testing']),
      )
    },
  },
  {
    says: 'load the code of hook types in the engine alone',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ imported, room }) => findRoom(imported) === 'hook-types' && !['hook-types', 'engine'].includes(room))
        .filter(({ onlyTypes }) => !onlyTypes)
        .map(tell),
  },
  {
    says: 'name an agent in its own table',
    findBreaches: (tree) => findLines(tree, isQuoted(AGENTS), (file) => !isIn(file, KNOWS_AGENTS)),
  },
  {
    says: 'let the protocol know nothing of files but how an error is told',
    findBreaches: ({ imports }) =>
      imports
        .filter(({ room, imported }) => room === 'protocol' && findRoom(imported) === 'files')
        .filter(({ imported }) => imported !== 'files/error.ts')
        .map(tell),
  },
  {
    says: 'have no file that imports itself by way of others, be it a type or when it is needed',
    findBreaches: findCycles,
  },
  ...RESOURCES.map(toResourceLaw),
  {
    says: 'read what was recorded in one room: nothing else takes a line of a log apart',
    findBreaches: findLogReaders,
  },
  { says: 'have each helper once: of texts in text, of files in files', findBreaches: findCopies },
  {
    says: `have no file of less than ${MIN_LINES} lines beside the one that imports it, but in tables`,
    findBreaches: findSlices,
  },
  { says: 'have the same doors in package.json, tsconfig.json, knip.json and src', findBreaches: compareDoors },
  {
    says: 'are open to the world through named exports alone',
    findBreaches: ({ files, code }) => files.filter((file) => /^export (?:\*|default)/m.test(code.get(file) ?? '')),
  },
]
