import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { classic } from '../../src/protocol/schemas/events/classic.ts'

const folder = fileURLToPath(new URL('../../../../conformance', import.meta.url))
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
  .map((line): { events?: ({ hook_event_name?: string } | null)[] } => JSON.parse(line))

describe('the conformance cases', () => {
  it.each(Object.keys(classic))('reach %s', (name) => {
    const reached = cases.filter(({ events = [] }) => events.some((event) => event?.hook_event_name === name))
    expect(reached.length).toBeGreaterThanOrEqual(3)
  })
})
