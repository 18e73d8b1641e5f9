import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Decision, Engine, EngineOptions, HookAnswer } from '../../src/index.ts'
import { compileProfile, type EventDefinition } from '../../src/protocol/index.ts'
import { EVENT_TABLES, RULE_TABLES } from '../../src/protocol/schemas/tables.ts'
import {
  type GuardOptions,
  guardBatch,
  guardCall,
  HaltedByHook,
  RefusedByHook,
  withHooks,
} from '../../src/tools/index.ts'
import { answering, commands, engineWith, makeWorld, openOn } from '../support/project.ts'
import { pre } from './asked.ts'

/** The words for a permission that there are, and two that a later version of the protocol may have. */
const WORDS = ['allow', 'deny', 'ask', 'defer', 'escalate', ''] as const
type Word = (typeof WORDS)[number]

/** Everything that a hook of PreToolUse can decide. */
interface Answer {
  readonly permission: Word | null
  readonly blocks: boolean
  readonly halts: boolean
  readonly rewrites: 'not' | 'well' | 'badly'
}

/** How a question is answered: by nobody, by the user, by a hook of the dialog. */
const ASKING = [
  'nobody',
  'user: yes',
  'user: no',
  'user: maybe',
  'dialog: allow',
  'dialog: deny',
  'dialog: halt',
  'dialog: escalate',
] as const
type Asking = (typeof ASKING)[number]

const answersWith = (words: readonly Word[]): Answer[] =>
  [null, ...words].flatMap((permission) =>
    [false, true].flatMap((blocks) =>
      [false, true].flatMap((halts) =>
        (['not', 'well', 'badly'] as const).map((rewrites) => ({ permission, blocks, halts, rewrites })),
      ),
    ),
  )

function written({ permission, blocks, halts, rewrites }: Answer) {
  const updatedInput = { not: {}, well: { updatedInput: { room: 'cellar' } }, badly: { updatedInput: { rum: 1 } } }
  return {
    ...(halts ? { continue: false } : {}),
    ...pre({ ...(permission === null ? {} : { permissionDecision: permission }), ...updatedInput[rewrites] }),
    ...(blocks ? { decision: 'block', reason: 'no' } : {}),
  } as HookAnswer<'PreToolUse'> // what a hook in JavaScript may say
}

/** The input with which a call may be made; null: it may not. */
function clearedWith(answer: Answer, asking: Asking, bothForms: 'stricter' | 'new'): string | null {
  const { permission, halts, rewrites } = answer
  const blocks = answer.blocks && (bothForms === 'stricter' || permission === null)
  if (halts || blocks || permission === 'deny' || permission === 'defer' || rewrites === 'badly') return null
  const isClear = permission === null || permission === 'allow'
  if (!isClear && asking !== 'user: yes' && asking !== 'dialog: allow') return null
  return rewrites === 'well' ? 'cellar' : 'hall'
}

/** A version of the protocol that is not there yet: its hooks may say more about a call than this host knows. */
function laterProfile() {
  const { PreToolUse, PermissionRequest, ...others } = EVENT_TABLES.current
  const behavior = z.looseObject({ behavior: z.string() })
  const events: Record<string, EventDefinition> = {
    ...others,
    PreToolUse: { ...PreToolUse, answer: PreToolUse.answer.extend({ permissionDecision: z.string().optional() }) },
    PermissionRequest: { ...PermissionRequest, answer: z.looseObject({ decision: behavior }) },
  }
  return compileProfile('later', events, { rules: RULE_TABLES.current })
}

/** The profiles, each with the words that its hooks can say. */
const PROFILES: Readonly<
  Record<string, { readonly profile: NonNullable<EngineOptions['profile']>; readonly words: readonly Word[] }>
> = {
  classic: { profile: 'classic', words: ['allow', 'deny', 'ask'] },
  current: { profile: 'current', words: ['allow', 'deny', 'ask', 'defer'] },
  later: { profile: laterProfile(), words: WORDS },
}

const inputSchema = z.object({ room: z.string() })
const check = (input: unknown) => {
  const read = inputSchema.safeParse(input)
  return read.success ? { input: read.data } : { fault: 'room is missing' }
}

/** The ways in which a host makes a call; each resolves when it is over, made or not. */
const WAYS = {
  guardCall: async (engine: Engine, options: GuardOptions, run: (input: unknown) => unknown) =>
    void (await guardCall(engine, { name: 'light', input: { room: 'hall' }, check, run }, options)),
  guardBatch: async (engine: Engine, options: GuardOptions, run: (input: unknown) => unknown) =>
    void (await guardBatch(engine, [{ name: 'light', input: { room: 'hall' }, check, run }], options)),
  withHooks: async (engine: Engine, options: GuardOptions, run: (input: unknown) => unknown) => {
    const execute = async (input: unknown, _call: { toolCallId: string; messages: readonly { role: string }[] }) =>
      run(input)
    const { light } = withHooks({ light: { inputSchema, execute } }, engine, options)
    try {
      await light.execute({ room: 'hall' }, { toolCallId: 'toolu_1', messages: [{ role: 'user' }] })
    } catch (error) {
      if (!(error instanceof RefusedByHook) && !(error instanceof HaltedByHook)) throw error
    }
  },
}

describe.each(Object.entries(WAYS))('%s', (_name, make) => {
  it.each(Object.entries(PROFILES))(
    'makes a call under %s exactly when no hook is against it, whatever hooks and users can say',
    async (_profile, { profile, words }) => {
      const engine = await engineWith({}, { profile })
      let answer: Answer = { permission: null, blocks: false, halts: false, rewrites: 'not' }
      let asking: Asking = 'nobody'
      await engine.on('PreToolUse', () => written(answer))
      await engine.on('PermissionRequest', () => {
        if (asking === 'dialog: halt') return { continue: false }
        const behavior = asking.startsWith('dialog: ') ? (asking.slice('dialog: '.length) as 'allow') : null
        if (behavior === null) return null
        return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } }
      })
      const wrong: unknown[] = []
      for (answer of answersWith(words)) {
        for (asking of ASKING) {
          let made: string | null = null
          const run = (input: unknown): void => {
            made = inputSchema.parse(input).room
          }
          // A host in JavaScript may answer anything; only `true` is a yes.
          const says = { 'user: yes': true, 'user: maybe': 'maybe' as unknown as boolean }[asking as string] ?? false
          await make(engine, asking === 'nobody' ? {} : { onAsk: () => says }, run)
          const expected = clearedWith(answer, asking, engine.profile.rules.answers.bothForms)
          if (made !== expected) wrong.push({ ...answer, asking, made, expected })
        }
      }
      expect(wrong).toEqual([])
    },
  )

  it('makes no call on a word that it does not know, whoever says it, and whatever the user says', async () => {
    const engine = await engineWith({}, { profile: 'current' })
    const options = (permission: unknown): GuardOptions => ({
      onAsk: () => true,
      dispatch: async (event, more) => {
        const record = await engine.dispatch<string>(event, more)
        return { ...record, decision: { ...record.decision, permission: permission as Decision['permission'] } }
      },
    })
    for (const permission of ['deny', 'defer', 'escalate', '', 'ALLOW', 'allow ', true, 1, {}, undefined]) {
      const made: unknown[] = []
      await make(engine, options(permission), (input) => made.push(input))
      expect([permission, made]).toEqual([permission, []])
    }
  })
})

describe('a hook that decides nothing', () => {
  const group = (hook: object) => ({ PreToolUse: [{ hooks: [hook] }] })
  const command = (line: string) => ({ PreToolUse: [commands(line)] })

  it.each([
    ['fails', command('exit 1'), 'exit code 1'],
    ['fails with words', command('echo oops >&2; exit 3'), 'oops'],
    ['is not there', command('./no-such-guard.sh'), 'not found'],
    ['is ended by a signal', command('kill -9 $$'), 'SIGKILL'],
    ['times out', group({ type: 'command', command: 'sleep 60', timeout: 0.2 }), 'timed out'],
    ['misspells its answer', command(answering(pre({ permissionDecision: 'denied' }))), 'does not fit'],
    ['writes an answer that is not JSON', command('echo "{deny: true}"'), 'cannot be read'],
    ['writes its answer among other output', command(`echo hello; ${answering({ decision: 'block' })}`), 'plain text'],
    ['needs a model that is not lent', group({ type: 'prompt', prompt: 'Is it fine?' }), 'no model is provided'],
    ['has a type that does not exist', group({ type: 'comand', command: 'exit 2' }), 'does not run'],
    ['has no command', group({ type: 'command' }), 'does not run'],
    ['has a bad matcher', { PreToolUse: [{ matcher: '(', ...commands('exit 2') }] }, 'does not run'],
  ])('and %s is told to the user beside the call', async (_how, hooks, words) => {
    const engine = await engineWith(hooks)
    const notices: string[] = []
    const call = { name: 'light', input: { room: 'hall' }, run: () => 'on' }
    expect(await guardCall(engine, call, { onNotice: (notice) => notices.push(notice) })).toMatchObject({
      ended: 'ran',
    })
    expect(notices.join('\n')).toContain(words)
  })

  it('since the folder is not trusted is told once, with what to do', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: command('exit 2') } })
    const engine = await openOn(world, { trust: 'stored' })
    const notices: string[] = []
    const call = { name: 'light', input: { room: 'hall' }, run: () => 'on' }
    const options = { onNotice: (notice: string) => notices.push(notice) }
    await guardCall(engine, call, options)
    await guardCall(engine, call, options)
    expect(notices).toEqual([
      'This folder is not trusted yet, or has changed since: nothing that it configures runs (.claude/settings.json). ' +
        'Review it with "hookline trust show", then run "hookline trust accept".',
      'Hooks of PreToolUse that do not run (1): the folder is not trusted, or has changed since.',
    ])
  })

  it('since the folder is not trusted is told also when the first record went to a host that does not look', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: command('exit 2') } })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.dispatch({ hook_event_name: 'SessionStart', source: 'startup' })
    const notices: string[] = []
    const call = { name: 'light', input: {}, run: () => 'on' }
    await guardCall(engine, call, { onNotice: (notice) => notices.push(notice) })
    expect(notices).toEqual([expect.stringContaining('Hooks of PreToolUse that do not run (1)')])
  })

  it('is told to nobody when its folder was trusted before the first event', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: command('exit 2') } })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.acceptTrust()
    const onNotice = (notice: string) => expect.fail(notice)
    const call = { name: 'light', input: {}, run: () => expect.fail('it ran') }
    expect(await guardCall(engine, call, { onNotice })).toMatchObject({ ended: 'refused' })
  })

  it('is a warning of the process when the host does not say who is to be told', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    try {
      const engine = await engineWith(command('exit 1'))
      await WAYS.withHooks(engine, {}, () => 'on')
      expect(emitted).toHaveBeenCalledWith(expect.stringContaining('exit code 1'), 'HooklineWarning')
    } finally {
      emitted.mockRestore()
    }
  })
})

describe('an engine that is closed', () => {
  const guard = { PreToolUse: [commands('sleep 30; exit 2')] }

  it.each(Object.entries(WAYS))('clears no call of %s', async (_name, make) => {
    const engine = await engineWith(guard)
    await engine.close()
    await expect(make(engine, {}, () => expect.fail('it ran'))).rejects.toThrow('The engine is closed')
  })

  it('clears no call whose hooks it has ended', async () => {
    const engine = await engineWith(guard)
    const making = WAYS.guardCall(engine, {}, () => expect.fail('it ran'))
    await Promise.all([engine.close(), expect(making).rejects.toThrow('The engine is closed')])
  })
})
