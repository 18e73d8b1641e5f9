import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLosses } from '../../src/check/client-losses.ts'
import { parseJsonSource } from '../../src/config/json-source.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { makeCheck, type Shape } from '../../src/protocol/checker.ts'
import { currentHookTypes } from '../../src/protocol/current/hook-types.ts'
import { findingsIn, projectWith, validate, validateUnchosen } from '../support/validate.ts'

const good = { type: 'command', command: 'true' }
const guard = (hook: object, event = 'PreToolUse') => ({ hooks: { [event]: [{ hooks: [hook, good] }] } })

/** Settings by what Claude Code drops because of them: all of the file, one entry, or nothing. */
const SETTINGS: Readonly<Record<'file' | 'entry' | 'nothing', Readonly<Record<string, unknown>>>> = {
  file: {
    'a timeout of 0 on a guard': guard({ ...good, timeout: 0 }),
    'a word for a switch on a guard': guard({ ...good, once: 'yes' }),
    'a guard of a made-up type': guard({ type: 'script', command: 'true' }),
    'a guard without a command': guard({ type: 'command' }),
    'a guard with a null condition': guard({ ...good, if: null }),
    'an address without a host': guard({ type: 'http', url: 'hooks/guard' }),
    'a wrong header': guard({ type: 'http', url: 'http://127.0.0.1:1/', headers: { a: 1 } }, 'PermissionRequest'),
    'a hook that is a string': { hooks: { PreToolUse: [{ hooks: ['true'] }] } },
    'a hook without a group': { hooks: { PreToolUse: [good] } },
    'a matcher that is a number': { hooks: { PreToolUse: [{ matcher: 5, hooks: [good] }] } },
    'an event that is an object': { hooks: { PermissionRequest: { hooks: [good] } } },
    'hooks that are a list': { hooks: [good] },
    'guards at the root': { PreToolUse: [{ hooks: [good] }] },
    'guards below another key': { disabledHooks: { PreToolUse: [{ hooks: [good] }] } },
    'hooks of no event': { old: [{ hooks: [good] }], ...guard(good) },
    'a guard inside another event': { hooks: { Stop: [{ hooks: [good], PreToolUse: [{ hooks: [good] }] }] } },
    'a period of 0 days': { cleanupPeriodDays: 0, ...guard(good) },
    'a made-up mode': { permissions: { defaultMode: 'ask' }, ...guard(good) },
    'an empty message': guard({ ...good, rewakeMessage: '' }),
    'a model that is a number': { model: 3, ...guard(good) },
    'rules that are a string': { permissions: { deny: 'Bash' }, ...guard(good) },
    'a status line that is a string': { statusLine: 'date', ...guard(good) },
    'a file that is a list': [guard(good)],
    'an empty address': guard({ type: 'http', url: '' }),
    'a made-up shell': guard({ ...good, shell: 'fish' }),
    'a made-up word for failures': guard({ ...good, onFailure: 'explode' }),
    'an input that is a string': guard({ type: 'mcp_tool', server: 's', tool: 't', input: 'x' }),
    'a guard that is a list': guard([good]),
    'an event that is a number': { hooks: { PreToolUse: 1 } },
    'hooks that are a string': { hooks: 'true' },
    'a group that is a string': { hooks: { PreToolUse: ['Bash'] } },
    'a list of hooks that is null': { hooks: { PreToolUse: [{ hooks: null }] } },
    'a matcher that is null': { hooks: { PreToolUse: [{ matcher: null, hooks: [good] }] } },
    'a status line without a command': { statusLine: { type: 'command' }, ...guard(good) },
    'a status line of another type': { statusLine: { type: 'text', command: 'date' }, ...guard(good) },
    'directories with a number': { permissions: { additionalDirectories: [1] }, ...guard(good) },
    'a port with a fraction': { sshConfigs: [{ id: 'a', name: 'a', sshHost: 'h', sshPort: 1.5 }], ...guard(good) },
    'a marketplace without an address': { blockedMarketplaces: [{ source: 'url', url: 'x' }], ...guard(good) },
    'a mode that is a number': { permissions: { defaultMode: 1 }, ...guard(good) },
  },
  entry: {
    'a timeout of 0 elsewhere': guard({ ...good, timeout: 0 }, 'PostToolUse'),
    'a made-up type elsewhere': guard({ type: 'script' }, 'Stop'),
    'a group without hooks elsewhere': { hooks: { Stop: [{ matcher: 'x' }, { hooks: [good] }] } },
    'an event that is an object elsewhere': { hooks: { Stop: { hooks: [good] } } },
    'a group that is null elsewhere': { hooks: { Stop: [null, { hooks: [good] }] } },
    'a matcher that is a list elsewhere': { hooks: { PostToolUse: [{ matcher: ['Bash'], hooks: [good] }] } },
    'a made-up event': { hooks: { BeforeTool: [{ hooks: [good] }], Stop: [{ hooks: [good] }] } },
  },
  nothing: {
    'a word that a setting does not have, where it costs nothing': { effortLevel: 5, theme: [], ...guard(good) },
    'null for a switch that may be null': { skipWebFetchPreflight: null, ...guard(good) },
    'hooks of another event outside "hooks"': { old: { Stop: [{ hooks: [good] }] }, ...guard(good) },
    'an event that is null': { hooks: { PreToolUse: null, Stop: [{ hooks: [good] }] } },
    'hooks that are null': { hooks: null },
    'a field of another type of hook': guard({ ...good, url: 'http://127.0.0.1:1/' }),
    'a made-up field': guard({ ...good, colour: 'red' }),
    'a made-up setting': { madeUp: [1], ...guard(good) },
    'a rule that does not parse': { permissions: { allow: ['Bash('] }, ...guard(good) },
    'a variable that is a number': { env: { A: 1 }, ...guard(good) },
    'a rule that is a number': { permissions: { deny: [7] }, ...guard(good) },
    'a word for a failure on another type': guard({ type: 'prompt', prompt: 'x', onFailure: 'explode' }),
    'a long timeout': guard({ ...good, timeout: 99_999 }),
    'a comment among the events': { hooks: { _note: 'x', Stop: [{ hooks: [good] }] } },
  },
}

/** True for a value that does not fit: a field that is 'any' here takes objects in the client. */
function isWrong(value: unknown, { shape, field }: { readonly shape: Shape; readonly field: string }): boolean {
  if (field === 'url') return true
  return makeCheck(shape === 'any' ? { each: 'any' } : shape)(value).length > 0
}

/** What V-HK-50 says of settings: what it costs, and the field that it names. */
async function lossesIn(settings: object): Promise<{ loss: string | undefined; field: string }[]> {
  const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) }, 'current')
  const told = findings.filter(({ rule }) => rule === 'V-HK-50')
  return told.map(({ loss, message }) => ({ loss, field: /: "(\w+)/.exec(message)?.[1] ?? message }))
}

describe('what a misfit costs in Claude Code', () => {
  const cases = Object.entries(SETTINGS).flatMap(([loss, all]) =>
    Object.entries(all).map(([name, settings]) => ({ loss, name, settings })),
  )
  it.each(cases)('$name costs $loss', async ({ loss, settings }) => {
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) }, 'current')
    const errors = findings.filter(({ severity }) => severity === 'error')
    const losses = errors.flatMap((finding) => finding.loss ?? [])
    if (loss === 'nothing') expect(errors).toEqual([])
    else expect([...new Set(losses)]).toEqual([loss])
  })

  const FIELDS = Object.entries(currentHookTypes).flatMap(([type, { fields, required, ...rest }]) =>
    'inFiles' in rest ? [] : Object.entries(fields).map(([field, { shape }]) => ({ type, field, shape, required })),
  )
  it.each(FIELDS)('$field of a $type hook costs by its event where it has a wrong type', async (one) => {
    const sound = Object.fromEntries(one.required.map((name) => [name, name === 'url' ? 'http://127.0.0.1:1/' : 'x']))
    const wrong = [null, true, 0, -1, 'word', ['x', 1], { a: 1 }].filter((value) => isWrong(value, one))
    expect(wrong.length).toBeGreaterThan(3)
    for (const value of wrong) {
      for (const [event, loss] of [
        ['PreToolUse', 'file'],
        ['PermissionRequest', 'file'],
        ['Stop', 'entry'],
      ] as const) {
        const settings = guard({ type: one.type, ...sound, [one.field]: value }, event)
        expect(await lossesIn(settings)).toEqual([{ loss, field: one.field }])
      }
    }
  })

  const SETTING_TYPES: Readonly<Record<string, readonly unknown[]>> = {
    model: [5, null, ['x'], {}],
    outputStyle: [5, null],
    apiKeyHelper: [true],
    disableAllHooks: ['true', 1, null],
    includeCoAuthoredBy: ['no'],
    enableAllProjectMcpServers: ['yes'],
    cleanupPeriodDays: ['30', null],
    env: ['A=1', [], null, 5],
    enabledPlugins: [['a@b'], 'a@b'],
    permissions: [[], 'Bash', null],
    statusLine: ['date', [], null, 5],
    fileSuggestion: ['ls', null],
    allowedHttpHookUrls: ['http://127.0.0.1', [1], null],
    httpHookAllowedEnvVars: ['A', {}],
    enabledMcpjsonServers: ['x y', [1]],
  }
  it.each(Object.entries(SETTING_TYPES))('%s of a wrong type costs the file', async (name, values) => {
    for (const value of values) {
      const [first] = await lossesIn({ ...guard(good), [name]: value })
      expect([value, first?.loss, first?.field.split('.')[0]]).toEqual([value, 'file', name])
    }
  })

  it('is the same in a plugin and in a skill, for that file alone, where settings are none', async () => {
    const bad = { ...good, timeout: 0 }
    const skill = (event: string) =>
      `---\nname: s\nmodel: 5\nhooks: ${JSON.stringify({ [event]: [{ hooks: [bad] }] })}\n---\n`
    const files = {
      'plugin/hooks/hooks.json': JSON.stringify({ model: 5, ...guard(bad) }),
      '.claude/skills/a/SKILL.md': skill('PreToolUse'),
      '.claude/skills/b/SKILL.md': skill('PostToolUse'),
    }
    const found = (await findingsIn(files, 'current')).filter(({ rule }) => rule === 'V-HK-50')
    expect(Object.fromEntries(found.map(({ file, loss }) => [file, loss]))).toEqual({
      'plugin/hooks/hooks.json': 'file',
      '.claude/skills/a/SKILL.md': 'file',
      '.claude/skills/b/SKILL.md': 'entry',
    })
    expect(found).toHaveLength(3)
  })

  it.each([
    [{ timeout: 0 }, '"timeout" must be greater than 0'],
    [{ timeout: '5' }, '"timeout" must be a number, not "5"'],
    [{ async: 'true' }, '"async" must be a boolean, not "true"'],
    [{ args: 'x' }, '"args" must be a list, not "x"'],
    [{ args: [1] }, '"args.0" must be a string, not 1'],
    [{ shell: 'zsh' }, '"shell" must be one of "bash", "powershell", not "zsh"'],
    [{ type: 'Command' }, '"type" must be one of command, http, mcp_tool, prompt, agent, not "Command"'],
    [{ type: 'http', url: '/x' }, '"url" must be a whole address, such as'],
    [{ type: 'prompt' }, 'a prompt hook must have "prompt", a string'],
  ])('says of %j what it has to be', async (hook, words) => {
    const findings = await findingsIn(
      { '.claude/settings.json': JSON.stringify(guard({ ...good, ...hook })) },
      'current',
    )
    expect(findings.find(({ loss }) => loss === 'file')?.message).toContain(words)
  })

  it('names the hooks and deny rules that go with the file', async () => {
    const settings = { permissions: { deny: ['Bash(rm:*)', 'Read(.env)'] }, ...guard({ ...good, timeout: 0 }) }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) }, 'current')
    const told = findings.find(({ loss }) => loss === 'file')?.message
    expect(told).toContain('Claude Code applies nothing of this file, its 2 hooks and 2 deny rules neither')
  })

  it('says that an earlier copy of an event is not seen', async () => {
    const copy = '"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]'
    const findings = await findingsIn({ '.claude/settings.json': `{"hooks": {${copy}, ${copy}}}` }, 'current')
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'V-HK-27', severity: 'error', loss: 'entry' }))
  })
})

/**
 * Answers of Claude Code 2.1.325 to files with one thing in them that may not fit, in a line each: a setting by its path with the values
 * that cost the file and those that do not, or whole settings. Beside it each file had a hook on UserPromptSubmit, which told that it was applied.
 */
interface ClientAnswers {
  readonly path?: string
  readonly dropped?: readonly unknown[]
  readonly applied?: readonly unknown[] | boolean
  readonly settings?: { readonly hooks?: object }
}

/** Settings of a line, each with what the client made of it. */
function askedIn({
  path = '',
  dropped = [],
  applied,
  settings,
}: ClientAnswers): { settings: object; applied: boolean }[] {
  if (settings !== undefined) return [{ settings, applied: applied === true }]
  const nest = (value: unknown) => path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value)
  const taken = Array.isArray(applied) ? applied : []
  return [
    ...dropped.map((value) => ({ settings: Object(nest(value)), applied: false })),
    ...taken.map((value) => ({ settings: Object(nest(value)), applied: true })),
  ]
}

describe('answers of the real client', () => {
  it('are those of the table, for every setting, field and place of hooks', async () => {
    const lines = readFileSync(new URL('client-answers.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const asked = lines.flatMap((line) => askedIn(JSON.parse(line)))
    const profile = await makeProfileSource('current').load('current')
    const beside = { UserPromptSubmit: [{ hooks: [good] }] }
    const wrong: object[] = []
    for (const { settings, applied } of asked) {
      const file = { ...settings, hooks: { ...Object(settings).hooks, ...beside } }
      const source = await parseJsonSource(JSON.stringify(file))
      if (!('root' in source)) throw new TypeError('the file is not JSON')
      const losses = findLosses(source.root, { profile, kind: 'settings' })
      if (applied === losses.some(({ costs }) => costs === 'file')) wrong.push({ settings, applied })
    }
    expect(asked.length).toBeGreaterThan(3000)
    expect(wrong).toEqual([])
  })

  it.each([
    [{ description: 5 }, 'file'],
    [{ modules: [1] }, 'file'],
    [{ modules: './x.ts' }, 'file'],
    [{ disabledHooks: { PreToolUse: [{ hooks: [good] }] } }, 'file'],
    [{ old: [{ hooks: [good] }] }, 'file'],
    [{ model: 5, permissions: { allow: 'x' }, $schema: 5 }, undefined],
    [{ disabledHooks: { Stop: [{ hooks: [good] }] } }, undefined],
  ])('hold for a file of a plugin: %j', async (more, loss) => {
    const file = JSON.stringify({ ...more, ...guard(good) })
    const findings = await findingsIn({ 'plugin/hooks/hooks.json': file }, 'current')
    expect(findings.find(({ severity }) => severity === 'error')?.loss).toBe(loss)
  })

  it.each(['command', 'prompt'])('of an empty %s are no error, and the hook is told to do nothing', async (type) => {
    const findings = await findingsIn(
      { '.claude/settings.json': JSON.stringify(guard({ type, [type]: '' })) },
      'current',
    )
    expect(findings.map(({ severity }) => severity)).toContain('warning')
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('validate --for claude-code', () => {
  const SETTINGS = '.claude/settings.json'
  const costly = { permissions: { deny: ['Bash(rm:*)'] }, ...guard({ ...good, timeout: 0 }) }
  const world = (settings: object) => projectWith({ [SETTINGS]: JSON.stringify(settings) })

  it('says first how much of a file the client applies', async () => {
    const { code, stdout } = await validate(await world(costly), '--for', 'claude-code@2.1.325')
    expect(code).toBe(1)
    expect(stdout.replaceAll(/\n\s*/g, ' ')).toContain(
      `${SETTINGS} Claude Code applies nothing of this file, its 2 hooks and 1 deny rule neither, because of line 1.`,
    )
    const part = await validate(await world(guard({ ...good, timeout: 0 }, 'Stop')), '--for', 'claude-code', '--json')
    expect(JSON.parse(part.stdout).verdicts).toMatchObject([{ applies: 'part', lines: [1] }])
    const all = await validate(await world(guard(good)), '--for', 'claude-code')
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('Claude Code applies all of this file.') })
  })

  it.each([
    ['no profile is named', [], 1, 'error'],
    ['classic is named', ['--profile', 'classic'], 0, 'note'],
    ['current is named', ['--profile', 'current'], 1, 'error'],
    ['the client is named beside classic', ['--profile', 'classic', '--for', 'claude-code'], 1, 'error'],
  ])('counts by what was asked for: %s', async (_what, flags, code, severity) => {
    const one = await world({ model: 5, ...guard({ ...good, command: 'echo' }) })
    const ended = await validateUnchosen(one, '--json', ...flags)
    expect(ended.code).toBe(code)
    const { findings, verdicts } = JSON.parse(ended.stdout)
    expect(findings).toMatchObject([{ rule: 'V-HK-50', loss: 'file', severity }])
    expect(verdicts).toMatchObject([{ file: SETTINGS, applies: 'nothing', hooks: 2 }])
  })

  it.each(['.claude/hooks.json', '.claude/hooks/hooks.json', 'p/.claude-plugin/hooks/hooks.json'])(
    'says of a file that nothing reads, before all else, that the client does not: %s',
    async (path) => {
      const one = await projectWith({ [path]: JSON.stringify(guard(good)), 'p/.claude-plugin/plugin.json': '{}' })
      const ended = await validate(one, join(one.project, path), '--for', 'claude-code', '--json')
      expect(JSON.parse(ended.stdout).verdicts).toMatchObject([{ applies: 'nothing', lines: [] }])
      const { stdout } = await validate(one, join(one.project, path), '--for', 'claude-code')
      expect(stdout.split('\n')[1]?.trim()).toBe('Claude Code does not read this file.')
    },
  )

  it('refuses a version that it knows nothing of', async () => {
    const one = await world(guard(good))
    await expect(validate(one, '--for', 'claude-code@1.0.0')).rejects.toThrow('only 2.1.325')
  })
})
