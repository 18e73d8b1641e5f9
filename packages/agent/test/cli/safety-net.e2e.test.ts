import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { commands } from '../../../hookline/test/support/project.ts'
import { runAgent, scripted, transcripts } from '../support/command.ts'
import { bash, worldWithHooks } from '../support/opened-agent.ts'

const guard = fileURLToPath(new URL('../../../../node_modules/.bin/cc-safety-net', import.meta.url))

it.each(['classic', 'current'])(
  'is guarded by cc-safety-net, a published hook, under %s: git reset --hard is refused, git status is not',
  async (profile) => {
    const world = await worldWithHooks({
      PreToolUse: [{ matcher: 'Bash', ...commands(`'${guard}' hook --claude-code`) }],
    })
    execFileSync('git', ['init', '-q'], { cwd: world.project })
    const script = {
      turns: [{ tools: [bash('git reset --hard', 'a'), bash('git status --short', 'b')] }, { text: 'Seen.' }],
    }
    const args = [
      '-p',
      'Tidy up',
      '--trust',
      '--allowed-tools',
      'Bash(git:*)',
      '--profile',
      profile,
      ...(await scripted(world, script)),
    ]
    expect(await runAgent(world, { args })).toMatchObject({ code: 0, stdout: 'Seen.\n' })
    const results = transcripts(world)
      .flat()
      .flatMap(({ message }) => Object(message).content ?? [])
      .filter((block) => Object(block).type === 'tool_result')
    expect(results).toMatchObject([
      {
        tool_use_id: 'a',
        is_error: true,
        content: expect.stringMatching(/^PreToolUse:Bash hook error: .*reset --hard/s),
      },
      { tool_use_id: 'b', content: expect.stringContaining('?? .claude/') },
    ])
  },
)
