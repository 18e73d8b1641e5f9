import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const source = join(packageFolder, 'src')
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
const { exports: doors } = JSON.parse(readFileSync(join(packageFolder, '../hookline/package.json'), 'utf8'))

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
const imports = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|import\('([^']+)'\)/gm)].map(([, from, late]) => ({
    file,
    target: from ?? late ?? '',
  })),
)

/** The agent's table of `docs/how-it-works.md`: which rooms a room may import from, in order. */
const page = readFileSync(join(packageFolder, '../../docs/how-it-works.md'), 'utf8')
const mayImport = roomsOf('agent')

function roomsOf(place: string): Map<string, readonly string[]> {
  const rooms = new Map<string, readonly string[]>()
  const [, below = ''] = page.split(`| room of the ${place} |`)
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

const roomOf = (file: string): string => file.split(sep)[0] ?? ''

/** Which files of the agent a file imports, types included. */
const neighbours = new Map(
  files.map((file) => [
    file,
    imports
      .filter((one) => one.file === file && one.target.startsWith('.'))
      .map(({ target }) => relative(source, resolve(source, dirname(file), target))),
  ]),
)

/** The files that lead back to themselves. */
function filesInCycles(): string[] {
  const reached = (from: string, seen: Set<string>): Set<string> => {
    for (const next of neighbours.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next))
    return seen
  }
  return files.filter((file) => reached(file, new Set()).has(file))
}

const having = (part: string): string[] => [...texts].filter(([, text]) => text.includes(part)).map(([file]) => file)

describe('the agent', () => {
  it('is looked at', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(imports.length).toBeGreaterThan(250)
  })

  it('has one loose file, and every other one in a room of the table', () => {
    expect(files.filter((file) => !file.includes(sep))).toEqual(['index.ts'])
    expect([...new Set(files.filter((file) => file.includes(sep)).map(roomOf))].sort()).toEqual(
      [...mayImport.keys()].sort(),
    )
  })

  it('imports between its rooms as the table says, which no room can be part of a circle by', () => {
    const wrong = [...neighbours].flatMap(([file, targets]) => {
      const allowed = mayImport.get(roomOf(file)) ?? [...mayImport.keys()]
      const far = targets.filter((target) => roomOf(target) !== roomOf(file) && !allowed.includes(roomOf(target)))
      return far.map((target) => `${file} imports ${target}`)
    })
    expect(wrong).toEqual([])
    const order = [...mayImport.keys()]
    const upward = [...mayImport].flatMap(([room, allowed]) =>
      allowed.filter((other) => order.indexOf(other) >= order.indexOf(room)).map((other) => `${room} and ${other}`),
    )
    expect(upward).toEqual([])
  })

  it('imports between the rooms of its terminal as their table says', () => {
    const rooms = roomsOf('terminal')
    const roomIn = (file: string): string => file.split(sep).slice(1, -1)[0] ?? 'way in'
    const inside = files.filter((file) => roomOf(file) === 'terminal')
    const wrong = inside.flatMap((file) =>
      (neighbours.get(file) ?? [])
        .filter((target) => roomOf(target) === 'terminal' && roomIn(file) !== 'way in' && roomIn(target) !== 'way in')
        .filter((target) => roomIn(target) !== roomIn(file) && !rooms.get(roomIn(file))?.includes(roomIn(target)))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
    expect(new Set(inside.map(roomIn))).toEqual(new Set([...rooms.keys(), 'way in']))
  })

  it('has no file that imports itself by way of others', () => {
    expect(filesInCycles()).toEqual([])
  })

  it('comes to the engine through its doors, and reads no hook itself', () => {
    const wanted = imports.map(({ target }) => target).filter((target) => /^hookline\b|\/hookline\//.test(target))
    const open = Object.keys(doors).map((door) => door.replace(/^\./, 'hookline'))
    expect(wanted.length).toBeGreaterThan(5)
    expect(wanted.filter((target) => !open.includes(target))).toEqual([])
    expect(wanted).not.toContain('hookline/testing')
  })

  it('uses only packages that its own package.json names', () => {
    const named = Object.keys({ ...dependencies, ...devDependencies })
    const foreign = imports
      .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
      .filter(({ target }) => !named.some((name) => target === name || target.startsWith(`${name}/`)))
    expect(foreign).toEqual([])
  })

  it('starts processes through the engine, so that each of them ends; servers that it talks to are the exception', () => {
    const starting = imports.filter(({ target }) => /^(node:)?child_process$/.test(target)).map(({ file }) => file)
    expect(starting.filter((file) => file !== join('mcp', 'stdio-transport.ts'))).toEqual([])
  })

  it('ends its own process in main.ts, if at all', () => {
    expect(having('process.exit(').filter((file) => file !== join('cli', 'main.ts'))).toEqual([])
  })

  it('draws and prints through one function each, past which no text of a stranger comes as it is', () => {
    const drawing = [...texts].filter(([, text]) => /import \{[^}]*\bText\b[^}]*\} from 'ink'/.test(text))
    expect(drawing.map(([file]) => file)).toEqual([join('terminal', 'views', 'text.tsx')])
    const printing = [...having('process.stdout.write'), ...having('process.stderr.write')]
    const own = ['cli/call.ts', 'cli/output.ts', 'terminal/plain/show.ts'].map((file) => join(file))
    expect(printing.filter((file) => !own.includes(file))).toEqual([])
  })

  it('makes every call of a tool in one place', () => {
    const running = having('tool.run(').filter((file) => !file.startsWith('tools'))
    expect(running).toEqual([join('call', 'tool-call.ts')])
  })

  it('replaces and locks files through the engine', () => {
    const renames = /\brename(?:Sync)?\(|\blink(?:Sync)?\(|\.lock\b/
    expect([...texts].filter(([, text]) => renames.test(text)).map(([file]) => file)).toEqual([])
  })

  it('is open to the world through named exports alone', () => {
    expect(files.filter((file) => file.endsWith('index.ts'))).toEqual(['index.ts'])
    expect([...texts.values()].filter((text) => /^export (\*|default)/m.test(text))).toEqual([])
  })
})
