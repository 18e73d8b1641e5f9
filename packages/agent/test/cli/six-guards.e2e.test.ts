import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answering } from '../../../hookline/test/support/project.ts'
import { scripted } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'
import { bash, worldWithHooks } from '../support/opened-agent.ts'

const deny = (permissionDecisionReason: string): string =>
  answering({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
  })
const object = (reason: string): string => `echo ${reason} >&2; exit 2`
/** Shell text that does something about the call which names a file, and lets the others pass. */
const at = (name: string, act: string): string => `if grep -q ${name}.txt; then ${act}; fi`

const group = (hook: object, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', ...hook }],
})

/** Guards that Claude Code holds to, by the file of the call that each of them refuses. */
const GUARDS: Readonly<Record<string, object>> = {
  rule: group({ command: object('by-rule'), if: 'Bash(touch rule.txt)' }),
  answered: group({ command: deny('by-answered'), if: 'Bash(touch answered.txt)' }),
  arguments: group({ command: 'sh', args: ['-c', at('arguments', object('by-arguments'))] }),
  ahead: group({ command: at('ahead', object('by-ahead')) }, '^(?!Read)'),
  failing: group({ command: at('failing', `${deny('by-failing')}; exit 1`) }, 'Bash'),
  listed: group({ command: at('listed', object('by-listed')) }, 'Bash, Write'),
}

it('the agent holds to the guards that Claude Code holds to, without being told which profile they are of', async () => {
  const world = await worldWithHooks({ PreToolUse: Object.values(GUARDS) })
  const names = [...Object.keys(GUARDS), 'free']
  const turns = [{ tools: names.map((name) => bash(`touch ${name}.txt`, name)) }, { text: 'Done.' }]
  const args = ['-p', 'Go', '--trust', '--allowed-tools', 'Bash', '--output-format', 'json']
  const { stdout } = await runAgent(world, { args: [...args, ...(await scripted(world, { turns }))] })
  const { permission_denials: denials } = JSON.parse(stdout)
  expect(denials.map(({ tool_use_id, message }: Record<string, string>) => [tool_use_id, message])).toEqual(
    Object.keys(GUARDS).map((name) => [name, expect.stringContaining(`by-${name}`)]),
  )
  expect(names.filter((name) => existsSync(join(world.project, `${name}.txt`)))).toEqual(['free'])
})
