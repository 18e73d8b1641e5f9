import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import type { LogEntry, RecordStore } from '../../src/log/index.ts'
import { openFileStore, readLog, readStatistics, toFilter } from '../../src/log/index.ts'
import { bashCall, commands, makeWorld, type World } from '../support/project.ts'

/** A store that keeps what it gets in memory, in as many calls as it gets. */
function makeMemoryStore(): RecordStore & { readonly entries: LogEntry[] } {
  const entries: LogEntry[] = []
  return {
    name: 'memory',
    entries,
    append: async (added) => void entries.push(...added),
    read: async function* ({ onSkipped: _, ...query } = {}) {
      yield entries.filter(toFilter(query))
    },
    follow: () => {
      throw new Error('nothing follows it here')
    },
  }
}

const hooks = {
  PreToolUse: [
    { matcher: 'Bash', ...commands('echo no >&2; exit 2') },
    { matcher: 'Edit', ...commands('true') },
  ],
}
const world = (): Promise<World> => makeWorld({ 'project/.claude/settings.json': { hooks } })

describe('an engine whose log is a store', () => {
  it('hands it every event with its record, whole and without secrets', async () => {
    const [places, store] = [await world(), makeMemoryStore()]
    const engine = await openEngine({
      ...places,
      trust: 'accepted',
      log: store,
      env: { ...process.env, HOOKLINE_LOG: undefined },
    })
    await engine.dispatch({ ...bashCall, tool_input: { command: 'DB_PASSWORD=hunter2 ls' } })
    await engine.dispatch(bashCall)
    await engine.close()
    expect(store.entries).toHaveLength(2)
    expect(store.entries[0]).toMatchObject({
      record: {
        event: 'PreToolUse',
        decision: { blocked: true },
        hooks: [{ verdict: 'ran' }, { verdict: 'matcher-miss' }],
      },
      input: { tool_name: 'Bash' },
    })
    expect(JSON.stringify(store.entries)).not.toContain('hunter2')
    expect(await readStatistics(store)).toMatchObject({
      events: 2,
      hooks: [
        { ran: 2, blocked: 2 },
        { ran: 0, matched: 0 },
      ],
    })
  })

  it('writes to a file store what a log of that file would hold', async () => {
    const places = await world()
    const file = join(places.root, 'hooks.jsonl')
    const engine = await openEngine({ ...places, trust: 'accepted', log: openFileStore(file) })
    await engine.dispatch(bashCall)
    await engine.close()
    const entries = []
    for await (const entry of readLog(file)) entries.push(entry.record.hooks.map(({ verdict }) => verdict))
    expect(entries).toEqual([['ran', 'matcher-miss']])
  })

  it('tells once that the store takes nothing, decides as ever, and tries again', async () => {
    const [places, kept] = [await world(), makeMemoryStore()]
    let isDown = true
    const store: RecordStore = {
      ...kept,
      name: 'https://records.example',
      append: async (entries) => {
        if (isDown) throw Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' })
        await kept.append(entries)
      },
    }
    const engine = await openEngine({ ...places, trust: 'accepted', log: store })
    const first = await engine.dispatch(bashCall)
    expect(first.decision.blocked).toBe(true)
    const second = await engine.dispatch(bashCall)
    expect(second.notices?.join()).toContain('The log https://records.example cannot be written (ECONNREFUSED)')
    isDown = false
    await engine.dispatch(bashCall)
    await engine.close()
    expect(kept.entries).toHaveLength(3)
  })
})
