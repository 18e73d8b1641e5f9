import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCaseFiles, readCaseFile } from '../../src/cases/case-file.ts'
import { makeCase } from '../../src/cases/case-of.ts'
import { listCaseEdits } from '../../src/cases/run-cases.ts'
import { addCase, editCaseFile, formatCases } from '../../src/cases/write-case-file.ts'
import { listAskedEffects } from '../../src/protocol/effect.ts'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { tryAgain, tryCases } from '../support/cases.ts'
import { pagePath } from '../support/page.ts'
import { bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'

const GUARD = `#!/bin/sh
grep -q '"command":"rm ' && { echo "no rm in $CLAUDE_PROJECT_DIR" >&2; exit 2; }
exit 0
`

const guarded = {
  'project/.claude/hooks/guard.sh': GUARD,
  'project/.claude/settings.json': {
    hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh') }] },
  },
}

const onBash = (command: string): string => `event: PreToolUse
    input: { tool_name: Bash, tool_input: { command: ${command} } }`

describe('a case', () => {
  it('passes when decision, hooks and texts are as expected, with the real programs', async () => {
    const { results } = await tryCases(
      `cases:
  - name: refuses rm
    ${onBash('rm x')}
    expect:
      decision: { blocked: true, permission: deny, reason: no rm in $CLAUDE_PROJECT_DIR }
      hooks: { guard.sh: { verdict: ran, outcome: blocking, exitCode: 2 }, 'project:PreToolUse:0:0': ran }
      texts: { model: [no rm], user: [] }
      context: []
`,
      guarded,
    )
    expect(results.map(({ ended }) => ended)).toEqual(['passed'])
  })

  it('fails with what was expected and what was seen, place by place', async () => {
    const { results } = await tryCases(
      `cases:
  - name: lets rm through
    ${onBash('rm x')}
    expect:
      decision: { blocked: false, permission: null, halt: false }
      hooks: { guard.sh: matcher-miss, other.sh: ran }
      texts: { model: [] }
`,
      guarded,
    )
    expect(results).toMatchObject([
      {
        ended: 'failed',
        line: 2,
        mismatches: [
          { path: ['decision', 'blocked'], expected: false, seen: true },
          { path: ['decision', 'permission'], expected: null, seen: 'deny' },
          { path: ['hooks', 'guard.sh'], expected: 'matcher-miss', seen: 'ran' },
          { path: ['hooks', 'other.sh'], expected: 'ran' },
          { path: ['texts', 'model'], expected: [] },
        ],
      },
    ])
  })

  it('sets up files and variables in a copy of its own', async () => {
    const hook = 'cat notes.txt >&2; printenv COLOUR >&2; echo changed > notes.txt; exit 2'
    const one = (name: string): string => `  - name: ${name}
    event: Stop
    files: { notes.txt: ${name}, deep/er/file: x }
    env: { COLOUR: $CLAUDE_PROJECT_DIR/red }
    expect: { decision: { reason: "${name}$CLAUDE_PROJECT_DIR/red" } }
`
    const { results, world } = await tryCases(`cases:\n${one('one')}${one('two')}`, {
      'project/.claude/settings.json': { hooks: { Stop: [commands(hook)] } },
      'project/notes.txt': 'as it was',
    })
    expect(results.map((result) => (result.ended === 'failed' ? result.mismatches : result.ended))).toEqual([
      'passed',
      'passed',
    ])
    expect(await readFile(join(world.project, 'notes.txt'), 'utf8')).toBe('as it was')
    expect(existsSync(join(world.project, 'deep'))).toBe(false)
  })

  it('does not see what other cases left behind', async () => {
    const hook = 'test -e trace && { echo seen >&2; exit 2; }; [ "$LEAVE" = 1 ] && touch trace; exit 0'
    const one = (at: number): string =>
      `  - { name: c${at}, event: Stop, env: { LEAVE: '${at % 2}' }, expect: { decision: { blocked: false } } }\n`
    const { results } = await tryCases(`cases:\n${[1, 2, 3, 4, 5, 6].map(one).join('')}`, {
      'project/.claude/settings.json': { hooks: { Stop: [commands(hook)] } },
    })
    expect(results.map(({ ended }) => ended)).toEqual(Array(6).fill('passed'))
  })

  it('has models say what it says', async () => {
    const hooks = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Are the tests green? $ARGUMENTS' }] }] }
    const { results } = await tryCases(
      `cases:
  - name: the judge objects
    event: Stop
    models: [{ when: tests green, answer: { ok: false, reason: not yet } }]
    expect: { decision: { blocked: true }, texts: { model: [not yet] } }
  - name: the judge agrees
    event: Stop
    models: [{ answer: '{"ok": true}' }]
    expect: { decision: { blocked: false } }
  - name: there is no judge
    event: Stop
    expect: { hooks: { tests green: unsupported } }
`,
      { 'project/.claude/settings.json': { hooks } },
    )
    expect(results.map((result) => (result.ended === 'failed' ? result.mismatches : result.ended))).toEqual([
      'passed',
      'passed',
      'passed',
    ])
  })

  it('takes the example of its event when it has no input', async () => {
    const { results } = await tryCases(
      'cases: [{ name: n, event: PreToolUse, expect: { hooks: { guard.sh: ran } } }]',
      guarded,
    )
    expect(results.map(({ ended }) => ended)).toEqual(['passed'])
  })

  it('is broken, and the others run, when its event is none or its files are not the project’s', async () => {
    const { results } = await tryCases(
      `cases:
  - { name: a, event: Stopp }
  - { name: b, event: Stop, files: { ../up.txt: x } }
  - { name: m, event: Stop, files: { node_modules/x/y: x } }
  - { name: c, event: Stop, expect: { decision: { blocked: false } } }
`,
      { ...guarded, 'project/node_modules/x/z': '' },
    )
    expect(results.map((result) => [result.ended, 'reason' in result ? result.reason : ''])).toEqual([
      ['broken', '"Stopp" is not an event of the classic profile. Did you mean "Stop"?'],
      ['broken', '"../up.txt" under "files" is not in the project; only files of the project can be set up.'],
      ['broken', '"node_modules/x/y" under "files" is not in the project; only files of the project can be set up.'],
      ['passed', ''],
    ])
  })
})

describe('a case whose files lie at or below a link', () => {
  it('is broken when the link leads nowhere or out of the project, and nothing is written there', async () => {
    const world = await makeWorld({ ...guarded, 'home/mine.txt': 'mine', 'project/folder/x': '' })
    const places = { dead: 'nothing', out: world.home, 'mine.txt': join(world.home, 'mine.txt'), gone: 'nowhere.txt' }
    for (const [name, target] of Object.entries(places)) await symlink(target, join(world.project, name))
    const files = ['dead/x.txt', 'out/x.txt', 'mine.txt', 'gone', 'folder']
    const cases = files.map((path) => `  - { name: n, event: Stop, files: { ${path}: x } }\n`).join('')
    await put(world, 'project/.claude/hooks/some.hooktest.yaml', `cases:\n${cases}`)
    const { results } = await tryAgain(world)
    expect(results.map((result) => ('reason' in result ? result.reason.replace(/;.*/, '') : result.ended))).toEqual([
      '"dead/x.txt" under "files" is, or lies below, a link that leads nowhere',
      '"out/x.txt" under "files" is not in the project',
      '"mine.txt" under "files" is not in the project',
      '"gone" under "files" is, or lies below, a link that leads nowhere',
      '"folder" under "files" is something else than a file already',
    ])
    expect(await readFile(join(world.home, 'mine.txt'), 'utf8')).toBe('mine')
  })
})

describe('a file of cases', () => {
  it.each([
    ['cases: [', /some\.hooktest\.yaml:1 {2}/],
    ['cases:\n  - name: n\n', 'some.hooktest.yaml:2  cases.0.event is missing.'],
    [
      'cases:\n  - name: n\n    event: Stop\n    expected: {}\n',
      'some.hooktest.yaml:4  cases.0.expected is not a field here; known: name, event, ',
    ],
    ['cases:\n  - name: n\n    event: 3\n', 'some.hooktest.yaml:3  cases.0.event must be a string.'],
  ])('that says %j is refused with its place', async (yaml, message) => {
    await expect(tryCases(yaml, {})).rejects.toThrow(message)
  })

  it('may say everything that the page about them shows', async () => {
    const page = await readFile(pagePath('from-a-bad-day-to-a-test.md'), 'utf8')
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const world = await makeWorld()
    const { cases } = await readCaseFile(await put(world, 'project/page.hooktest.yaml', yaml))
    expect(cases.map((one) => Object.keys(one.case))).toEqual([
      ['name', 'event', 'input', 'files', 'env', 'models', 'expect'],
    ])
  })

  it('is found wherever it is in the project, but not in what others wrote', async () => {
    const { project } = await makeWorld({
      'project/a.hooktest.yaml': '',
      'project/.claude/hooks/b.hooktest.json': {},
      'project/deep/c.hooktest.yml': '',
      'project/node_modules/x/d.hooktest.yaml': '',
      'project/other.test.yaml': '',
    })
    const found = await findCaseFiles(project)
    expect(found.map((path) => path.slice(project.length + 1))).toEqual([
      '.claude/hooks/b.hooktest.json',
      'a.hooktest.yaml',
      'deep/c.hooktest.yml',
    ])
  })
})

describe('updating', () => {
  const yaml = `# about this file
cases:
  # about this case
  - name: refuses rm # a name
    ${onBash('rm x')}
    expect:
      decision: { blocked: false, halt: false } # was so once
  - name: a new one
    ${onBash('ls')}
`

  it('writes what was seen, only where it was wrong, and keeps the comments', async () => {
    const { world, file, results } = await tryCases(yaml, guarded)
    await editCaseFile(file, results.flatMap(listCaseEdits))
    const text = await readFile(file, 'utf8')
    expect(text).toContain('# about this file\ncases:\n  # about this case\n  - name: refuses rm # a name\n')
    expect(text).toContain('decision: { blocked: true, halt: false } # was so once\n')
    const again = await tryAgain(world)
    expect(again.results.map(({ ended }) => ended)).toEqual(['passed', 'passed'])
  })

  it('edits JSON in its place too', async () => {
    const world = await makeWorld()
    const file = await put(world, 'project/a.hooktest.json', '{\n  "cases": [{ "name": "a", "event": "Stop" }]\n}\n')
    await editCaseFile(file, [{ path: ['cases', 0, 'event'], value: 'SubagentStop' }])
    await addCase(file, { name: 'b', event: 'Stop' })
    expect((await readCaseFile(file)).cases.map((one) => one.case.event)).toEqual(['SubagentStop', 'Stop'])
  })
})

describe('a case that is cut from what happened', () => {
  it('passes unchanged, in a file that is made for it', async () => {
    const world = await makeWorld(guarded)
    const input = { ...bashCall, tool_input: { command: `rm ${world.project}/x` }, cwd: world.project, session_id: 's' }
    const record = await (await openOn(world)).dispatch(input)
    const cut = makeCase({ record, input }, world.project)
    expect(cut).toMatchObject({
      name: `PreToolUse Bash rm ${world.project}/x`.slice(0, 80),
      input: { tool_name: 'Bash', tool_input: { command: 'rm $CLAUDE_PROJECT_DIR/x' } },
      expect: { decision: { blocked: true, permission: 'deny' }, hooks: { 'guard.sh': { outcome: 'blocking' } } },
    })
    expect(Object.keys(cut.input ?? {})).toEqual(['tool_name', 'tool_input'])
    await addCase(join(world.project, '.claude/hooks/some.hooktest.yaml'), cut)
    expect((await tryAgain(world)).results.map(({ ended }) => ended)).toEqual(['passed'])
  })

  it('stands behind the cases that are there', async () => {
    const world = await makeWorld(guarded)
    const file = await put(world, 'project/a.hooktest.yaml', 'cases:\n  # first\n  - name: a\n    event: Stop\n')
    await addCase(file, { name: 'b', event: 'Stop' })
    expect(await readFile(file, 'utf8')).toBe(
      'cases:\n  # first\n  - name: a\n    event: Stop\n  - name: b\n    event: Stop\n',
    )
  })

  it('can be read as a text of its own', () => {
    expect(formatCases([{ name: 'a', event: 'Stop' }])).toBe('cases:\n  - name: a\n    event: Stop\n')
  })
})

/** What a hook of `current` can ask for, by event; of each event with effects there is one. */
const ASKING: Readonly<Record<string, object>> = {
  SessionStart: { sessionTitle: 'Lamps', initialUserMessage: 'Begin', watchPaths: ['/a'], reloadSkills: true },
  UserPromptSubmit: { sessionTitle: 'Lamps', suppressOriginalPrompt: true },
  UserPromptExpansion: { suppressOriginalPrompt: true },
  MessageDisplay: { displayContent: 'Fertig.' },
  PreToolUse: { permissionDecision: 'defer', permissionDecisionReason: 'Ada decides' },
  PermissionDenied: { retry: true },
  PostToolUse: { updatedToolOutput: { stdout: 'hidden' }, classifierContext: 'harmless' },
  CwdChanged: { watchPaths: ['/a'] },
  FileChanged: { watchPaths: ['/a'] },
  WorktreeCreate: { worktreePath: '/tmp/feature' },
  Elicitation: { action: 'accept', content: { name: 'Ada' } },
  ElicitationResult: { action: 'decline' },
}

describe('a case of current', () => {
  it('is known for every event whose hooks can ask for something', async () => {
    const { events } = await loadProfile('current')
    const withEffects = [...events.values()].filter(({ effects }) =>
      Object.values(effects).some(({ from }) => from !== 'top'),
    )
    const known = [...Object.keys(ASKING), 'PreCompact'] // whose instructions classic has too
    expect(withEffects.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  })

  it('expects nothing that no hook asked for', async () => {
    const { events } = await loadProfile('current')
    for (const row of events.values()) expect(listAskedEffects(row.noEffects as never)).toEqual({}) // a decision has more
  })

  it.each([...Object.entries(ASKING), ['CwdChanged', { watchPaths: [] }] as const])(
    'expects what hooks of %s asked for, and fails when they ask for less',
    async (event, asked) => {
      const profile = await loadProfile('current')
      const answer = { hookSpecificOutput: { hookEventName: event, ...asked } }
      const command = 'cat .claude/answer.json 2>/dev/null || true'
      const files = {
        'project/.claude/settings.json': { hooks: { [event]: [commands(command)] } },
        'project/.claude/answer.json': answer,
      }
      const world = await makeWorld(files)
      const input = { hook_event_name: event, ...profile.events.get(event)?.example }
      const record = await (await openOn(world, { profile })).dispatch<string>(input)
      const written = makeCase({ record, input }, world.project)
      const effects = event === 'PreToolUse' ? { permission: 'defer' } : asked
      const keys = 'action' in effects ? ['elicitation'] : Object.keys(effects)
      expect(Object.keys(written.expect?.decision ?? {})).toEqual(expect.arrayContaining(keys))
      const text = JSON.stringify({ cases: [written] })
      const { results } = await tryCases(text, files, { profile })
      expect(results).toMatchObject([{ ended: 'passed' }])
      const silent = { ...files, 'project/.claude/answer.json': '' }
      const [less] = (await tryCases(text, silent, { profile })).results
      expect(less?.ended === 'failed' && less.mismatches.map(({ path }) => path[1])).toEqual(
        expect.arrayContaining(keys),
      )
    },
  )

  it('names hooks of every type by what they run', async () => {
    const hook = { type: 'http', url: 'http://127.0.0.1:9/judge' }
    const files = { 'project/.claude/settings.json': { hooks: { Stop: [{ hooks: [hook] }] } } }
    const text =
      'cases:\n  - name: asks the judge\n    event: Stop\n    expect: { hooks: { /judge: { verdict: ran, outcome: non_blocking_error } } }\n'
    const { results } = await tryCases(text, files, { profile: await loadProfile('current') })
    expect(results).toMatchObject([{ ended: 'passed' }])
  })
})
