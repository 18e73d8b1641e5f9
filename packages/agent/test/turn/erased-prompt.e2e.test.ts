import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startModelServer } from 'hookline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PARROT, parrot } from '../../../hookline/test/support/parrot.ts'
import { commands, makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { environment, runAgent, scripted } from '../support/command.ts'
import { openAgent } from '../support/opened-agent.ts'
import { openSession } from '../terminal/support/session.ts'

const PROMPT = 'Open the vault with CANARY-7f3a'
const verdict = JSON.stringify({ ok: false, reason: `no: ${PROMPT}` })

/** Every way in which a hook keeps a prompt, quoting it. */
const WAYS: Readonly<Record<string, object>> = {
  'exit 2': commands(parrot('exit')),
  'a decision in JSON': commands(parrot('block')),
  'continue: false': commands(parrot('halt')),
  'a prompt hook': { hooks: [{ type: 'prompt', prompt: 'Fine? $ARGUMENTS' }] },
  'an agent hook': { hooks: [{ type: 'agent', prompt: 'Fine? $ARGUMENTS' }] },
  'a hook beside quoting ones': commands(parrot('say'), parrot('plain'), 'echo no >&2; exit 2'),
}

/** A world whose hooks keep prompts that speak of the vault; its temp folder is in it. */
async function worldWith(groups: readonly object[]): Promise<World> {
  return makeWorld({
    'project/.claude/settings.json': { hooks: { UserPromptSubmit: groups } },
    'project/parrot.js': PARROT,
    'tmp/.keep': '',
  })
}

/** The places below a folder where the prompt is. */
function found(folder: string): string {
  try {
    return execFileSync('grep', ['-rnaoE', '.{0,40}(CANARY|Open the vault).{0,20}', folder], { encoding: 'utf8' })
  } catch {
    return '' // grep finds nothing
  }
}

/** A loopback server whose models refuse, quoting the prompt; its environment, with a temp folder in the world. */
async function surroundings({ root }: World): Promise<NodeJS.ProcessEnv> {
  const server = await startModelServer(Array.from({ length: 8 }, () => ({ text: verdict })))
  onTestFinished(() => server.close())
  return { ...environment(), ...server.env, TMPDIR: join(root, 'tmp') }
}

describe('a blocked prompt stays nowhere', () => {
  it.each(Object.keys(WAYS))('in the library, blocked by %s', async (way) => {
    const world = await worldWith([WAYS[way] ?? {}])
    const opened = await openAgent({}, { world, env: await surroundings(world) })
    const result = await opened.agent.run(PROMPT)
    expect(result).toMatchObject({
      success: false,
      // Under `current` a prompt hook halts, which counts where no profile is chosen.
      subtype: /continue|prompt hook/.test(way) ? 'error_stopped_by_hook' : 'error_prompt_blocked',
    })
    expect(JSON.stringify([result, opened.events, opened.requests])).not.toContain('CANARY')
    expect(found(world.root)).toBe('')
    await opened.agent.close()
    expect(found(world.root)).toBe('')
  })

  it.each(['text', 'json', 'stream-json'])('in print mode as %s, in a new and a resumed session', async (format) => {
    const world = await makeWorld({ 'project/parrot.js': PARROT, 'tmp/.keep': '' })
    const env = { ...(await surroundings(world)), HOOKLINE_LOG: join(world.root, 'hooks.jsonl') }
    const script = await scripted(world, { turns: [{ text: 'Hello.' }] })
    await runAgent(world, { args: ['-p', 'Say hello', ...script], env })
    await put(world, 'project/.claude/settings.json', { hooks: { UserPromptSubmit: Object.values(WAYS) } })
    const args = ['-p', PROMPT, '--trust', '--debug', 'hooks', '--output-format', format, ...script]
    for (const more of [[], ['--continue']]) {
      const { code, stdout, stderr } = await runAgent(world, { args: [...args, ...more], env })
      expect(code).toBe(2)
      expect(stdout).not.toContain('CANARY')
      expect(stderr.replace(`Original prompt: ${PROMPT}`, '')).not.toContain('CANARY') // on the screen, once
      expect(found(world.root)).toBe('')
    }
  })

  it.each([
    ['plain', ['--plain']],
    ['drawn', []],
  ])('in the %s terminal, where it is shown once', async (_how, args) => {
    const hooks = { UserPromptSubmit: [WAYS['a decision in JSON'] ?? {}] }
    const files = { 'project/parrot.js': PARROT }
    const { terminal, world } = await openSession({ hooks, files, turns: [], args })
    await terminal.see(args.length === 0 ? 'Ask something' : 'you>')
    await terminal.enter(PROMPT)
    await terminal.see(`Original prompt: ${PROMPT}`)
    expect(found(world.root)).toBe('')
    if (args.length === 0) {
      await terminal.see('Ask something') // what is typed is empty
      await terminal.press('Up') // what was typed before does not come back
      await terminal.press('C-o') // and is not there when everything is drawn anew
      await terminal.see('UserPromptSubmit hook project:UserPromptSubmit:0:0 ended')
      expect((await terminal.see('Ask something')).match(/vault/g)).toBeNull()
    }
    await terminal.enter('/exit')
    await terminal.ended()
    expect(found(world.root)).toBe('')
  })

  it('beside the prompts of its session that passed', async () => {
    const world = await worldWith([commands('grep -q vault || exit 0; echo no >&2; exit 2')])
    const opened = await openAgent({ turns: [{ text: 'Hello.' }, { text: 'Bye.' }] }, { world })
    for (const prompt of ['Say hello', PROMPT, 'Say bye']) await opened.agent.run(prompt)
    await opened.agent.close()
    expect(found(world.root)).toBe('')
    expect(JSON.stringify(await opened.transcript())).toMatch(/Say hello.*Say bye/)
  })
})
