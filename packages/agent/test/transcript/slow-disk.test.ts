import { readFile } from 'node:fs/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { openAgent } from '../support/opened-agent.ts'
import { disk } from './disk.ts'

vi.mock('node:fs/promises', async (real) => (await import('./disk.ts')).onDisk(await real()))

afterEach(() => disk.reset())

const TURNS = 1000

it('shows a Stop hook a transcript that ends with the last answer, in each of 1,000 turns on a slow disk', async () => {
  disk.pauseMs = 1
  const seen: string[] = []
  const look = async ({ transcript_path }: Record<string, unknown>): Promise<void> => {
    const text = await readFile(String(transcript_path), 'utf8')
    const last = JSON.parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1))
    seen.push(`${last.type} ${last.message?.content?.[0]?.text}`)
  }
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    text: `Answer ${index}`,
    usage: { inputTokens: 1, outputTokens: 1 },
  }))
  const { agent } = await openAgent({ turns }, { hooks: { Stop: [{ hooks: [look] }] } })
  for (let turn = 0; turn < TURNS; turn++) await agent.run(`Prompt ${turn}`)
  expect(disk.writes).toBeGreaterThan(2 * TURNS)
  expect(seen).toEqual(turns.map(({ text }) => `assistant ${text}`))
}, 240_000)
