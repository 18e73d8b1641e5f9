import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EventName } from '../../src/protocol/event-input.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'
import { fire, hooklinePackage, run, worldWith } from '../support/hook-file.ts'
import { put, type World } from '../support/project.ts'
import { repliesOf } from '../support/replies.ts'

const input = { command: 'ls -a' }
const rule = { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }
const mcp = { tool_name: 'mcp__lamp__light' }

/** What every event allows. */
const always: readonly Case[] = [
  ['halt', `reply.halt('enough')`, { halt: true, stopReason: 'enough' }],
  ['systemMessage', `reply.systemMessage('beware')`, { messages: told('beware') }],
]
const context: Case = ['context', `reply.context('lamp')`, { context: ['lamp'] }]
const block: Case = ['block', `reply.block('no')`, { blocked: true, reason: 'no' }]

type Case = readonly [reply: string, code: string, decision: object, fields?: object]

/** Every reply of every event, and the decision it leads to. */
const REPLIES: Readonly<Record<EventName, readonly Case[]>> = {
  SessionStart: [...always, context],
  UserPromptSubmit: [
    ...always,
    block,
    context,
    ['block', `reply.block('no', { context: 'lamp' })`, { blocked: true, reason: 'no', context: ['lamp'] }],
  ],
  PreToolUse: [
    ...always,
    context,
    ['allow', 'reply.allow()', { permission: 'allow', reason: null }],
    [
      'allow',
      `reply.allow('fine', { updatedInput: ${JSON.stringify(input)} })`,
      { permission: 'allow', reason: 'fine', updatedInput: input },
    ],
    [
      'deny',
      `reply.deny('no', { context: 'lamp' })`,
      { permission: 'deny', blocked: true, reason: 'no', context: ['lamp'] },
    ],
    ['ask', `reply.ask('sure?')`, { permission: 'ask', reason: 'sure?' }],
    [
      'ask',
      `reply.ask('sure?', { updatedInput: ${JSON.stringify(input)} })`,
      { permission: 'ask', updatedInput: input },
    ],
    ['rewrite', `reply.rewrite(${JSON.stringify(input)})`, { permission: null, updatedInput: input }],
  ],
  PermissionRequest: [
    ...always,
    ['allow', 'reply.allow()', { permission: 'allow', updatedInput: null }],
    ['allow', `reply.allow({ updatedInput: ${JSON.stringify(input)} })`, { permission: 'allow', updatedInput: input }],
    [
      'allow',
      `reply.allow({ updatedPermissions: [${JSON.stringify(rule)}] })`,
      { permission: 'allow', updatedPermissions: [rule] },
    ],
    ['deny', `reply.deny('no')`, { permission: 'deny', blocked: true, reason: 'no', interrupt: false }],
    [
      'deny',
      `reply.deny('no', { interrupt: true })`,
      { permission: 'deny', blocked: true, reason: 'no', interrupt: true },
    ],
  ],
  PostToolUse: [
    ...always,
    block,
    context,
    ['replaceOutput', `reply.replaceOutput({ lit: true })`, { updatedToolOutput: { lit: true } }, mcp],
    [
      'replaceOutput',
      `reply.replaceOutput('lit', { context: 'lamp' })`,
      { updatedToolOutput: 'lit', context: ['lamp'] },
      mcp,
    ],
  ],
  PostToolUseFailure: [...always, block, context],
  Notification: [...always, context],
  SubagentStart: [...always, context],
  SubagentStop: [...always, block],
  Stop: [
    ...always,
    block,
    [
      'block',
      `reply.block('no', { systemMessage: 'beware' })`,
      { blocked: true, messages: told('no', 'model', 'beware') },
    ],
  ],
  TeammateIdle: [...always, block],
  TaskCompleted: [...always, block],
  PreCompact: [...always, ['instructions', `reply.instructions('keep the lamp')`, { instructions: 'keep the lamp' }]],
  SessionEnd: [...always],
}

function told(text: string, to = 'user', warning?: string): unknown {
  const more = warning === undefined ? [] : [expect.objectContaining({ to: 'user', text: warning })]
  return expect.arrayContaining([expect.objectContaining({ to, text }), ...more])
}

const CASES = Object.entries(REPLIES).flatMap(
  ([event, cases]) =>
    cases.map(([, code, decision, fields]) => ({ event: event as EventName, code, decision, fields })), // its keys are events
)

describe('a reply', () => {
  it.each(CASES)('to $event, $code, gives the decision it names', async ({ event, code, decision, fields }) => {
    const { hooks, decision: given } = await fire(event, `defineHook({ ${event}: (input, reply) => ${code} })`, fields)
    expect(hooks).toMatchObject([{ verdict: 'ran', warnings: [] }])
    expect(hooks[0]?.outcome).not.toBe('non_blocking_error')
    expect(given).toMatchObject({ halt: false, blocked: false, permission: null, ...decision })
  })

  it.each(Object.keys(REPLIES))('to %s is one of those tested here', async (event) => {
    const defined = `defineHook({ ${event}: (input, reply) => reply.systemMessage(Object.keys(reply).sort().join()) })`
    const { stdout } = await run(defined, { hook_event_name: event })
    const tested = REPLIES[event as EventName].map(([reply]) => reply)
    expect(JSON.parse(stdout).systemMessage).toBe([...new Set(tested)].sort().join())
  })

  it('is hidden from the verbose view with suppressOutput', async () => {
    const { decision } = await fire(
      'Stop',
      `defineHook({ Stop: (_, reply) => reply.block('no', { suppressOutput: true }) })`,
    )
    expect(decision.blocked).toBe(true)
    expect(decision.messages.filter(({ to }) => to === 'verbose')).toEqual([])
  })
})

/** Lines that must not compile, each for one reason. */
const wrongLines = {
  'a decision of another event': `defineHook({ Stop: (input, reply) => reply.deny('no') })`,
  'an objection where nothing can be blocked': `defineHook({ SessionEnd: (input, reply) => reply.block('no') })`,
  'context where none is taken': `defineHook({ Stop: (input, reply) => reply.context('lamp') })`,
  'context along with a decision that takes none': `defineHook({ Stop: (input, reply) => reply.block('no', { context: 'lamp' }) })`,
  'anything along with an exit code': `defineHook({ TaskCompleted: (input, reply) => reply.block('no', { systemMessage: 'beware' }) })`,
  'an input along with a refusal': `defineHook({ PreToolUse: (input, reply) => reply.deny('no', { updatedInput: {} }) })`,
  'an interrupt along with a yes': `defineHook({ PermissionRequest: (input, reply) => reply.allow({ interrupt: true }) })`,
  'a refusal without a reason': `defineHook({ PreToolUse: (input, reply) => reply.deny() })`,
  'an output of a tool that has not run': `defineHook({ PreToolUse: (input, reply) => reply.replaceOutput('lit') })`,
  'instructions outside a compaction': `defineHook({ SessionStart: (input, reply) => reply.instructions('keep') })`,
  'a raw answer': `defineHook({ Stop: () => ({ decision: 'block', reason: 'no' }) })`,
  'an answer put together by hand': `defineHook({ Stop: () => ({ exitCode: 2, stdout: '', stderr: 'no' }) })`,
  'a misspelt event': `defineHook({ Stopp() {} })`,
  'a field of the wrong type': `defineHook({ PreToolUse(input) { const name: number = input.tool_name } })`,
  'an option that does not exist': `defineHook({}, { onError: 'ignore' })`,
}

describe('docs/writing-a-hook.md', () => {
  it.each(Object.entries(REPLIES))('lists the replies of %s', async (event, cases) => {
    const page = await readFile(join(hooklinePackage, '../../docs/writing-a-hook.md'), 'utf8')
    const table = page.slice(page.indexOf('| event | replies |')).split('\n\n', 1).join().split('\n')
    const rows = table.filter((row) => row.startsWith('| every event |') || row.startsWith(`| ${event} |`))
    const listed = [...rows.join().matchAll(/`(\w+)\(/g)].map(([, reply]) => reply)
    expect(rows).toHaveLength(2)
    expect(listed.sort()).toEqual([...new Set(cases.map(([reply]) => reply))].sort())
  })
})

describe('docs/writing-a-hook.md, of current', () => {
  it.each(Object.keys(EVENT_TABLES.current))('lists the replies of %s', async (event) => {
    const page = await readFile(join(hooklinePackage, '../../docs/writing-a-hook.md'), 'utf8')
    const table = page.slice(page.indexOf('| event of `current` | replies |')).split('\n\n', 1).join().split('\n')
    const rows = table.filter((row) => row.startsWith(`| ${event} |`))
    const listed = [...rows.join().matchAll(/`(\w+)\(/g)].map(([, reply]) => reply)
    expect(rows).toHaveLength(1)
    expect(listed.sort()).toEqual(repliesOf(event, 'current'))
  })
})

/** Uses of the replies of `current`, in an object of handlers. */
const currentLines = [
  `{ PreToolUse: (input, reply) => reply.defer('later', { systemMessage: 'wait' }) }`,
  `{ PostToolUse: (input, reply) => reply.replaceOutput({ stdout: '' }, { context: 'lamp', classifierContext: 'lit' }) }`,
  `{ SessionStart: (input, reply) => reply.context('lamp', { sessionTitle: 'Lamp', watchPaths: ['/lamp'], reloadSkills: true }) }`,
  `{ UserPromptSubmit: (input, reply) => reply.block('no', { suppressOriginalPrompt: true, terminalSequence: '\\u0007' }) }`,
  `{ MessageDisplay: (input, reply) => reply.displayContent(input.delta ?? '') }`,
  `{ Elicitation: (input, reply) => reply.accept({ name: input.mcp_server_name }) }`,
  `{ WorktreeCreate: (input, reply) => reply.worktreePath('/lamp') }`,
  `{ PreModelSwitch: (input, reply) => reply.deny(input.to_model) }`,
  `{ async CwdChanged(input, reply) { return reply.watchPaths([]) } }`,
]

/** The same that must not compile. */
const wrongCurrentLines = {
  'an output where a call is only asked about': `{ PreToolUse: (input, reply) => reply.replaceOutput('lit') }`,
  'a halt where nothing can be halted': `{ SessionStart: (input, reply) => reply.halt('enough') }`,
  'a warning where no user reads it': `{ MessageDisplay: (input, reply) => reply.systemMessage('beware') }`,
  'a title outside the start of a session': `{ Stop: (input, reply) => reply.block('no', { sessionTitle: 'Lamp' }) }`,
  'an input of a switch': `{ PreModelSwitch: (input, reply) => reply.allow('yes', { updatedInput: {} }) }`,
  'a call that is deferred after it ran': `{ PostToolUse: (input, reply) => reply.defer('later') }`,
  'anything along with plain text': `{ WorktreeCreate: (input, reply) => reply.worktreePath('/lamp', { systemMessage: 'beware' }) }`,
  'context where none is taken': `{ Notification: (input, reply) => reply.context('lamp') }`,
  'a misspelt event of current': `{ PostToolBatsh() {} }`,
}

describe('the types of hookline/hook', () => {
  it('allow each event its replies and refuse every other', async () => {
    const right = Object.entries(REPLIES).flatMap(([event, cases]) => [
      ...cases.map(([, code]) => `defineHook({ ${event}: (input, reply) => ${code} })`),
      `true satisfies Same<keyof Reply<'${event}'>, ${[...new Set(cases.map(([reply]) => `'${reply}'`))].join(' | ')}>`,
    ])
    const ofCurrent = (handlers: string): string => `defineHook(${handlers}, { profile: 'current' })`
    const wrong = [
      ...Object.entries(wrongLines),
      ...Object.entries(wrongCurrentLines).map(([why, handlers]) => [why, ofCurrent(handlers)]),
      ...currentLines.slice(0, 6).map((handlers) => ['a reply of another profile', `defineHook(${handlers})`]),
      ['an unknown profile', `defineHook({}, { profile: 'next' })`],
    ].map(([why, line]) => `// @ts-expect-error ${why}\n${line}`)
    const current = Object.keys(EVENT_TABLES.current).map((event) => {
      const names = repliesOf(event, 'current').map((reply) => `'${reply}'`)
      return `true satisfies Same<keyof Reply<'${event}', 'current'>, ${names.join(' | ') || 'never'}>`
    })
    const world = await worldWith('')
    await put(
      world,
      'project/hooks.ts',
      [
        `import { defineHook, type Reply } from 'hookline/hook'`,
        'type Same<A, B> = [A, B] extends [B, A] ? true : false',
        ...right,
        ...current,
        ...currentLines.map(ofCurrent),
        ...wrong,
      ].join('\n'),
    )
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
    }
    await put(world, 'project/tsconfig.json', { compilerOptions, files: ['hooks.ts'] })
    expect(compile(world)).toBe('')
    expect(right.length).toBeGreaterThan(60)
  })
})

/** What the compiler says. */
function compile({ project }: World): string {
  try {
    return execFileSync(join(hooklinePackage, '../../node_modules/.bin/tsc'), ['-p', project, '--checkers', '1'], {
      encoding: 'utf8',
    })
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout) // it failed, and says why on stdout
  }
}
