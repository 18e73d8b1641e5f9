import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Decision } from '../../src/protocol/record/record.ts'
import { makeLeftovers } from '../../src/replay/past-event.ts'
import { planReplay, type ReplayedEvent, replay } from '../../src/replay/replay.ts'
import { findSessions } from '../../src/replay/sessions.ts'
import { openStage, type Stage } from '../../src/replay/stage.ts'
import { addReplayed, countDifferences, makeTotals } from '../../src/replay/totals.ts'
import type { ProjectVersion } from '../../src/scratch/project-version.ts'
import { recordWith } from '../support/log-lines.ts'
import { type Content, commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { call, prompt, result, transcriptOf, transcripts } from '../support/sessions.ts'

const GUARD = `#!/bin/sh
grep -q '"command":"rm ' && { echo "no rm in $CLAUDE_PROJECT_DIR" >&2; exit 2; }
exit 0
`

function settings(...hooks: string[]): object {
  return { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands(...hooks) }] } }
}

const guarded = {
  'project/guard.sh': GUARD,
  'project/.claude/settings.json': settings('"$CLAUDE_PROJECT_DIR"/guard.sh'),
}

async function stageOf(
  world: World,
  {
    trust = 'accepted' as 'accepted' | 'stored',
    version,
    ...more
  }: { trust?: 'accepted' | 'stored'; version?: ProjectVersion; profile?: 'classic' | 'current' } = {},
): Promise<Stage> {
  const { project, home, managed } = world
  const stage = await openStage(version ?? { kind: 'folder', folder: project }, {
    project,
    home,
    managed,
    trust,
    ...more,
  })
  onTestFinished(() => stage.close())
  return stage
}

async function replayed(stage: Stage, paths: string[], against?: Stage): Promise<ReplayedEvent[]> {
  const found: ReplayedEvent[] = []
  const options = { stage, leftovers: makeLeftovers(), ...(against === undefined ? {} : { against }) }
  for await (const one of replay(await findSessions(paths), options)) found.push(one)
  return found
}

async function replayIn(files: Record<string, Content>, lines: object[]): Promise<ReplayedEvent[]> {
  return replayed(await stageOf(await makeWorld(files)), [await transcriptOf(lines)])
}

describe('replaying a session', () => {
  it('names the calls that a guard would refuse today', async () => {
    const found = await replayIn(guarded, [
      prompt('tidy up'),
      call('t1', 'ls'),
      result('t1', 'a b'),
      call('t2', 'rm a'),
      result('t2', ''),
      call('t3', 'rm b'),
      result('t3', 'PreToolUse:Bash hook error: [./guard.sh]: no rm', { failed: true }),
    ])
    const different = found.filter(({ difference }) => difference !== null)
    expect(different.map(({ event, difference }) => [event.input.tool_input, difference])).toEqual([
      [{ command: 'rm a' }, 'stricter'],
    ])
    expect(different[0]?.now).toMatchObject({
      is: 'refused',
      reason: 'no rm in /home/dev/project',
      by: ['project:PreToolUse:0:0'],
    })
  })

  it('names the calls that would run today', async () => {
    const refused = result('t1', 'PreToolUse:Bash hook error: no', { failed: true })
    const found = await replayIn(guarded, [call('t1', 'ls'), refused])
    expect(found.map(({ difference }) => difference)).toEqual(['milder'])
  })

  it('leaves refusals of people and rules out of it', async () => {
    const words = "The user doesn't want to proceed with this tool use."
    const found = await replayIn(guarded, [call('t1', 'ls'), result('t1', words, { failed: true })])
    expect(found.map(({ difference }) => difference)).toEqual([null])
  })

  it('tells a question from a refusal', async () => {
    const ask = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'`
    const files = { 'project/.claude/settings.json': settings(ask) }
    const [one] = await replayIn(files, [call('t1'), result('t1', 'ok')])
    expect([one?.now?.is, one?.now?.by, one?.difference]).toEqual(['asked', ['project:PreToolUse:0:0'], 'stricter'])
  })

  it('finds nothing to object to in sessions that no hook is for', async () => {
    const world = await makeWorld()
    const totals = makeTotals()
    for (const one of await replayed(await stageOf(world), [transcripts])) addReplayed(totals, one)
    expect(totals.events).toEqual({ prompt: 8, call: 18, result: 15, failure: 3, stop: 11, other: 0 })
    expect(countDifferences(totals)).toBe(0)
  })

  it('gives one session to one engine: a hook that runs once runs once in each', async () => {
    const world = await makeWorld(guarded)
    const stage = await stageOf(world)
    const one = await transcriptOf([call('t1')], 'one.jsonl')
    const two = await transcriptOf([{ ...call('t1'), sessionId: 's2' }], 'two.jsonl')
    const found = await replayed(stage, [one, two])
    expect(found.map(({ record }) => record?.sessionId)).toEqual(['s1', 's2'])
  })

  it('says of an event that this profile does not know that it is none', async () => {
    const record = recordWith({ sessionId: 's1', event: 'Unheard' })
    const [one] = await replayIn({}, [{ record, input: { hook_event_name: 'Unheard' } }])
    expect([one?.now, one?.difference]).toEqual([null, null])
  })
})

describe('the copy in which hooks run', () => {
  it('takes what they write, and the project stays as it is', async () => {
    const hook = 'echo x >> trace.txt; cat trace.txt | wc -l >&2; exit 2'
    const world = await makeWorld({ 'project/.claude/settings.json': settings(hook), 'project/trace.txt': '' })
    const found = await replayed(await stageOf(world), [await transcriptOf([call('t1'), call('t2')])])
    expect(found.map(({ now }) => now?.reason?.trim())).toEqual(['1', '2'])
    expect(await readFile(join(world.project, 'trace.txt'), 'utf8')).toBe('')
  })

  it('stands for the project in paths, and in what people read the project does', async () => {
    const hook = `grep -q "\\"file\\":\\"$CLAUDE_PROJECT_DIR/a.txt\\"" && pwd >&2 && exit 2`
    const world = await makeWorld({ 'project/.claude/settings.json': settings(hook), 'project/src/x': '' })
    const cwd = '/home/dev/project'
    const line = {
      ...call('t1'),
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { file: `${cwd}/a.txt` } }] },
    }
    const lines = [
      { ...prompt('go'), cwd },
      line,
      { ...line, cwd: `${cwd}/src`, message: { content: [{ ...line.message.content[0], id: 't2' }] } },
    ]
    const found = await replayed(await stageOf(world), [await transcriptOf(lines)])
    expect(found.slice(1).map(({ now }) => now?.reason?.trim())).toEqual([cwd, `${cwd}/src`])
  })

  it('has links in the place of node_modules, and a repository of its own', async () => {
    const hook =
      'cat node_modules/x/y >&2; git commit -q --allow-empty -m copy; git log --format=%s >&2; git status --short >&2; exit 2'
    const world = await makeWorld({ 'project/.claude/settings.json': settings(hook) })
    await mkdir(join(world.root, 'modules/x'), { recursive: true })
    await writeFile(join(world.root, 'modules/x/y'), 'module\n')
    await put(world, 'project/.gitignore', 'node_modules\n')
    await mkdir(join(world.project, 'node_modules'))
    await symlink(join(world.root, 'modules/x'), join(world.project, 'node_modules/x'))
    await git(world, 'init', '-q')
    await git(world, 'config', 'user.email', 'a@example.invalid')
    await git(world, 'config', 'user.name', 'A')
    await git(world, 'add', '-A')
    await git(world, 'commit', '-qm', 'real')
    const found = await replayed(await stageOf(world), [await transcriptOf([call('t1')])])
    expect(found[0]?.now?.reason?.trim()).toBe('module\ncopy\nreal')
    expect(await git(world, 'log', '--format=%s')).toBe('real\n')
  })

  it('is apart from the project where that is a further working tree, or links to itself by its full path', async () => {
    const hook = 'echo x >> linked/note; git add -A; git commit -qm copy; git log --format=%s >&2; exit 2'
    const world = await makeWorld({ 'main/.claude/settings.json': settings(hook), 'main/notes/note': '' })
    const main = { ...world, project: join(world.root, 'main') }
    const tree = { ...world, project: join(world.root, 'tree') }
    await git(main, 'init', '-q')
    await git(main, 'config', 'user.email', 'a@example.invalid')
    await git(main, 'config', 'user.name', 'A')
    await git(main, 'add', '-A')
    await git(main, 'commit', '-qm', 'real')
    await git(main, 'worktree', 'add', '-q', tree.project)
    await symlink(join(tree.project, 'notes'), join(tree.project, 'linked'))
    const found = await replayed(await stageOf(tree), [await transcriptOf([call('t1')])])
    expect(found[0]?.now?.reason?.trim()).toBe('copy\nreal')
    expect(await git(tree, 'log', '--format=%s')).toBe('real\n')
    expect(await git(tree, 'status', '--short')).toBe('?? linked\n')
    expect(await readFile(join(tree.project, 'notes/note'), 'utf8')).toBe('')
  })

  it('is gone afterwards', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings('pwd -P > "$OUT/where"; exit 0') })
    const stage = await openStage(
      { kind: 'folder', folder: world.project },
      { ...world, trust: 'accepted', env: { ...process.env, OUT: world.root } },
    )
    await replayed(stage, [await transcriptOf([call('t1')])])
    const where = (await readFile(join(world.root, 'where'), 'utf8')).trim()
    expect(existsSync(where)).toBe(true)
    await stage.close()
    expect(existsSync(where)).toBe(false)
    expect(await readdir(world.project)).toEqual(['.claude'])
  })

  it('runs nothing that the user has not accepted for the project', async () => {
    const world = await makeWorld(guarded)
    const stage = await stageOf(world, { trust: 'stored' })
    const totals = makeTotals()
    for (const one of await replayed(stage, [await transcriptOf([call('t1', 'rm x')])])) addReplayed(totals, one)
    expect([...totals.untrusted]).toEqual(['project:PreToolUse:0:0'])
    expect(countDifferences(totals)).toBe(0)
  })

  it('writes nothing into the log of what happened', async () => {
    const world = await makeWorld(guarded)
    const log = join(world.root, 'hooks.jsonl')
    const stage = await openStage(
      { kind: 'folder', folder: world.project },
      { ...world, trust: 'accepted', env: { ...process.env, HOOKLINE_LOG: log } },
    )
    onTestFinished(() => stage.close())
    await replayed(stage, [await transcriptOf([call('t1', 'rm x')])])
    expect(existsSync(log)).toBe(false)
  })
})

describe('planning a session', () => {
  const planned = async (matcher: string): Promise<number[]> => {
    const hooks = { PreToolUse: [{ matcher, ...commands('true') }], Stop: [commands('true')] }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }))
    const lines = ['ls', 'rm a', 'ls'].map((command, at) => call(`t${at}`, command))
    const found: number[] = []
    const sessions = await findSessions([await transcriptOf([prompt('go'), ...lines])])
    for await (const some of planReplay(sessions, { engine, leftovers: makeLeftovers() }))
      found.push(...some.map((one) => one.hooks?.length ?? -1))
    return found
  }

  it('says for each event how many hooks would run', async () => {
    expect(await planned('Bash')).toEqual([0, 1, 1, 1])
    expect(await planned('Write')).toEqual([0, 0, 0, 0])
  })

  it('looks at each input where a matcher does', async () => {
    expect(await planned('tool_input.command == "rm a"')).toEqual([0, 0, 1, 0])
  })
})

describe('two versions of the hooks', () => {
  it('are compared with each other: what git has under a name, and what is there now', async () => {
    const world = await makeWorld(guarded)
    await git(world, 'init', '-q')
    await git(world, 'add', '-A')
    await git(world, '-c', 'user.name=A', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'one')
    await put(world, 'project/guard.sh', GUARD.replace('rm ', 'mv '))
    const version = { kind: 'ref', ref: 'HEAD', project: world.project } as const
    const lines = ['rm a', 'mv a b', 'ls'].map((command, at) => call(`t${at}`, command))
    const found = await replayed(await stageOf(world), [await transcriptOf(lines)], await stageOf(world, { version }))
    expect(found.map(({ difference }) => difference)).toEqual(['milder', 'stricter', null])
    expect(await git(world, 'status', '--short')).toBe(' M guard.sh\n')
  })

  it('differ too when they refuse alike and say something else', async () => {
    const one = await makeWorld(guarded)
    const two = await makeWorld({ ...guarded, 'project/guard.sh': GUARD.replace('no rm', 'never rm') })
    const found = await replayed(await stageOf(one), [await transcriptOf([call('t1', 'rm a')])], await stageOf(two))
    expect(found.map(({ difference }) => difference)).toEqual(['other'])
  })

  it('are named when git does not know them', async () => {
    const world = await makeWorld(guarded)
    await git(world, 'init', '-q')
    const version = { kind: 'ref', ref: 'no-such-branch', project: world.project } as const
    await expect(stageOf(world, { version })).rejects.toThrow('"no-such-branch" is neither a folder nor a version')
  })
})

async function git({ project }: World, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', project, ...args], { timeout: 30_000 })
  return stdout
}

describe('replaying records of current', () => {
  const answering = (fields: object): string => `printf '%s' '${JSON.stringify({ hookSpecificOutput: fields })}'`
  const deferring = answering({ hookEventName: 'PreToolUse', permissionDecision: 'defer' })
  const asking = answering({ hookEventName: 'PreToolUse', permissionDecision: 'ask' })

  /** A log line of a call about which hooks said this. */
  const logged = (permission: Decision['permission']): object => ({
    input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    record: recordWith({ event: 'PreToolUse', decision: { permission } }),
  })

  it('holds what hooks put off or ask about against what they said then', async () => {
    const lines = [logged('defer'), logged('ask'), logged('allow')]
    for (const [hook, expected] of [
      [deferring, [null, 'stricter', 'stricter']],
      [asking, ['milder', null, 'stricter']],
      ['true', ['milder', 'milder', null]],
    ] as const) {
      const world = await makeWorld({ 'project/.claude/settings.json': settings(hook) })
      const stage = await stageOf(world, { profile: 'current' })
      const found = await replayed(stage, [await transcriptOf(lines)])
      expect(found.map(({ difference }) => difference)).toEqual(expected)
      const totals = makeTotals()
      for (const one of found) addReplayed(totals, one)
      expect(countDifferences(totals)).toBe(expected.filter((each) => each !== null).length)
    }
  })

  it('sees when two versions ask for other effects', async () => {
    const titled = (sessionTitle: string): object => ({
      hooks: { UserPromptSubmit: [commands(answering({ hookEventName: 'UserPromptSubmit', sessionTitle }))] },
    })
    const [one, same, other] = await Promise.all(
      ['Lamps', 'Lamps', 'Candles'].map(async (title) =>
        stageOf(await makeWorld({ 'project/.claude/settings.json': titled(title) }), { profile: 'current' }),
      ),
    )
    const path = await transcriptOf([prompt('tidy up')])
    if (!one || !same || !other) throw new Error('there are three')
    expect((await replayed(one, [path], same)).map(({ difference }) => difference)).toEqual([null])
    expect(await replayed(one, [path], other)).toMatchObject([
      {
        difference: 'other',
        now: { effects: { sessionTitle: 'Lamps' } },
        against: { effects: { sessionTitle: 'Candles' } },
      },
    ])
  })
})
