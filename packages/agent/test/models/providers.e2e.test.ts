import { type ModelAnswer, type ModelRequest, startModelServer } from 'hookline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answering, commands, type World } from '../../../hookline/test/support/project.ts'
import { objecting, unlessActive } from '../support/answers.ts'
import { type Ended, linesIn } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'
import { worldWithHooks } from '../support/opened-agent.ts'

const PROVIDERS = [
  ['anthropic', 'anthropic/claude-sonnet-4-5'],
  ['openai', 'openai/gpt-4.1'],
] as const

const bash = (command: string, id: string) => ({ name: 'Bash', input: { command }, id })

/** What a provider was sent, without what is told of tools and caches. */
function textSent({ body }: ModelRequest | { body: unknown }): string {
  return JSON.stringify(Object(body).messages)
}

describe.each(PROVIDERS)('over the wire of %s', (_format, model) => {
  async function run(
    hooks: object,
    answers: readonly ModelAnswer[],
    args: readonly string[] = [],
  ): Promise<Ended & { world: World; requests: readonly ModelRequest[] }> {
    const server = await startModelServer(answers)
    onTestFinished(() => server.close())
    const world = await worldWithHooks(hooks)
    const given = ['-p', 'Go', '--trust', '--model', model, '--allowed-tools', 'Bash', ...args]
    const ended = await runAgent(world, { args: given, env: server.env })
    return { ...ended, world, requests: server.requests }
  }

  it('calls run, in parallel answers too, and their results go back in order', async () => {
    const { code, stdout, requests } = await run({}, [
      { text: 'Looking.', tools: [bash('echo one', 'call_a'), bash('echo two', 'call_b')] },
      { text: 'All fine.', usage: { inputTokens: 40, outputTokens: 4 } },
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All fine.\n' })
    expect(requests).toHaveLength(2)
    expect(requests.every(({ streaming, hasKey }) => streaming && hasKey)).toBe(true)
    expect(textSent(requests[1] ?? { body: null })).toMatch(/call_a.*one.*call_b.*two/s)
  })

  it('a refused call is told in the words of the protocol', async () => {
    const { requests } = await run({ PreToolUse: [commands(objecting)] }, [
      { tools: [bash('touch mark', 'call_a')] },
      { text: 'Fine.' },
    ])
    expect(textSent(requests[1] ?? { body: null })).toContain(
      JSON.stringify(`PreToolUse:Bash hook error: [${objecting}]: not today`).slice(1, -1),
    )
  })

  it('context stands before the prompt and beside the result, and nothing else of an answer is sent', async () => {
    const answer = (hookEventName: string): string =>
      answering({
        systemMessage: 'canary-system',
        hookSpecificOutput: { hookEventName, additionalContext: `canary-${hookEventName}` },
      })
    const { requests, stderr } = await run(
      { SessionStart: [commands(answer('SessionStart'))], PostToolUse: [commands(answer('PostToolUse'))] },
      [{ tools: [bash('echo one', 'call_a')] }, { text: 'Fine.' }],
    )
    expect(textSent(requests[0] ?? { body: null })).toMatch(/canary-SessionStart.*Go/s)
    expect(textSent(requests[1] ?? { body: null })).toMatch(/one.*canary-PostToolUse/s)
    expect(requests.map(({ body }) => JSON.stringify(body)).join()).not.toContain('canary-system')
    expect(stderr).toContain('canary-system')
  })

  it('a Stop hook sends the agent on', async () => {
    const { requests, stdout } = await run({ Stop: [commands(unlessActive(objecting))] }, [
      { text: 'Done.' },
      { text: 'Really.' },
    ])
    expect(stdout).toBe('Really.\n')
    expect(textSent(requests[1] ?? { body: null })).toMatch(/Stop hook feedback:/)
  })

  it('an accepted key is notified once', async () => {
    const { stdout } = await run(
      { Notification: [{ matcher: 'auth_success', ...commands('true') }] },
      [{ tools: [bash('true', 'call_a')] }, { text: 'Done.' }],
      ['--output-format', 'stream-json'],
    )
    const notified = linesIn(stdout).filter(
      ({ subtype, hook_event }) => subtype === 'hook_result' && hook_event === 'Notification',
    )
    expect(notified).toHaveLength(1)
  })

  it('a refused key is a model that failed, is not notified, and no key is shown', async () => {
    const { code, stdout, stderr } = await run({ Notification: [commands('echo notified >&2; exit 1')] }, [
      { status: 401, message: 'invalid x-api-key' },
    ])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/invalid x-api-key/)
    expect(stderr).not.toMatch(/notified|sk-scripted/)
  })

  it('a stream that breaks off in its middle ends the run with what the provider said', async () => {
    const { code, stderr } = await run({}, [
      { text: 'I was about to tell you', ends: { error: 'Overloaded' } },
      { text: 'I was about to tell you', ends: { error: 'Overloaded' } },
      { text: 'I was about to tell you', ends: { error: 'Overloaded' } },
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/Overloaded/)
  })
})
