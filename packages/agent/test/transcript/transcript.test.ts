import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Envelope, type TranscriptEntry, toLine } from '../../src/transcript/entry.ts'
import { readTranscript } from '../../src/transcript/read-transcript.ts'
import { Transcript } from '../../src/transcript/transcript.ts'
import { disk } from './disk.ts'
import { temporaryFolder } from './folder.ts'
import { answered, entryOf, text, told, transcriptAt } from './said.ts'

vi.mock('node:fs/promises', async (real) => (await import('./disk.ts')).onDisk(await real()))

beforeEach(() => disk.reset())

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe('a transcript', () => {
  it('holds a session in the lines that other readers know', async () => {
    const path = join(await temporaryFolder(), 'projects', 'p', 's1.jsonl')
    let ids = 0
    const transcript = new Transcript({
      path,
      sessionId: 's1',
      cwd: '/project',
      onProblem: () => {},
      now: () => new Date('2026-01-02T03:04:05.678Z'),
      newId: () => `u${++ids}`,
    })
    const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 30 }
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } } as const
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'a.txt' } as const
    transcript.append({ kind: 'init', model: 'claude-x', tools: ['Bash', 'Read'], permissionMode: 'default' })
    transcript.append(told(text('user', 'list the files')))
    transcript.append({ kind: 'user', message: text('user', 'a hint'), origin: 'injected' })
    const message = {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'hm', signature: 'x' }, call],
    } as const
    transcript.append({ kind: 'assistant', message, model: 'claude-x', usage, cutShort: false })
    const toolUseResult = { stdout: 'a.txt', stderr: '' }
    transcript.append({ kind: 'user', message: { role: 'user', content: [result] }, origin: 'tool', toolUseResult })
    transcript.append({ kind: 'compacted', trigger: 'auto', tokensBefore: 110 })
    transcript.append({ kind: 'user', message: text('user', 'it was short'), origin: 'summary' })
    const line = transcript.append({
      kind: 'result',
      subtype: 'error_max_turns',
      result: 'too many',
      durationMs: 12,
      turns: 2,
      usage,
    })
    await transcript.close()

    const stored = { cwd: '/project', timestamp: '2026-01-02T03:04:05.678Z' }
    const own = { ...stored, isSidechain: false, sessionId: 's1' }
    const usageFields = {
      input_tokens: 10,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: 60,
      output_tokens: 10,
    }
    const lines = await linesOf(path)
    expect(lines).toEqual([
      {
        ...stored,
        type: 'system',
        subtype: 'init',
        session_id: 's1',
        uuid: 'u1',
        model: 'claude-x',
        tools: ['Bash', 'Read'],
        permissionMode: 'default',
      },
      { ...own, type: 'user', uuid: 'u2', parentUuid: null, message: { role: 'user', content: 'list the files' } },
      {
        ...own,
        type: 'user',
        uuid: 'u3',
        parentUuid: 'u2',
        isMeta: true,
        message: { role: 'user', content: 'a hint' },
      },
      {
        ...own,
        type: 'assistant',
        uuid: 'u4',
        parentUuid: 'u3',
        message: {
          id: 'msg_u4',
          type: 'message',
          role: 'assistant',
          model: 'claude-x',
          content: message.content,
          stop_reason: 'tool_use',
          stop_sequence: null,
          usage: usageFields,
        },
      },
      {
        ...own,
        type: 'user',
        uuid: 'u5',
        parentUuid: 'u4',
        message: { role: 'user', content: [result] },
        toolUseResult,
      },
      {
        ...own,
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'u6',
        parentUuid: 'u5',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'auto', preTokens: 110 },
      },
      {
        ...own,
        type: 'user',
        uuid: 'u7',
        parentUuid: 'u6',
        isCompactSummary: true,
        message: { role: 'user', content: 'it was short' },
      },
      {
        ...stored,
        type: 'result',
        subtype: 'error_max_turns',
        session_id: 's1',
        uuid: 'u8',
        is_error: true,
        result: 'too many',
        duration_ms: 12,
        num_turns: 2,
        usage: usageFields,
      },
    ])
    expect(line).toEqual(lines.at(-1))
  })

  it('is readable by its owner alone', async () => {
    const folder = join(await temporaryFolder(), 'projects')
    const transcript = transcriptAt(join(folder, 's1.jsonl'))
    transcript.append(told(text('user', 'secret')))
    await transcript.close()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(transcript.path)).mode & 0o777).toBe(0o600)
  })

  it('marks the lines of a subagent, and goes on behind the line it is told', async () => {
    const transcript = transcriptAt(join(await temporaryFolder(), 'a.jsonl'), { agentId: 'a1', after: 'u0' })
    expect(transcript.append(told(text('user', 'go')))).toMatchObject({
      isSidechain: true,
      agentId: 'a1',
      parentUuid: 'u0',
    })
    await transcript.close()
  })

  it('ends with the last message after every flush, however slow the disk', { timeout: 120_000 }, async () => {
    disk.pauseMs = 2
    const transcript = transcriptAt(join(await temporaryFolder(), 's1.jsonl'))
    const appends = 1000
    const perTurn = 4
    for (let index = 0; index < appends; index += perTurn) {
      for (let at = index; at < index + perTurn; at++) transcript.append(answered(text('assistant', `message ${at}`)))
      await transcript.flush()
      const last = (await readFile(transcript.path, 'utf8')).split('\n').at(-2) ?? ''
      expect(JSON.parse(last).message.content[0].text).toBe(`message ${index + perTurn - 1}`)
    }
    expect(disk.writes).toBe(appends) // one for each line
    await transcript.close()
    expect(await linesOf(transcript.path)).toHaveLength(appends)
  })

  it('starts on a new line when a killed process left half of one', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    await writeFile(path, '{"type":"user","mess')
    const transcript = transcriptAt(path)
    transcript.append(told(text('user', 'again')))
    await transcript.close()
    expect(await readTranscript(path)).toMatchObject({
      messages: [text('user', 'again')],
      broken: 1,
      unfinished: false,
    })
  })

  it('writes the line that is appended at the moment the queue runs empty', async () => {
    const transcript = transcriptAt(join(await temporaryFolder(), 's1.jsonl'))
    for (let index = 0; index < 200; index++) {
      transcript.append(told(text('user', `${index}`)))
      const flushed = transcript.flush()
      for (let ticks = 0; ticks < index % 7; ticks++) await Promise.resolve()
      await flushed.then(() => transcript.append(told(text('user', `${index} more`))))
    }
    await transcript.close()
    expect(await linesOf(transcript.path)).toHaveLength(400)
  })
})

/** The bytes of a line that says `number 0`. */
const FIRST_LINE = 1 + JSON.stringify(toLine(told(text('user', 'number 0')), envelope())).length

/** As long as those of the transcripts here. */
function envelope(): Envelope {
  const timestamp = new Date().toISOString()
  return { uuid: randomUUID(), parentUuid: null, timestamp, sessionId: 's1', cwd: '/project', agentId: null }
}

describe('a transcript on a full disk', () => {
  it.each([0, 1, 40, FIRST_LINE - 1, FIRST_LINE, FIRST_LINE + 1, 2 * FIRST_LINE])(
    'says so once, and loses nothing when %i bytes fit at first',
    async (room) => {
      const problems: string[] = []
      const path = join(await temporaryFolder(), 's1.jsonl')
      const transcript = transcriptAt(path, { onProblem: (problem) => problems.push(problem) })
      const messages = Array.from({ length: 6 }, (_, at) => text(at % 2 === 0 ? 'user' : 'assistant', `number ${at}`))
      disk.room = room
      for (const message of messages.slice(0, 4)) {
        transcript.append(entryOf(message))
        await transcript.flush()
      }
      expect(problems).toEqual([expect.stringMatching(/s1\.jsonl cannot be written: ENOSPC.*The session goes on/)])
      disk.reset()
      for (const message of messages.slice(4)) transcript.append(entryOf(message))
      await transcript.close()
      expect(problems).toHaveLength(1)
      const stored = await readTranscript(path)
      expect(stored).toMatchObject({ messages, unfinished: false })
      expect('broken' in stored && stored.broken).toBeLessThanOrEqual(1)
    },
  )

  it('says at the end how much is missing when there never was room', async () => {
    const problems: string[] = []
    const path = join(await temporaryFolder(), 's1.jsonl')
    const transcript = transcriptAt(path, { onProblem: (problem) => problems.push(problem) })
    transcript.append(told(text('user', 'kept')))
    await transcript.flush()
    disk.room = 10
    transcript.append(answered(text('assistant', 'lost')))
    transcript.append(told(text('user', 'lost too')))
    await transcript.close()
    expect(problems.at(-1)).toMatch(/lacks its last 2 lines/)
    expect(await readTranscript(path)).toMatchObject({ messages: [text('user', 'kept')], unfinished: true })
  })

  it('goes on when its folder cannot be made', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const problems: string[] = []
    const transcript = transcriptAt(join(folder, 'file', 's1.jsonl'), {
      onProblem: (problem) => problems.push(problem),
    })
    transcript.append(told(text('user', 'hello')))
    await transcript.flush()
    await transcript.close()
    expect(problems).toEqual([
      expect.stringContaining('cannot be written'),
      expect.stringContaining('lacks its last line'),
    ])
  })

  it('goes on, and finishes on a real one that gets room again', async ({ skip }) => {
    const folder = join(await temporaryFolder(), 'small')
    await mkdir(folder)
    const unmount = mountSmall(folder)
    if (unmount === null) return skip('a small file system can be mounted by root on Linux alone')
    onTestFinished(unmount)
    const ballast = join(folder, 'ballast')
    await writeFile(ballast, Buffer.alloc(48 * 1024))
    const problems: string[] = []
    const transcript = transcriptAt(join(folder, 's1.jsonl'), { onProblem: (problem) => problems.push(problem) })
    const messages = Array.from({ length: 10 }, (_, at) =>
      text(at % 2 === 0 ? 'user' : 'assistant', `${at} ${'x'.repeat(3000)}`),
    )
    for (const message of messages) {
      transcript.append(entryOf(message))
      await transcript.flush()
    }
    expect(problems).toEqual([expect.stringContaining('ENOSPC')])
    await writeFile(ballast, '')
    await transcript.close()
    expect(problems).toHaveLength(1)
    expect(await readTranscript(transcript.path)).toMatchObject({ messages, unfinished: false })
  })
})

/** Mounts a file system of 64 KiB; null: that is not allowed here. */
function mountSmall(folder: string): (() => void) | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    return () => {
      execFileSync('umount', [folder], { stdio: 'ignore' })
    }
  } catch {
    return null
  }
}

describe('a line that is replaced', () => {
  const said = (words: string): TranscriptEntry => told(text('user', words))
  const wordsOf = async (path: string): Promise<unknown[]> =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line).message.content)

  it.each([
    ['a shorter one', 'x'],
    ['one as long', 'original'.replace('o', 'O')],
    ['a longer one', 'y'.repeat(5000)],
  ])('has %s in its place, whatever stands behind it, and nothing of it is left', async (_how, words) => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const transcript = transcriptAt(path)
    transcript.append(said('before'))
    const first = transcript.appendReplaceable(said('original'))
    const second = transcript.appendReplaceable(said('original'))
    await transcript.flush()
    const [, lineBefore] = (await readFile(path, 'utf8')).split('\n')
    await transcript.replace(first, said(words))
    transcript.append(said('behind'))
    await transcript.replace(second, said(words))
    await transcript.replace(first, said('once more'))
    transcript.append(said('last'))
    await transcript.close()
    expect(await wordsOf(path)).toEqual(['before', 'once more', words, 'behind', 'last'])
    expect(await readFile(path, 'utf8')).not.toContain('original')
    const [, line] = (await readFile(path, 'utf8')).split('\n')
    const envelope = ({ message, ...rest }: Record<string, unknown>): object => rest
    expect(envelope(JSON.parse(line ?? ''))).toEqual(envelope(JSON.parse(lineBefore ?? '')))
    expect(await readTranscript(path)).toBeDefined()
  })

  it('is gone also when there is no room for the new one, which comes as soon as there is', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const problems: string[] = []
    const transcript = transcriptAt(path, { onProblem: (problem) => problems.push(problem) })
    const line = transcript.appendReplaceable(said('original'))
    transcript.append(said('behind'))
    await transcript.flush()
    disk.room = 0
    await transcript.replace(line, said('longer than the original one was'))
    expect(await readFile(path, 'utf8')).not.toContain('original"')
    expect(problems).toHaveLength(1)
    disk.reset()
    await transcript.close()
    expect((await wordsOf(path)).toSorted()).toEqual(['behind', 'longer than the original one was'])
  })

  it('is replaced before it was ever written, when the disk had no room for it', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const transcript = transcriptAt(path, { onProblem: () => {} })
    transcript.append(said('before'))
    await transcript.flush()
    disk.room = 0
    const line = transcript.appendReplaceable(said('original'))
    await transcript.replace(line, said('new'))
    disk.reset()
    await transcript.close()
    expect(await wordsOf(path)).toEqual(['before', 'new'])
  })

  it('keeps lines that are appended meanwhile', async () => {
    const path = join(await temporaryFolder(), 's1.jsonl')
    const transcript = transcriptAt(path)
    disk.pauseMs = 1
    const lines = Array.from({ length: 20 }, (_, at) => transcript.appendReplaceable(said(`original ${at}`)))
    const replaced = lines.map(async (line, at) => {
      await transcript.replace(line, said(`${at}: ${'z'.repeat((at * 37) % 100)}`))
      transcript.append(said(`after ${at}`))
    })
    await Promise.all(replaced)
    await transcript.close()
    const words = (await wordsOf(path)) as string[]
    expect(words.slice(0, 20).map((one) => Number.parseInt(one, 10))).toEqual(lines.map((_, at) => at))
    expect(words.filter((one) => one.startsWith('after'))).toHaveLength(20)
  })
})
