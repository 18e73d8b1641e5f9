import { describe, expect, it } from 'vitest'
import { engineWith, makeWorld, openOn } from '../../../hookline/test/support/project.ts'
import { showEvent } from '../../src/terminal/state/show-event.ts'
import { INITIAL, type State } from '../../src/terminal/state/state.ts'
import { makeStatus } from '../../src/terminal/state/status.ts'
import { StatusLine } from '../../src/terminal/state/status-line.ts'
import { hostIn } from './support/drawn.ts'

const facts = { model: 'm', now: new Date(0) }
const usage = { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 600, cacheWriteTokens: 100 }

describe('what a status line reads', () => {
  it('has every number of cost and context_window before anything was said, so that ccusage accepts it', () => {
    expect(makeStatus(hostIn({}))).toMatchObject({
      cost: {
        total_cost_usd: 0,
        total_duration_ms: expect.any(Number),
        total_api_duration_ms: 0,
        total_lines_added: 0,
        total_lines_removed: 0,
      },
      context_window: {
        total_input_tokens: 0,
        total_output_tokens: 0,
        context_window_size: expect.any(Number),
        used_percentage: null,
        remaining_percentage: null,
        current_usage: null,
      },
      exceeds_200k_tokens: false,
    })
  })

  it('counts tokens, and lines that calls changed', () => {
    const response = {
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ['-a', '+b', '+c'] }],
    }
    let state: State = showEvent(INITIAL, { type: 'usage', usage, agent: null }, facts)
    state = showEvent(
      state,
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 1 }, agent: { id: 'x', type: 'x' } },
      facts,
    )
    state = showEvent(state, { type: 'tool_ended', id: '1', name: 'Edit', failed: false, response }, facts)
    expect(makeStatus(hostIn(state))).toMatchObject({
      cost: { total_lines_added: 2, total_lines_removed: 1 },
      context_window: {
        total_input_tokens: 1005,
        current_usage: {
          input_tokens: 300,
          output_tokens: 50,
          cache_creation_input_tokens: 100,
          cache_read_input_tokens: 600,
        },
      },
    })
  })
})

describe('a status line of several lines', () => {
  it('is moved by its padding in each of them', async () => {
    const statusLine = { type: 'command', command: "printf 'one\\ntwo\\n'", padding: 2 }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { statusLine } }))
    const text = await new Promise((resolve) => new StatusLine(resolve, () => {}).refresh(engine, () => ({})))
    expect(text).toBe('  one\n  two')
  })
})

describe('a status line that fails', () => {
  it('is told once, with what it said', async () => {
    const statusLine = { type: 'command', command: 'echo "\u001b[31mno context_window_size" >&2; exit 3' }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { statusLine } }))
    const told: string[] = []
    const results: (string | null)[] = []
    const ran = (): Promise<void> =>
      new Promise((resolve) => {
        const line = new StatusLine(
          (text) => {
            results.push(text)
            if (results.length === 2) return resolve()
            line.refresh(engine, () => ({}))
          },
          (fault) => told.push(fault),
        )
        line.refresh(engine, () => ({}))
      })
    await ran()
    expect(results).toEqual([null, null])
    expect(told).toEqual([expect.stringContaining('statusLine failed: exit code 3: no context_window_size')])
  })

  it('is not told of one that is not configured', async () => {
    const engine = await engineWith({})
    const told: string[] = []
    expect(await engine.runStatusLine({}, { onFault: (fault) => told.push(fault) })).toBeNull()
    expect(told).toEqual([])
  })
})
