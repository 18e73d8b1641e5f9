import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_PROFILE, loadProfile, PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { recordTapped, tapLog } from '../../src/record/tap-line.ts'
import { bashCall, commands, engineWith, makeWorld, openOn } from '../support/project.ts'

const CANARY = 'CANARYcanary0123456789'
const PLANTED = [
  `sk-ant-${CANARY}`,
  `export NPM_TOKEN=${CANARY}`,
  `https://me:${CANARY}@example.com`,
  `Bearer ${CANARY}`,
]

/** The same value with a secret in every text of it, and one more under a name. */
function planted(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return `${value} ${secret}`
  if (Array.isArray(value)) return value.map((one) => planted(one, secret))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, one]) => [key, planted(one, secret)])
  return { ...Object.fromEntries(members), password: CANARY, nested: { api_key: { is: CANARY } } }
}

/** A hook that says an event again in every way there is, and refuses with it: a shell starts in a tenth of the time of Node. */
const makeParrot = (event: string): string => `#!/bin/sh
input=$(cat)
said=$(printf '%s' "$input" | sed 's/[\\\\"]/\\\\&/g')
own='{"hookEventName":"${event}","additionalContext":"%s","updatedInput":%s,"permissionDecision":"deny","permissionDecisionReason":"%s"}'
printf '{"systemMessage":"%s","stopReason":"%s","reason":"%s","hookSpecificOutput":'"$own}" "$said" "$said" "$said" "$said" "$input" "$said"
`
const hooks = (commands: string[]) => [{ hooks: commands.map((command) => ({ type: 'command', command })) }]

it.each([...DEFAULT_PROFILE.events.values()])(
  'no secret of a $name event, in whatever field, gets into the log, and the line is still an event',
  async (row) => {
    const said = ['./parrot.sh', 'cat >&2; exit 2', 'cat', `echo sk-ant-${CANARY} >&2; exit 1`]
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { [row.name]: hooks(said) } },
      'project/parrot.sh': makeParrot(row.name),
    })
    const file = join(world.root, 'log', 'hooks.jsonl')
    const engine = await openOn(world, { log: file })
    for (const secret of PLANTED) {
      const fields = planted(row.example, secret) as object // an example is an object
      const input = { hook_event_name: row.name, ...fields }
      const fitting = row.checkInput({ ...input, session_id: 's', cwd: '/', transcript_path: '/t' }).length === 0
      await engine.dispatch(fitting ? input : { ...input, ...row.example, extra: fields })
    }
    await engine.close()
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(await readdir(join(world.root, 'log'))).toEqual(['hooks.jsonl'])
    expect(lines).toHaveLength(PLANTED.length)
    expect(lines.flatMap((line) => line.match(/.{0,40}CANARY/g) ?? [])).toEqual([])
    for (const line of lines.map((text) => JSON.parse(text))) {
      expect(row.checkInput(line.input)).toEqual([])
      expect(line.record.hooks[0].answer).toHaveProperty('systemMessage')
    }
  },
)

/** Hooks of every type, right and wrong, with a secret in each of their texts. */
const CONFIGURED = [
  { type: 'command', command: `echo ${CANARY}`, args: [CANARY], if: `Bash(${CANARY})`, statusMessage: CANARY },
  { type: 'prompt', prompt: `Is it ${CANARY}?`, model: CANARY },
  { type: 'agent', prompt: `Is it ${CANARY}?`, model: CANARY },
  { type: 'http', url: `http://127.0.0.1:9/${CANARY}`, headers: { 'X-Note': CANARY } },
  { type: 'mcp_tool', server: CANARY, tool: CANARY, input: { note: CANARY } },
  { type: CANARY, command: 'true' },
  { type: 'command', command: 'true', shell: CANARY, onFailure: CANARY, [CANARY]: true },
]
const GROUPS = [`Never${CANARY}`, `(${CANARY}`].map((matcher) => ({ matcher, hooks: CONFIGURED }))

it.each(PROFILE_NAMES)(
  'no secret of an event of %s gets into the log with the hooks that are configured for it',
  async (profile) => {
    const { events } = await loadProfile(profile)
    const hooks = Object.fromEntries([...events.keys()].map((name) => [name, GROUPS]))
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks },
      'home/.claude/settings.json': { hooks, disableAllHooks: true },
    })
    const open = { refused: 'refused', disabled: 'accepted' } as const
    for (const [name, trust] of Object.entries(open)) {
      const file = join(world.root, `${name}.jsonl`)
      const engine = await openOn(world, { log: file, profile, trust })
      for (const { name: hook_event_name, example } of events.values())
        await engine.dispatch({ hook_event_name, ...(example as object), note: { api_key: CANARY } })
      await engine.close()
      const text = await readFile(file, 'utf8')
      expect(text.match(/.{0,40}CANARY/g) ?? []).toEqual([])
      for (const line of text.trim().split('\n')) expect(JSON.parse(line).configured.length).toBeGreaterThan(2)
    }
  },
)

it('no secret of an event is in the end of an output that its host gets, cut or whole', async () => {
  const engine = await engineWith(
    { PreToolUse: [commands('sed "s/.*:.\\(CANARY[a-z0-9]*\\).*/the key is \\1/"')] },
    { outputTail: 12 },
  )
  const { hooks } = await engine.dispatch({ ...bashCall, tool_input: { command: 'ls', token: CANARY } })
  expect(hooks[0]?.stdoutTail).toBe(' [redacted]\n')
})

it('no secret of an event that hookline tap cuts short is in what it keeps of the hook', async () => {
  const { home } = await makeWorld()
  const said = { text: `the key is ${CANARY}`, bytes: 40 }
  const times = { exitCode: 0, signal: null, stopped: false, durationMs: 1 }
  const hook = { id: null, matcher: null, command: `echo ${CANARY}`, ...times, stdout: said, stderr: said }
  const input = { ...bashCall, tool_input: { command: 'x'.repeat(10_000), token: CANARY } }
  await recordTapped({ at: new Date(), input, hook }, { home, env: {}, prompts: true })
  const line = await readFile(tapLog(home), 'utf8')
  expect(line).toContain('"cut":true')
  expect(line).not.toContain('CANARY')
})
