import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { commands, put, type World } from '../../../hookline/test/support/project.ts'
import type { Block, Message } from '../../src/output/messages.ts'
import { runAgent, scripted, startAgent } from '../support/command.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'

const KILLS = 15
const CALLS = 12

/** Writes down the id of a call that it has found in the transcript: from then on it must never be lost. */
const NOTES_CALLS = `#!/bin/sh
input=$(cat)
field() { printf %s "$input" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }
grep -q "\\"$(field tool_use_id)\\"" "$(field transcript_path)" && field tool_use_id >>seen.log && echo >>seen.log
`

it('loses nothing that was complete, and resumes, wherever it is killed', { timeout: 240_000 }, async () => {
  const world = await worldWithHooks({ PreToolUse: [commands('./note-calls.sh')] })
  await put(world, 'project/note-calls.sh', NOTES_CALLS)
  const turns = Array.from({ length: CALLS }, (_, at) => ({ text: `Step ${at}`, tools: [bash('true', `call_${at}`)] }))
  const model = await scripted(world, { turns })
  for (let round = 0; round < KILLS; round++) {
    await rm(join(world.home, '.hookline'), { recursive: true, force: true })
    await rm(join(world.project, 'seen.log'), { force: true })
    const { child, ended } = startAgent(world, { args: ['-p', 'Go', '--trust', '--allowed-tools', 'Bash', ...model] })
    await until('calls were made', () => seenIn(world).length > round % 6)
    await pause((round * 7) % 23) // somewhere in the middle of something
    child.kill('SIGKILL')
    await ended
    const seen = seenIn(world)
    expect(await runAgent(world, { args: ['-p', 'Go on', '--continue', '--trust', ...model] })).toMatchObject({
      code: 0,
    })
    const { agent, requests } = await openAgent({}, { world, resume: 'newest' })
    await agent.run('And now?')
    await agent.close()
    const messages = requests[0]?.messages ?? []
    expect(callsIn(messages)).toEqual(expect.arrayContaining(seen))
    expect(resultsIn(messages)).toEqual(callsIn(messages))
  }
})

function seenIn({ project }: World): string[] {
  const path = join(project, 'seen.log')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

const blocksIn = (messages: readonly Message[]): Block[] => messages.flatMap(({ content }) => content)
const callsIn = (messages: readonly Message[]): string[] =>
  blocksIn(messages).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
const resultsIn = (messages: readonly Message[]): string[] =>
  blocksIn(messages).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
