import { appendFile, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FileLine, makeOpenLine, readLastLine, splitLines } from '../../src/log/lines.ts'
import { followLog, readLog } from '../../src/log/log.ts'
import { findLogs } from '../../src/log/read-log.ts'
import { lineOf, logOf } from '../support/log-lines.ts'
import { makeWorld, put } from '../support/project.ts'

const sessions = async (file: string) => {
  let skipped = 0
  const read: string[] = []
  for await (const { record } of readLog(file, { onSkipped: () => skipped++ })) read.push(record.sessionId)
  return { read, skipped }
}

describe('reading a log', () => {
  it('begins with the oldest file that was moved aside', async () => {
    const world = await makeWorld()
    const file = await put(world, 'hooks.jsonl', logOf('12'))
    for (const nth of [1, 2, 10]) await put(world, `hooks.jsonl.${nth}`, logOf(`${11 - nth}`))
    for (const other of ['hooks.jsonl.lock', 'hooks.jsonl.0', 'hooks.jsonl.1a']) await put(world, other, logOf('no'))
    expect(await sessions(file)).toEqual({ read: ['1', '9', '10', '12'], skipped: 0 })
  })

  it('passes over what is torn or foreign, and counts it', async () => {
    const world = await makeWorld()
    const foreign = [
      '{"record":{"version":1',
      'null',
      '[]',
      '{}',
      '{"type":"user"}',
      '{"record":{"version":2}}',
      '\xff\xfe',
    ]
    const file = await put(world, 'a.jsonl', `${foreign.join('\n')}\n\n${logOf('1')}  \r\n${logOf('2').trim()}`)
    expect(await sessions(file)).toEqual({ read: ['1', '2'], skipped: foreign.length })
  })

  it('takes bare records, as hookline session prints them, and fields of later versions', async () => {
    const world = await makeWorld()
    const { record } = JSON.parse(lineOf('bare'))
    const later = { ...record, sessionId: 'later', fresh: 1, decision: { ...record.decision, fresh: 1 } }
    const file = await put(
      world,
      'a.jsonl',
      [record, { record: later }].map((one) => `${JSON.stringify(one)}\n`).join(''),
    )
    expect(await sessions(file)).toEqual({ read: ['bare', 'later'], skipped: 0 })
  })

  it('says that there is none', async () => {
    await expect(sessions('nowhere/hooks.jsonl')).rejects.toThrow(
      /There is no log nowhere\/hooks\.jsonl\. HOOKLINE_LOG/,
    )
  })

  it('finds the logs below a folder, and leaves transcripts alone', async () => {
    const world = await makeWorld()
    await put(world, 'home/projects/x/s.jsonl', '')
    const deep = await put(world, 'home/projects/x/s/hooks.jsonl', '')
    expect(await findLogs(world.home)).toEqual([deep])
    expect(await findLogs(join(world.home, 'other.jsonl'))).toEqual([join(world.home, 'other.jsonl')])
  })

  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(50)), (lines, cuts) => {
        const wanted = lines.map((line) => line.replaceAll('\n', ''))
        const bytes = Buffer.from(wanted.map((line) => `${line}\n`).join(''))
        const open = makeOpenLine()
        const read: FileLine[] = []
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          read.push(...splitLines(open, bytes.subarray(at, at + cut)))
          at += cut
        }
        const all = [...read, ...readLastLine(open)]
        expect(all.map(({ text }) => text)).toEqual(wanted.map((line) => Buffer.from(line).toString()))
        for (const { text, offset, bytes: length } of all)
          expect(bytes.subarray(offset, offset + length).toString()).toBe(text)
      }),
    )
  })

  it('gives up a line that is too long for the memory, and goes on behind it', () => {
    const open = makeOpenLine()
    const read = [...Array(40).keys()].flatMap(() => splitLines(open, Buffer.alloc(1024 * 1024, 'x')))
    expect(read).toEqual([])
    expect(open.parts).toEqual([])
    expect(splitLines(open, Buffer.from('\nnext\n'))).toEqual([
      { text: null, offset: 0, bytes: 40 * 1024 * 1024 },
      { text: 'next', offset: 40 * 1024 * 1024 + 1, bytes: 4 },
    ])
  })
})

describe('following a log', () => {
  /** Follows a log; `next` waits for a line. */
  function following(file: string) {
    const stop = new AbortController()
    const lines = followLog(file, { signal: stop.signal })
    const next = async (): Promise<string | undefined> => (await lines.next()).value?.record.sessionId
    return { next, stop: () => stop.abort() }
  }

  it('goes on with what is written, through rotations, and ends when it is told', async () => {
    const world = await makeWorld()
    const file = await put(world, 'hooks.jsonl', logOf('2'))
    await put(world, 'hooks.jsonl.1', logOf('1'))
    const { next, stop } = following(`${world.root}/./hooks.jsonl`)
    expect([await next(), await next()]).toEqual(['1', '2'])
    const line = logOf('3')
    await appendFile(file, line.slice(0, 10))
    const third = next()
    await appendFile(file, line.slice(10))
    expect(await third).toBe('3')

    await appendFile(file, logOf('4'))
    await rename(file, `${file}.2`)
    await writeFile(`${file}.1`, logOf('5'))
    await writeFile(file, logOf('6'))
    expect([await next(), await next(), await next()]).toEqual(['4', '5', '6'])

    const end = next()
    stop()
    expect(await end).toBeUndefined()
  })

  it('waits for a file that is not there yet, and begins again when it is emptied', async () => {
    const { root } = await makeWorld()
    const file = join(root, 'hooks.jsonl')
    const { next, stop } = following(file)
    const first = next()
    await writeFile(file, logOf('a long name, so that the second line is shorter'))
    expect(await first).toMatch(/^a long name/)
    const second = next()
    await truncate(file)
    await appendFile(file, logOf('2'))
    expect(await second).toBe('2')
    stop()
    expect(await next()).toBeUndefined()
  })
})
