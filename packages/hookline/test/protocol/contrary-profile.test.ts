import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { check } from '../../src/check/check.ts'
import { findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import type { Finding } from '../../src/check/finding.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import type { DispatchRecord, EngineOptions, HookLine, Profile } from '../../src/index.ts'
import { compileProfile, type EventDefinition, type ProtocolRules } from '../../src/protocol/index.ts'
import { DEFAULT_HOOK_TYPES, DEFAULT_PROFILE, KNOWN_HOOK_TYPES } from '../../src/protocol/profiles.ts'
import { DEFAULT_EVENTS } from '../../src/protocol/schemas/tables.ts'
import { usual } from '../../src/protocol/usual.ts'
import { guardCall } from '../../src/tools/index.ts'
import { answering, bashCall, commands, engineWith, makeWorld, openOn, put } from '../support/project.ts'
import { promptHook, providedModel } from '../support/provided-model.ts'

/** Every rule the other way. */
const rules: ProtocolRules = {
  answers: {
    count: 'at-any-exit',
    form: 'braces-around',
    unreadable: 'failure',
    nullFields: 'misfit',
    decisionWords: ['approve', 'block'],
    bothForms: 'new',
    commonFields: {
      ...DEFAULT_PROFILE.rules.answers.commonFields,
      suppressOutput: 'accepted',
      additionalContext: 'unknown',
      terminalSequence: 'read',
    },
    stopReasonTo: 'model',
  },
  verdicts: { words: 'ok', reason: 'named-after-hook', placeholders: 'unless-escaped', impossible: 'ends-loops' },
  matchers: {
    names: 'bars-and-commas',
    expressions: 'unknown',
    nulls: 'invalid',
    lookAround: 'bounded',
    aliases: { tool_name: { Agent: ['Task'] } },
    alsoShownAs: { tool_name: { Monitor: { value: 'Bash', of: 'tool_input', keys: ['command'] } } },
  },
  scopes: {
    order: ['managed', 'user', 'project', 'local', 'flag', 'plugin', 'component', 'session'],
    settings: ['managed', 'user', 'project', 'local', 'flag'],
    policy: ['allowManagedHooksOnly', 'strictPluginOnlyCustomization'],
    mainAgent: 'as-itself',
  },
  duplicates: 'last-never-weaker',
  seconds: { command: 50, prompt: 20, agent: 50, function: 0.2 },
  once: { countsIn: ['skill', 'project'], openedBy: 'model', spent: 'when-succeeded' },
  commandHooks: 'until-session-ends',
  background: { systemMessageTo: 'model', objections: 'dropped', plainStdout: 'none', timeout: 'ignored' },
  longTexts: { longest: 20, of: ['context', 'systemMessage'], replacedBy: 'persisted-output' },
  environment: ['CLAUDECODE'],
  hostFields: ['duration_ms'],
  pluginOptions: 'passed-on',
  misfits: 'as-the-client',
  ignoredFields: 'warning',
  repeatedHooks: 'all',
  repeatedFields: 'set-aside',
  repeatedPolicy: 'counted',
  skillRoot: 'own-folder',
  flatHooks: 'invalid',
  hookFields: 'of-its-type',
}

const contrary = compileProfile('contrary', DEFAULT_EVENTS, { rules })

const LONG = 'a text of more than twenty characters'
const toolDone = { hook_event_name: 'PostToolUse', ...DEFAULT_EVENTS.PostToolUse.example } as const
const started = { hook_event_name: 'SessionStart', source: 'startup' } as const

/** What an event with these hooks does under the default rules, and under the contrary ones. */
async function both(
  hooks: object,
  input: Parameters<typeof dispatchIn>[2],
  options: EngineOptions = {},
): Promise<{ usually: DispatchRecord; contrarily: DispatchRecord }> {
  const usually = await dispatchIn(DEFAULT_PROFILE, hooks, input, options)
  return { usually, contrarily: await dispatchIn(contrary, hooks, input, options) }
}

async function dispatchIn(
  profile: Profile,
  hooks: object,
  input: { readonly hook_event_name: string; readonly [field: string]: unknown },
  options: EngineOptions = {},
): Promise<DispatchRecord> {
  return (await engineWith(hooks, { ...options, profile })).dispatch<string>(input)
}

const verdicts = ({ hooks }: DispatchRecord): HookLine['verdict'][] => hooks.map(({ verdict }) => verdict)
const onTool = (...lines: string[]): object => ({ PostToolUse: [commands(...lines)] })
const told = ({ decision }: DispatchRecord): string[] => decision.messages.map(({ to, text }) => `${to}: ${text}`)
const asking = (answer: object): EngineOptions => ({ models: providedModel(JSON.stringify(answer)).models })

/** A dispatch for every rule that shows what the other choice changes. */
const PROOFS: Readonly<Record<string, () => Promise<void>>> = {
  'answers.count': async () => {
    const hook = `${answering({ systemMessage: 'hi' })}; exit 1`
    const { usually, contrarily } = await both(onTool(hook), toolDone)
    expect(usually.hooks).toMatchObject([{ outcome: 'non_blocking_error', answer: null }])
    expect(told(contrarily)).toContain('user: hi')
    const objecting = `${answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } })}; echo no >&2; exit 2`
    const { decision } = await dispatchIn(contrary, { PreToolUse: [commands(objecting)] }, bashCall)
    expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason: 'no' })
  },
  'answers.form': async () => {
    const { usually, contrarily } = await both(onTool(`printf '{"a":1}\\n{"b":2}\\n'`), toolDone)
    expect(usually.hooks[0]?.warnings).toContainEqual(expect.stringContaining('cannot be read'))
    expect(contrarily.hooks).toMatchObject([{ outcome: 'success', warnings: [] }])
  },
  'answers.unreadable': async () => {
    const { usually, contrarily } = await both(onTool("printf '{broken}'"), toolDone)
    expect(told(usually)).toEqual(['verbose: {broken}'])
    expect(contrarily.hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
    expect(told(contrarily)).toEqual([expect.stringMatching(/^user: Failed with .* cannot be read/)])
  },
  'answers.nullFields': async () => {
    const { usually, contrarily } = await both(onTool(answering({ systemMessage: null })), toolDone)
    expect(usually.hooks).toMatchObject([{ outcome: 'success', answer: { systemMessage: null } }])
    expect(contrarily.hooks).toMatchObject([{ outcome: 'non_blocking_error', answer: null }])
  },
  'answers.decisionWords': async () => {
    const { usually, contrarily } = await both(onTool(answering({ decision: 'deny', reason: 'no' })), toolDone)
    expect(usually.decision.blocked).toBe(true)
    expect(contrarily.decision.blocked).toBe(false)
  },
  'answers.commonFields': async () => {
    const hook = answering({ additionalContext: 'known', suppressOutput: true })
    const { usually, contrarily } = await both(onTool(hook), toolDone)
    expect(usually.decision).toMatchObject({ context: ['known'], messages: [] })
    expect(contrarily.decision).toMatchObject({ context: [], messages: [{ to: 'verbose' }] })
    expect(contrarily.hooks[0]?.warnings).toEqual([expect.stringContaining('misplaced field: additionalContext')])
  },
  'answers.stopReasonTo': async () => {
    const { usually, contrarily } = await both(onTool(answering({ continue: false, stopReason: 'enough' })), toolDone)
    expect(told(usually)).not.toContain('model: enough')
    expect(told(contrarily)).toContain('model: enough')
  },
  'verdicts.words': async () => {
    const { usually, contrarily } = await both({ Stop: [promptHook()] }, stop, asking({ decision: 'block' }))
    expect(usually.decision.blocked).toBe(true)
    expect(contrarily.hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
  },
  'verdicts.reason': async () => {
    const { usually, contrarily } = await both({ Stop: [promptHook()] }, stop, asking({ ok: false, reason: 'no' }))
    expect(usually.decision.reason).toBe('Condition not met: no')
    expect(contrarily.decision.reason).toBe('[Is it fine?]: no')
  },
  'verdicts.placeholders': async () => {
    const { models, questions } = providedModel('{"ok":true}')
    const prompt = 'Has \\$ARGUMENTS a price, given $ARGUMENTS?'
    await both({ Stop: [{ hooks: [{ type: 'prompt', prompt }] }] }, stop, { models })
    const asked = questions.map(({ messages }) => messages.at(-1)?.text ?? '')
    expect(asked.map((text) => text.includes('Has \\$ARGUMENTS a price'))).toEqual([false, true])
    expect(asked.map((text) => text.split('<event-data>').length - 1)).toEqual([2, 1])
  },
  'verdicts.impossible': async () => {
    const { models, questions } = providedModel(JSON.stringify({ ok: false, impossible: true }))
    const { usually, contrarily } = await both({ Stop: [promptHook()] }, stop, { models })
    expect(usually.decision.blocked).toBe(true)
    expect(contrarily.decision.blocked).toBe(false)
    expect(questions.map(({ schema }) => JSON.stringify(schema).includes('impossible'))).toEqual([false, true])
    expect(questions.map(({ system }) => system.includes('impossible'))).toEqual([false, true])
  },
  'matchers.names': () => matches('Bash, Write', ['matcher-miss', 'ran']),
  'matchers.expressions': () => matches('tool == "Bash"', ['ran', 'matcher-miss']),
  'matchers.nulls': async () => {
    const { usually, contrarily } = await both({ PreToolUse: [{ matcher: null, ...commands('true') }] }, bashCall)
    expect([...verdicts(usually), ...verdicts(contrarily)]).toEqual(['ran', 'invalid'])
  },
  'matchers.lookAround': () => matches('^(?!Write$)', ['invalid', 'ran']),
  'matchers.aliases': () => matches('Task', ['matcher-miss', 'ran'], 'Agent'),
  'matchers.alsoShownAs': () => matches('Bash', ['matcher-miss', 'ran'], 'Monitor'),
  'scopes.order': async () => {
    const scopes = await inBothScopes(async (engine) =>
      (await engine.dispatch(bashCall)).hooks.map((line) => line.scope),
    )
    expect(scopes).toEqual([
      ['local', 'user'],
      ['user', 'local'],
    ])
  },
  'scopes.settings': async () => {
    expect(await inBothScopes((engine) => engine.runStatusLine({}))).toEqual(['of local', 'of user'])
  },
  'scopes.mainAgent': async () => {
    const file = 'project/.claude/agents/main.md'
    const world = await makeWorld({
      [file]: '---\nhooks:\n  Stop:\n    - hooks: [{type: command, command: "true"}]\n---\n',
    })
    const heard = [DEFAULT_PROFILE, contrary].map(async (profile) => {
      const engine = await openOn(world, { profile })
      await engine.activate(join(world.root, file))
      return (await engine.dispatch(stop)).hooks.length
    })
    expect(await Promise.all(heard)).toEqual([0, 1])
  },
  'scopes.policy': async () => {
    const world = await makeWorld({
      'managed.json': { strictPluginOnlyCustomization: ['hooks'], hooks: { PreToolUse: [commands('true policy')] } },
      'home/.claude/settings.json': { hooks: { PreToolUse: [commands('true user')] } },
      'plugin-p/hooks/hooks.json': { hooks: { PreToolUse: [commands('true plugin')] } },
    })
    const plugins = [join(world.project, '..', 'plugin-p')]
    const usually = await (await openOn(world, { plugins, profile: 'classic' })).dispatch(bashCall)
    const contrarily = await (await openOn(world, { plugins, profile: contrary })).dispatch(bashCall)
    expect([verdicts(usually), verdicts(contrarily)]).toEqual([
      ['ran', 'ran', 'ran'],
      ['ran', 'policy-off', 'ran'],
    ])
  },
  pluginOptions: async () => {
    const shown = 'printf "%s" "$CLAUDE_PLUGIN_OPTION_API_URL $(basename "$CLAUDE_PLUGIN_DATA")"'
    const world = await makeWorld({
      'home/.claude/settings.json': { pluginConfigs: { 'p@inline': { options: { api_url: 'mine' } } } },
      'project/.claude/settings.json': { pluginConfigs: { 'p@inline': { options: { api_url: 'theirs' } } } },
      'plugin-p/.claude-plugin/plugin.json': { name: 'p' },
      'plugin-p/hooks/hooks.json': { hooks: { SessionStart: [commands(shown)] } },
    })
    const plugins = [join(world.project, '..', 'plugin-p')]
    const usually = await (await openOn(world, { plugins, profile: 'classic' })).dispatch(started)
    const contrarily = await (await openOn(world, { plugins, profile: contrary })).dispatch(started)
    expect([usually.decision.context, contrarily.decision.context]).toEqual([[], ['mine p-inline']])
  },
  hookFields: async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', prompt: 'Fine?' }] }] }
    expect(await rulesBrokenIn(hooks)).toEqual([[], ['V-HK-16']])
  },
  duplicates: async () => {
    const guard = { type: 'command', command: 'exit 2' }
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [guard] }] } },
      'project/.claude/settings.local.json': { hooks: { PreToolUse: [{ hooks: [{ ...guard, async: true }] }] } },
    })
    const usually = await (await openOn(world)).dispatch(bashCall)
    expect(verdicts(usually)).toEqual(['backgrounded', 'ran'])
    const contrarily = await (await openOn(world, { profile: contrary })).dispatch(bashCall)
    expect(contrarily.hooks).toMatchObject([
      { scope: 'user', verdict: 'duplicate' },
      { scope: 'local', verdict: 'ran' },
    ])
    expect(contrarily.decision.blocked).toBe(true) // a later copy does not disarm the guard
  },
  seconds: async () => {
    expect(DEFAULT_PROFILE.rules.seconds.function).toBe(60)
    const engine = await engineWith({}, { profile: contrary })
    await engine.on('Stop', () => new Promise(() => {}))
    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ outcome: 'cancelled', timedOut: true }])
  },
  'answers.bothForms': async () => {
    const answer = { hookEventName: 'PreToolUse', permissionDecision: 'allow' }
    const said = answering({ decision: 'block', reason: 'old', hookSpecificOutput: answer })
    const { usually, contrarily } = await both({ PreToolUse: [commands(said)] }, bashCall)
    expect([usually.decision.permission, contrarily.decision.permission]).toEqual(['deny', 'allow'])
  },
  'once.countsIn': async () => {
    const once = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', once: true }] }] }
    expect(await verdictsOfThree(await engineWith(once))).toEqual(['ran', 'ran', 'ran'])
    expect(await verdictsOfThree(await engineWith(once, { profile: contrary }))).toEqual([
      'ran',
      'once-spent',
      'once-spent',
    ])
  },
  'once.openedBy': async () => {
    const hooks = '{ PreToolUse: [{ hooks: [{ type: command, once: true, command: "true" }] }] }'
    const file = '.claude/skills/guard/SKILL.md'
    const openedBy = async (profile: Profile, opener: 'user' | 'model') => {
      const world = await makeWorld({ [`project/${file}`]: `---\nname: guard\nhooks: ${hooks}\n---\n` })
      const engine = await openOn(world, { profile })
      await engine.activate(file, { openedBy: opener })
      return verdictsOfThree(engine)
    }
    const once = ['ran', 'once-spent', 'once-spent']
    expect(await openedBy(DEFAULT_PROFILE, 'user')).toEqual(once)
    expect(await openedBy(DEFAULT_PROFILE, 'model')).toEqual(once)
    expect(await openedBy(contrary, 'user')).toEqual(['ran', 'ran', 'ran'])
    expect(await openedBy(contrary, 'model')).toEqual(once)
  },
  'once.spent': async () => {
    const command = 'test -e ran || { touch ran; exit 1; }'
    const hooks = `{ PreToolUse: [{ hooks: [{ type: command, once: true, command: ${JSON.stringify(command)} }] }] }`
    const file = '.claude/skills/guard/SKILL.md'
    const open = async (profile: Profile) => {
      const world = await makeWorld({ [`project/${file}`]: `---\nname: guard\nhooks: ${hooks}\n---\n` })
      const engine = await openOn(world, { profile })
      await engine.activate(file)
      return engine
    }
    expect(await verdictsOfThree(await open(DEFAULT_PROFILE))).toEqual(['ran', 'once-spent', 'once-spent'])
    expect(await verdictsOfThree(await open(contrary))).toEqual(['ran', 'ran', 'once-spent'])
  },
  'background.systemMessageTo': async () => {
    const late = { command: answering({ systemMessage: 'late' }) }
    expect(await messagesOfLate(late)).toMatchObject([
      [{ to: 'user', text: 'late' }, {}],
      [{ to: 'model' }, {}],
    ])
  },
  'background.objections': async () => {
    const late = { command: 'echo no >&2; exit 2' }
    expect(await messagesOfLate(late)).toMatchObject([[{ to: 'user', text: expect.stringContaining('no') }], []])
  },
  'background.plainStdout': async () => {
    const late = { PostToolUse: [{ hooks: [{ type: 'command', async: true, command: 'echo plain' }] }] }
    const heard: unknown[] = []
    for (const profile of [DEFAULT_PROFILE, contrary]) {
      const engine = await engineWith(late, { profile })
      await engine.dispatch(toolDone)
      heard.push((await engine.drain()).flatMap(({ context }) => context))
    }
    expect(heard).toEqual([['plain'], []])
  },
  'background.timeout': async () => {
    const late = { command: `sleep 1; ${answering({ systemMessage: 'late' })}`, timeout: 0.2 }
    expect(await messagesOfLate(late)).toMatchObject([
      [{ text: expect.stringContaining('timed out') }],
      [{ text: 'late' }, {}],
    ])
  },
  'longTexts.longest': async () => {
    const { usually, contrarily } = await both({ SessionStart: [commands(`echo ${LONG}`)] }, started)
    expect(usually.decision.context).toEqual([LONG])
    expect(contrarily.decision.context).toEqual([expect.not.stringMatching(`^${LONG}`)])
  },
  'longTexts.of': async () => {
    const { usually, contrarily } = await both(onTool(answering({ systemMessage: LONG })), toolDone)
    expect(told(usually)).toContain(`user: ${LONG}`)
    expect(told(contrarily)).not.toContain(`user: ${LONG}`)
  },
  'longTexts.replacedBy': async () => {
    const engine = await engineWith({ SessionStart: [commands(`echo ${LONG}`)] }, { profile: contrary })
    const [text = ''] = (await engine.dispatch(started)).decision.context
    const [, file = ''] = /^<persisted-output>\n.* saved to: (\S.*)\n/.exec(text) ?? []
    expect(readFileSync(file, 'utf8')).toBe(LONG)
  },
  environment: async () => {
    const hook = `printf '%s' "\${CLAUDECODE:-none} \${CLAUDE_PROJECT_DIR:+project}"`
    const env = { PATH: process.env.PATH }
    const { usually, contrarily } = await both({ SessionStart: [commands(hook)] }, started, { env })
    expect(usually.decision.context).toEqual(['none project'])
    expect(contrarily.decision.context).toEqual(['1'])
  },
  hostFields: async () => {
    const sent: unknown[] = []
    for (const profile of [DEFAULT_PROFILE, contrary]) {
      const engine = await engineWith({}, { profile })
      await engine.on('PostToolUse', (input) => void sent.push('duration_ms' in input))
      await guardCall(engine, { name: 'Bash', input: {}, run: () => 'done' })
    }
    expect(sent).toEqual([false, true])
  },
  commandHooks: async () => {
    const [usual, other] = [await engineWith({}), await engineWith({}, { profile: contrary })]
    const read = [usual, other].map((engine) => engine.profile.rules.commandHooks) // by the host, whose commands they are
    expect(read).toEqual(['until-turn-ends', 'until-session-ends'])
  },
  misfits: async () => {
    const { usual, other } = await bothFindings({
      PreToolUse: [{ hooks: [{ type: 'command', command: 'true', timeout: 0 }] }],
    })
    expect([usual, other].map((found) => found.some(({ severity }) => severity === 'error'))).toEqual([false, true])
  },
  ignoredFields: async () => {
    const { usual, other } = await bothFindings({ PreToolUse: [{ enabled: false, ...commands('true') }] })
    expect([usual[0]?.severity, other[0]?.severity]).toEqual(['error', 'warning'])
  },
  repeatedHooks: async () => {
    const copy = (name: string) => `"PreToolUse": [{"hooks": [{"type": "command", "command": "true ${name}"}]}]`
    const world = await makeWorld({ 'home/.claude/settings.json': `{"hooks": {${copy('first')}, ${copy('last')}}}` })
    const ran = [DEFAULT_PROFILE, contrary].map(async (profile) => {
      const engine = await openOn(world, { profile })
      return (await engine.dispatch(bashCall)).hooks.map(({ command }) => command)
    })
    expect(await Promise.all(ran)).toEqual([['true last'], ['true first', 'true last']])
  },
  repeatedFields: async () => {
    const hook = '{"type": "command", "command": "true", "command": "echo last"}'
    const world = await makeWorld({ 'home/.claude/settings.json': `{"hooks": {"PreToolUse": [{"hooks": [${hook}]}]}}` })
    const verdicts = [DEFAULT_PROFILE, contrary].map(async (profile) => {
      const engine = await openOn(world, { profile })
      return (await engine.dispatch(bashCall)).hooks.map(({ verdict }) => verdict)
    })
    expect(await Promise.all(verdicts)).toEqual([['ran'], ['invalid']])
  },
  repeatedPolicy: async () => {
    const world = await makeWorld({ 'managed.json': '{"hooks": {"PreToolUse": [], "PreToolUse": []}}' })
    const opened = [DEFAULT_PROFILE, contrary].map(async (profile) =>
      openOn(world, { profile }).then(
        () => true,
        () => false,
      ),
    )
    expect(await Promise.all(opened)).toEqual([false, true])
  },
  skillRoot: async () => {
    const command = 'echo "root:$CLAUDE_PLUGIN_ROOT" >&2; exit 2'
    const hooks = `{ PreToolUse: [{ hooks: [{ type: command, command: ${JSON.stringify(command)} }] }] }`
    const file = '.claude/skills/guard/SKILL.md'
    const roots: unknown[] = []
    for (const profile of [DEFAULT_PROFILE, contrary]) {
      const world = await makeWorld({ [`project/${file}`]: `---\nname: guard\nhooks: ${hooks}\n---\n` })
      const engine = await openOn(world, { profile })
      await engine.activate(file)
      roots.push((await engine.dispatch(bashCall)).decision.reason)
    }
    expect(roots).toEqual([expect.stringMatching(/root:$/), expect.stringMatching(/root:.*skills.guard$/)])
  },
  flatHooks: async () => {
    const { usually, contrarily } = await both({ PreToolUse: [{ matcher: 'Bash', command: 'true' }] }, bashCall)
    expect([...verdicts(usually), ...verdicts(contrarily)]).toEqual(['ran', 'invalid'])
  },
}

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const

async function matches(matcher: string, expected: readonly string[], tool = 'Bash'): Promise<void> {
  const call = { ...bashCall, tool_name: tool }
  const { usually, contrarily } = await both({ PreToolUse: [{ matcher, ...commands('true') }] }, call)
  expect([...verdicts(usually), ...verdicts(contrarily)]).toEqual(expected)
}

/** What an engine says of a world whose user and local settings both say something, under either rules. */
async function inBothScopes<Said>(ask: (engine: Awaited<ReturnType<typeof openOn>>) => Promise<Said>): Promise<Said[]> {
  const settings = (scope: string): object => ({
    hooks: { PreToolUse: [commands(`true ${scope}`)] },
    statusLine: { type: 'command', command: `echo of ${scope}` },
  })
  const world = await makeWorld({
    'home/.claude/settings.json': settings('user'),
    'project/.claude/settings.local.json': settings('local'),
  })
  return [await ask(await openOn(world)), await ask(await openOn(world, { profile: contrary }))]
}

/** What became of the only hook of an event that is fired three times. */
async function verdictsOfThree(engine: Awaited<ReturnType<typeof openOn>>): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = []
  for (let left = 3; left > 0; left--) seen.push((await engine.dispatch(bashCall)).hooks[0]?.verdict)
  return seen
}

/** The rules that the reading of these hooks finds broken, under either rules. */
async function rulesBrokenIn(hooks: object): Promise<string[][]> {
  const engines = [await engineWith(hooks), await engineWith(hooks, { profile: contrary })]
  return engines.map(({ problems }) => problems.map(({ rule }) => rule))
}

/** Findings in a project with these hooks, under either rules. */
async function bothFindings(hooks: object): Promise<{ usual: Finding[]; other: Finding[] }> {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
  const find = async (profile: Profile): Promise<Finding[]> =>
    check(await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource(profile)))
  return { usual: await find(DEFAULT_PROFILE), other: await find(contrary) }
}

/** What is told of a hook that ran in the background, under either rules. */
async function messagesOfLate(hook: object): Promise<unknown[]> {
  const hooks = { PostToolUse: [{ hooks: [{ type: 'command', async: true, ...hook }] }] }
  const told: unknown[] = []
  for (const profile of [DEFAULT_PROFILE, contrary]) {
    const engine = await engineWith(hooks, { profile })
    await engine.dispatch(toolDone)
    told.push((await engine.drain()).flatMap(({ messages }) => messages))
  }
  return told
}

/** The rules by their paths: groups of rules have one of their own for each. */
function ruleValues(all: ProtocolRules): Map<string, unknown> {
  const grouped = new Set(['answers', 'verdicts', 'matchers', 'scopes', 'once', 'background', 'longTexts'])
  const values = Object.entries(all).flatMap(([name, value]): [string, unknown][] =>
    grouped.has(name) ? Object.entries(value).map(([rule, choice]) => [`${name}.${rule}`, choice]) : [[name, value]],
  )
  return new Map(values)
}

describe('a profile with every rule turned the other way', () => {
  it('turns every rule that there is, and shows what each changes', () => {
    const usually = ruleValues(DEFAULT_PROFILE.rules)
    expect(Object.keys(PROOFS).sort()).toEqual([...usually.keys()].sort())
    for (const [rule, choice] of ruleValues(rules)) expect([rule, choice]).not.toEqual([rule, usually.get(rule)])
  })

  it.each(Object.entries(PROOFS))('dispatches by its own rule of %s', (_, prove) => prove())
})

const guard: EventDefinition = {
  ...DEFAULT_EVENTS.PostToolUse,
  matchOn: 'subject',
  effects: {},
  replaces: null,
  input: z.looseObject({ subject: z.string() }),
  answer: z.looseObject({ additionalContext: z.string().optional() }),
  example: { subject: '/tmp/a-b.txt' },
}

const text = z.string().optional()
const answered = z.looseObject({ action: text, content: z.looseObject({}).optional() })
const answeredTogether = {
  fields: ['action', 'content'],
  from: 'specific',
  as: 'object',
  merge: 'refusal',
  whenBlocked: 'none',
} as const
const place = { fields: [], from: 'specific', stdout: 'last-line', merge: 'first', missingBlocks: 'no place' } as const
const specific = (fields: object): string => answering({ hookSpecificOutput: { hookEventName: 'Turned', ...fields } })

/** What one fact changes when it is turned: the row, the hooks, and what is to come of them. */
const FACTS: Readonly<
  Record<
    string,
    {
      readonly row: Partial<EventDefinition>
      readonly group: object
      readonly options?: EngineOptions
      readonly rules?: ProtocolRules
      readonly hookTypes?: Profile['hookTypes']
      readonly event?: object
      readonly expected: object
    }
  >
> = {
  secondsTogether: {
    row: { secondsTogether: 0.3 },
    group: commands('sleep 61'),
    expected: { hooks: [{ timedOut: true }] },
  },
  matchValue: {
    row: { matchValue: 'basename' },
    group: { matcher: '^a-b.txt$', ...commands('true') },
    expected: { hooks: [{ verdict: 'ran' }] },
  },
  matcherNames: {
    row: { matcherNames: 'bars-without-hyphens' },
    group: { matcher: 'a-b', ...commands('true') }, // no list of names, so a pattern
    expected: { hooks: [{ verdict: 'ran' }] },
  },
  takesIf: {
    row: { takesIf: true, input: z.looseObject({}), matchOn: null },
    hookTypes: { command: KNOWN_HOOK_TYPES.current?.command ?? DEFAULT_HOOK_TYPES.command },
    group: { hooks: [{ type: 'command', command: 'true', if: 'Bash(git *)' }] },
    event: { tool_name: 'Bash', tool_input: { command: 'cd x && git push' } },
    expected: { hooks: [{ verdict: 'ran' }] },
  },
  'takesIf: a call that does not fit': {
    row: { takesIf: true, input: z.looseObject({}), matchOn: null },
    hookTypes: { command: KNOWN_HOOK_TYPES.current?.command ?? DEFAULT_HOOK_TYPES.command },
    group: { hooks: [{ type: 'command', command: 'true', if: 'Bash(git *)' }] },
    event: { tool_name: 'Bash', tool_input: { command: 'ls' } },
    expected: { hooks: [{ verdict: 'matcher-miss', because: expect.stringContaining('Bash(git *)') }] },
  },
  'blocksOn: any-failure': {
    row: { blocksOn: 'any-failure' },
    group: commands('echo broken >&2; exit 7'),
    expected: { decision: { blocked: true, reason: 'broken' } },
  },
  'blocksOn: never': {
    row: { blocksOn: 'never', harmlessExit2To: 'none' },
    group: commands('echo no >&2; exit 2', answering({ decision: 'block', reason: 'an answer does' })),
    expected: { decision: { blocked: true, reason: 'an answer does', messages: [{ to: 'model' }, { to: 'verbose' }] } },
  },
  harmlessExit2To: {
    row: { merges: 'nothing', blocksOn: 'never', harmlessExit2To: 'none' },
    group: commands('echo no >&2; exit 2'),
    expected: { decision: { blocked: false, messages: [] }, hooks: [{ outcome: 'non_blocking_error' }] },
  },
  reasonTo: {
    row: { reasonTo: 'none' },
    group: commands('echo no >&2; exit 2'),
    expected: { decision: { blocked: true, reason: 'no', messages: [] } },
  },
  onTimeout: {
    row: { onTimeout: 'block' },
    group: { hooks: [{ type: 'command', command: 'sleep 20', timeout: 0.2 }] },
    expected: { decision: { blocked: true, reason: expect.stringContaining('timed out') } },
  },
  missingFileIsHarmless: {
    row: { missingFileIsHarmless: true },
    group: commands('echo "sh: 0: cannot open guard.sh: No such file" >&2; exit 2'),
    expected: { decision: { blocked: false }, hooks: [{ outcome: 'non_blocking_error' }] },
  },
  'unmetPrompt: halts': {
    row: { unmetPrompt: 'halts' },
    group: promptHook(),
    options: asking({ ok: false, reason: 'no' }),
    expected: { decision: { halt: true, blocked: false, stopReason: 'Condition not met: no' } },
  },
  'unmetPrompt: has-no-effect': {
    row: { unmetPrompt: 'has-no-effect' },
    group: promptHook(),
    options: asking({ ok: false, reason: 'no' }),
    expected: { decision: { halt: false, blocked: false } },
  },
  'unmetPrompt: blocks-and-halts': {
    row: { unmetPrompt: 'blocks-and-halts' },
    group: promptHook(),
    options: asking({ ok: false, reason: 'no' }),
    expected: { decision: { halt: true, blocked: true, reason: 'Condition not met: no' } },
  },
  'unmetPrompt: with continueOnBlock': {
    row: { unmetPrompt: 'halts' },
    hookTypes: { prompt: KNOWN_HOOK_TYPES.current?.prompt ?? DEFAULT_HOOK_TYPES.prompt },
    group: { hooks: [{ type: 'prompt', prompt: 'Is it fine?', continueOnBlock: true }] },
    options: asking({ ok: false, reason: 'no' }),
    expected: { decision: { halt: false, blocked: true } },
  },
  noReason: {
    row: { noReason: 'Refused' },
    group: commands(answering({ decision: 'block' })),
    expected: { decision: { blocked: true, reason: 'Refused' } },
  },
  canHalt: {
    row: { canHalt: false },
    group: commands(answering({ continue: false })),
    expected: { decision: { halt: false }, hooks: [{ warnings: ['continue: false has no effect on Turned'] }] },
  },
  specificOnlyAtExit0: {
    row: { specificOnlyAtExit0: true },
    rules,
    group: commands(`${specific({ additionalContext: 'x' })}; exit 1`, specific({ additionalContext: 'y' })),
    expected: { decision: { context: ['y'] } },
  },
  systemMessageTo: {
    row: { systemMessageTo: 'model' },
    group: commands(answering({ systemMessage: 'hi', suppressOutput: true })),
    expected: { decision: { messages: [{ to: 'model', text: 'hi' }] } },
  },
  'systemMessageTo: nobody': {
    row: { systemMessageTo: 'none' },
    group: commands(answering({ systemMessage: 'hi', suppressOutput: true })),
    expected: { decision: { messages: [] } },
  },
  seconds: {
    row: { seconds: { command: 0.2 } },
    group: commands('sleep 20'),
    expected: { hooks: [{ timedOut: true }] },
  },
  effects: {
    row: {
      answer: z.looseObject({
        one: text,
        two: text,
        flag: z.boolean().optional(),
        paths: z.array(z.string()).optional(),
      }),
      effects: {
        first: { fields: ['one'], from: 'specific', merge: 'first' },
        last: { fields: ['two', 'one'], from: 'anywhere', merge: 'last' },
        flag: { fields: ['flag'], from: 'specific', merge: 'any' },
        paths: { fields: ['paths'], from: 'specific', merge: 'all' },
        joined: { fields: ['one'], from: 'specific', merge: 'joined' },
        unasked: { fields: [], from: 'specific', merge: 'any' },
      },
    },
    group: commands(
      specific({ one: 'a', flag: false, paths: ['p', 'q'] }),
      specific({ one: 'b', flag: true, paths: ['q', 'r'] }),
    ),
    expected: {
      decision: { first: 'a', last: 'b', flag: true, paths: ['p', 'q', 'r'], joined: 'a\n\nb', unasked: false },
    },
  },
  'effects: of several fields': {
    row: { answer: answered, effects: { answered: answeredTogether } },
    group: commands(
      specific({ action: 'accept', content: { a: 1 } }),
      specific({ action: 'decline' }),
      specific({ action: 'accept' }),
      specific({ content: { b: 2 } }),
    ),
    expected: { decision: { blocked: false, answered: { action: 'decline', content: null } } },
  },
  'effects: of a blocked event': {
    row: { answer: answered, effects: { answered: answeredTogether } },
    group: commands(specific({ action: 'accept' }), 'echo no >&2; exit 2'),
    expected: { decision: { blocked: true, answered: 'none' } },
  },
  'effects: that an event cannot do without': {
    row: { plainStdout: 'path', effects: { place } },
    group: commands('true', 'printf "a\\n\\n"'),
    expected: { decision: { blocked: false, place: 'a' } },
  },
  'effects: that no hook asked for': {
    row: { plainStdout: 'path', effects: { place } },
    group: commands('true'),
    expected: { decision: { blocked: true, reason: 'no place', place: null } },
  },
  'effects: what a terminal is sent': {
    row: {
      effects: { sent: { fields: ['terminalSequence'], from: 'top', as: 'terminal-sequence', merge: 'list' } },
    },
    rules,
    group: commands(
      answering({ terminalSequence: '\u001b]0;title\u0007' }),
      answering({ terminalSequence: '\u001b[31mred' }),
      answering({ terminalSequence: '\u001b]52;c;stolen\u0007' }),
    ),
    expected: { decision: { sent: ['\u001b]0;title\u0007'] } },
  },
}

describe('a fact of a row, turned the other way', () => {
  it('is tried for every fact that the default profile does not vary', () => {
    const rows: EventDefinition[] = Object.values(DEFAULT_EVENTS)
    const varied = new Set(
      Object.entries(usual).flatMap(([fact, value]) =>
        rows.some((row) => row[fact as keyof EventDefinition] !== value) ? [fact] : [],
      ),
    )
    const triedBelow = ['announces', 'inAgents']
    const tried = new Set([...triedBelow, ...Object.keys(FACTS).map((name) => name.replace(/:.*/, ''))])
    expect(Object.keys(usual).filter((fact) => !varied.has(fact) && !tried.has(fact))).toEqual([])
  })

  it.each(Object.entries(FACTS))(
    'is what the engine goes by: %s',
    async (_, { row, group, options, event, expected, ...given }) => {
      const profile = compileProfile('turned', { Turned: { ...guard, ...row } }, given)
      const record = await dispatchIn(
        profile,
        { Turned: [group] },
        { hook_event_name: 'Turned', ...guard.example, ...event },
        options,
      )
      expect(record).toMatchObject(expected)
    },
  )

  it('is what the frontmatter of agents goes by', async () => {
    const events = { Turned: { ...guard, component: true, inAgents: false }, Other: { ...guard, component: true } }
    const hooks = ['Turned', 'Other'].map((name) => `  ${name}:\n    - hooks: [{type: command, command: "true"}]\n`)
    const text = `---\nhooks:\n${hooks.join('')}---\n`
    const world = await makeWorld({ 'project/.claude/agents/a.md': text, 'project/.claude/skills/s/SKILL.md': text })
    const engine = await openOn(world, { profile: compileProfile('turned', events) })
    await engine.activate('.claude/agents/a.md')
    await engine.activate('.claude/skills/s/SKILL.md')
    const verdictsOf = async (event: string): Promise<string[]> => {
      const record = await engine.dispatch<string>({ hook_event_name: event, ...guard.example })
      return record.hooks.map(({ id, verdict }) => `${id.split(':')[0]} ${verdict}`)
    }
    expect(await verdictsOf('Turned')).toEqual(['agent invalid', 'skill ran'])
    expect(await verdictsOf('Other')).toEqual(['agent ran', 'skill duplicate'])
  })

  it('is what edits go by that a hook refuses', async () => {
    const profile = compileProfile('turned', { Turned: { ...guard, announces: 'subject' }, Other: guard })
    const world = await makeWorld({ 'home/.claude/settings.json': { hooks: { Other: [commands('true')] } } })
    const engine = await openOn(world, { profile, liveSettings: true })
    await engine.on<string>('Turned', () => ({ decision: 'block' }))
    const file = await put(world, 'home/.claude/settings.json', {})
    await engine.dispatch<string>({ hook_event_name: 'Turned', subject: file })
    expect((await engine.dispatch<string>({ hook_event_name: 'Other', subject: file })).hooks).toHaveLength(1)
    await put(world, 'home/.claude/settings.json', { hooks: {} })
    expect((await engine.dispatch<string>({ hook_event_name: 'Other', subject: file })).hooks).toHaveLength(0)
  })

  it('is what variables go by that count until the event comes again', async () => {
    const events = { Turned: { ...guard, envFile: 'until-next' } } as const
    const hooks = { Turned: [commands('[ -e once ] || echo "export LATELY=yes" >> "$CLAUDE_ENV_FILE"; touch once')] }
    const engine = await engineWith(hooks, { profile: compileProfile('turned', events) })
    const kept: unknown[] = []
    for (let left = 2; left > 0; left--) {
      await engine.dispatch<string>({ hook_event_name: 'Turned', ...guard.example })
      kept.push(await engine.readEnvironment())
    }
    expect(kept).toEqual([{ LATELY: 'yes' }, {}])
  })
})
