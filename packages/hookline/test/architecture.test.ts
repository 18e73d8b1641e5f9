import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES } from '../src/protocol/profiles.ts'
import { EVENT_TABLES } from '../src/protocol/schemas/tables.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))
const page = readFileSync(fileURLToPath(new URL('../../../docs/how-it-works.md', import.meta.url)), 'utf8')

/** Which rooms a room may import from; files at the root of src are the doors. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  files: ['text'],
  text: [],
  protocol: ['files', 'text'],
  pattern: ['text', 'protocol'],
  rule: ['files', 'text'],
  effects: ['files', 'text', 'rule'],
  guards: ['files', 'text', 'effects'],
  config: ['files', 'text', 'protocol', 'pattern', 'rule'],
  match: ['text', 'protocol', 'pattern', 'config', 'rule'],
  process: ['files', 'text'],
  run: ['files', 'text', 'protocol', 'config', 'process'],
  'hook-types': ['files', 'text', 'protocol', 'process', 'run'],
  models: ['files', 'text', 'protocol', 'pattern', 'config', 'process', 'run'],
  read: ['text', 'protocol', 'process', 'run'],
  decide: ['text', 'protocol', 'read'],
  record: ['files', 'text', 'protocol', 'config'],
  dispatch: ['files', 'text', 'protocol', 'config', 'match', 'process', 'run', 'read', 'decide', 'record'],
  engine: [
    'files',
    'text',
    'protocol',
    'pattern',
    'config',
    'match',
    'process',
    'run',
    'hook-types',
    'read',
    'decide',
    'record',
    'dispatch',
  ],
  log: ['files', 'text', 'protocol', 'process', 'run', 'read', 'decide', 'record', 'engine'],
  check: ['files', 'text', 'protocol', 'pattern', 'config', 'match', 'process', 'run', 'rule'],
  scratch: ['files', 'text', 'config', 'process', 'run'],
  replay: ['files', 'text', 'protocol', 'config', 'engine', 'log', 'scratch'],
  bridges: ['files', 'text', 'protocol', 'config', 'process', 'engine'],
  races: ['files', 'text', 'protocol', 'read', 'replay'],
  cases: ['files', 'text', 'protocol', 'config', 'process', 'run', 'engine', 'log', 'scratch'],
  inspect: ['files', 'text', 'protocol', 'config', 'engine', 'log', 'check', 'cases', 'replay'],
  resident: ['files', 'text', 'process', 'bridges'],
  cli: [
    'files',
    'text',
    'protocol',
    'pattern',
    'config',
    'models',
    'process',
    'record',
    'dispatch',
    'engine',
    'log',
    'check',
    'scratch',
    'replay',
    'bridges',
    'resident',
    'races',
    'cases',
    'tools',
    'mcp',
    'testing',
    'inspect',
    'effects',
    'guards',
  ],
  testing: ['files', 'text', 'protocol', 'config', 'process', 'run', 'models', 'engine'],
  tools: ['files', 'text', 'protocol', 'engine', 'bridges'],
  adapters: ['files', 'text', 'protocol', 'record', 'engine', 'tools'],
  mcp: ['files', 'text', 'process', 'read', 'engine', 'tools'],
  hook: ['text', 'protocol'],
  internal: ['files', 'text', 'protocol', 'models', 'dispatch', 'config', 'engine'],
}

/**
 * Which rooms of the command line a room of it may import from. Files at the root of `cli` are the ways in, and may
 * import all; a command imports no other command.
 */
const CLI_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  view: [],
  start: ['view'],
  input: ['view', 'start'],
  edit: ['view', 'start', 'input'],
  commands: ['view', 'start', 'input', 'edit'],
}

/** Where rules are explained by examples, which are about events. */
const EXPLAINED = join('check', 'rules')
const EXAMPLES = join(EXPLAINED, 'example.ts')

/** Packages each room may use; `node:` modules are listed where they are restricted. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
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

/** Files whose tables name functions and options of other programs, and call none of them. */
const NAMES_CALLS = /^effects\W(?:code|readers\Wfiles)\.ts$/

interface Import {
  readonly file: string
  readonly room: string
  readonly target: string
  readonly onlyTypes: boolean
  /** Loaded by `import()`, when it is needed. */
  readonly late: boolean
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const texts = new Map(files.map((file) => [file, codeIn(file)]))
const imports = [...texts].flatMap(([file, text]) => importsIn(file, text))

/** A file without the pages of rules: a user reads these, no code does. */
function codeIn(file: string): string {
  const text = readFileSync(join(source, file), 'utf8')
  return file.startsWith(EXPLAINED) ? text.replaceAll(/^( *)page: \{$[\s\S]*?^\1\},$/gm, '') : text
}

function importsIn(file: string, text: string): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\b(?<type> type\b)?[^'"]*?from '(?<from>[^']+)'|import\('(?<late>[^']+)'\)/gm,
  )
  return [...found].map(({ groups = {} }) => ({
    file,
    room: roomOf(file),
    target: groups.from ?? groups.late ?? '',
    onlyTypes: groups.type !== undefined,
    late: groups.late !== undefined,
  }))
}

function roomOf(file: string): string {
  return file.includes(sep) ? (file.split(sep)[0] ?? '') : 'door'
}

/** `cli/view/record-view.ts` is of the room `commands` and the command `fire`. */
function roomOfCli(file: string): { readonly room: string; readonly command: string } {
  const [, room = '', command = ''] = file.split(sep)
  if (room.endsWith('.ts')) return { room: 'way in', command: '' }
  return { room, command: room === 'commands' ? command : '' }
}

function roomImported(one: Import): string {
  return roomOf(importedFile(one))
}

/** The file of ours that is imported; a package by its name. */
function importedFile({ file, target }: Import): string {
  return target.startsWith('.') ? relative(source, resolve(source, dirname(file), target)) : target
}

/** The numbered files of a section of `docs/how-it-works.md`. */
function filesListed(heading: string): string[] {
  const [section = ''] = (page.split(`${heading}\n`)[1] ?? '').split(/^#/m)
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = '']) => join(...path.split('/')))
}

/** The rooms in a list, without what nearly all may import, which the page says in a sentence. */
function roomsIn(list: string): string[] {
  const named = list.split(', ').filter((room) => Object.hasOwn(MAY_IMPORT, room))
  return named.filter((room) => room !== 'files' && room !== 'text').sort()
}

describe('the rooms of the house', () => {
  it('are all looked at', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(imports.length).toBeGreaterThan(250)
    expect(new Set(files.map(roomOf))).toEqual(new Set([...Object.keys(MAY_IMPORT), 'door']))
  })

  it('import only from the rooms they may', () => {
    const wrong = imports
      .filter(({ target, room }) => target.startsWith('.') && room !== 'door')
      .filter((one) => roomImported(one) !== one.room && !MAY_IMPORT[one.room]?.includes(roomImported(one)))
    expect(wrong).toEqual([])
  })

  it('of the command line draw, start, and hold commands that know nothing of each other', () => {
    const inside = imports.filter((one) => one.room === 'cli' && roomImported(one) === 'cli')
    const rooms = new Set(inside.map(({ file }) => roomOfCli(file).room))
    const wrong = inside.filter((one) => {
      const from = roomOfCli(one.file)
      const to = roomOfCli(relative(source, resolve(source, dirname(one.file), one.target)))
      if (from.room === 'way in' || (from.room === to.room && from.command === to.command)) return false
      return !CLI_MAY_IMPORT[from.room]?.includes(to.room)
    })
    expect(rooms).toEqual(new Set([...Object.keys(CLI_MAY_IMPORT), 'way in']))
    expect(wrong).toEqual([])
  })

  it('use only the packages that are theirs', () => {
    const packages = imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
    expect(packages.length).toBeGreaterThan(10)
    expect(packages.filter(({ room, target }) => !MAY_USE[room]?.includes(target))).toEqual([])
  })

  it.each(['index.ts', join('cli', 'main.ts'), join('cli', 'quick.ts')])('load no schema library behind %s', (door) => {
    const reached = reachedFrom(door)
    expect(reached.size).toBeGreaterThan(50)
    const loading = imports.filter(({ file, target }) => target === 'zod' && reached.has(file))
    // `session` and `mcp` guard calls, and neither passes the schema of a tool.
    const unused = loading.filter(({ file, late }) => late && file === join('tools', 'check-input.ts'))
    expect(loading.filter((one) => !one.onlyTypes && !(door.includes('main') && unused.includes(one)))).toEqual([])
    expect([...reachedFrom(door, { late: false })].filter((target) => target === 'zod')).toEqual([])
  })

  it('keep the schema library in one room of the protocol, beside the events of a profile', () => {
    const using = imports.filter(({ target, room }) => target === 'zod' && room === 'protocol').map(({ file }) => file)
    const own = (file: string): boolean =>
      file.startsWith(join('protocol', 'schemas') + sep) ||
      PROFILE_NAMES.some((profile) => file === join('protocol', profile, 'events.ts'))
    expect(using.length).toBeGreaterThan(5)
    expect(using.filter((file) => !own(file))).toEqual([])
  })

  it('load the shell parser only when a command is looked into', () => {
    const atOnce = reachedFrom(join('rule', 'index.ts'), { late: false })
    expect(reachedFrom(join('rule', 'index.ts'))).toContain('unbash')
    expect(atOnce).toContain(join('rule', 'match.ts'))
    for (const door of ['rule/index.ts', 'index.ts', 'cli/main.ts', 'cli/quick.ts'])
      expect(reachedFrom(join(door), { late: false })).not.toContain('unbash')
  })

  it('load rules and their pages for the commands that show what they find, alone', () => {
    const commands = files.filter((file) => file.startsWith(join('cli', 'commands') + sep))
    const table = join(EXPLAINED, 'table.ts')
    const loading = commands.filter((file) => reachedFrom(file, { late: false }).has(table))
    expect(loading.length).toBeGreaterThan(0)
    expect(loading.filter((file) => !['validate', 'why'].includes(roomOfCli(file).command))).toEqual([])
    expect(reachedFrom(join('cli', 'main.ts'), { late: false })).not.toContain(table)
  })

  it('print through one function, past which no text of a stranger comes as it is', () => {
    const own = [
      'cli/start/print.ts',
      'cli/view/progress-bar.ts',
      'cli/commands/init/hook-script.ts',
      'hook/define-hook.ts',
    ].map((file) => join(file))
    const others = [...texts].filter(([file]) => !own.includes(file))
    const prints = /process\.std(out|err)(\.write\b|;?$|\n)|^\s*console\./m
    expect(others.filter(([, text]) => prints.test(text)).map(([file]) => file)).toEqual([])
  })

  it('load nothing for a hook but the room of hooks and the rows', () => {
    const reached = [...reachedFrom(join('hook', 'index.ts'))]
    const foreign = reached.filter((target) => roomOf(target) !== 'hook' && !target.startsWith('node:'))
    expect(reached.length).toBeGreaterThan(5)
    expect(foreign.sort()).toEqual(
      ['classic/generated/rows.ts', 'current/generated/rows.ts', 'profile-rows.ts', 'usual.ts'].map((file) =>
        join('protocol', ...file.split('/')),
      ),
    )
  })

  it('know no event by name between the table and the host', () => {
    const names = new RegExp(`\\b(${Object.values(EVENT_TABLES).flatMap(Object.keys).join('|')})\\b`)
    const blind = [
      'pattern',
      'rule',
      'config',
      'match',
      'process',
      'run',
      'hook-types',
      'models',
      'read',
      'decide',
      'record',
      'dispatch',
      'engine',
      'log',
      'hook',
      'check',
      'scratch',
      'races',
      'cases',
    ]
    const lookedAt = [...texts].filter(([file]) => blind.includes(roomOf(file)) && file !== EXAMPLES)
    const found = lookedAt.flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => names.test(withoutComment(line)))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(lookedAt.length).toBeGreaterThan(40)
    expect(found).toEqual([])
  })

  it('name a profile in its own folder, and where the profiles are listed', () => {
    const names = new RegExp(`(?:'|[./](?=\\w+['/]))(${PROFILE_NAMES.join('|')})(?![a-z])`) // some are words that mean something else too
    const lists = [
      'hook-fields.ts',
      'index.ts',
      'profile-events.ts',
      'profile-rows.ts',
      'profiles.ts',
      'schemas/tables.ts',
    ].map((file) => join('protocol', file))
    const own = PROFILE_NAMES.map((profile) => join('protocol', profile))
    const naming = [...texts]
      .filter(([file]) => !own.some((folder) => file.startsWith(folder + sep)))
      .filter(([, text]) => text.split('\n').some((line) => names.test(withoutComment(line))))
      .map(([file]) => file)
    expect(naming).toContain(join('protocol', 'profiles.ts'))
    expect(naming.filter((file) => !lists.includes(file))).toEqual([])
  })

  it('let the protocol know nothing of files but how an error is told', () => {
    const used = imports.filter((one) => one.room === 'protocol' && roomImported(one) === 'files')
    expect(used.map(({ target }) => target)).toEqual(['../../files/error.ts'])
  })

  it('have no file that imports itself by way of others, be it a type or when it is needed', () => {
    const neighbours = new Map(
      files.map((file) => [file, imports.filter((one) => one.file === file).map(importedFile)]),
    )
    const reached = (from: string, seen: Set<string>): Set<string> => {
      for (const next of neighbours.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next))
      return seen
    }
    expect(files.filter((file) => reached(file, new Set()).has(file))).toEqual([])
  })

  it('start processes in one file, and end this one where it is theirs', () => {
    const spawning = imports.filter(({ target }) => /^(node:)?child_process$/.test(target)).map(({ file }) => file)
    const ending = [...texts].filter(([, text]) => text.includes('process.exit(')).map(([file]) => file)
    expect(spawning).toEqual([join('process', 'spawn-group.ts')])
    expect(ending.sort()).toEqual([join('cli', 'start', 'exit.ts'), join('hook', 'define-hook.ts')])
  })

  it('replace and lock files in one room', () => {
    const renames = /\brename(?:Sync)?\(|\blink(?:Sync)?\(|\.lock\b/
    const own = ['lock.ts', 'make-once.ts', 'replace.ts', 'rotate.ts'].map((name) => join('files', name))
    const found = [...texts].filter(([file, text]) => renames.test(text) && !NAMES_CALLS.test(file))
    expect(found.map(([file]) => file).sort()).toEqual(own)
  })

  it('ask for the home of the user in one place', () => {
    const found = [...texts].filter(([file, text]) => /\bhomedir\b/.test(text) && !NAMES_CALLS.test(file))
    expect(found.map(([file]) => file)).toEqual([join('files', 'home.ts')])
  })

  it('make the folders above a folder by one function, which ends everywhere', () => {
    const found = [...texts].filter(([, text]) => /mkdir(?:Sync)?\([^)]*recursive/.test(text))
    expect(found.map(([file]) => file)).toEqual([])
  })

  it('read what was recorded in one room: nothing else takes a line of a log apart', () => {
    const others = [...texts].filter(([file]) => !['log', 'record', 'check'].includes(roomOf(file)))
    const parsers = /\b(?:parseLogLine|parseTapLine|parseLines|splitLines|readOneFile)\b/
    const parses = /JSON\.parse\(|\bjsonIn\(/
    const looksInside =
      /\b(?:line|json|value|parsed|logged)\??\.record\b|\{ record\b[^}\n]*\} = (?:JSON|jsonIn)|\btap === 1\b/
    expect(others.filter(([, text]) => parsers.test(text)).map(([file]) => file)).toEqual([])
    const both = others.filter(([, text]) => parses.test(text) && looksInside.test(text)).map(([file]) => file)
    expect(both.sort()).toEqual([])
  })

  it('ask no hook for its type by name: the table of hook types says what differs', () => {
    const names = 'command|prompt|agent|function'
    const asks = new RegExp(
      `(?:handler|hook|written|line|entry)\\??\\.type\\s*[!=]==?\\s*'(?:${names})'|switch \\(handler`,
    )
    const outside = [...texts].filter(([file]) => roomOf(file) !== 'hook-types')
    expect(outside.filter(([, text]) => asks.test(text)).map(([file]) => file)).toEqual([])
    const importers = imports.filter((one) => roomImported(one) === 'hook-types' && one.room !== 'hook-types')
    expect(new Set(importers.filter(({ onlyTypes }) => !onlyTypes).map(({ room }) => room))).toEqual(
      new Set(['engine']),
    )
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
    expect(named.filter((file) => !texts.has(file))).toEqual([])
    const unreached = named.slice(1).filter((file) => {
      const earlier = named.slice(0, named.indexOf(file))
      return !imports.some((one) => earlier.includes(one.file) && importedFile(one) === file)
    })
    expect(unreached).toEqual([])
  })

  it('take an event through five steps, on one screen', () => {
    const text = texts.get('dispatch/dispatch.ts') ?? ''
    const [, body = ''] = text.split('export async function dispatch(')
    const calls = [...body.matchAll(/\b(\w+)\(/g)].map(([, name]) => name)
    expect(calls).toEqual(['acceptEvent', 'planHooks', 'runHooks', 'decideEvent', 'recordEvent'])
    expect(body).not.toMatch(/\b(?:if|for|try|switch)\b|\?/)
    expect(text.split('\n').length).toBeLessThan(40)
  })

  it('keep each stage of the pipe in a file that how-it-works.md names', () => {
    const stages = [...texts].filter(([, text]) => /^export const \w+: (?:Standing)?Stage = /m.test(text))
    const madeWhenNeeded = ['dispatch/live-settings.ts', 'dispatch/doubled-key.ts']
    const files = [...stages.map(([file]) => file), ...madeWhenNeeded].map((file) => file.replace('dispatch/', ''))
    const [table = ''] = (page.split('| stage |')[1] ?? '').split('\n\n')
    expect([...table.matchAll(/^\| `([\w-]+\.ts)` /gm)].map(([, file]) => file).sort()).toEqual(files.sort())
  })

  it('answer each question about time from one file, with one importer each', () => {
    const asked = [...texts.values()].flatMap(
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
      for (const one of imports.filter((each) => each.file === file)) {
        const target = importedFile(one)
        if (named.includes(target) || target === 'node:child_process') reached.add(target)
      }
    }
    expect([...reached].sort()).toEqual([...named, 'node:child_process'].sort())
  })

  it('are open to the world through named exports alone', () => {
    const doors = [...texts].filter(([file]) => file.endsWith('index.ts'))
    expect(doors.map(([file]) => file).sort()).toEqual([
      join('config', 'index.ts'),
      join('effects', 'index.ts'),
      join('guards', 'index.ts'),
      join('hook', 'index.ts'),
      'index.ts',
      join('internal', 'index.ts'),
      join('log', 'index.ts'),
      join('models', 'index.ts'),
      join('process', 'index.ts'),
      join('protocol', 'index.ts'),
      join('rule', 'index.ts'),
      join('testing', 'index.ts'),
      join('tools', 'index.ts'),
    ])
    expect([...texts.values()].filter((text) => /^export (\*|default)/m.test(text))).toEqual([])
  })
})

/** Every file and package that loading a file may load in turn, at once or, with `late`, also when it is needed. */
function reachedFrom(door: string, { late = true } = {}): Set<string> {
  const reached = new Set([door])
  for (const file of reached) {
    for (const { target } of imports.filter((one) => one.file === file && !one.onlyTypes && (late || !one.late))) {
      reached.add(target.startsWith('.') ? relative(source, resolve(source, dirname(file), target)) : target)
    }
  }
  return reached
}

/** `Stop` is a word of English too: comments may use it. */
function withoutComment(line: string): string {
  return line.replace(/\/\/.*$/, '').replace(/^\s*\/?\*.*$/, '')
}
