import { chmod, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { hooklineInProcess } from '../support/in-process.ts'
import { type Content, commands, makeWorld, type World } from '../support/project.ts'

vi.mock('../../src/config/scopes.ts', async (original) => ({
  ...(await original<typeof import('../../src/config/scopes.ts')>()),
  findDefaultManagedFile: () => process.env.POLICY_OF_THIS_TEST,
}))

const SETTINGS = 'project/.claude/settings.json'
const guard = { matcher: 'Bash', ...commands('true') }
const before = (...groups: object[]) => ({ hooks: { PreToolUse: groups } })
const hook = (fields: object) => ({ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', ...fields }] })
/** A script in the project, and settings that run it before a command. */
const script = (name: string, content: string, command = `"$CLAUDE_PROJECT_DIR"/${name}`) => ({
  [SETTINGS]: before(hook({ command })),
  [`project/${name}`]: content,
})
const DENY =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'

interface Planted {
  /** What Claude Code 2.1.325 does, as it was observed or is documented. */
  readonly client: string
  readonly files: Readonly<Record<string, Content>>
  readonly prepare?: (world: World) => Promise<unknown>
  /** Words of the call behind `why`; a Bash call where it is left out. */
  readonly asked?: readonly string[]
  readonly env?: (world: World) => Record<string, string>
  readonly cause: string
  readonly says: string
  /** A part of the edit or command that makes the hook work. */
  readonly fix: string
}

/** Silences as people have them, one thing wrong each, and what `why` says first. */
const PLANTED: Readonly<Record<string, Planted>> = {
  'a file that ends too early': {
    client: 'applies nothing of a file that is not JSON, without a word in print mode',
    files: { [SETTINGS]: '{ "hooks": { "PreToolUse": [' },
    cause: 'not-json',
    says: 'contributes nothing',
    fix: 'settings.json:1',
  },
  'a comment in the settings': {
    client: 'applies nothing of a file with a comment or a trailing comma',
    files: { [SETTINGS]: `{ // guards\n "hooks": { "PreToolUse": [${JSON.stringify(guard)}] } }` },
    cause: 'file-dropped',
    says: 'Claude Code runs no hook of such a file',
    fix: 'remove the comment',
  },
  'a timeout of 0': {
    client: 'applies nothing of the file for a misfit in a PreToolUse entry, its deny rules neither',
    files: { [SETTINGS]: { permissions: { deny: ['Read(.env)'] }, ...before(hook({ timeout: 0 })) } },
    cause: 'file-dropped',
    says: '1 hook and 1 deny rule neither',
    fix: 'hookline validate --fix',
  },
  'a permission list that is a string': {
    client: 'applies nothing of a file in which a setting beside the hooks has the wrong type',
    files: { [SETTINGS]: { permissions: { allow: 'Bash' }, ...before(guard) } },
    cause: 'file-dropped',
    says: '"permissions.allow" must be a list, not "Bash"',
    fix: 'settings.json:',
  },
  'a hook without a group': {
    client: 'runs no hook of a file that has a hook outside of a group',
    files: { [SETTINGS]: before({ matcher: 'Bash', type: 'command', command: 'true' }) },
    cause: 'file-dropped',
    says: 'A hook belongs in a group',
    fix: 'settings.json:',
  },
  'a type of hook that there is not': {
    client: 'applies nothing of the file for an unknown type in a PreToolUse entry',
    files: { [SETTINGS]: before(hook({ type: 'script' })) },
    cause: 'file-dropped',
    says: '"type" must be one of command, http',
    fix: 'settings.json:',
  },
  'an entry that is dropped alone': {
    client: 'drops the entry for a misfit on PostToolUse, and runs the rest of the file',
    files: { [SETTINGS]: { hooks: { PostToolUse: [hook({ timeout: 0 })] } } },
    asked: ['PostToolUse', 'tool_name=Bash'],
    cause: 'entry-dropped',
    says: 'Claude Code does not run this',
    fix: 'settings.json:',
  },
  'a matcher in small letters': {
    client: 'compares names exactly: bash does not match Bash',
    files: { [SETTINGS]: before({ ...guard, matcher: 'bash' }) },
    cause: 'matcher-miss',
    says: 'Did you mean "Bash"?',
    fix: '"matcher": "Bash"',
  },
  'a permission rule as matcher': {
    client: 'takes it for a regular expression that matches nothing',
    files: { [SETTINGS]: before({ ...guard, matcher: 'Bash(git *)' }) },
    asked: ['PreToolUse', 'tool_name=Bash', 'tool_input.command=git push'],
    cause: 'matcher-miss',
    says: 'is a permission rule, not a matcher',
    fix: '"if": "Bash(git *)"',
  },
  'the name of an MCP server as matcher': {
    client: 'takes mcp__memory for a whole name, and mcp__memory__read is another',
    files: { [SETTINGS]: before({ ...guard, matcher: 'mcp__memory' }) },
    asked: ['PreToolUse', 'tool_name=mcp__memory__read'],
    cause: 'matcher-miss',
    says: 'mcp__memory',
    fix: '"matcher": "mcp__memory__.*"',
  },
  'a part of a name as matcher': {
    client: 'compares whole names: Not is not NotebookEdit',
    files: { [SETTINGS]: before({ ...guard, matcher: 'Notebook' }) },
    asked: ['PreToolUse', 'tool_name=NotebookEdit'],
    cause: 'matcher-miss',
    says: 'NotebookEdit',
    fix: '"matcher": ',
  },
  'an expression as matcher': {
    client: 'has no expressions: this is a regular expression that matches nothing',
    files: { [SETTINGS]: before({ ...guard, matcher: 'tool == "Bash"' }) },
    cause: 'matcher-miss',
    says: 'tool_name is Bash',
    fix: '"matcher": "Bash"',
  },
  'anchors that leave no room': {
    client: 'tests the whole pattern: ^(Edit|Write)$ does not match MultiEdit',
    files: { [SETTINGS]: before({ ...guard, matcher: '^Bash.$' }) },
    cause: 'matcher-miss',
    says: 'tool_name is Bash',
    fix: 'settings.json:',
  },
  'an if that the call does not fit': {
    client: 'does not look through wrappers, and runs the hook for commands that fit alone',
    files: { [SETTINGS]: before(hook({ if: 'Bash(git push *)' })) },
    asked: ['PreToolUse', 'tool_name=Bash', 'tool_input.command=git commit -m x'],
    cause: 'if-miss',
    says: 'Bash(git push *)',
    fix: '"if"',
  },
  'an if where there is nothing to ask': {
    client: 'never runs a hook with an if on an event without a tool',
    files: { [SETTINGS]: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true', if: 'Bash' }] }] } } },
    asked: ['Stop'],
    cause: 'if-miss',
    says: 'if',
    fix: '"if"',
  },
  'a misspelt event': {
    client: 'ignores the hooks of an event that it does not know',
    files: { [SETTINGS]: { hooks: { PreToolUsed: [guard] } } },
    cause: 'not-an-event',
    says: '"PreToolUsed" is not an event',
    fix: 'hookline validate --fix',
  },
  'an event at the root': {
    client: 'applies nothing of the file: PreToolUse belongs under "hooks"',
    files: { [SETTINGS]: { PreToolUse: [guard] } },
    cause: 'not-under-hooks',
    says: '"PreToolUse" is at the root',
    fix: 'hookline validate --fix',
  },
  'the other event': {
    client: 'fires SubagentStop, not Stop, when a subagent ends',
    files: { [SETTINGS]: { hooks: { Stop: [commands('true')] } } },
    asked: ['SubagentStop'],
    cause: 'other-event',
    says: 'No hook is configured for SubagentStop',
    fix: '"SubagentStop"',
  },
  'hooks switched off by the user': {
    client: 'runs no hook but managed ones where the user settings say disableAllHooks',
    files: { [SETTINGS]: before(guard), 'home/.claude/settings.json': { disableAllHooks: true } },
    cause: 'disabled',
    says: 'disableAllHooks is set in',
    fix: 'disableAllHooks',
  },
  'hooks switched off by the project itself': {
    client: 'counts disableAllHooks of a project whether Hookline trusts it or not',
    files: { [SETTINGS]: { disableAllHooks: true, ...before(guard) } },
    cause: 'disabled',
    says: 'disableAllHooks is set in .claude/settings.json',
    fix: 'disableAllHooks',
  },
  'managed hooks only': {
    client: 'runs managed hooks only where policy says allowManagedHooksOnly',
    files: { [SETTINGS]: before(guard), 'managed.json': { allowManagedHooksOnly: true } },
    cause: 'policy-off',
    says: 'allows managed hooks only',
    fix: 'managed.json',
  },
  'a plugin that is switched off': {
    client: 'loads no plugin that enabledPlugins sets to false',
    files: {
      'home/.claude/settings.json': { enabledPlugins: { 'guard@market': false } },
      'home/.claude/plugins/installed_plugins.json': {
        version: 2,
        plugins: { 'guard@market': [{ scope: 'user', installPath: 'cache/market/guard/1.0.0' }] },
      },
      'home/.claude/plugins/cache/market/guard/1.0.0/hooks/hooks.json': before(guard),
    },
    cause: 'plugin-off',
    says: 'guard@market',
    fix: 'claude plugin enable guard@market',
  },
  '.claude-plugin/hooks/hooks.json': {
    client: 'reads hooks of a plugin from hooks/hooks.json alone',
    files: {
      'project/.claude-plugin/plugin.json': { name: 'mine' },
      'project/.claude-plugin/hooks/hooks.json': before(guard),
    },
    cause: 'stray-file',
    says: '.claude-plugin/hooks/hooks.json holds hooks, and nothing reads it',
    fix: 'mv .claude-plugin/hooks/hooks.json hooks/hooks.json',
  },
  '.claude/hooks.json': {
    client: 'does not read .claude/hooks.json',
    files: { 'project/.claude/hooks.json': before(guard) },
    cause: 'stray-file',
    says: '.claude/hooks.json holds hooks, and nothing reads it',
    fix: 'mv .claude/hooks.json .claude/settings.json',
  },
  '.claude/hooks/hooks.json': {
    client: 'does not read .claude/hooks/hooks.json',
    files: { 'project/.claude/hooks/hooks.json': before(guard) },
    cause: 'stray-file',
    says: '.claude/hooks/hooks.json holds hooks, and nothing reads it',
    fix: '.claude/settings.json',
  },
  "an agent's frontmatter in a plugin": {
    client: "does not run frontmatter hooks of a plugin's agents and slash commands",
    files: {
      'plugin/.claude-plugin/plugin.json': { name: 'mine' },
      'plugin/agents/helper.md':
        '---\nname: helper\ndescription: Helps.\nhooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: "true" }\n---\nHelp.\n',
    },
    asked: ['PreToolUse', 'tool_name=Bash', '--plugin', '{root}/plugin'],
    cause: 'plugin-component',
    says: 'Claude Code does not run',
    fix: 'hooks/hooks.json',
  },
  'a project above': {
    client: 'reads the settings of the folder that it works in, not those above',
    files: { '.claude/settings.json': before(guard) },
    cause: 'project-above',
    says: 'settings of folders above are not read',
    fix: 'cd ',
  },
  'a home that is elsewhere': {
    client: 'reads user settings from CLAUDE_CONFIG_DIR where that is set',
    files: { 'home/.claude/settings.json': before(guard), 'other/settings.json': {} },
    env: ({ root, home }) => ({ CLAUDE_CONFIG_DIR: join(root, 'other'), HOME: home }),
    cause: 'stray-file',
    says: 'CLAUDE_CONFIG_DIR is set',
    fix: 'unset CLAUDE_CONFIG_DIR',
  },
  'a link that leads nowhere': {
    client: 'takes a settings file that cannot be opened for none',
    files: {},
    prepare: async ({ project }) => {
      await mkdir(join(project, '.claude'))
      await symlink('../dotfiles/settings.json', join(project, '.claude/settings.json'))
    },
    cause: 'broken-link',
    says: '.claude/settings.json',
    fix: 'ln -sfn',
  },
  'a script that is not executable': {
    client: 'goes on as after any exit code but 2: the shell ends with 126',
    files: script('guard.sh', '#!/bin/sh\nexit 2\n'),
    prepare: ({ project }) => chmod(join(project, 'guard.sh'), 0o644),
    cause: 'cannot-start',
    says: 'is not executable',
    fix: 'chmod +x',
  },
  'a script with CRLF': {
    client: 'goes on: the kernel finds no interpreter of that name',
    files: script('guard.sh', '#!/bin/sh\r\nexit 2\r\n'),
    cause: 'cannot-start',
    says: 'CRLF',
    fix: "sed -i 's/\\r$//'",
  },
  'a script without a first line': {
    client: 'starts commands by sh, which reads a Python script as its own',
    files: script('guard.py', 'import sys\nsys.exit(2)\n'),
    prepare: ({ project }) => chmod(join(project, 'guard.py'), 0o755),
    cause: 'cannot-start',
    says: 'no #! line',
    fix: 'python3 ',
  },
  'a byte order mark before the first line': {
    client: 'starts it by sh, as the kernel does not see #! behind the mark',
    files: script('guard.py', '\ufeff#!/usr/bin/env python3\nimport sys\nsys.exit(2)\n'),
    prepare: ({ project }) => chmod(join(project, 'guard.py'), 0o755),
    cause: 'cannot-start',
    says: 'byte order mark',
    fix: 'sed -i ',
  },
  'a program that is not there': {
    client: 'goes on: the shell ends with 127',
    files: { [SETTINGS]: before(hook({ command: 'surely-no-such-program --check' })) },
    cause: 'cannot-start',
    says: 'there is no program surely-no-such-program',
    fix: 'surely-no-such-program',
  },
  'a script that is somewhere else': {
    client: 'runs commands in the folder of the session, which follows cd',
    files: { [SETTINGS]: before(hook({ command: './guard.sh' })), 'project/.claude/hooks/guard.sh': '#!/bin/sh\n' },
    cause: 'cannot-start',
    says: 'guard.sh does not exist',
    fix: '\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh',
  },
  'a guard that exits with 1': {
    client: 'takes exit 1 for a failure that blocks nothing',
    files: script(
      'guard.sh',
      '#!/bin/sh\ngrep -q "rm -rf" && { echo "Blocked: no rm -rf here" >&2; exit 1; }\nexit 0\n',
    ),
    cause: 'V-HK-41',
    says: 'exits with 1, which refuses nothing',
    fix: 'Exit with 2',
  },
  'a guard that answers on stderr': {
    client: 'reads answers from stdout alone; stderr counts with exit 2',
    files: script('guard.sh', `#!/bin/sh\ncat >/dev/null\necho '${DENY}' >&2\n`),
    cause: 'answer-on-stderr',
    says: 'Claude Code reads answers from stdout alone',
    fix: 'Remove >&2',
  },
  'text before the JSON': {
    client: 'takes stdout with text before the object for plain text, so the deny is not read',
    files: script('guard.sh', `#!/bin/sh\ncat >/dev/null\necho "Checking the command"\necho '${DENY}'\n`),
    cause: 'text-before-answer',
    says: 'plain text',
    fix: '>&2',
  },
  'a field that the event has not': {
    client: 'gives PostToolUse a tool_response; there is no tool_output',
    files: {
      [SETTINGS]: { hooks: { PostToolUse: [hook({ command: '"$CLAUDE_PROJECT_DIR"/look.sh' })] } },
      'project/look.sh': '#!/bin/sh\njq -r .tool_output | grep -q secret && exit 2\nexit 0\n',
    },
    asked: ['PostToolUse', 'tool_name=Bash'],
    cause: 'V-HK-42',
    says: 'tool_output',
    fix: 'tool_response',
  },
  'a guard in the background': {
    client: 'does not wait for an async hook: the call has run when it answers',
    files: script('guard.sh', '#!/bin/sh\necho no >&2\nexit 2\n'),
    prepare: ({ project }) =>
      import('node:fs/promises').then(({ writeFile }) =>
        writeFile(
          join(project, '.claude/settings.json'),
          JSON.stringify(before(hook({ command: '"$CLAUDE_PROJECT_DIR"/guard.sh', async: true })), null, 2),
        ),
      ),
    cause: 'V-HK-21',
    says: 'runs in the background',
    fix: '"async"',
  },
  'exit 2 where nothing can be blocked': {
    client: 'goes on after exit 2 of PermissionRequest: it is not a denial there',
    files: {
      [SETTINGS]: { hooks: { PermissionRequest: [hook({ command: '"$CLAUDE_PROJECT_DIR"/guard.sh' })] } },
      'project/guard.sh': '#!/bin/sh\necho no >&2\nexit 2\n',
    },
    asked: ['PermissionRequest', 'tool_name=Bash'],
    cause: 'V-HK-10',
    says: 'Exit code 2 blocks nothing on PermissionRequest',
    fix: 'refuse with JSON on stdout',
  },
  'plain text that nobody reads': {
    client: 'shows plain stdout of PostToolUse to nobody but the verbose view',
    files: {
      [SETTINGS]: { hooks: { PostToolUse: [hook({ command: 'echo "Run the tests before you go on"' })] } },
    },
    asked: ['PostToolUse', 'tool_name=Bash'],
    cause: 'V-HK-43',
    says: 'stdout',
    fix: 'additionalContext',
  },
  'a hook that a model judges where none can': {
    client: 'refuses prompt hooks on SessionStart',
    files: { [SETTINGS]: { hooks: { SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] }] } } },
    asked: ['SessionStart', 'source=startup'],
    cause: 'unsupported',
    says: 'prompt hooks do not run for SessionStart',
    fix: '"type": "command"',
  },
  'an address that is not allowed': {
    client: 'makes no request to an address outside of allowedHttpHookUrls',
    files: {
      [SETTINGS]: {
        allowedHttpHookUrls: ['http://127.0.0.1:9/*'],
        ...before({ hooks: [{ type: 'http', url: 'http://127.0.0.1:8/hook' }] }),
      },
    },
    cause: 'V-HK-36',
    says: 'allowedHttpHookUrls',
    fix: 'allowedHttpHookUrls',
  },
}

/** Calls `why` on a machine whose policy is that of the world, in a project that nobody trusts. */
async function why(world: World, { asked = ['PreToolUse', 'tool_name=Bash'], env }: Planted, ...flags: string[]) {
  const words = asked.map((word) => word.replace('{root}', world.root))
  const variables = { POLICY_OF_THIS_TEST: world.managed, CLAUDE_CONFIG_DIR: undefined, ...env?.(world) }
  return hooklineInProcess(world, ['why', ...words, ...flags], { env: variables })
}

describe('hookline why, of what keeps a hook silent in Claude Code', () => {
  it.each(Object.entries(PLANTED))('names %s first', async (_name, planted) => {
    const world = await makeWorld(planted.files)
    await planted.prepare?.(world)
    const { code, stdout } = await why(world, planted, '--json')
    const { causes, runs } = JSON.parse(stdout)
    if (planted.cause === 'file-dropped' || planted.cause === 'disabled') expect(runs).toEqual([])
    expect(causes[0]).toMatchObject({
      cause: planted.cause,
      because: expect.stringContaining(planted.says),
      fix: expect.stringContaining(planted.fix),
    })
    expect(code).toBe(1)
    expect(causes.map((one: { cause: string }) => one.cause)).not.toContain('untrusted')
    for (const { because, fix } of causes) expect(`${because}${fix}`).not.toMatch(/\n|hookline explain|does the same/)
  })
})

describe('hookline why, where hookline tap records', () => {
  const recorder = { hooks: [{ type: 'command', command: 'hookline tap record >/dev/null 2>&1 || true' }] }
  const user = 'home/.claude/settings.json'
  const withOwnHome = Object.entries(PLANTED).filter(
    ([, { files, prepare, env }]) => prepare === undefined && env === undefined && !(user in files),
  )

  it.each(withOwnHome)('names %s first all the same', async (_name, planted) => {
    const tapped = { hooks: { PreToolUse: [recorder], PostToolUse: [recorder], Stop: [recorder] } }
    const world = await makeWorld({ ...planted.files, [user]: tapped })
    const { causes } = JSON.parse((await why(world, planted, '--json')).stdout)
    expect(causes[0]).toMatchObject({ cause: planted.cause })
  })

  it('finds no hook where there is only the recorder', async () => {
    const world = await makeWorld({ [user]: { hooks: { PreToolUse: [recorder] } } })
    const nothing = { client: '', files: {}, cause: '', says: '', fix: '' }
    const { causes, runs } = JSON.parse((await why(world, nothing, '--json')).stdout)
    expect([causes[0].cause, runs]).toEqual(['no-hook', []])
  })
})

describe('hookline why', () => {
  const bare: Planted = { client: '', files: {}, cause: '', says: '', fix: '' }
  const causesIn = async (world: World, asked = bare.asked) => {
    const { stdout } = await why(world, { ...bare, ...(asked === undefined ? {} : { asked }) }, '--json')
    return JSON.parse(stdout)
  }

  it.each([
    ['matcher-miss', { matcher: 'bash' }, {}],
    ['invalid', { matcher: 'Bash(' }, {}],
    ['if-miss', { matcher: 'Bash' }, { if: 'Bash(git *)' }],
  ])('names a missing script behind %s, so that both are fixed in one go', async (first, group, fields) => {
    const hooks = [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/nope.sh', ...fields }]
    const { causes } = await causesIn(await makeWorld({ [SETTINGS]: before({ ...group, hooks }) }))
    expect(causes.map(({ cause }: { cause: string }) => cause)).toEqual([first, 'cannot-start'])
    expect(causes[1].because).toContain('nope.sh does not exist')
  })

  it('names hooks for other tools last, in one line, whatever else may be the cause', async () => {
    const world = await makeWorld({
      [SETTINGS]: before(
        { ...guard, matcher: 'Edit|Write' },
        { ...guard, matcher: 'Read' },
        { ...guard, matcher: '^Web' },
        { ...guard, matcher: 'bash' },
      ),
      'project/.claude/hooks.json': before(guard),
    })
    const { causes } = await causesIn(world)
    expect(causes.map(({ cause }: { cause: string }) => cause)).toEqual(['matcher-miss', 'stray-file', 'other-values'])
    expect(causes.at(-1)).toMatchObject({
      because: '3 hooks are not for Bash, by their matchers: "Edit|Write", "Read", "^Web".',
      fix: expect.stringContaining('"matcher": "Edit|Write|Bash"'),
    })
  })

  it('says last, as a note, that Hookline does not trust the folder, and finds no cause in it', async () => {
    const world = await makeWorld({ [SETTINGS]: before(guard) })
    const told = await why(world, bare)
    expect(told.code).toBe(0)
    expect(told.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^1 hook would run .*Note: 1 hook of this project is not trusted/,
    )
    const { causes, notes } = await causesIn(world)
    expect([causes, notes]).toEqual([[], [expect.objectContaining({ note: 'untrusted' })]])
    expect((await why(world, bare, '--trust')).stdout).not.toContain('Note:')
  })

  it('counts the records of this project alone, and says how long ago', async () => {
    const here = await makeWorld({ [SETTINGS]: before(guard), 'other/.claude/settings.json': before(guard) })
    const log = join(here.root, 'hooks.jsonl')
    const fire = (project: string) =>
      hooklineInProcess(here, ['fire', 'PreToolUse', 'tool_name=Bash', '--trust'], {
        env: { HOOKLINE_LOG: log, POLICY_OF_THIS_TEST: here.managed },
        places: ['--project', project, '--home', here.home],
      })
    const asked = () => why(here, { ...bare, env: () => ({ HOOKLINE_LOG: log }) })
    await fire(join(here.root, 'other'))
    expect((await asked()).stdout).not.toContain('Recorded')
    await fire(here.project)
    expect((await asked()).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /PreToolUse last .* ago, in this project; last runs: /,
    )
  })

  it('says of a module of a plugin that it answers before hooks', async () => {
    const world = await makeWorld({
      [SETTINGS]: before(guard),
      'plugin/.claude-plugin/plugin.json': { name: 'mine' },
      'plugin/hooks/hooks.json': { modules: ['./register.ts'] },
    })
    const { causes } = await causesIn(world, ['PreToolUse', 'tool_name=Bash', '--plugin', '{root}/plugin'])
    expect(causes).toContainEqual(
      expect.objectContaining({
        cause: 'module',
        because: expect.stringContaining('it answers before your hooks, in Claude Code alone'),
      }),
    )
  })
})

describe('hookline list and doctor', () => {
  it.each(['agents', 'commands'])("say that Claude Code does not run hooks of a plugin's %s", async (folder) => {
    const head = '---\nname: helper\ndescription: Helps.\n'
    const hooks = 'hooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: "true" }\n'
    const world = await makeWorld({
      [SETTINGS]: before(guard),
      'plugin/.claude-plugin/plugin.json': { name: 'mine' },
      [`plugin/${folder}/helper.md`]: `${head}${hooks}---\nHelp.\n`,
    })
    const { stdout, stderr } = await hooklineInProcess(world, ['list', '--plugin', join(world.root, 'plugin')], {
      env: { POLICY_OF_THIS_TEST: world.managed },
    })
    expect(stdout + stderr).toMatch(/helper\.md\s+has\s+hooks,\s+and\s+Claude\s+Code\s+does\s+not\s+run/)
    const examined = await hooklineInProcess(world, ['doctor', '--plugin', join(world.root, 'plugin')], {
      env: { POLICY_OF_THIS_TEST: world.managed },
    })
    expect(examined.stdout).toMatch(/helper\.md\s+has\s+hooks,\s+and\s+Claude\s+Code\s+does\s+not\s+run/)
  })

  it.each(['.claude/hooks.json', '.claude/hooks/hooks.json', '.claude-plugin/hooks/hooks.json'])(
    'name %s beside the hooks that are read: nothing reads it',
    async (stray) => {
      const world = await makeWorld({ [SETTINGS]: before(guard), [`project/${stray}`]: before(guard) })
      const { stdout } = await hooklineInProcess(world, ['list', '--json'], {
        env: { POLICY_OF_THIS_TEST: world.managed },
      })
      const { hooks, causes } = JSON.parse(stdout)
      expect(hooks).toHaveLength(1)
      expect(causes).toMatchObject([{ cause: 'stray-file', because: expect.stringContaining(stray) }])
    },
  )
})

describe('what hookline why advises in a dotfiles repository', () => {
  const dotfiles = async (link: (world: World) => Promise<unknown>, files: Record<string, Content>) => {
    const world = await makeWorld(files)
    await mkdir(join(world.home, '.claude'), { recursive: true })
    await link(world)
    const { stdout } = await hooklineInProcess(world, ['why', 'PreToolUse', 'tool_name=Bash', '--json'], {
      env: { CLAUDE_CONFIG_DIR: undefined, POLICY_OF_THIS_TEST: world.managed },
    })
    return JSON.parse(stdout)
  }

  it('takes a file that the home links to for one that is read', async () => {
    const { causes, runs } = await dotfiles(
      ({ project, home }) => symlink(join(project, 'claude/settings.json'), join(home, '.claude/settings.json')),
      { 'project/claude/settings.json': before(guard) },
    )
    expect([causes, runs]).toEqual([[], ['user:PreToolUse:0:0']])
  })

  it('moves no file of another folder, and none that is a link', async () => {
    const copied = await dotfiles(async () => {}, { 'project/claude/settings.json': before(guard) })
    expect(copied.causes[0].fix).toBe('mkdir -p .claude && cp claude/settings.json .claude/settings.json')
    const linked = await dotfiles(
      ({ project, home }) => symlink(join(project, 'claude/hooks.json'), join(home, '.claude/hooks.json')),
      { 'project/claude/hooks.json': before(guard) },
    )
    for (const { fix } of linked.causes) expect(fix).not.toMatch(/\bmv\b/)
  })

  it('edits the script behind a link, so that the link stays', async () => {
    const { causes } = await dotfiles(
      ({ root, project }) => symlink(join(root, 'project/dot/guard.sh'), join(project, 'guard.sh')),
      {
        [SETTINGS]: before(hook({ command: '"$CLAUDE_PROJECT_DIR"/guard.sh' })),
        'project/dot/guard.sh': '#!/bin/sh\r\nexit 2\r\n',
      },
    )
    expect(causes[0].fix).toMatch(/^sed -i .*\/project\/dot\/guard\.sh'?$/)
  })
})

describe('what would become of a hook if it were trusted', () => {
  it.each(['list', 'explain'])('counts the switches of the project itself, in hookline %s', async (command) => {
    const world = await makeWorld({ [SETTINGS]: { disableAllHooks: true, ...before(guard) } })
    const call = command === 'list' ? ['list'] : ['explain', 'PreToolUse', 'tool_name=Bash']
    const { stdout } = await hooklineInProcess(world, call, {
      env: { COLUMNS: '200', POLICY_OF_THIS_TEST: world.managed },
    })
    expect(stdout).toContain('otherwise: disabled (disableAllHooks is set in .claude/settings.json)')
    expect(stdout).not.toMatch(/otherwise: (?:would run|active)/)
  })
})
