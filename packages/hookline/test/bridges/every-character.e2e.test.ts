import { describe, expect, it } from 'vitest'
import { removeControls } from '../../src/text/clean.ts'
import { ended, placesOf, program } from '../support/command.ts'
import { HOSTILE } from '../support/hostile.ts'
import { answering, commands, makeWorld } from '../support/project.ts'
import { FATES, inside, object } from './fates.ts'
import { HOSTS } from './host.ts'

/** One agent for each form of an answer. */
const FORMS = ['codex', 'copilot', 'opencode', 'gemini', 'kimi', 'grok'] as const

const COMMAND = `rm x\u200b\u200c\u202e\ufeff\u2028\u0085\u{e0041}${HOSTILE}`
/** What comes out of a process: halves of characters are replaced. */
const WELL_FORMED = Buffer.from(COMMAND).toString()
/** What hooks may say of it: nothing that a terminal obeys. */
const SAID = removeControls(WELL_FORMED)

/** What an agent adds for hooks of `.claude` that it calls by itself, where its payload is another one then. */
const asLoaded = (agent: string): object =>
  agent === 'copilot' ? { session_id: 's1', tool_name: 'Bash', tool_input: { command: COMMAND } } : {}

describe('an answer that quotes hidden characters', () => {
  it.each(FORMS)('refuses the call, in the bridge and around a hook: %s', { timeout: 60_000 }, async (agent) => {
    const quoting = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{process.stderr.write("not "+JSON.parse(s).tool_input.command);process.exitCode=2})'`
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands(quoting)] } },
    })
    const host = HOSTS[agent]
    const input = JSON.stringify({ cwd: world.project, ...host?.shell(COMMAND), ...asLoaded(agent) })
    const bridged = ['bridge', 'run', agent, host?.before ?? '', '--trust', ...placesOf(world)]
    const wrapped = ['wrap', '--agent', agent, '--event', 'PreToolUse', '--', quoting]
    for (const call of [bridged, wrapped]) {
      const answer = await ended(process.execPath, [program, ...call], { input, env: { HOME: world.home } })
      expect([call[0], FATES[agent]?.(answer)]).toEqual([call[0], 'refused'])
      const said = agent === 'kimi' ? answer.stderr : JSON.stringify(object(answer.stdout.trimEnd()))
      expect(said).toContain(agent === 'kimi' ? SAID : JSON.stringify(SAID).slice(1, -1))
    }
  })

  it('carries context and a changed input as they are', { timeout: 60_000 }, async () => {
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      additionalContext: `see ${WELL_FORMED}`,
      updatedInput: { command: WELL_FORMED },
    }
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands(answering({ hookSpecificOutput }))] } },
    })
    const input = JSON.stringify({ cwd: world.project, ...HOSTS.codex?.shell('ls') })
    const call = ['bridge', 'run', 'codex', 'PreToolUse', '--trust', ...placesOf(world)]
    const { stdout } = await ended(process.execPath, [program, ...call], { input })
    expect(inside(object(stdout.trimEnd()))).toMatchObject({
      additionalContext: `see ${SAID}`,
      updatedInput: { command: WELL_FORMED },
    })
  })
})
