import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Bridge, JsonObject } from '../../src/bridges/bridge.ts'
import { readEventName } from '../../src/bridges/call/payload.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { runBridge } from '../../src/bridges/run.ts'
import { answering, commands, makeWorld, put } from '../support/project.ts'
import { asRead, FATES } from './fates.ts'
import { ask, HOSTS, worldWith } from './host.ts'

const RECORDING = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
const hosts = Object.entries(HOSTS)
/** In the order of parts, which are shown side by side. */
const partsSeenIn = (project: string): Record<string, unknown>[] =>
  seenIn(project).sort((one, other) => (String(one.tool_use_id) < String(other.tool_use_id) ? -1 : 1))
const seenIn = (project: string): Record<string, unknown>[] =>
  readFileSync(join(project, 'seen.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What each host is told when a call is refused. */
const REFUSALS: Readonly<Record<string, object>> = {
  codex: json({ hookSpecificOutput: nestedDeny('no') }),
  copilot: json({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
  cursor: json({ permission: 'deny', user_message: 'no', agent_message: 'no' }),
  opencode: json({ refuse: 'no' }),
  kilo: json({ refuse: 'no' }),
  pi: json({ refuse: 'no' }),
  gemini: json({ decision: 'deny', reason: 'no' }),
  qwen: json({ hookSpecificOutput: nestedDeny('no') }),
  droid: json({ hookSpecificOutput: nestedDeny('no') }),
  kimi: { stdout: '', stderr: 'no', code: 2 },
  vscode: json({ hookSpecificOutput: nestedDeny('no') }),
  cline: json({ cancel: true, errorMessage: 'no' }),
  windsurf: { stdout: '', stderr: 'no', code: 2 },
  kiro: { stdout: '', stderr: 'no', code: 2 },
  grok: { stdout: JSON.stringify({ decision: 'deny', reason: 'no' }), stderr: 'no', code: 2 },
  antigravity: json({ decision: 'deny', reason: 'no' }),
}

function nestedDeny(permissionDecisionReason: string): object {
  return { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason }
}

function json(answer: object): object {
  return { stdout: JSON.stringify(answer), stderr: '', code: 0 }
}

it.each(AGENTS)('has a table for %s in which no two events differ in their spelling alone', (agent) => {
  const names = Object.keys(findBridge(agent)?.events ?? {})
  const spelt = names.map((name) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase())
  expect(new Set(spelt).size).toBe(names.length)
})

it('is tried with every agent that there is a bridge to', () => {
  expect(Object.keys(HOSTS).sort()).toEqual([...AGENTS].sort())
})

describe.each(hosts)('a payload of %s', (agent, host) => {
  it('is shown to hooks as Claude Code would send it', async () => {
    const world = await worldWith({ PreToolUse: [{ hooks: [{ type: 'command', command: RECORDING }] }] })
    const { project } = world
    expect(await ask(world, agent, host.before, host.shell('echo hi', { cwd: project }))).toMatchObject({ code: 0 })
    await ask(world, agent, host.writes ?? host.before, host.write('sub/../a.txt', 'hello', { cwd: project }))
    const [shell, write] = seenIn(project)
    expect(shell).toMatchObject({
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      cwd: project,
      tool_name: 'Bash',
      tool_input: { command: 'echo hi' },
      tool_use_id: expect.stringMatching(/./),
      permission_mode: expect.stringMatching(/^(default|bypassPermissions)$/),
      transcript_path: expect.stringContaining('transcript.jsonl'),
      host: { agent, event: host.before },
    })
    expect(write).toMatchObject({
      tool_name: 'Write',
      tool_input: { file_path: join(project, 'a.txt'), content: expect.stringContaining('hello') },
    })
  })

  it('has the answer in the shape of the tool after the call, under the same id', async () => {
    const world = await worldWith({
      PreToolUse: [{ hooks: [{ type: 'command', command: RECORDING }] }],
      PostToolUse: [{ hooks: [{ type: 'command', command: RECORDING }] }],
    })
    const { project } = world
    for (const [event, output] of [[host.before], [host.after, 'hi']] as const)
      await ask(world, agent, event, host.shell('echo hi', { cwd: project, ...(output && { output }) }))
    const [before, after] = seenIn(project)
    expect(after).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_use_id: before?.tool_use_id,
      tool_response: { stdout: host.tellsNoOutput ? '' : 'hi', stderr: '', interrupted: false },
    })
  })

  it('is refused in the form of the host, however a hook says no', async () => {
    const deny = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    }
    for (const command of [
      'echo no >&2; exit 2',
      'echo no; exit 2',
      answering(deny),
      answering({ ...deny, suppressOutput: true, one: 1, two: 2, three: 3 }),
      answering({ decision: 'block', reason: 'no' }),
    ]) {
      const world = await worldWith({ PreToolUse: [{ matcher: 'Bash', ...commands(command) }] })
      expect(await ask(world, agent, host.before, host.shell('rm -rf /')), command).toMatchObject(REFUSALS[agent] ?? {})
    }
  })

  it('is refused with a reason where the hook gives none', async () => {
    const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }
    for (const command of ['exit 2', answering(deny)]) {
      const world = await worldWith({ PreToolUse: [commands(command)] })
      const { stdout, stderr } = await ask(world, agent, host.before, host.shell('rm -rf /'))
      expect(stdout + stderr).toMatch(/Blocked by hook|No stderr output/)
    }
  })

  it('gets no exit code of a hook, and nothing that a hook prints', async () => {
    for (const command of ['exit 1', 'exit 3', 'no-such-program-here', 'kill -9 $$', 'echo a banner']) {
      const world = await worldWith({ PreToolUse: [commands(command)] })
      const { stdout, stderr, code } = await ask(world, agent, host.before, host.shell('ls'))
      expect([code, stdout], command).toEqual([
        0,
        expect.stringMatching(
          /^(\{\}|\{"decision":"allow"\}|\{"systemMessage".*\}|\{"user_message".*\}|\{"toast".*\}|\{"type":"progress".*\})?$/,
        ),
      ])
      expect(stderr).not.toContain('banner')
    }
  })

  it('is answered in time for the host, by a refusal where a guard fails closed', async () => {
    const guard = { type: 'command', command: 'sleep 60', onFailure: 'block' }
    const world = await worldWith({ PreToolUse: [{ hooks: [guard] }] })
    const since = performance.now()
    const { stdout, stderr } = await ask(world, agent, host.writes ?? host.before, host.write('a.txt', 'x'), {
      limit: 0.3,
    })
    expect(performance.now() - since).toBeLessThan(30_000)
    expect(stdout + stderr).toMatch(/timed out|time/)
    expect([stdout, stderr]).not.toContain('{}')
  })

  it('is refused where a guard has less time than it is given', async () => {
    const world = await worldWith({ PreToolUse: [commands('sleep 60')] })
    const refused = await ask(world, agent, host.before, host.shell('ls'), { limit: 0.2 })
    expect(FATES[agent]?.(refused)).toBe('refused')
    expect(refused.stdout + refused.stderr).toContain('did not end within the time')
  })

  it.runIf(host.prompt !== null)('blocks a prompt, or every call that follows it', async () => {
    const world = await worldWith({ UserPromptSubmit: [commands('echo "not this" >&2; exit 2')] })
    const blocked = await ask(world, agent, host.prompt ?? '', host.said('hello'))
    const isLost = findBridge(agent)?.answers.promptBlock.how === 'lost'
    const { stdout, stderr, code } = isLost ? await ask(world, agent, host.before, host.shell('ls')) : blocked
    expect(stdout + stderr).toContain('not this')
    expect([0, 2]).toContain(code)
  })

  it('carries every context to the model, once, now or later', async () => {
    const context = (text: string) =>
      answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: text } })
    const world = await worldWith({ PreToolUse: [commands(context('remember the milk'))] })
    const told: string[] = []
    for (const [event, payload] of [
      [host.before, host.shell('ls')],
      [host.after, host.shell('ls', { output: 'x' })],
      [host.prompt, host.said('next')],
      [host.prompt, host.said('and next')],
    ] as const)
      if (event !== null) told.push((await ask(world, agent, event, payload)).stdout)
    const carries = findBridge(agent)?.answers.contextBeforeTool.how !== 'lost'
    expect(told.filter((stdout) => stdout.includes('remember the milk'))).toHaveLength(carries ? 1 : 0)
  })

  it('refuses every call after a halt that the host cannot carry out, until the next prompt', async () => {
    const world = await worldWith({
      PostToolUse: [commands(answering({ continue: false, stopReason: 'enough' }))],
    })
    const after = await ask(world, agent, host.after, host.shell('ls', { output: 'x' }))
    const next = await ask(world, agent, host.before, host.shell('ls'))
    expect(`${after.stdout}${next.stdout}${next.stderr}`).toContain('enough')
    await ask(world, agent, host.prompt ?? 'Stop', host.said('go on'))
    const again = await ask(world, agent, host.before, host.shell('ls'))
    expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining('enough')])
  })

  it.runIf(host.stop !== null)('sends the agent on at the end of a turn, and not for ever', async () => {
    const world = await worldWith({ Stop: [commands('echo "tests are red" >&2; exit 2')] })
    const stop = { session_id: 's1', sessionId: 's1', conversation_id: 's1' }
    let sent = 0
    for (let turn = 0; turn < 12; turn++) {
      const { stdout, stderr } = await ask(world, agent, host.stop ?? '', stop)
      if ((stdout + stderr).includes('tests are red')) sent++
    }
    const hostCaps = ['copilot', 'cursor', 'qwen', 'grok'].includes(agent)
    expect(sent).toBe(hostCaps ? 12 : 8)
  })

  it('is refused before a tool when it cannot be read and a hook guards it, and let go when none does', async () => {
    const guarded = await worldWith({ PreToolUse: [commands('true')] })
    const open = await makeWorld()
    for (const payload of ['', 'garbage', '[]', '{"half":', '{}', null]) {
      const refused = await ask(guarded, agent, host.before, payload)
      expect(refused.stdout + refused.stderr, String(payload)).toContain('Hookline could not ask the hooks')
      const free = await ask(open, agent, host.before, payload)
      expect([free.code, free.stdout]).toEqual([0, expect.stringMatching(/^(\{\}|\{"decision":"allow"\})?$/)])
      expect(free.notes).toHaveLength(payload === '{}' ? 0 : 1) // where no hook listens, nothing is looked into
    }
  })

  it('is asked about however its event is written, and whatever event it is called for', async () => {
    const world = await worldWith({ PreToolUse: [commands('echo no >&2; exit 2')] })
    const { before } = host
    const words = before.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    const names = [
      before.toUpperCase(),
      before.toLowerCase(),
      words,
      words.toUpperCase(),
      words.replaceAll(/[_.]/g, '-'),
    ]
    const payload = host.shell('ls')
    const isNamed = readEventName(payload as JsonObject) !== null
    const others = isNamed ? ['NoSuchEvent', host.after, ...(host.stop === null ? [] : [host.stop])] : []
    for (const name of [...names, ...others])
      expect(FATES[agent]?.(await ask(world, agent, name, payload)), name).toBe('refused')
  })

  it('says nothing about events that hooks of Claude Code do not have', async () => {
    const world = await worldWith({ PreToolUse: [commands('exit 2')] })
    const { code, stdout, notes } = await ask(world, agent, 'NoSuchEvent', {})
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(\{\})?$/)])
    expect(notes.join()).toContain('NoSuchEvent')
  })
})

describe('a payload of another agent', () => {
  it.each(hosts)('opens no guard in %s', async (agent, host) => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'Bash', ...commands('echo no >&2; exit 2') }] })
    for (const other of AGENTS.filter((name) => name !== agent)) {
      const { stdout, stderr } = await ask(world, agent, host.before, HOSTS[other]?.shell('ls') ?? '')
      expect(stdout + stderr, `${other} in ${agent}`).toMatch(/could not ask the hooks|\bno\b/)
    }
  })
})

describe('a host that waits no longer', () => {
  const call = (output?: string): object => HOSTS.codex?.shell('ls', output === undefined ? {} : { output }) ?? {}

  it('is refused a call alone', async () => {
    const world = await worldWith({ PostToolUse: [commands('sleep 60')] })
    const { code, stdout } = await ask(world, 'codex', 'PostToolUse', call('x'), { limit: 0.2 })
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/did not end within|"block"|"deny"/)])
  })

  it('is not refused for a hook that took longer than it may by itself', async () => {
    const world = await worldWith({ PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 60', timeout: 0.2 }] }] })
    expect(FATES.codex?.(await ask(world, 'codex', 'PreToolUse', call(), { limit: 30 }))).toBe('runs')
  })

  it('is refused in time what one hook refuses while another goes on in the background', async () => {
    const world = await worldWith({
      PreToolUse: [commands(`${answering({ async: true })}; sleep 60`), commands('echo no >&2; exit 2')],
    })
    const since = performance.now()
    expect(FATES.codex?.(await ask(world, 'codex', 'PreToolUse', call(), { limit: 2 }))).toBe('refused')
    expect(performance.now() - since).toBeLessThan(30_000)
  })
})

describe('what no hook could be asked about', () => {
  const recorded = async (payload: object | string, event = 'PreToolUse') => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'Bash', ...commands('true') }] })
    const log = join(world.root, 'log.jsonl')
    const { notes } = await ask(world, 'codex', event, payload, { env: { HOOKLINE_LOG: log } })
    const [line = ''] = readFileSync(log, 'utf8').split('\n')
    return { notes, record: JSON.parse(line).record }
  }

  it('is recorded with its reason, and as refused where a hook guards it', async () => {
    const { notes, record } = await recorded('{"half":')
    expect(notes).toEqual(['Codex, PreToolUse: the payload is not JSON.'])
    expect(record).toMatchObject({
      ...{ event: 'PreToolUse', host: { client: 'codex' }, notices: notes },
      decision: { blocked: true, reason: notes[0] },
      hooks: [{ verdict: 'not-reached', because: notes[0] }],
    })
  })

  it('is recorded as let go where none does', async () => {
    const { notes, record } = await recorded('garbage', 'Stop')
    expect(record).toMatchObject({ event: 'Stop', decision: { blocked: false }, hooks: [], notices: notes })
  })

  it.each(hosts)('is recorded where %s calls for an event that no table has, and the host goes on', async (agent) => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }] })
    const log = join(world.root, 'log.jsonl')
    const { notes, code } = await ask(world, agent, 'Martian', { session_id: 's1' }, { env: { HOOKLINE_LOG: log } })
    const { record } = JSON.parse(readFileSync(log, 'utf8'))
    expect({ code, notes }).toEqual({
      code: 0,
      notes: [expect.stringMatching(/has no event "Martian" that hooks know/)],
    })
    expect(record).toMatchObject({
      ...{ event: 'Martian', host: { client: agent }, notices: notes, hooks: [] },
      decision: { blocked: false, halt: false, permission: null },
    })
  })

  it('names the agent whose payload it is', async () => {
    const { record } = await recorded(HOSTS.cursor?.shell('ls') ?? '')
    expect(record.notices).toEqual(['Codex, PreToolUse: it is a payload of cursor.'])
  })
})

describe('a patch', () => {
  const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
  const PATCHING = [
    [
      'codex',
      'PreToolUse',
      (text: string) => ({ tool_name: 'apply_patch', tool_input: { command: text }, tool_use_id: 'c' }),
    ],
    ['copilot', 'preToolUse', (text: string) => ({ toolName: 'apply_patch', toolArgs: text })],
    [
      'opencode',
      'tool.execute.before',
      (text: string) => ({ tool: 'apply_patch', args: { patchText: text }, callID: 'c' }),
    ],
    ['droid', 'PreToolUse', (text: string) => ({ tool_name: 'ApplyPatch', tool_input: { input: text } })],
    [
      'codex',
      'PreToolUse',
      (text: string) => ({
        tool_name: 'Bash',
        tool_input: { command: `apply_patch <<'EOF'\n${text}\nEOF` },
        tool_use_id: 'c',
      }),
    ],
  ] as const
  const guard = (file: string) =>
    `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const f=JSON.parse(s).tool_input.file_path;if(f.endsWith("${file}")){console.error("protected");process.exit(2)}})'`

  it.each(PATCHING)(
    'of %s (%s) is shown file by file, and refused whole when one file is guarded',
    async (agent, event, call) => {
      const world = await worldWith({
        PreToolUse: [
          {
            matcher: 'Edit|Write',
            hooks: [
              { type: 'command', command: RECORDING },
              { type: 'command', command: guard('third.txt') },
            ],
          },
        ],
      })
      await put(world, 'project/second.txt', 'a\nb\nc\n')
      const text = patch(
        '*** Add File: first.txt',
        '+hello',
        '*** Update File: second.txt',
        '@@',
        ' a',
        '-b',
        '+B',
        '*** Update File: third.txt',
        '@@',
        '-x',
        '+y',
      )
      const { stdout } = await ask(world, agent, event, { session_id: 's', ...call(text) })
      expect(stdout).toContain('third.txt: protected')
      const seen = partsSeenIn(world.project).map(({ tool_name, tool_input }) => [tool_name, tool_input])
      expect(seen).toEqual([
        ['Write', { file_path: join(world.project, 'first.txt'), content: 'hello\n' }],
        [
          'Edit',
          { file_path: join(world.project, 'second.txt'), old_string: 'a\nb', new_string: 'a\nB', replace_all: false },
        ],
        ['Edit', { file_path: join(world.project, 'third.txt'), old_string: 'x', new_string: 'y', replace_all: false }],
      ])
    },
  )

  const adding = (count: number): string =>
    patch(...Array.from({ length: count }, (_, at) => [`*** Add File: file-${at + 1}.txt`, '+x']).flat())
  const applying = (text: string) => ({
    ...{ session_id: 's', tool_name: 'apply_patch', tool_input: { command: text }, tool_use_id: 'c' },
  })

  it('is shown side by side, so that a slow guard is asked about the last file too', async () => {
    const meet = 'touch "$$.here"; for i in $(seq 600); do [ "$(ls *.here | wc -l)" -ge 5 ] && exit 0; sleep 0.05; done'
    const world = await worldWith({ PreToolUse: [commands(`${meet}; echo "alone" >&2; exit 2`)] })
    expect(await ask(world, 'codex', 'PreToolUse', applying(adding(5)))).toMatchObject({ code: 0, stdout: '' })
  })

  it('with more files than hooks can be asked about is refused with a sentence that says so', async () => {
    const world = await worldWith({ PreToolUse: [commands(RECORDING)] })
    const { stdout } = await ask(world, 'codex', 'PreToolUse', applying(adding(101)))
    expect(stdout).toContain('one call does 101 things, and hooks are asked about 100: do it in smaller steps')
    expect(existsSync(join(world.project, 'seen.jsonl'))).toBe(false)
  })

  it('with several hunks, a move and a deletion is shown as what becomes of the files', async () => {
    const world = await worldWith({
      PreToolUse: [
        { matcher: 'Edit|Write', ...commands(RECORDING) },
        { matcher: 'Bash', ...commands(RECORDING) },
      ],
    })
    await put(world, 'project/a.txt', '1\n2\n3\n4\n5\n')
    await put(world, 'project/gone.txt', 'old\n')
    const text = patch(
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      '@@',
      '-1',
      '+one',
      '@@',
      '-5',
      '+five',
      '*** Delete File: gone.txt',
    )
    await ask(world, 'codex', 'PreToolUse', {
      session_id: 's',
      tool_name: 'apply_patch',
      tool_input: { command: text },
      tool_use_id: 'c',
    })
    const seen = partsSeenIn(world.project).map(({ tool_name, tool_input, tool_use_id }) => [
      tool_use_id,
      tool_name,
      tool_input,
    ])
    const at = (name: string): string => join(world.project, name)
    const edit = (file_path: string, old_string: string, new_string: string) => ({
      file_path,
      old_string,
      new_string,
      replace_all: false,
    })
    expect(seen).toEqual([
      ['c#1', 'Edit', edit(at('a.txt'), '1\n2\n3\n4\n5', 'one\n2\n3\n4\nfive')],
      ['c#2', 'Write', { file_path: at('b.txt'), content: 'one\n2\n3\n4\nfive\n' }],
      ['c#3', 'Edit', edit(at('a.txt'), '1\n2\n3\n4\n5\n', '')],
      ['c#3', 'Bash', { command: `rm -- '${at('a.txt')}'` }],
      ['c#4', 'Edit', edit(at('gone.txt'), 'old\n', '')],
      ['c#4', 'Bash', { command: `rm -- '${at('gone.txt')}'` }],
    ])
  })

  it('that a hook rewrites goes back as a patch', async () => {
    const rewriting = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const e=JSON.parse(s);console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",updatedInput:{...e.tool_input,new_string:e.tool_input.new_string.toUpperCase()}}}))})'`
    const world = await worldWith({ PreToolUse: [{ matcher: 'Edit', ...commands(rewriting) }] })
    const text = patch('*** Add File: n.txt', '+new', '*** Update File: b.txt', '@@', '-x', '+y')
    const { stdout } = await ask(world, 'codex', 'PreToolUse', {
      session_id: 's',
      tool_name: 'apply_patch',
      tool_input: { command: text },
      tool_use_id: 'c',
    })
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: {
          command: `${patch('*** Add File: n.txt', '+new', '*** Update File: b.txt', '@@', '-x', '+Y')}\n`,
        },
      },
    })
  })

  it('that cannot be read is refused where a hook would look at it', async () => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'Write', ...commands('true') }] })
    const { stdout } = await ask(world, 'codex', 'PreToolUse', {
      session_id: 's',
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch\nnonsense\n*** End Patch' },
      tool_use_id: 'c',
    })
    expect(stdout).toContain('Hookline could not ask the hooks')
  })
})

describe('what was seen in real clients', () => {
  const STOP = { session_id: 's1', sessionId: 's1' }

  it.each([
    ['gemini', 'AfterAgent', 'BeforeAgent'],
    ['copilot', 'agentStop', 'userPromptSubmitted'],
  ])(
    '%s says what it was sent on with as a prompt: no hook sees it, and the count goes on',
    async (agent, stop, prompt) => {
      const world = await worldWith({
        Stop: [commands('echo "tests are red" >&2; exit 2')],
        UserPromptSubmit: [commands(RECORDING)],
      })
      for (let turn = 0; turn < 10; turn++) {
        await ask(world, agent, stop, STOP)
        await ask(world, agent, prompt, { ...STOP, prompt: 'tests are red' })
      }
      expect(existsSync(join(world.project, 'seen.jsonl'))).toBe(false)
      if (agent === 'gemini') expect((await ask(world, agent, stop, STOP)).stdout).toBe('{}')
      await ask(world, agent, prompt, { ...STOP, prompt: 'thanks' })
      expect(seenIn(world.project).map((seen) => seen.prompt)).toEqual(['thanks'])
    },
  )

  it('kimi goes on while hooks look at the last call: the next one waits for them', async () => {
    const world = await worldWith({
      PostToolUse: [commands(`sleep 0.3; ${answering({ continue: false, stopReason: 'enough' })}`)],
    })
    const call = { session_id: 's1', client_type: 'kimi_code_cli', tool_name: 'Bash', tool_input: { command: 'x' } }
    const after = ask(world, 'kimi', 'PostToolUse', {
      ...call,
      hook_event_name: 'PostToolUse',
      tool_output: 'x',
      tool_call_id: 'a',
    })
    const marks = (): string[] =>
      readdirSync(join(world.home, '.hookline/bridges/kimi/s1')).filter((name) => name.startsWith('showing-'))
    await vi.waitFor(() => expect(marks()).toHaveLength(1), { timeout: 10_000, interval: 5 })
    const next = await ask(world, 'kimi', 'PreToolUse', { ...call, hook_event_name: 'PreToolUse', tool_call_id: 'b' })
    await after
    expect(next).toMatchObject({ code: 2, stderr: 'enough' })
    expect(marks()).toEqual([])
  })

  it('qwen repeats a prompt that no user submitted: no hook sees it', async () => {
    const world = await worldWith({ UserPromptSubmit: [commands(RECORDING)] })
    await ask(world, 'qwen', 'UserPromptSubmit', { session_id: 's1', prompt: 'tests are red' })
    expect(existsSync(join(world.project, 'seen.jsonl'))).toBe(false)
  })

  const GEMINI = '<untrusted_context>\nOutput: hi\nthere\nProcess Group PGID: 12\n</untrusted_context>'
  const QWEN = 'Command: x\nDirectory: (root)\nOutput: hi\nthere\nError: (none)\nExit Code: 0\nSignal: (none)'
  it.each([
    ['gemini', 'AfterTool', { tool_name: 'run_shell_command', tool_response: { llmContent: GEMINI } }],
    ['qwen', 'PostToolUse', { tool_name: 'run_shell_command', tool_response: { llmContent: QWEN } }],
    ['droid', 'PostToolUse', { tool_name: 'Execute', tool_response: 'hi\nthere\n[Process exited with code 0]' }],
  ])('%s frames the output of a command: hooks see the output alone', async (agent, event, call) => {
    const world = await worldWith({ PostToolUse: [commands(RECORDING)] })
    await ask(world, agent, event, { session_id: 's1', tool_input: { command: 'x' }, ...call })
    expect(seenIn(world.project)).toMatchObject([{ tool_response: { stdout: 'hi\nthere' } }])
  })

  it.each([
    [
      'qwen',
      { tool_name: 'run_shell_command', error: 'Command: x\nOutput: bad\nExit Code: 3', tool_use_id: 'a' },
      'Exit code 3\nbad',
    ],
    [
      'kimi',
      {
        tool_name: 'Bash',
        client_type: 'kimi_code_cli',
        tool_call_id: 'a',
        error: { code: 'x', message: 'bad. Command failed with exit code: 3.' },
      },
      'Exit code 3\nbad. Command failed with exit code: 3.',
    ],
  ])('%s tells of a failed command in its own words: hooks see the exit code first', async (agent, call, error) => {
    const world = await worldWith({ PostToolUseFailure: [commands(RECORDING)] })
    await ask(world, agent, 'PostToolUseFailure', { session_id: 's1', tool_input: { command: 'x' }, ...call })
    expect(seenIn(world.project)).toMatchObject([{ hook_event_name: 'PostToolUseFailure', error }])
  })
})

describe('a session', () => {
  it('keeps the guards of the folder that it began in, wherever the agent goes', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } },
      'project/sub/.claude/settings.json': {},
      'elsewhere/a.txt': '',
    })
    const bridge = findBridge('codex') as Bridge // it is in the list
    const call = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'c' }
    for (const cwd of [world.project, join(world.project, 'sub'), join(world.root, 'elsewhere'), '/no/such/folder']) {
      const answer = await runBridge({
        bridge,
        hostEvent: 'PreToolUse',
        text: JSON.stringify({ ...call, cwd }),
        env: { PATH: process.env.PATH },
        attended: false,
        nativeTranscript: false,
        limit: null,
        handOver: async () => {},
        engine: { home: world.home, managed: world.managed, trust: 'accepted' },
      })
      expect(asRead(answer).stdout, cwd).toContain('"deny"')
    }
  })

  it('is a folder where the payloads of an agent name none, and begins anew with its start', async () => {
    const world = await worldWith({
      PostToolUse: [commands(answering({ continue: false, stopReason: 'enough' }))],
    })
    const kiro = (event: string, more: object = {}) => ({ hook_event_name: event, ...more })
    const call = { tool_name: 'execute_bash', tool_input: { command: 'ls' } }
    await ask(world, 'kiro', 'PostToolUse', kiro('PostToolUse', { ...call, tool_response: 'x' }))
    const refused = await ask(world, 'kiro', 'PreToolUse', kiro('PreToolUse', call))
    expect(refused).toMatchObject({ code: 2, stderr: 'enough' })
    const elsewhere = kiro('PreToolUse', { ...call, cwd: world.home })
    expect(await ask(world, 'kiro', 'PreToolUse', elsewhere)).toMatchObject({ code: 0 })
    await ask(world, 'kiro', 'SessionStart', kiro('SessionStart'))
    expect(await ask(world, 'kiro', 'PreToolUse', kiro('PreToolUse', call))).toMatchObject({ code: 0 })
  })

  it('that began removes what older ones left that ended without an event', async () => {
    const world = await worldWith({ PreToolUse: [commands('true')] })
    const old = join(await put(world, 'home/.hookline/bridges/windsurf/old/session.json', {}), '..')
    const fresh = join(await put(world, 'home/.hookline/bridges/windsurf/fresh/session.json', {}), '..')
    const before = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)
    utimesSync(old, before, before)
    await ask(world, 'windsurf', 'pre_run_command', HOSTS.windsurf?.shell('ls') ?? {})
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
  })

  it.each(hosts)('of %s says once at its start that hooks are not trusted', async (agent, host) => {
    const world = await worldWith({ PreToolUse: [commands('true')] })
    const bridge = findBridge(agent) as Bridge // it is in the list
    const notes: string[] = []
    let shown = ''
    const ids = { session_id: 's1', sessionId: 's1', conversation_id: 's1', sessionID: 's1', conversationId: 's1' }
    const events = [
      ...(host.start === null ? [] : [[host.start, ids] as const]),
      [host.before, host.shell('ls')] as const,
    ]
    for (const [hostEvent, payload] of [...events, [host.before, host.shell('ls')] as const]) {
      const answer = await runBridge({
        bridge,
        hostEvent,
        text: JSON.stringify({ cwd: world.project, ...payload }),
        env: { PATH: process.env.PATH },
        attended: false,
        nativeTranscript: false,
        limit: null,
        handOver: null,
        engine: { project: world.project, home: world.home, managed: world.managed },
      })
      notes.push(...answer.notes)
      shown += asRead(answer).stdout
    }
    expect(notes).toEqual([expect.stringContaining('of this project did not run: look at them')])
    const { toUser } = bridge.answers
    const isStderr = toUser.how !== 'exact' || toUser.write === 'errorText'
    expect(shown.match(/of this project did not run/g) ?? []).toHaveLength(isStderr ? 0 : 1)
  })

  it.each(AGENTS)('of %s is not confused by words that every object has', async (agent) => {
    const host = HOSTS[agent]
    const world = await worldWith({ PreToolUse: [commands('true')], PostToolUse: [commands('true')] })
    for (const word of ['constructor', '__proto__', 'toString']) {
      const words = { permission_mode: word, reason: word, tool_use_id: word, tool_call_id: word, callID: word }
      const before = await ask(world, agent, host?.before ?? '', { ...host?.shell('ls'), ...words })
      const after = await ask(world, agent, host?.after ?? '', { ...host?.shell('ls', { output: 'x' }), ...words })
      expect([before.code, before.stdout + after.stdout]).toEqual([
        0,
        expect.not.stringContaining('Hookline could not ask'),
      ])
    }
  })
})
