import { describe, expect, it } from 'vitest'
import { listFieldsInFiles, listTypesInFiles } from '../../src/protocol/hook-fields.ts'
import { KNOWN_HOOK_TYPES, loadProfile, PROFILE_NAMES, type ProfileName } from '../../src/protocol/profiles.ts'
import { listSettings } from '../../src/protocol/setting-keys.ts'
import { answering, bashCall, commands, engineWith } from '../support/project.ts'
import { findingsIn } from '../support/validate.ts'

const profiles = await Promise.all(PROFILE_NAMES.map(loadProfile))
const [classic, current] = profiles
if (!classic || !current) throw new TypeError('there are two profiles')

/** What only the newer profile has: nothing of the older one is gone. */
const events = [...current.events.keys()].filter((name) => !classic.events.has(name))
const types = listTypesInFiles(current.hookTypes).filter((type) => !Object.hasOwn(classic.hookTypes, type))
const fields = [...listFieldsInFiles(current.hookTypes).keys()].filter(
  (name) => !listFieldsInFiles(classic.hookTypes).has(name),
)
const settings = listSettings(current).filter((key) => !listSettings(classic).includes(key))

/** What a settings file of a project says, and where. */
async function told(content: object, profile: ProfileName = 'classic'): Promise<{ place: string; message: string }[]> {
  const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(content, null, 2) }, profile)
  return findings.map(({ line, column, message }) => ({ place: `${line}:${column}`, message }))
}

/** Values of fields that are no text. */
const FITTING: Readonly<Record<string, unknown>> = { args: ['x'], shell: 'bash', asyncRewake: true }

const OF_CURRENT = /of "current" \(Claude Code since [^)]+\); this project uses "classic": hookline profile current\./

describe('what only the newer profile has', () => {
  it('is of every kind', () => {
    expect([events.length, types.length, fields.length, settings.length].every((count) => count > 1)).toBe(true)
    expect(events).toContain('PostToolBatch')
    expect(types).toEqual(['http', 'mcp_tool'])
    expect(settings).toContain('allowedHttpHookUrls')
  })

  it.each([
    ...events.map((event) => [event, { hooks: { [event]: [commands('true')] } }] as const),
    ...types.map((type) => [type, { hooks: { Stop: [{ hooks: [{ type, ...requiredOf(type) }] }] } }] as const),
    ...fields.map(
      (name) => [name, { hooks: { Stop: [{ hooks: [{ ...command, [name]: FITTING[name] ?? 'x' }] }] } }] as const,
    ),
    ...settings.map((name) => [name, { [name]: [] }] as const),
  ])('is named as such, once and without a guess: %s', async (name, content) => {
    const messages = (await told(content)).filter(({ message }) => message.includes(name))
    expect(messages).toHaveLength(1)
    expect(messages[0]?.message).toMatch(OF_CURRENT)
    expect(messages[0]?.message).not.toContain('Did you mean')
    expect(new Set(messages.map(({ place }) => place)).size).toBe(messages.length)
  })

  it.each([
    ...events.map((event) => [event, { hooks: { [event]: [commands('true')] } }] as const),
    ...settings.map((name) => [name, { [name]: [] }] as const),
  ])('is not remarked on under its own profile: %s', async (_, content) => {
    expect((await told(content, 'current')).filter(({ message }) => message.includes('profile'))).toEqual([])
  })

  it('is said to the user where the file is theirs', async () => {
    const engine = await engineWith({}, { profile: 'classic' })
    const { problems } = await engine.register({ Setup: [] } as object)
    expect(problems).toMatchObject([
      { message: expect.stringContaining('your settings use "classic": hookline profile current --scope user') },
    ])
  })

  it('is told when an event of it is dispatched or listened to', async () => {
    const engine = await engineWith({}, { profile: 'classic' })
    const event = { hook_event_name: 'PostToolBatch' } as never // as a host may pass it
    await expect(engine.dispatch(event)).rejects.toThrow('PostToolBatch is an event of "current"')
    await expect(engine.on('PostToolBatch' as string, () => null)).rejects.toThrow('PostToolBatch is an event')
  })

  it('is named in the record where an answer has a field of it', async () => {
    const said = answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', displayContent: 'x', colour: 'red' } })
    const engine = await engineWith({ PreToolUse: [commands(said)] })
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks[0]?.warnings).toEqual([
      'hookSpecificOutput.displayContent is a field of answers in the profile "current"; it is ignored here',
      'unknown field hookSpecificOutput.colour is ignored',
    ])
  })
})

const command = { type: 'command', command: 'true' }

function requiredOf(type: string): object {
  const required = KNOWN_HOOK_TYPES.current?.[type]?.required ?? []
  return Object.fromEntries(required.map((name) => [name, 'http://127.0.0.1:9/']))
}
