import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readPrompt } from '../../src/cli/read-prompt.ts'

it('goes on with the argument when a pipe stays open and silent, and says so', async () => {
  const told: string[] = []
  const input = new PassThrough()
  const tell = (text: string): void => void told.push(text)
  expect(await readPrompt('Explain', { input, tell, patienceMs: 50 })).toBe('Explain')
  expect(told).toEqual(['Nothing came on standard input for 0.05 s: going on with the prompt alone.'])
  expect(input.destroyed).toBe(true)
})

it('reads a pipe to its end once something came, and waits as long as it takes when there is nothing else', async () => {
  const tell = (): void => expect.unreachable('nothing is to be said')
  for (const argument of ['Explain', '']) {
    const input = new PassThrough()
    const prompt = readPrompt(argument, { input, tell, patienceMs: argument === '' ? 0 : 10_000 })
    input.write('first ')
    setImmediate(() => input.end('second'))
    expect(await prompt).toBe([argument, 'first second'].filter(Boolean).join('\n\n'))
  }
})
