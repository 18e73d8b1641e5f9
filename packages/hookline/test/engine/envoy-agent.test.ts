import { describe, expect, it } from 'vitest'
import { adding, envoy, type Flat, NOTING, says, started } from '../support/envoy.ts'
import { engineWith, makeWorld, openOn } from '../support/project.ts'

/** What hooks and the whole agent of `examples/envoy` do together. */

interface Message {
  readonly role: string
  readonly content: string
}

interface Run {
  readonly success: boolean
  readonly text?: string
  readonly error?: string
  readonly messages: Message[]
}

// A string that the compiler does not follow: examples are JavaScript.
const agent: string = '../../../../examples/envoy/agent.js'
const { runAgent }: { runAgent: (prompt: string, options: object) => Promise<Run> } = await import(agent)

/** A run in which the model writes a file twice and then is done. */
async function run(hooks: Flat, scripts: Record<string, string> = {}) {
  const { engine } = await envoy(hooks, scripts)
  const call = { name: 'filesystem_write_file', input: { path: 'a.txt' } }
  const answers = [
    { text: 'First.', calls: [call] },
    { text: 'Second.', calls: [call] },
    { text: 'Done.', calls: [] },
  ]
  const heard: Message[] = []
  const log: string[] = []
  const asked: string[][] = []
  const result = await runAgent('Write it', {
    engine,
    tools: { filesystem_write_file: () => 'Wrote a.txt' },
    ask: async (messages: Message[]) => {
      asked.push(messages.map(({ content }) => content))
      return answers.shift()
    },
    onMessage: (message: Message) => heard.push(message),
    log: {
      debug: (line: string) => log.push(`debug ${line}`),
      info: (line: string) => log.push(`info ${line}`),
      warn: (line: string) => log.push(`warn ${line}`),
    },
  })
  return { result, heard, log, asked }
}

describe('agent', () => {
  it('says that a guard does not run for which it fires no event', async () => {
    const { log } = await run({ PreToolUse: [{ command: 'false' }], PostToolUse: [{ command: 'true' }] })
    expect(log).toEqual([
      'warn project:PreToolUse:0:0 does not run: this agent fires SessionStart and PostToolUse alone.',
    ])
  })

  it('SessionStart hook output added to first message', async () => {
    const { asked } = await run({ SessionStart: [{ command: 'echo Branch: main' }, { command: 'echo Clean' }] })
    expect(asked[0]).toEqual(['Branch: main\nClean\n\nWrite it'])
  })

  it('PostToolUse hook stops execution with continue: false', async () => {
    const stop = says({ continue: false, stopReason: 'Tests must pass before continuing' })
    const { result, asked, log } = await run({ PostToolUse: [{ command: 'node stop.js' }] }, { 'stop.js': stop })
    expect(result).toMatchObject({ success: false, error: 'Tests must pass before continuing' })
    expect(asked).toHaveLength(1)
    expect(log).toContain('info Hook requested stop: Tests must pass before continuing')
  })

  it('PostToolUse hook adds context via additionalContext and calls onMessageUpdate', async () => {
    const { asked, heard } = await run(
      { PostToolUse: [{ command: 'node a.js' }] },
      { 'a.js': adding('Formatted a.txt') },
    )
    expect(asked[1]).toEqual(['Write it', 'First.', 'Wrote a.txt', 'Formatted a.txt'])
    expect(heard.filter(({ content }) => content === 'Formatted a.txt')).toEqual([
      { role: 'user', content: 'Formatted a.txt' },
      { role: 'user', content: 'Formatted a.txt' },
    ])
  })

  it('PostToolUse hook displays systemMessage to user', async () => {
    const { log, asked } = await run(
      { PostToolUse: [{ command: 'node a.js' }] },
      { 'a.js': says({ systemMessage: 'Late' }) },
    )
    expect(log).toContain('warn Late')
    expect(asked.flat().join()).not.toContain('Late')
  })

  it('Multiple PostToolUse hooks execute sequentially and combine outputs', async () => {
    const seen = `console.log(require('node:fs').readFileSync('noted.txt', 'utf8').trim())`
    const script = `const text = require('node:fs').readFileSync('noted.txt', 'utf8').trim().split('\\n').at(-1)
      console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text } }))`
    const hooks = [{ command: 'node noting.mjs one' }, { command: 'node seen.cjs' }, { command: 'node last.cjs' }]
    const { asked, log } = await run(
      { PostToolUse: hooks },
      { 'noting.mjs': NOTING, 'seen.cjs': seen, 'last.cjs': script },
    )
    expect(asked[1]?.at(-1)).toBe('one ends')
    expect(log.slice(0, 2)).toEqual(['debug one', 'debug one starts\none ends'])
  })

  it("PostToolUse hooks with suppressOutput: true don't appear in logs", async () => {
    const scripts = { 'quiet.js': adding('Quiet', { suppressOutput: true }), 'loud.js': adding('Loud') }
    const { log } = await run({ PostToolUse: [{ command: 'node quiet.js' }, { command: 'node loud.js' }] }, scripts)
    expect(log.join()).toContain('Loud')
    expect(log.join()).not.toContain('Quiet')
  })

  it('PostToolUse hook finds the result in the conversation, and what it puts in its place is what the model reads', async () => {
    const replaced = says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'kept back' } })
    const { engine } = await envoy({ PostToolUse: [{ command: 'node replace.js' }] }, { 'replace.js': replaced })
    const answers = [
      { text: 'First.', calls: [{ name: 'mcp__files__read', input: {} }] },
      { text: 'Done.', calls: [] },
    ]
    const inConversation: boolean[] = []
    const messages: Message[] = []
    await engine.on('PostToolUse', () => void inConversation.push(messages.some(({ role }) => role === 'tool')))
    const { messages: said } = await runAgent('Read it', {
      ...{ engine, messages, ask: async () => answers.shift(), tools: { mcp__files__read: () => 'a secret' } },
      log: { debug: () => {}, info: () => {}, warn: () => {} },
    })
    expect(inConversation).toEqual([true])
    expect(said.map(({ content }) => content)).toEqual(['Read it', 'First.', 'kept back', 'Done.'])
  })

  it("Hook failures don't break agent loop", async () => {
    const fails = [
      { command: 'no-such-program-here' },
      { command: 'node -e "throw 1"' },
      { command: 'node -e "process.kill(process.pid)"' },
    ]
    const { result, log } = await run({ SessionStart: fails, PostToolUse: fails })
    expect(result).toMatchObject({ success: true, text: 'Done.' })
    expect(log.filter((line) => line.startsWith('warn'))).toHaveLength(9)
  })
})

describe('the preset', () => {
  it('gives way to options beside it', async () => {
    const engine = await engineWith(
      { SessionStart: [{ command: 'echo $((1 + 1))' }] },
      { preset: 'envoy', shell: true },
    )
    expect((await started(engine)).decision.context).toEqual(['2'])
  })

  it('is one that there is', async () => {
    const world = await makeWorld()
    const preset = 'envoi' as 'envoy' // from a host in JavaScript
    await expect(openOn(world, { preset })).rejects.toThrow('There is no preset "envoi". Presets: envoy.')
  })
})

/** `examples/envoy/README.md` has a line for each. */
describe('what is different from Envoy', () => {
  it('tells the user, not the model, of a SessionStart hook that exits with 2', async () => {
    const { asked, log } = await run({ SessionStart: [{ command: 'node -e "console.error(1); process.exit(2)"' }] })
    expect(asked[0]).toEqual(['Write it'])
    expect(log).toEqual([expect.stringMatching(/^warn .*: 1$/)])
  })

  it('gives the model as feedback what a PostToolUse hook writes that exits with 2', async () => {
    const { asked } = await run({ PostToolUse: [{ command: 'node -e "console.error(1); process.exit(2)"' }] })
    expect(asked[1]).toEqual(['Write it', 'First.', 'Wrote a.txt', '1'])
  })

  it('reads the JSON of a SessionStart hook as an answer', async () => {
    const answer = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'On main' } }
    const told = await run({ SessionStart: [{ command: 'node a.js' }] }, { 'a.js': says(answer) })
    expect(told.asked[0]).toEqual(['On main\n\nWrite it'])
    const halting = says({ continue: false, stopReason: 'Not today' })
    const { result, asked } = await run({ SessionStart: [{ command: 'node a.js' }] }, { 'a.js': halting })
    expect(result).toMatchObject({ success: false, error: 'Not today' })
    expect(asked).toEqual([])
  })

  it('runs the same command once for an event', async () => {
    const { asked } = await run({ SessionStart: [{ command: 'echo main' }, { command: 'echo main' }] })
    expect(asked[0]).toEqual(['main\n\nWrite it'])
  })

  it('runs hooks of a folder that nobody accepted only where they are of the user', async () => {
    const hooks = (command: string) => ({ hooks: { SessionStart: [{ command }] } })
    const world = await makeWorld({
      'project/.claude/settings.json': hooks('echo theirs'),
      'home/.claude/settings.json': hooks('echo mine'),
    })
    const engine = await openOn(world, { preset: 'envoy', trust: 'stored' })
    expect((await started(engine)).decision.context).toEqual(['mine'])
  })
})
