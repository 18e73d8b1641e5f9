import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ChainLine, verifyChain } from '../../src/fleet/chain.ts'
import { LEVELS } from '../../src/fleet/levels.ts'
import { findSpool, listSegments, readSegment, sweepSpool } from '../../src/fleet/segments.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const URL_HERE = 'http://127.0.0.1:9/'
const USER = 'home/.claude/settings.json'
const fleet = (more: object = {}) => ({ hookline: { fleet: { url: URL_HERE, ...more } } })
const guard = (command: string) => ({ hooks: { PreToolUse: [commands(command)] } })

/** The lines of the one segment of a world. */
async function linesOf(world: World): Promise<ChainLine[]> {
  const [segment] = await listSegments(findSpool(world.home))
  if (segment === undefined) return []
  return (await readSegment(segment)).lines.map((line) => JSON.parse(line))
}

/** Some events in a world with a fleet: the lines and the epoch of their segment. */
async function spooled(world: World, count = 3): Promise<{ lines: string[]; epoch: string }> {
  const engine = await openOn(world)
  for (let at = 0; at < count; at++) await engine.dispatch(bashCall)
  await engine.close()
  const [segment] = await listSegments(findSpool(world.home))
  return { lines: segment === undefined ? [] : (await readSegment(segment)).lines, epoch: segment?.epoch ?? '' }
}

describe('the spool', () => {
  it('has each record before its decision is there, and an end', async () => {
    const world = await makeWorld({ [USER]: { ...fleet(), ...guard('echo no >&2; exit 2') } })
    const engine = await openOn(world)
    const { id } = await engine.dispatch(bashCall)
    const facts = { id, outcome: 'denied', tool: 'Bash', hooks: [{ outcome: 'blocking' }] }
    expect(await linesOf(world)).toMatchObject([{ seq: 1, digest: null, facts }])
    await engine.close()
    expect((await linesOf(world)).at(-1)).toMatchObject({ seq: 2, facts: { end: true } })
  })

  it('is for its user alone', async () => {
    const world = await makeWorld({ [USER]: fleet() })
    await spooled(world)
    const { folder } = findSpool(world.home)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })

  it('is not there without a fleet, and a project cannot ask for one', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': fleet(),
      'project/.claude/settings.local.json': fleet(),
    })
    await spooled(world)
    expect(await listSegments(findSpool(world.home))).toEqual([])
  })

  it('follows a policy whole, not the user', async () => {
    const world = await makeWorld({ [USER]: fleet({ level: 'full' }), 'managed.json': fleet({ level: 'counts' }) })
    await spooled(world, 1)
    const [first] = await linesOf(world)
    expect(first).toMatchObject({ digest: null, facts: { at: expect.stringMatching(/:00:00\.000Z$/) } })
    expect(first?.facts).not.toHaveProperty('session')
  })

  it.each([
    ['no address', fleet({ url: 'fleet' }), 'is not an address'],
    ['plain http elsewhere', fleet({ url: 'http://fleet.example/' }), 'is not https'],
    ['a made-up level', fleet({ level: 'all' }), 'is not valid'],
    ['a made-up field', fleet({ levle: 'facts' }), 'is not valid'],
  ])('is told, and not there, with %s', async (_, settings, words) => {
    const world = await makeWorld({ [USER]: settings })
    const engine = await openOn(world)
    const { notices } = await engine.dispatch(bashCall)
    expect(notices?.join()).toContain(words)
    expect(await listSegments(findSpool(world.home))).toEqual([])
  })

  it.each(['best-effort', 'strict'])('cannot be kept: %s', async (mode) => {
    const world = await makeWorld({ [USER]: fleet({ mode }), 'home/.hookline/spool': 'a file in its place' })
    const engine = await openOn(world)
    const { decision } = await engine.dispatch(bashCall)
    expect(decision.permission).toBe(mode === 'strict' ? 'deny' : null)
    if (mode === 'strict') expect(decision.reason).toContain('cannot be kept')
  })

  it('has what waited in memory once it can be written again', async () => {
    const world = await makeWorld({ [USER]: fleet(), 'home/.hookline/spool': 'a file in its place' })
    const engine = await openOn(world)
    await engine.dispatch(bashCall)
    await rm(join(world.home, '.hookline/spool'))
    await engine.dispatch(bashCall)
    await engine.close()
    const [segment] = await listSegments(findSpool(world.home))
    const { lines } = await readSegment(segment ?? { path: '' })
    expect(lines).toHaveLength(3)
    const verified = verifyChain(lines, { epoch: segment?.epoch ?? '', isOpen: false })
    expect(verified).toMatchObject({ isIntact: true, isComplete: true })
  })
})

describe('hookline doctor', () => {
  it.each([
    [fleet({ level: 'redacted' }), /fleet +redacted go to http:\/\/127\.0\.0\.1:9\/ by your settings, not enrolled/],
    [fleet({ level: 'all' }), /"fleet" is not valid/],
  ])('says what leaves the machine, and where to: %j', async (settings, words) => {
    const world = await makeWorld({ [USER]: settings })
    const { stdout, code } = await hooklineInProcess(world, ['doctor'], { env: { COLUMNS: '200' } })
    expect(stdout).toMatch(words)
    expect(code).toBe(1)
  })
})

describe('a level', () => {
  const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const WORDS = 'an-unusual-word'
  const input = { ...bashCall, tool_input: { command: `curl -H "Authorization: Bearer ${SECRET}" ${WORDS}` } }

  it.each(LEVELS)('%s keeps what it says, and no more', async (level) => {
    const refusing = guard(`echo '${WORDS} ${SECRET}' >&2; exit 2`)
    const world = await makeWorld({ [USER]: { ...fleet({ level }), ...refusing } })
    const engine = await openOn(world)
    await engine.dispatch(input)
    await engine.close()
    const { folder } = findSpool(world.home)
    const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    expect(texts.join().includes(WORDS)).toBe(level === 'redacted' || level === 'full')
    expect(texts.join().includes(SECRET)).toBe(level === 'full')
  })

  it('full has nothing of a prompt that was refused', async () => {
    const hooks = { UserPromptSubmit: [commands(`echo 'no' >&2; exit 2`)] }
    const world = await makeWorld({ [USER]: { ...fleet({ level: 'full' }), hooks } })
    const engine = await openOn(world)
    await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: `say ${WORDS}` })
    await engine.close()
    const bodies = (await linesOf(world)).map(({ body = '' }) => body).join()
    expect(bodies).toContain('UserPromptSubmit')
    expect(bodies).not.toContain(WORDS)
  })
})

describe('a chain', () => {
  type Change = (lines: string[]) => string[]
  const edit = (lines: readonly string[], at: number, from = '"passed"', to = '"denied"') =>
    lines.map((line, index) => (index === at ? line.replace(from, to) : line))
  const swap: Change = ([first = '', second = '', third = '', ...rest]) => [first, third, second, ...rest]

  it.each<[string, Change, string[]]>([
    ['nothing where nothing was changed', (lines) => lines, []],
    ['an edit', (lines) => edit(lines, 1), ['edited']],
    ['an edit of the last record', (lines) => edit(lines, 3), ['edited']],
    ['a body that is another', (lines) => edit(lines, 1, 'command\\"', 'other\\"'), ['edited']],
    ['a record taken out', (lines) => lines.filter((_, at) => at !== 2), ['gap']],
    ['another order', swap, ['gap', 'reordered']],
    ['a cut head', (lines) => lines.slice(1), ['cut-head']],
    ['a cut tail', (lines) => lines.slice(0, -1), ['cut-tail']],
    ['a line cut in two', (lines) => [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, 20)], ['cut-tail']],
  ])('names %s', async (_, change, faults) => {
    const world = await makeWorld({ [USER]: fleet({ level: 'redacted' }) })
    const { lines, epoch } = await spooled(world, 4)
    const found = verifyChain(change(lines), { epoch, isOpen: false }).faults.map(({ fault }) => fault)
    expect(found).toEqual(expect.arrayContaining(faults))
    expect(found.length > 0).toBe(faults.length > 0)
  })

  it('names one that was replaced whole, and one cut behind what the server has', async () => {
    const own = await spooled(await makeWorld({ [USER]: fleet() }))
    const foreign = await spooled(await makeWorld({ [USER]: fleet() }))
    const { head } = verifyChain(own.lines, { epoch: own.epoch, isOpen: false })
    const findFaults = ({ lines, epoch }: { lines: string[]; epoch: string }) =>
      verifyChain(lines, { epoch, known: head, isOpen: false }).faults.map(({ fault }) => fault)
    expect(findFaults(own)).toEqual([])
    expect(findFaults(foreign)).toEqual(['replaced'])
    expect(findFaults({ ...own, lines: own.lines.slice(0, 2) })).toEqual(['cut-tail'])
  })

  it('stays whole when bodies go', async () => {
    const { lines, epoch } = await spooled(await makeWorld({ [USER]: fleet({ level: 'full' }) }))
    const bare = lines.map((line) => JSON.stringify({ ...JSON.parse(line), body: undefined }))
    expect(verifyChain(bare, { epoch, isOpen: false })).toMatchObject({ isIntact: true, isComplete: true })
  })
})

describe('a spool in which something else lies', () => {
  it('has the segments alone: neither a pipe nor a link nor a folder of such a name', async () => {
    const world = await makeWorld({ [USER]: fleet(), 'elsewhere.jsonl': '{}\n' })
    const { epoch } = await spooled(world)
    const { folder } = findSpool(world.home)
    execFileSync('mkfifo', [join(folder, 'pipe-1.jsonl')])
    await symlink(join(world.root, 'elsewhere.jsonl'), join(folder, 'link-1.jsonl'))
    await mkdir(join(folder, 'folder-1.jsonl'))
    expect((await listSegments({ folder })).map((segment) => segment.epoch)).toEqual([epoch])
  })
})

describe('a spool that is full', () => {
  it('loses bodies before facts, the oldest first, and says what went', async () => {
    const place = findSpool((await makeWorld()).home)
    await mkdir(place.folder, { recursive: true })
    const makeText = (): string => Array.from({ length: 3000 }, () => Math.random().toString(36)).join()
    for (const epoch of ['a', 'b', 'c']) {
      const lines = Array.from({ length: 5 }, (_, at) =>
        JSON.stringify({
          seq: at + 1,
          prev: 'p',
          facts: { at: makeText().slice(0, 90) },
          digest: 'd',
          body: makeText(),
        }),
      )
      await writeFile(join(place.folder, `${epoch}-999999999.jsonl`), `${lines.join('\n')}\n`)
    }
    expect(await sweepSpool(place, 1024 * 1024)).toEqual({ sealed: 3, withoutBodies: 0, dropped: 0 })
    const [first, second] = (await listSegments(place)).map(({ bytes }) => bytes)
    expect(await sweepSpool(place, (first ?? 0) + (second ?? 0) + 3000)).toMatchObject({ withoutBodies: 1, dropped: 0 })
    for (let again = 0; again < 2; again++) {
      await sweepSpool(place, 1)
      for (const segment of await listSegments(place)) {
        const { lines } = await readSegment(segment)
        const [loss, end] = lines.map((line): ChainLine => JSON.parse(line))
        expect(loss).toMatchObject({ seq: 1, facts: { lost: 5, because: 'the spool was full' } })
        expect(end).toMatchObject({ seq: 2, facts: { end: true } })
        expect(verifyChain(lines, { epoch: segment.epoch, isOpen: false })).toMatchObject({ faults: [] })
      }
    }
    expect(await listSegments(place)).toHaveLength(3)
  })
})

describe('a spool that nobody ships', () => {
  const LIMIT = 256 * 1024
  const measure = async (world: World): Promise<number> => {
    const segments = await listSegments(findSpool(world.home))
    return segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  const isKept = async (world: World, id: string): Promise<boolean> => {
    for (const segment of (await listSegments(findSpool(world.home))).reverse())
      if ((await readSegment(segment)).lines.some((line) => line.includes(`"${id}"`))) return true
    return false
  }
  const noise = (): string => Array.from({ length: 200 }, () => Math.random().toString(36)).join(' ')

  it.each([
    ['quick', { isSlow: false, isWaitedFor: true }],
    ['slow', { isSlow: true, isWaitedFor: true }],
    ['slow and busy', { isSlow: true, isWaitedFor: false }],
  ])(
    'of one process stays within its limit on a %s disk: in segments that hold, bodies before facts',
    async (_disk, { isSlow, isWaitedFor }) => {
      const world = await makeWorld({ [USER]: fleet({ level: 'full', maxBytes: LIMIT }) })
      let now = 0
      const clock = isSlow ? vi.spyOn(performance, 'now').mockImplementation(() => (now += 6)) : null
      onTestFinished(() => clock?.mockRestore())
      const engine = await openOn(world)
      const ids: string[] = []
      for (let at = 0; at < 250; at++) {
        ids.push((await engine.dispatch({ ...bashCall, tool_input: { command: noise() } })).id)
        if (isSlow && isWaitedFor)
          await vi.waitFor(async () => expect(await isKept(world, ids.at(-1) ?? '')).toBe(true))
      }
      await engine.close()
      expect(await measure(world)).toBeLessThan(LIMIT * 1.25)
      const segments = await listSegments(findSpool(world.home))
      expect(segments.length).toBeGreaterThan(8)
      const kept: ChainLine[] = []
      for (const segment of segments) {
        const { lines } = await readSegment(segment)
        expect(verifyChain(lines, { epoch: segment.epoch, isOpen: false })).toMatchObject({ faults: [] })
        kept.push(...lines.map((line) => JSON.parse(line)))
      }
      expect(kept.flatMap(({ facts }) => ('id' in facts ? [facts.id] : [])).sort()).toEqual(ids.sort())
      const bare = kept.filter(({ digest, body }) => digest !== null && body === undefined)
      expect(bare.length).toBeGreaterThan(50)
      expect(kept.filter(({ body }) => body !== undefined).length).toBeGreaterThan(10)
    },
  )

  it('of many processes is swept by them, once an hour', async () => {
    const world = await makeWorld({ [USER]: fleet({ level: 'full', maxBytes: LIMIT }) })
    const { folder } = findSpool(world.home)
    await mkdir(folder, { recursive: true })
    const isSealed = async () => (await readdir(folder)).some((name) => name.endsWith('.gz'))
    const leave = (epoch: string) =>
      writeFile(
        join(folder, `${epoch}-999999999.jsonl`),
        `${JSON.stringify({ seq: 1, prev: '', facts: {}, digest: null })}\n`,
      )
    await leave('first')
    await spooled(world)
    expect(await isSealed()).toBe(true)
    await leave('second')
    await spooled(world)
    expect((await listSegments({ folder })).find(({ epoch }) => epoch === 'second')?.path).not.toContain('.gz')
    const past = Date.now() / 1000 - 7200
    await utimes(join(folder, '.swept'), past, past)
    await spooled(world)
    expect((await listSegments({ folder })).find(({ epoch }) => epoch === 'second')?.path).toContain('.gz')
  })
})
