import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { commands } from '../../../hookline/test/support/project.ts'
import { runAgent, scripted, startAgent } from '../support/command.ts'
import { worldWithHooks } from '../support/opened-agent.ts'

const inBackground = (command: string) => ({ name: 'Bash', input: { command, run_in_background: true } })

it.skipIf(process.platform !== 'linux')(
  'leaves no command when it is killed, and the next start removes its temp folders',
  async () => {
    const world = await worldWithHooks({ SessionStart: [commands('echo export TOKEN=secret >> "$CLAUDE_ENV_FILE"')] })
    const temp = () => readdirSync(world.root).filter((name) => name.startsWith('hookline-'))
    const calls = [
      inBackground('sleep 71 >/dev/null 2>&1 & echo > left'), // exits, and leaves a child
      inBackground('sleep 72; true'),
      { name: 'Bash', input: { command: `timeout 300 sh -c "trap '' TERM; echo > running; sleep 73; sleep 74"` } },
    ]
    const model = await scripted(world, { turns: calls.map((call) => ({ tools: [call] })) })
    const token = randomUUID()
    const env = { TMPDIR: world.root, HOOKLINE_TEST_TOKEN: token }
    const args = ['-p', 'Go', '--trust', '--allowed-tools', 'Bash']
    const { child, ended } = startAgent(world, { args: [...args, ...model], env })
    await until('all commands run', () => ['left', 'running'].every((name) => existsSync(join(world.project, name))))
    await until('somebody watches', () => processesWith(token).length >= 7 && isWatched(child.pid))
    expect(temp().length).toBeGreaterThan(1)

    child.kill('SIGKILL')
    await ended

    await until('no command is left', () => processesWith(token).length === 0)
    expect(await runAgent(world, { args: ['-p', 'Go', '--trust', ...(await scripted(world, {}))], env })).toMatchObject(
      {
        code: 0,
      },
    )
    expect(temp()).toEqual([])
  },
)

/** Whether a process has told somebody to end its commands when it cannot. */
function isWatched(pid: number | undefined): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return (
        status.includes(`\nPPid:\t${pid}\n`) &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('hookline-orphan-guard')
      )
    } catch {
      return false // gone, or no process
    }
  })
}
