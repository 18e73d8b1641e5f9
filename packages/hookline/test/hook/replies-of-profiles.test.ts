import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnyHandlers, runHandlers } from '../../src/hook/run-hook.ts'
import { type DispatchRecord, type Engine, openEngine, type ProfileName } from '../../src/index.ts'
import type { ProfileEvents } from '../../src/protocol/profile-events.ts'
import { PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import type { EventDefinition } from '../../src/protocol/schemas/event-definition.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'
import { quoteForShell } from '../../src/text/quote.ts'
import { repliesOf } from '../support/replies.ts'

const tables: Readonly<Record<ProfileName, Readonly<Record<string, EventDefinition>>>> = EVENT_TABLES

/** A call of each reply, and the decision that it leads to. */
const SAMPLES: Readonly<Record<string, readonly [args: readonly unknown[], decision: object]>> = {
  halt: [['enough'], { halt: true, stopReason: 'enough' }],
  systemMessage: [['beware'], { messages: expect.arrayContaining([expect.objectContaining({ text: 'beware' })]) }],
  context: [['lamp'], { context: ['lamp'] }],
  allow: [[], { permission: 'allow' }],
  deny: [['no'], { permission: 'deny', blocked: true, reason: 'no' }],
  ask: [['sure?'], { permission: 'ask', reason: 'sure?' }],
  defer: [['later'], { permission: 'defer', reason: 'later' }],
  rewrite: [[{ command: 'ls -a' }], { permission: null, updatedInput: { command: 'ls -a' } }],
  block: [['no'], { blocked: true }],
  replaceOutput: [[{ stdout: 'lit' }], { updatedToolOutput: { stdout: 'lit' } }],
  instructions: [['keep the lamp'], { instructions: 'keep the lamp' }],
  worktreePath: [['/lamp'], { worktreePath: '/lamp' }],
  sessionTitle: [['Lamp'], { sessionTitle: 'Lamp' }],
  initialUserMessage: [['light it'], { initialUserMessage: 'light it' }],
  watchPaths: [[['/lamp']], { watchPaths: ['/lamp'] }],
  reloadSkills: [[], { reloadSkills: true }],
  classifierContext: [['lamp'], { classifierContext: 'lamp' }],
  displayContent: [['lit'], { displayContent: 'lit' }],
  retry: [[], { retry: true }],
  accept: [[{ name: 'Ada' }], { elicitation: { action: 'accept', content: { name: 'Ada' } } }],
  decline: [[], { elicitation: { action: 'decline', content: null } }],
  cancel: [[], { elicitation: { action: 'cancel', content: null } }],
}

const ALL = PROFILE_NAMES.flatMap((profile) =>
  Object.keys(tables[profile]).map((event) => ({ profile, event, replies: repliesOf(event, profile) })),
)

const engines = new Map<ProfileName, Engine<ProfileEvents[ProfileName]>>()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-replies-'))
  const places = { project: folder, home: folder, managed: join(folder, 'managed.json') }
  for (const profile of PROFILE_NAMES) engines.set(profile, await openEngine({ ...places, profile }))
})
afterAll(async () => {
  for (const engine of engines.values()) await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** What comes of a reply of a hook that is written for one profile, in a host of the same or another one. */
async function answered(
  { event, reply, written, host }: { event: string; reply: string; written: ProfileName; host: ProfileName },
  fields: object = {},
): Promise<DispatchRecord> {
  const input = { ...tables[host][event]?.example, ...fields, hook_event_name: event }
  const [args] = SAMPLES[reply] ?? [[]]
  const handlers = { [event]: (_: unknown, replies: object) => (replies as Replies)[reply]?.(...args) } as AnyHandlers
  const { exitCode, stdout, stderr } = await runHandlers(handlers, input, { file: 'hook', profile: written })
  const command = `printf %s ${quoteForShell(stdout)}; printf %s ${quoteForShell(stderr)} >&2; exit ${exitCode}`
  const engine = engines.get(host)
  const registered = await engine?.register({ [event]: [{ hooks: [{ type: 'command', command }] }] })
  const record = await engine?.dispatch(input)
  registered?.remove()
  if (record === undefined) throw new TypeError('no engine')
  return record
}

type Replies = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

describe.each(ALL)('a hook of $profile on $event', ({ profile, event, replies }) => {
  it.each(replies)('decides with reply.%s what it names', async (reply) => {
    const mcp = reply === 'replaceOutput' ? { tool_name: 'mcp__lamp__light' } : {}
    const { hooks, decision } = await answered({ event, reply, written: profile, host: profile }, mcp)
    expect(hooks).toMatchObject([{ verdict: 'ran', warnings: [] }])
    expect(hooks[0]?.outcome).not.toBe('non_blocking_error')
    expect(decision).toMatchObject({ halt: false, ...(SAMPLES[reply]?.[1] ?? { missing: reply }) })
  })

  it('has a reply for every field that its answers may have', () => {
    const { answer, merges } = tables[profile][event] ?? {}
    const unspoken = Object.keys(answer?.shape ?? {}).filter((field) => !SPOKEN.has(field))
    expect(merges).toBeDefined()
    expect(unspoken).toEqual([])
  })
})

/** Fields that some reply writes, or that go along with one. */
const SPOKEN = new Set(
  'additionalContext permissionDecision permissionDecisionReason updatedInput decision reason updatedToolOutput updatedMCPToolOutput sessionTitle initialUserMessage watchPaths reloadSkills classifierContext suppressOriginalPrompt displayContent retry worktreePath action content'.split(
    ' ',
  ),
)

const SHARED = PROFILE_NAMES.flatMap((written) =>
  PROFILE_NAMES.filter((host) => host !== written).flatMap((host) =>
    Object.keys(tables[written])
      .filter((event) => Object.hasOwn(tables[host], event))
      .flatMap((event) => {
        const there = new Set(repliesOf(event, host))
        return repliesOf(event, written).flatMap((reply) => (there.has(reply) ? [{ written, host, event, reply }] : []))
      }),
  ),
)

describe('a hook that is written for one profile', () => {
  it.each(SHARED)('of $written decides with reply.$reply to $event the same under $host', async (one) => {
    const mcp = one.reply === 'replaceOutput' ? { tool_name: 'mcp__lamp__light' } : {}
    const { hooks, decision } = await answered(one, mcp)
    expect(hooks).toMatchObject([{ verdict: 'ran' }])
    expect(hooks[0]?.outcome).not.toBe('non_blocking_error')
    expect(decision).toMatchObject({ halt: false, ...SAMPLES[one.reply]?.[1] })
  })
})
