import { readFile, stat } from 'node:fs/promises'
import { recordSchema } from 'hookline/protocol'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { makeLogPath } from '../../src/transcript/sessions.ts'
import { openAgent } from '../support/opened-agent.ts'

describe('the log of an agent', () => {
  it('holds every event of the session, in the folder beside the transcript, for its owner alone', async () => {
    const hooks = { PreToolUse: [commands('echo no >&2; exit 2')] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const { agent } = await openAgent({ turns: [{ tools: [{ name: 'Bash', input: { command: 'ls' } }] }] }, { world })
    await agent.run('Look.')
    await agent.close()
    const file = makeLogPath(agent.transcriptPath)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const records = lines.map((line) => recordSchema.parse(JSON.parse(line).record))
    expect(records.map(({ event }) => event)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolBatch',
      'MessageDisplay',
      'Stop',
      'SessionEnd',
    ])
    expect(records[2]).toMatchObject({ sessionId: agent.sessionId, decision: { blocked: true } })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })
})
