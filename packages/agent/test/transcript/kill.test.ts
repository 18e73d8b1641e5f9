import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { readMessageText } from '../../src/output/messages.ts'
import { readTranscript } from '../../src/transcript/read-transcript.ts'
import { temporaryFolder } from './folder.ts'
import { text, told, transcriptAt } from './said.ts'

const KILLS = 20

/** Appends numbered messages for as long as it lives, and says which of them are flushed. */
const CHILD = `
  import { Transcript } from './transcript.ts'
  const transcript = new Transcript({ path: process.argv[2], sessionId: 's1', cwd: '/', onProblem: (text) => { throw new Error(text) } })
  const padding = 'x'.repeat(Number(process.argv[3]))
  const usage = { inputTokens: 1, outputTokens: 1 }
  for (let index = 0; ; index++) {
    const content = [{ type: 'text', text: index + ' ' + padding }]
    if (index % 2 === 0) transcript.append({ kind: 'user', message: { role: 'user', content }, origin: 'user' })
    else transcript.append({ kind: 'assistant', message: { role: 'assistant', content }, model: 'm', usage, cutShort: false })
    if (index % 3 !== 0) continue
    await transcript.flush()
    process.stdout.write(index + '\\n')
  }
`

it('loads whatever moment its process was killed at, with everything that was flushed', {
  timeout: 120_000,
}, async () => {
  const folder = await temporaryFolder()
  const child = join(folder, 'child.mjs')
  const resolveDir = fileURLToPath(new URL('../../src/transcript', import.meta.url))
  await build({
    stdin: { contents: CHILD, resolveDir, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: child,
    logLevel: 'silent',
  })
  for (let round = 0; round < KILLS; round++) {
    const path = join(folder, `${round}.jsonl`)
    const flushed = await killedAfter({ child, path, lines: 1 + ((round * 7) % 19), padding: 10 ** (round % 6) })
    const stored = await readTranscript(path)
    if ('fault' in stored) throw new Error(stored.fault)
    const numbers = stored.messages.map((message) => Number.parseInt(readMessageText(message), 10))
    expect(numbers).toEqual(numbers.map((_, index) => index)) // none is missing, none stands twice
    expect(numbers.length).toBeGreaterThan(flushed)
    expect(stored.broken).toBe(0)
    await goesOn(path, numbers.length)
  }
})

it('drops the half of a line that a killed process left, wherever it was cut', async () => {
  const path = join(await temporaryFolder(), 's1.jsonl')
  const transcript = transcriptAt(path)
  transcript.append(told(text('user', 'one')))
  await transcript.close()
  await appendFile(path, '{"type":"assistant","message":{"role":"assistant","content":[{"type":"te')
  expect(await readTranscript(path)).toMatchObject({ messages: [text('user', 'one')], unfinished: true, broken: 0 })
})

interface Killing {
  readonly child: string
  readonly path: string
  /** How many of its lines are read first. */
  readonly lines: number
  readonly padding: number
}

/** Kills a process that writes at some moment; resolves with the last message it called flushed before. */
async function killedAfter({ child, path, lines, padding }: Killing): Promise<number> {
  const writer = spawn(process.execPath, [child, path, String(padding)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    writer.kill('SIGKILL')
  })
  const gone = once(writer, 'close')
  let flushed = -1
  let read = 0
  for await (const line of createInterface({ input: writer.stdout })) {
    flushed = Number(line)
    if (++read === lines) writer.kill('SIGKILL')
  }
  await gone
  return flushed
}

async function goesOn(path: string, messages: number): Promise<void> {
  const resumed = transcriptAt(path)
  resumed.append(told(text('user', 'go on')))
  await resumed.close()
  const stored = await readTranscript(path)
  if ('fault' in stored) throw new Error(stored.fault)
  expect(stored.messages.map(readMessageText).at(-1)).toMatch(/go on$/)
  expect(stored.messages.length).toBeGreaterThanOrEqual(messages)
}
