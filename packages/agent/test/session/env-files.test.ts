import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { commands } from '../../../hookline/test/support/project.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'

/** What a command of the agent prints after these lines were written into env files, one file each; and what was told. */
async function printedAfter(
  command: string,
  ...files: readonly string[]
): Promise<{ printed: string; notices: string }> {
  const hooks = files.map((lines) => `cat >>"$CLAUDE_ENV_FILE" <<'END'\n${lines}\nEND`)
  const world = await worldWithHooks({ SessionStart: [commands(...hooks)] })
  const opened = await openAgent(
    { turns: [{ tools: [bash(command)] }, { text: 'Done' }] },
    { world, allowedTools: ['Bash'] },
  )
  await opened.agent.run('Go')
  const [, after] = opened.requests
  const result = after?.messages.at(-1)?.content.find((block) => block.type === 'tool_result')
  return { printed: String(result?.content), notices: opened.told().user.join('\n') }
}

describe('what hooks write into env files is sourced before a command of the agent', () => {
  it('with functions and arrays, in the order of the hooks', async () => {
    const { printed } = await printedAfter(
      `greet moon; echo "\${list[1]} \${map[key]} $# $0"; type -t shown || true`,
      'greet() { echo "hello $1"; }\nlist=(one two)\ndeclare -A map=([key]=value)',
      `list[1]=\${list[1]}-later; shown() { :; }; unset -f shown`,
    )
    expect(printed).toBe('hello moon\ntwo-later value 0 bash')
  })

  it('and takes variables away that the agent has', async () => {
    vi.stubEnv('HOOKLINE_TEST_LAMP', 'lit')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { printed } = await printedAfter(`echo "<\${HOOKLINE_TEST_LAMP-gone}>"`, 'unset HOOKLINE_TEST_LAMP')
    expect(printed).toBe('<gone>')
  })

  it('but not again by the scripts that the command starts', async () => {
    const { printed } = await printedAfter(`bash -c 'echo "\${count:-none} \${BASH_ENV:-none}"'`, 'count=1')
    expect(printed).toBe('none none')
  })

  it('also for a command in the background', async () => {
    const world = await worldWithHooks({
      SessionStart: [commands(`echo 'greet() { echo "hello $1" > greeting; }' >>"$CLAUDE_ENV_FILE"`)],
    })
    const call = { name: 'Bash', input: { command: 'greet moon', run_in_background: true } }
    const { agent } = await openAgent(
      { turns: [{ tools: [call] }, { text: 'Done' }] },
      { world, allowedTools: ['Bash'] },
    )
    await agent.run('Go')
    const greeting = (): string => {
      try {
        return readFileSync(join(world.project, 'greeting'), 'utf8')
      } catch {
        return '' // not yet
      }
    }
    await until('it has greeted', () => greeting() === 'hello moon\n')
  })
})

describe('an env file that fails', () => {
  it.each([
    ['has a mistake in its syntax', 'if then', /fails with \d+: .*syntax error/],
    ['fails at its end', 'no-such-program-here', /fails with 127: .*not found/],
  ])('is told when it %s, and what it had set before counts', async (_, lines, told) => {
    const { printed, notices } = await printedAfter('echo "ran $early $later"', `early=1\n${lines}`, 'later=2')
    expect(printed).toMatch(/^ran 1? ?2$/)
    expect(notices).toMatch(told)
  })

  it.each([
    ['exits', 'exit 3'],
    ['becomes another program', 'exec true'],
    ['has the shell end at a failure', 'set -e; false'],
    ['kills its shell', 'kill -9 $$'],
  ])('is told and not used when it %s', async (_, lines) => {
    const { printed, notices } = await printedAfter('echo "ran $later"', lines, 'later=2')
    expect(printed).toBe('ran 2')
    expect(notices).toContain(
      'project:SessionStart:0:0: what it wrote into CLAUDE_ENV_FILE ends the shell that reads it',
    )
  })

  it('costs no command its run, its folder or its output by options, cd, reading and printing', async () => {
    const { printed, notices } = await printedAfter(
      'false; echo "$undefined"; pwd',
      'set -eu; cd /; cat; echo printed; echo complained >&2',
    )
    expect(printed).toMatch(/^\n?\/.*\/project$/)
    expect(notices).toBe('')
  })
})
