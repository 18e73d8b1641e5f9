import { startModelServer } from 'hookline/testing'
import { expect, it, onTestFinished } from 'vitest'
import { answering, put } from '../../../hookline/test/support/project.ts'
import { group, openSession } from './support/session.ts'

const bash = (command: string): object => ({ tools: [{ name: 'Bash', input: { command } }] })
const rewritten = answering({
  hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'echo harmless' } },
})
const script = (body: string): string => `#!/bin/sh\n${body}\n`
const files = {
  'project/guard.sh': script(`if grep -q forbidden; then echo 'not here' >&2; exit 2; fi`),
  'project/dry-run.sh': script(`if grep -q dangerous; then ${rewritten}; fi`),
  'project/audit.sh': script('sleep 0.2'),
  'project/limp.sh': script('echo cannot >&2; exit 1'),
}

it('shows hooks at work, and what a command prints while it runs', async () => {
  const sh = (name: string, more: object = {}): object => group(`sh ./${name}`, more)
  const { terminal, world } = await openSession({
    files,
    hooks: {
      UserPromptSubmit: [sh('limp.sh')],
      PreToolUse: [sh('guard.sh'), sh('dry-run.sh')],
      PostToolUse: [{ matcher: 'Bash', ...sh('audit.sh', { async: true }) }],
      Stop: [group('true')],
    },
    turns: [
      bash('echo fine'),
      bash('echo dangerous'),
      bash('cat forbidden'),
      bash('for i in 1 2 3 4 5 6; do echo step $i; done; until [ -e go ]; do sleep 0.05; done'),
      { text: 'Over.' },
    ],
    args: ['--allowed-tools', 'Bash'],
    rows: 50,
  })
  await terminal.see('Ask something')

  await terminal.enter('Go')
  await terminal.see(/step 6[\s\S]*Running Bash \(\d+ s, Esc interrupts\)/)
  const live = await terminal.screen()
  expect(live).not.toContain('step 2\n')
  await terminal.see(/Running Bash \([1-9]\d* s, Esc interrupts\)/)
  await put(world, 'project/go', '')
  await terminal.see(/Over\.[\s\S]*Ask something/)
  const screen = await terminal.screen()

  expect(screen).toMatch(/✗ 1 of 1 hook failed, \d+ ms \(UserPromptSubmit\)/)
  expect(screen).toMatch(
    /● Bash\(echo fine\)\n {2}└ fine\n {2}✓ 2 hooks \d+ ms \(PreToolUse, PostToolUse\)\n {2}⧗ audit\.sh in the background/,
  )
  expect(screen).toMatch(
    /● Bash\(echo harmless\)\n {2}└ harmless\n {2}✓ 2 hooks \d+ ms .*\n {2}✎ input rewritten by dry-run\.sh\n {4}- command: echo dangerous\n {4}\+ command: echo harmless/,
  )
  expect(screen).toMatch(/● Bash\(cat forbidden\)[\s\S]*✗ refused by guard\.sh, \d+ ms \(PreToolUse\)/)
  expect(screen.match(/not here/g)).toHaveLength(1) // the reason of a refusal is told once
  expect(screen).toMatch(/✓ 1 hook \d+ ms \(Stop\)/)
})

it('counts tokens while the model speaks', async () => {
  const server = await startModelServer([{ text: 'lamp '.repeat(160), ends: 'stalled' }])
  onTestFinished(() => server.close())
  const env = Object.fromEntries(Object.entries(server.env).filter(([, value]) => value !== undefined))
  const { terminal } = await openSession({ args: ['--model', 'anthropic/claude-sonnet-4-5'], env })
  await terminal.see('Ask something')

  await terminal.enter('Speak')
  await terminal.see(/lamp lamp[\s\S]*\(\d+ s, about \d\d+ tokens, Esc interrupts\)/)
  await terminal.press('Escape')

  await terminal.see('Interrupted')
})
