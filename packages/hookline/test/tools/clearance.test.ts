import { execFile } from 'node:child_process'
import { chmod, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../src/index.ts'
import {
  type Clearance,
  ClearanceError,
  type GuardOptions,
  guardBatch,
  guardBeforeCall,
  guardCall,
} from '../../src/tools/index.ts'
import { answering, commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { context, pre } from './asked.ts'

const hall = { name: 'light', input: { room: 'hall' }, id: 'toolu_1' }
const later: GuardOptions = { onAsk: () => 'later' }
const sessionId = 'session-1'

/** A project whose hooks want every call asked about, and write down that they ran. */
async function askingWorld(): Promise<World> {
  const answer = {
    hookSpecificOutput: {
      ...pre({ permissionDecision: 'ask', permissionDecisionReason: 'It is late.' }).hookSpecificOutput,
      additionalContext: 'Moths.',
    },
  }
  return makeWorld({
    'project/.claude/settings.json': {
      hooks: {
        PreToolUse: [commands(`echo pre >>../ran; ${answering(answer)}`)],
        PermissionRequest: [commands('echo dialog >>../ran')],
      },
    },
  })
}

/** A call of a world that waits for the user. */
async function waiting(world: World, options: GuardOptions = later): Promise<{ engine: Engine; clearance: Clearance }> {
  const engine = await openOn(world, { sessionId })
  const end = await guardCall(engine, { ...hall, run: () => expect.fail('it ran') }, options)
  if (end.ended !== 'waiting') return expect.fail(end.ended)
  return { engine, clearance: JSON.parse(JSON.stringify(end.clearance)) }
}

const ran = async ({ root }: World): Promise<string> => readFile(join(root, 'ran'), 'utf8')

describe('a call that waits for the user', () => {
  it('ends with the question and a clearance, and was not made', async () => {
    const engine = await openOn(await askingWorld(), { sessionId })
    const end = await guardBeforeCall(engine, hall, later)
    expect(end).toMatchObject({
      ended: 'waiting',
      question: { tool: 'light', input: { room: 'hall' }, reason: 'It is late.' },
      clearance: { session: sessionId, tool: 'light', call: 'toolu_1', input: { room: 'hall' }, reason: 'It is late.' },
      texts: [],
      halt: 'light waits for your answer',
    })
  })

  it('is made in another process once the user allows it, and its hooks do not run again', async () => {
    const world = await askingWorld()
    const { clearance } = await waiting(world)
    const other = await openOn(world, { sessionId }) // what another process would open
    const end = await guardCall(other, { ...hall, answer: { clearance, allow: true }, run: () => 'on' })
    expect(end).toMatchObject({ ended: 'ran', output: 'on', halt: null })
    expect(end.texts).toEqual([
      '<system-reminder>\nPreToolUse:light hook additional context: Moths.\n</system-reminder>',
    ])
    expect(await ran(world)).toBe('pre\ndialog\n')
  })

  it('is refused when the user says no, and cannot be answered again', async () => {
    const { engine, clearance } = await waiting(await askingWorld())
    const run = () => expect.fail('it ran')
    expect(await guardCall(engine, { ...hall, answer: { clearance, allow: false }, run })).toMatchObject({
      ended: 'refused',
      by: 'permission',
    })
    await expect(guardCall(engine, { ...hall, answer: { clearance, allow: true }, run })).rejects.toMatchObject({
      name: 'ClearanceError',
      fault: 'used',
    })
  })

  it('is made with the input that hooks left, checked again', async () => {
    const engine = await openOn(await makeWorld(), { sessionId })
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask', updatedInput: { room: 'cellar' } }))
    const check = (input: unknown) => ({ input: { ...Object(input), checked: true } })
    const end = await guardBeforeCall(engine, { ...hall, check }, later)
    const clearance = end.ended === 'waiting' ? end.clearance : expect.fail(end.ended)
    const answer = { clearance, allow: true }
    expect(await guardBeforeCall(engine, { ...hall, check, answer })).toMatchObject({
      input: { room: 'cellar', checked: true },
    })
  })

  it('stops no other call of its batch, and is told apart from those', async () => {
    const engine = await openOn(await makeWorld(), { sessionId })
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask' }), { matcher: 'tool_input.room == "hall"' })
    const run = (input: unknown) => input
    const ends = await guardBatch(
      engine,
      [
        { ...hall, run },
        { ...hall, input: { room: 'cellar' }, run },
      ],
      later,
    )
    expect(ends.map(({ ended }) => ended)).toEqual(['waiting', 'ran'])
  })
})

describe('other hooks since', () => {
  it('are asked, and may refuse what the user allowed', async () => {
    const world = await askingWorld()
    const { clearance } = await waiting(world)
    const hooks = { PreToolUse: [commands('echo not any more >&2; exit 2')] }
    await put(world, 'project/.claude/settings.json', { hooks })
    const engine = await openOn(world, { sessionId })
    const run = () => expect.fail('it ran')
    expect(await guardCall(engine, { ...hall, answer: { clearance, allow: true }, run })).toMatchObject({
      ended: 'refused',
      by: 'hook',
    })
  })

  it('do not ask the user a second time about the same input', async () => {
    const world = await askingWorld()
    const { engine, clearance } = await waiting(world)
    await engine.on('PreToolUse', () => context('PreToolUse', 'A new one.'))
    const onAsk = () => expect.fail('the user was asked')
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => 'on' }
    expect(await guardCall(engine, answered, { onAsk })).toMatchObject({ ended: 'ran' })
    expect(await ran(world)).toBe('pre\ndialog\npre\ndialog\n')
  })

  it('ask the user about an input that they change', async () => {
    const { engine, clearance } = await waiting(await askingWorld())
    await engine.on('PreToolUse', () => pre({ updatedInput: { room: 'cellar' } }))
    const answer = { clearance, allow: true }
    expect(await guardBeforeCall(engine, { ...hall, answer }, later)).toMatchObject({
      ended: 'waiting',
      clearance: { input: { room: 'cellar' }, rewritten: true },
    })
  })
})

describe('a clearance that does not count', () => {
  it.each([
    ['other-session', { sessionId: 'session-2' }, {}, {}],
    ['other-agent', {}, {}, { agent: 'agent-7' }],
    ['other-tool', {}, { name: 'lamp' }, {}],
    ['other-call', {}, { id: 'toolu_2' }, {}],
    ['other-input', {}, { input: { room: 'cellar' } }, {}],
    ['tampered', {}, {}, { clearances: { key: 'k'.repeat(32) } }],
  ] as const)('is told as %s, and stays unused', async (fault, session, change, options) => {
    const world = await askingWorld()
    const { clearance, engine } = await waiting(world)
    const other = await openOn(world, { sessionId, ...session })
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => expect.fail('it ran') }
    const error = await guardCall(other, { ...answered, ...change }, options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClearanceError)
    expect(error).toMatchObject({ fault })
    expect(await guardCall(engine, { ...answered, run: () => 'on' })).toMatchObject({ ended: 'ran' })
  })

  it('has expired after a day', async () => {
    const { engine, clearance } = await waiting(await askingWorld())
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => expect.fail('it ran') }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 })
    try {
      await expect(guardCall(engine, answered)).rejects.toMatchObject({ fault: 'expired' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('differs in any byte from the one that was given', async () => {
    const { engine, clearance } = await waiting(await askingWorld(), { ...later, clearances: { key: 'k'.repeat(32) } })
    const text = JSON.stringify(clearance)
    const changes = fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }))
    await fc.assert(
      fc.asyncProperty(changes, async ([at, byte]) => {
        const changed = `${text.slice(0, at)}${String.fromCharCode(byte)}${text.slice(at + 1)}`
        fc.pre(changed !== text)
        const call = { ...hall, answer: { clearance: parsed(changed), allow: true } }
        const verdict = guardBeforeCall(engine, call, { clearances: { key: 'k'.repeat(32) } })
        await expect(verdict).rejects.toMatchObject({ fault: 'tampered' })
      }),
      { numRuns: 300 },
    )
    const call = { ...hall, answer: { clearance: JSON.parse(text), allow: true } }
    expect(await guardBeforeCall(engine, call, { clearances: { key: 'k'.repeat(32) } })).toMatchObject({
      ended: 'cleared',
    })
  })

  it.each([null, undefined, 'yes', 1, [], {}, { signature: '' }])('is not one at all: %j', async (clearance) => {
    const { engine } = await waiting(await askingWorld())
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => expect.fail('it ran') }
    await expect(guardCall(engine, answered)).rejects.toMatchObject({ fault: 'tampered' })
  })
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // the host gives what it has
  }
}

describe('answered twice', () => {
  it('by many at the same time, it is made once', async () => {
    const world = await askingWorld()
    const { clearance } = await waiting(world)
    const engines = await Promise.all([1, 2, 3, 4].map(() => openOn(world, { sessionId })))
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => 'on' }
    const ends = await Promise.allSettled(engines.map((engine) => guardCall(engine, answered)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is asked of the store that the host passes', async () => {
    const { engine, clearance } = await waiting(await askingWorld())
    const used: string[] = []
    const store = { use: (id: string) => used.push(id) === 1 }
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => 'on' }
    await guardCall(engine, answered, { clearances: { store } })
    await expect(guardCall(engine, answered, { clearances: { store } })).rejects.toMatchObject({ fault: 'used' })
    expect(used).toEqual([clearance.id, clearance.id])
  })
})

describe("what is kept in the user's folder", () => {
  const keyOf = ({ home }: World): string => join(home, '.hookline', 'clearance-key')

  it('is a key that only they can read, and the marks of used clearances until they expire', async () => {
    const world = await askingWorld()
    const { engine, clearance } = await waiting(world)
    const { stdout } = await promisify(execFile)('stat', ['-c', '%a', keyOf(world), join(world.home, '.hookline')])
    expect(stdout).toBe('600\n700\n')
    const folder = await put(world, 'home/.hookline/clearances/1000-old', '').then((path) => join(path, '..'))
    await guardCall(engine, { ...hall, answer: { clearance, allow: true }, run: () => 'on' })
    expect(await readdir(folder)).toEqual([`${Date.parse(clearance.expires)}-${clearance.id}`])
  })

  it.each([
    ['may be read by others', (path: string) => chmod(path, 0o644)],
    ['does not hold a key', (path: string) => writeFile(path, 'short')],
  ])('is not used when the key %s', async (why, spoil) => {
    const world = await askingWorld()
    const { engine, clearance } = await waiting(world)
    await spoil(keyOf(world))
    const answered = { ...hall, answer: { clearance, allow: true }, run: () => expect.fail('it ran') }
    await expect(guardCall(engine, answered)).rejects.toThrow(why)
  })

  it('is not used when the key is a link', async () => {
    const world = await askingWorld()
    await put(world, 'elsewhere', 'k'.repeat(64))
    await put(world, 'home/.hookline/trust.json', '{}')
    await symlink(join(world.root, 'elsewhere'), keyOf(world))
    const engine = await openOn(world, { sessionId })
    await expect(guardBeforeCall(engine, hall, later)).rejects.toThrow('clearance-key')
  })

  it('is not needed by a host with a key of its own, which must be long enough', async () => {
    const engine = await openOn(await askingWorld(), { sessionId })
    const options = { ...later, clearances: { key: 'short' } }
    await expect(guardBeforeCall(engine, hall, options)).rejects.toThrow('at least 32 bytes')
  })
})
