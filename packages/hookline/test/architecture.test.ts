import { describe, expect, it } from 'vitest'
import { CLI_MAY_IMPORT, findCliRoom, LAWS, listDoors, MAY_IMPORT, MAY_USE, RESOURCES } from './support/laws.ts'
import { findReached, findRoom, isIn, readSourceTree } from './support/source-tree.ts'

const tree = readSourceTree('hookline')
const page = tree.beside.get('docs/how-it-works.md') ?? ''

/** The numbered files of a section of `docs/how-it-works.md`. */
function filesListed(heading: string): string[] {
  const [section = ''] = (page.split(`${heading}\n`)[1] ?? '').split(/^#/m)
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => path)
}

/** The rooms in a list, without what nearly all may import, which the page says in a sentence. */
function roomsIn(list: string): string[] {
  const named = list.split(', ').filter((room) => Object.hasOwn(MAY_IMPORT, room))
  return named.filter((room) => room !== 'files' && room !== 'text').sort()
}

describe('the rooms of the house', () => {
  it.each(LAWS)('$says', ({ findBreaches }) => {
    expect(findBreaches(tree)).toEqual([])
  })
})

describe('the laws of the house', () => {
  it('look at all rooms', () => {
    expect(tree.files.length).toBeGreaterThan(600)
    expect(tree.imports.length).toBeGreaterThan(2500)
    expect(new Set(tree.files.map(findRoom))).toEqual(new Set([...Object.keys(MAY_IMPORT), 'door']))
    const inside = tree.files.filter((file) => findRoom(file) === 'cli').map((file) => findCliRoom(file).room)
    expect(new Set(inside)).toEqual(new Set([...Object.keys(CLI_MAY_IMPORT), 'way in']))
    expect(findReached(tree, 'index.ts').size).toBeGreaterThan(50)
    expect(findReached(tree, 'rule/index.ts')).toContain('unbash')
    expect(listDoors(tree).size).toBeGreaterThan(15)
  })

  it('allow nothing that nobody does', () => {
    const unused = RESOURCES.flatMap(({ name, code, places }) =>
      places
        .filter((place) => !tree.files.some((file) => isIn(file, [place]) && code.test(tree.code.get(file) ?? '')))
        .map((place) => `${place}: ${name}`),
    )
    const packages = Object.entries(MAY_USE).flatMap(([room, names]) =>
      names
        .filter((name) => !tree.imports.some((one) => one.room === room && one.target === name))
        .map((name) => `${room}: ${name}`),
    )
    const rooms = Object.entries(MAY_IMPORT).flatMap(([room, others]) =>
      others
        .filter((other) => other !== 'files' && other !== 'text')
        .filter((other) => !tree.imports.some((one) => one.room === room && findRoom(one.imported) === other))
        .map((other) => `${room}: ${other}`),
    )
    expect([...unused, ...packages, ...rooms]).toEqual([])
  })

  it('are told in how-it-works.md with what they may import', () => {
    const [table = ''] = (page.split('## Who may import whom')[1] ?? '').split(/^#/m)
    const told = [...table.matchAll(/^\| `([\w-]+)` \| ([^|]+) \|/gm)].map(([, room = '', allowed = '']) => [
      room,
      roomsIn(allowed),
    ])
    const held = Object.entries(MAY_IMPORT).map(([room, allowed]) => [room, roomsIn(allowed.join(', '))])
    expect(told).toEqual(held)
  })

  it('have the ten files that how-it-works.md begins with, each imported by one before it', () => {
    const named = filesListed('## The engine in ten files')
    expect(page.indexOf('## ')).toBe(page.indexOf('## The engine in ten files'))
    expect(named).toHaveLength(10)
    expect(named.filter((file) => !tree.texts.has(file))).toEqual([])
    const unreached = named.slice(1).filter((file) => {
      const earlier = named.slice(0, named.indexOf(file))
      return !tree.imports.some((one) => earlier.includes(one.file) && one.imported === file)
    })
    expect(unreached).toEqual([])
  })

  it('take an event through five steps, on one screen', () => {
    const text = tree.texts.get('dispatch/dispatch.ts') ?? ''
    const [, body = ''] = text.split('export async function dispatch(')
    const calls = [...body.matchAll(/\b(\w+)\(/g)].map(([, name]) => name)
    expect(calls).toEqual(['acceptEvent', 'planHooks', 'runHooks', 'decideEvent', 'recordEvent'])
    expect(body).not.toMatch(/\b(?:if|for|try|switch)\b|\?/)
    expect(text.split('\n').length).toBeLessThan(40)
  })

  it('take an event of another agent through the steps of the bridge, on one screen', () => {
    const text = tree.texts.get('bridges/run.ts') ?? ''
    const [, body = ''] = text.split('export async function runBridge(')
    const steps = ['acceptPayload', 'recallSession', 'openSession', 'showEvent']
    const places = steps.map((step) => body.indexOf(`${step}(`))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(body.split('\n}\n')[0]?.split('\n').length).toBeLessThan(45)
  })

  it('keep each stage of the pipe in a file that how-it-works.md names', () => {
    const stages = [...tree.texts].filter(([, text]) => /^export const \w+: (?:Standing)?Stage = /m.test(text))
    const madeWhenNeeded = ['dispatch/live-settings.ts', 'dispatch/doubled-key.ts']
    const files = [...stages.map(([file]) => file), ...madeWhenNeeded].map((file) => file.replace('dispatch/', ''))
    const [table = ''] = (page.split('| stage |')[1] ?? '').split('\n\n')
    expect([...table.matchAll(/^\| `([\w-]+\.ts)` /gm)].map(([, file]) => file).sort()).toEqual(files.sort())
  })

  it('answer each question about time from one file, with one importer each', () => {
    const asked = [...tree.texts.values()].flatMap(
      (text) => /import \{([^}]*)\} from '[^']*deadline.ts'/.exec(text)?.[1] ?? [],
    )
    const names = asked
      .flatMap((list) => list.split(',').map((name) => name.trim()))
      .filter((name) => !/^type /.test(name))
    expect(asked.length).toBeGreaterThan(2)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('start a command within the six files that how-it-works.md names', () => {
    const named = filesListed('### How a command is started')
    expect(named).toHaveLength(6)
    const reached = new Set([named[0]])
    for (const file of reached) {
      for (const one of tree.imports.filter((each) => each.file === file)) {
        const target = one.imported
        if (named.includes(target) || target === 'node:child_process') reached.add(target)
      }
    }
    expect([...reached].sort()).toEqual([...named, 'node:child_process'].sort())
  })
})
