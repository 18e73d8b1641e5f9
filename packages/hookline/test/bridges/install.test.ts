import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import {
  type HostPlace,
  hostFile,
  installedEvents,
  mappedEvents,
  withBridge,
  withoutBridge,
  writeEdit,
} from '../../src/bridges/install.ts'
import { AGENTS, bridgeTo } from '../../src/bridges/list.ts'
import { makeWorld } from '../support/project.ts'

const ENTRY = { attended: false, secondsFor: () => 600 }

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
  toml: ['', 'default_model = "x"\n', 'default_model = "x"', '[[hooks]]\nevent = "Stop"\ncommand = "true"\n'],
}

function places(bridge: Bridge, world: { project: string; home: string }): HostPlace[] {
  return (Object.keys(bridge.install.files) as HostScope[]).map((scope) => ({ bridge, scope, ...world }))
}

function fileOf(place: HostPlace): string {
  const file = hostFile(place)
  if (file === null) throw new TypeError('it has no file')
  return file
}

describe.each(AGENTS)('the file of %s', (agent) => {
  const bridge = bridgeTo(agent) as Bridge // it is in the list

  it('calls us for every event that hooks know, in a file of its own, and is gone afterwards', async () => {
    for (const place of places(bridge, await makeWorld())) {
      const edit = await withBridge(place, ENTRY)
      expect(edit.before).toBeNull()
      await writeEdit(edit, place)
      expect(await installedEvents(place)).toEqual(mappedEvents(bridge))
      const text = readFileSync(fileOf(place), 'utf8')
      expect(text).not.toContain('matcher')
      await writeEdit(await withoutBridge(place), place)
      expect(existsSync(fileOf(place))).toBe(false)
    }
  })

  it('keeps what others wrote there, and is as it was afterwards, to the byte', async () => {
    const kind = bridge.install.shape === 'kimi-toml' ? 'toml' : 'json'
    if (bridge.install.shape === 'opencode-plugin') return // a file that is ours alone
    const world = await makeWorld()
    for (const place of places(bridge, world)) {
      const file = fileOf(place)
      mkdirSync(dirname(file), { recursive: true })
      for (const before of THEIRS[kind] ?? []) {
        writeFileSync(file, before)
        await writeEdit(await withBridge(place, ENTRY), place)
        const once = readFileSync(file, 'utf8')
        if (kind === 'json') expect(parse(once)).toMatchObject(withoutHooks(parse(before)))
        await writeEdit(await withBridge(place, ENTRY), place)
        expect(readFileSync(file, 'utf8')).toBe(once)
        expect(await installedEvents(place)).toEqual(mappedEvents(bridge))
        await writeEdit(await withoutBridge(place), place)
        expect(readFileSync(file, 'utf8')).toBe(before)
      }
    }
  })

  it('keeps a hook that the user has put beside ours', async () => {
    if (bridge.install.shape !== 'claude' && bridge.install.shape !== 'events-at-top') return // others have no groups
    for (const place of places(bridge, await makeWorld())) {
      await writeEdit(await withBridge(place, ENTRY), place)
      const mine = '{ "type": "command", "command": "mine" }'
      const file = fileOf(place)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"hooks": \[(?=\s*\{\s*"type")/, `$&${mine}, `))
      await writeEdit(await withoutBridge(place), place)
      const left = readFileSync(file, 'utf8')
      expect(left).toContain('"mine"')
      expect(left).not.toContain('hookline bridge')
    }
  })

  it('is not touched when it cannot be read as what it is', async () => {
    if (bridge.install.shape === 'kimi-toml') return // whatever is there stays: we only add a block behind it
    const world = await makeWorld()
    for (const place of places(bridge, world)) {
      const file = fileOf(place)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, '{ "hooks": [')
      await expect(withBridge(place, ENTRY)).rejects.toThrow(/Nothing was written/)
      expect(readFileSync(file, 'utf8')).toBe('{ "hooks": [')
    }
  })

  it('gives hooks as long as they may take, in the unit of the agent', async () => {
    const [place] = places(bridge, await makeWorld())
    if (place === undefined || bridge.install.shape === 'opencode-plugin') return
    const { after } = await withBridge(place, { ...ENTRY, secondsFor: () => 900 })
    const { unit, most } = bridge.install.timeout
    const seconds = most === null ? 905 : most
    expect(after).toContain(String(unit === 'ms' ? seconds * 1000 : seconds))
    for (const event of mappedEvents(bridge)) {
      const rule = bridge.events[event]
      const own = (rule?.as !== null && rule?.most) || seconds
      const limit = new RegExp(`run ${agent} ${event.replaceAll('.', '[.]')} --limit (\\d+)"`).exec(after ?? '')?.[1]
      expect(Number(limit)).toBe(own - Math.min(5, Math.ceil(own / 3)))
    }
  })
})

function withoutHooks(value: Record<string, unknown>): Record<string, unknown> {
  const { hooks: _, ...rest } = value
  return rest
}
