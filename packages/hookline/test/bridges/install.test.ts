import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import { type EntryStyle, findHookSeconds, findHostSeconds } from '../../src/bridges/install/entry.ts'
import { toGuardBridge } from '../../src/bridges/install/guard-entries.ts'
import { type HostEdit, planRemoval, withBridge, writeEdit } from '../../src/bridges/install/install.ts'
import { type HostPlace, isPlugin, listInstalledEvents, listMappedEvents } from '../../src/bridges/install/installed.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { parseData } from '../../src/files/parse-data.ts'
import { makeWorld } from '../support/project.ts'

const ENTRY: EntryStyle = { program: '/h/.hookline/bin/hookline', ifMissing: 'refuse', attended: false }

/** What may stand in an agent's file before us, by the kind of file. */
const THEIRS: Readonly<Record<string, readonly string[]>> = {
  json: [
    '{}',
    '{}\n',
    '{\n  "theme": "dark"\n}\n',
    '{"a":1}',
    '{\r\n\t"theme": "dark",\r\n\t"hooks": {}\r\n}\r\n',
    '{\n  // mine\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }], // and this\n  },\n}\n',
  ],
  kiro: [
    '{"version":"v1","hooks":[]}',
    '{\n  "version": "v1",\n  "hooks": [\n    { "name": "mine", "trigger": "Stop" }\n  ]\n}\n',
  ],
  'kimi-toml': ['', 'default_model = "x"\n', 'default_model = "x"', '[[hooks]]\nevent = "Stop"\ncommand = "true"\n'],
  'opencode-plugin': [],
  'pi-extension': [],
  'file-per-event': [],
}

function places(bridge: Bridge, world: { project: string; home: string }): HostPlace[] {
  return (Object.keys(bridge.install.files) as HostScope[]).map((scope) => ({ bridge, scope, ...world, env: {} }))
}

async function put(edits: Promise<HostEdit[]>, place: HostPlace): Promise<HostEdit[]> {
  const made = (await edits).filter(({ before, after }) => before !== after)
  for (const edit of made) await writeEdit(edit, place)
  return made
}

/** The first of the files with our entries. */
async function fileOf(place: HostPlace): Promise<string> {
  const [edit] = await withBridge(place, ENTRY)
  if (edit === undefined) throw new TypeError('it has no file')
  mkdirSync(dirname(edit.file), { recursive: true })
  return edit.file
}

const WRITTEN = AGENTS.filter((agent) => findBridge(agent)?.install.through === undefined)

/** The entries that may be written for an agent: those of all hooks, and those of the guards alone. */
const MEANT = WRITTEN.flatMap((agent) => {
  const bridge = findBridge(agent) as Bridge // it is in the list
  return [
    { title: agent, bridge },
    { title: `${agent} with the guards alone`, bridge: toGuardBridge(bridge) },
  ]
})

describe.each(MEANT)('the file of $title', ({ bridge }) => {
  const { shape } = bridge.install

  it('calls us for every event that hooks know, in a file of its own, and is gone afterwards', async () => {
    for (const place of places(bridge, await makeWorld())) {
      const made = await put(withBridge(place, ENTRY), place)
      for (const { file, before, after } of made) {
        expect(before).toBeNull()
        expect(readFileSync(file, 'utf8')).toBe(after)
        expect(after).not.toContain('matcher')
        expect((statSync(file).mode & 0o111) !== 0).toBe(shape === 'file-per-event')
      }
      expect(await listInstalledEvents(place)).toEqual(listMappedEvents(bridge))
      await put(planRemoval(place), place)
      for (const { file } of made) expect(existsSync(file)).toBe(false)
    }
  })

  it('leaves the folders that were there, and no others', async () => {
    for (const place of places(bridge, await makeWorld())) {
      const root = place.scope === 'user' ? place.home : place.project
      const foldersIn = (): string[] =>
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ parentPath, name }) => join(parentPath, name))
          .filter((folder) => !folder.startsWith(join(place.home, '.hookline')))
      const before = foldersIn()
      await put(withBridge(place, ENTRY), place)
      const made = foldersIn().filter((folder) => !before.includes(folder))
      await put(planRemoval(place), place)
      expect(foldersIn()).toEqual(before)
      if (made[0] === undefined) continue
      await put(withBridge(place, ENTRY), place)
      writeFileSync(join(made[0], 'mine'), '')
      await put(planRemoval(place), place)
      expect(readdirSync(made[0])).toEqual(['mine'])
    }
  })

  it('keeps what others wrote there, and is as it was afterwards, to the byte', async () => {
    const world = await makeWorld()
    for (const place of places(bridge, world)) {
      const file = await fileOf(place)
      for (const before of (THEIRS[shape] ?? THEIRS.json ?? []).filter((text) => isReadBy(bridge, text))) {
        writeFileSync(file, before)
        await put(withBridge(place, ENTRY), place)
        const once = readFileSync(file, 'utf8')
        if (shape !== 'kimi-toml') expect(parse(once)).toMatchObject(withoutHooks(parse(before)))
        await put(withBridge(place, ENTRY), place)
        expect(readFileSync(file, 'utf8')).toBe(once)
        expect(await listInstalledEvents(place)).toEqual(listMappedEvents(bridge))
        await put(planRemoval(place), place)
        expect(readFileSync(file, 'utf8')).toBe(before)
      }
    }
  })

  it('keeps a hook that the user has put beside ours', async () => {
    if (shape !== 'claude' && shape !== 'events-at-top') return // others have no groups
    for (const place of places(bridge, await makeWorld())) {
      await put(withBridge(place, ENTRY), place)
      const mine = '{ "type": "command", "command": "mine" }'
      const file = await fileOf(place)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"hooks": \[(?=\s*\{\s*"type")/, `$&${mine}, `))
      await put(planRemoval(place), place)
      const left = readFileSync(file, 'utf8')
      expect(left).toContain('"mine"')
      expect(left).not.toContain('hookline bridge')
    }
  })

  it('is where a variable of the agent moves it, and nowhere else', async () => {
    for (const { variable, insteadOf } of bridge.install.homes ?? []) {
      const world = await makeWorld()
      const moved = join(world.root, 'moved')
      const place: HostPlace = { bridge, scope: 'user', ...world, env: { [variable]: moved } }
      const made = await put(withBridge(place, ENTRY), place)
      const path = bridge.install.files.user?.slice(insteadOf.length) ?? ''
      for (const { file } of made) expect(file.startsWith(join(moved, path))).toBe(true)
      expect(await listInstalledEvents(place)).toEqual(listMappedEvents(bridge))
      for (const env of [{}, { [variable]: '' }]) expect(await listInstalledEvents({ ...place, env })).toEqual([])
      await put(planRemoval(place), place)
      for (const { file } of made) expect(existsSync(file)).toBe(false)
      expect(readdirSync(world.home)).not.toContain(bridge.install.files.user?.split('/')[0])
    }
  })

  it('is not touched when it cannot be read as what it is', async () => {
    if (shape === 'kimi-toml') return // whatever is there stays: we only add a block behind it
    const world = await makeWorld()
    for (const place of places(bridge, world)) {
      const file = await fileOf(place)
      writeFileSync(file, '{ "hooks": [')
      await expect(withBridge(place, ENTRY)).rejects.toThrow(/Nothing was written/)
      expect(readFileSync(file, 'utf8')).toBe('{ "hooks": [')
    }
  })

  it('gives hooks an hour, or what the agent allows, in its unit', async () => {
    const [place] = places(bridge, await makeWorld())
    if (place === undefined || isPlugin(bridge)) return
    const after = (await withBridge(place, ENTRY)).map((edit) => edit.after).join('\n')
    const { unit, most } = bridge.install.timeout
    const namesTimeout = shape !== 'windsurf' && shape !== 'file-per-event'
    if (namesTimeout) expect(after).toContain(String((most ?? 3600) * (unit === 'ms' ? 1000 : 1)))
    for (const event of listMappedEvents(bridge)) {
      const given = findHostSeconds(bridge, event)
      expect(given).toBeLessThanOrEqual(namesTimeout ? 3600 : bridge.capabilities.limit)
      expect(findHookSeconds(bridge, event)).toBe(given - Math.min(5, Math.ceil(given / 3)))
    }
    expect(after).not.toContain('--limit')
  })
})

describe.each(WRITTEN)('entries of all hooks and of the guards in the file of %s', (agent) => {
  const bridge = findBridge(agent) as Bridge // it is in the list

  it.skipIf(bridge.install.shape === 'file-per-event')('go each without the other', async () => {
    for (const all of places(bridge, await makeWorld())) {
      const guards = { ...all, bridge: toGuardBridge(bridge) }
      for (const [first, second] of [
        [all, guards],
        [guards, all],
      ] as const) {
        await put(withBridge(first, ENTRY), first)
        const file = await fileOf(first)
        const before = readFileSync(file, 'utf8')
        await put(withBridge(second, ENTRY), second)
        expect(await listInstalledEvents(first)).toEqual(listMappedEvents(first.bridge))
        expect(await listInstalledEvents(second)).toEqual(listMappedEvents(second.bridge))
        await put(planRemoval(second), second)
        expect(readFileSync(file, 'utf8')).toBe(before)
        await put(planRemoval(first), first)
        expect(existsSync(file)).toBe(false)
      }
    }
  })
})

describe('an agent with a program for each event', () => {
  it('keeps a program that the user has there, and nothing is written beside it', async () => {
    const bridge = findBridge('cline') as Bridge // it is in the list
    for (const place of places(bridge, await makeWorld())) {
      const first = await fileOf(place)
      const mine = join(dirname(first), 'PreToolUse')
      writeFileSync(mine, '#!/bin/sh\ntrue\n')
      await expect(withBridge(place, ENTRY)).rejects.toThrow(`${mine}: Cline runs one program an event`)
      await put(planRemoval(place), place)
      expect(readFileSync(mine, 'utf8')).toBe('#!/bin/sh\ntrue\n')
    }
  })
})

/** True if an agent reads a file at all: install leaves one that it would ignore. */
function isReadBy({ install: { reads } }: Bridge, text: string): boolean {
  const parsed = reads.format === 'program' ? { value: {} } : parseData(text, reads.format)
  if ('fault' in parsed) return false
  return Object.keys(parsed.value as object).every((key) => reads.keys?.includes(key) ?? true) // all of them are objects
}

function withoutHooks(value: Record<string, unknown>): Record<string, unknown> {
  const { hooks: _, ...rest } = value
  return rest
}
