import { findCopies, type Law, type Resource, toResourceLaw } from '../../../hookline/test/support/laws.ts'
import { findCycles, findRoom, type Import, type SourceTree } from '../../../hookline/test/support/source-tree.ts'

/** Rooms that a room may import from, in order, by a table of `docs/how-it-works.md`. */
export function readRooms(tree: SourceTree, place: 'agent' | 'terminal'): Map<string, readonly string[]> {
  const rooms = new Map<string, readonly string[]>()
  const [, below = ''] = (tree.beside.get('docs/how-it-works.md') ?? '').split(`| room of the ${place} |`)
  const [table = ''] = below.split('\n\n')
  for (const [, room = '', allowed = ''] of table.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)) {
    const above = [...rooms.keys()]
    const [, but] = /^all above(?: but (.+))?$/.exec(allowed) ?? []
    const named = (but ?? allowed).split(/, | and /)
    if (!allowed.startsWith('all above')) rooms.set(room, allowed.startsWith('nothing') ? [] : named)
    else rooms.set(room, but === undefined ? above : above.filter((other) => !named.includes(other)))
  }
  return rooms
}

const tell = ({ file, target }: Import): string => `${file} imports ${target}`

const isOwn = ({ target }: Import): boolean => target.startsWith('.')

/** The room of the terminal that a file of it lies in. */
export const findTerminalRoom = (file: string): string => file.split('/').slice(1, -1)[0] ?? 'way in'

/** Resources of the machine, and the rooms and files of the agent that may reach for them. */
export const AGENT_RESOURCES: readonly Resource[] = [
  { name: 'the home of the user', code: /\bhomedir\b/, places: [] },
  {
    name: 'the environment',
    code: /\bprocess\.env\b|\bprocess\[/,
    places: ['cli/run-print.ts', 'session/options.ts', 'tools/builtin.ts'],
  },
  {
    name: 'sequences of a terminal',
    code: /\\x1b|\\u001b|\\x9b|\bstyleText\b/i,
    places: ['terminal'],
  },
  {
    name: 'processes; servers that it talks to are the exception',
    code: /from '(?:node:)?child_process'|import\('(?:node:)?child_process'\)/,
    places: ['mcp/stdio-transport.ts'],
  },
  { name: 'the end of its process', code: /process\.exit\(/, places: [] },
  {
    name: 'the screen',
    code: /process\.std(?:out|err)\.write\b|^\s*console\./m,
    places: ['cli/call.ts', 'cli/output.ts', 'terminal/plain/show.ts'],
  },
  {
    name: 'text on the screen as it is',
    code: /import \{[^}]*\bText\b[^}]*\} from 'ink'/,
    places: ['terminal/views/text.tsx'],
  },
  {
    name: 'replacing and locking files, which the engine does',
    code: /\brename(?:Sync)?\(|\blink(?:Sync)?\(|\.lock\b/,
    places: [],
  },
]

/** Laws of the agent's package. */
export const AGENT_LAWS: readonly Law[] = [
  {
    says: 'has one loose file, and every other one in a room of the table',
    findBreaches: (tree) =>
      tree.files.filter((file) => file !== 'index.ts' && !readRooms(tree, 'agent').has(findRoom(file))),
  },
  {
    says: 'imports between its rooms as the table says',
    findBreaches: (tree) => {
      const rooms = readRooms(tree, 'agent')
      return tree.imports
        .filter((one) => isOwn(one) && one.room !== 'door' && findRoom(one.imported) !== one.room)
        .filter(({ room, imported }) => !rooms.get(room)?.includes(findRoom(imported)))
        .map(tell)
    },
  },
  {
    says: 'has a table by which no room can be part of a circle',
    findBreaches: (tree) => {
      const rooms = readRooms(tree, 'agent')
      const order = [...rooms.keys()]
      return [...rooms].flatMap(([room, allowed]) =>
        allowed.filter((other) => order.indexOf(other) >= order.indexOf(room)).map((other) => `${room} and ${other}`),
      )
    },
  },
  {
    says: 'imports between the rooms of its terminal as their table says',
    findBreaches: (tree) => {
      const rooms = readRooms(tree, 'terminal')
      const inside = tree.imports.filter(
        (one) => one.room === 'terminal' && isOwn(one) && findRoom(one.imported) === 'terminal',
      )
      return inside
        .map((one) => ({ one, from: findTerminalRoom(one.file), to: findTerminalRoom(one.imported) }))
        .filter(({ from, to }) => from !== 'way in' && to !== 'way in' && from !== to)
        .filter(({ from, to }) => !rooms.get(from)?.includes(to))
        .map(({ one }) => tell(one))
    },
  },
  { says: 'has no file that imports itself by way of others', findBreaches: findCycles },
  {
    says: 'comes to the engine through its doors, those for tests excepted',
    findBreaches: (tree) => {
      const { exports } = JSON.parse(tree.beside.get('packages/hookline/package.json') ?? '{}')
      const doors = Object.keys(exports).map((door) => door.replace(/^\./, 'hookline'))
      return tree.imports
        .filter(({ target }) => /^hookline\b|\/hookline\/|^(?:\.\.\/)+packages\//.test(target))
        .filter(({ target }) => !doors.includes(target) || target === 'hookline/testing')
        .map(tell)
    },
  },
  {
    says: 'has the doors that it uses in its tsconfig.json, as package.json has them',
    findBreaches: (tree) => {
      const { exports } = JSON.parse(tree.beside.get('packages/hookline/package.json') ?? '{}')
      const text = tree.beside.get('packages/agent/tsconfig.json') ?? '{}'
      const { paths } = JSON.parse(text.replaceAll(/(?<=^|\s)\/\/ .*$/gm, '')).compilerOptions
      const used = new Set(tree.imports.map(({ target }) => target).filter((target) => /^hookline\b/.test(target)))
      const missing = [...used].filter((door) => paths[door] === undefined)
      const others = Object.entries<string[]>(paths).filter(([door, [file]]) => {
        const built: string | undefined = exports[door.replace(/^hookline/, '.')]?.default
        return built?.replace(/^\.\/dist/, '../hookline/src').replace(/\.js$/, '.ts') !== file
      })
      return [...missing, ...others.map(([door]) => door)]
    },
  },
  {
    says: 'uses only packages that its own package.json names',
    findBreaches: (tree) => {
      const { dependencies, devDependencies } = JSON.parse(tree.beside.get('packages/agent/package.json') ?? '{}')
      const named = Object.keys({ ...dependencies, ...devDependencies })
      return tree.imports
        .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
        .filter(({ target }) => !named.some((name) => target === name || target.startsWith(`${name}/`)))
        .map(tell)
    },
  },
  ...AGENT_RESOURCES.map(toResourceLaw),
  {
    says: 'makes every call of a tool in one place',
    findBreaches: ({ files, code }) =>
      files
        .filter((file) => findRoom(file) !== 'tools' && file !== 'call/tool-call.ts')
        .filter((file) => code.get(file)?.includes('tool.run(')),
  },
  { says: 'has each helper once', findBreaches: findCopies },
  {
    says: 'is open to the world through named exports alone',
    findBreaches: ({ files, code }) => [
      ...files.filter((file) => file.endsWith('index.ts') && file !== 'index.ts'),
      ...files.filter((file) => /^export (?:\*|default)/m.test(code.get(file) ?? '')),
    ],
  },
]
