import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findingsIn, oneCommand, projectWith, validate } from '../support/validate.ts'

const SETTINGS = '.claude/settings.json'
/** A variable as settings write it. */
const PLUGIN = `\${CLAUDE_PLUGIN_ROOT}`

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more })
const group = (...hooks: object[]) => ({ hooks })
const settings = (hooks: object) => ({ [SETTINGS]: JSON.stringify({ hooks }, null, 2) })

/** What a rule says of files under `current`: where, and in which words. */
async function told(rule: string, files: Record<string, string>) {
  const findings = (await findingsIn(files, 'current')).filter((finding) => finding.rule === rule)
  return findings.map(({ file, line, message }) => ({ at: `${file}:${line}`, message }))
}

describe('V-HK-11 on a fixed path in a plugin', () => {
  const plugin = (...hooks: object[]) => ({
    'plugin/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [group(...hooks)] } }),
    'plugin/dist/x.js': '',
  })

  it.each([
    command('node', { args: [`${PLUGIN}/dist/x.js`] }),
    command('node', { args: [`--root=${PLUGIN}`, `${PLUGIN}/dist/x.js`] }),
    command(`${PLUGIN}/dist/x.js`, { args: ['--quiet'] }),
    command(`node "${PLUGIN}/dist/x.js"`),
    command(`node ${PLUGIN}/dist/x.js`),
    command('node "$CLAUDE_PLUGIN_ROOT"/dist/x.js'),
  ])('leaves a path from the root alone: %j', async (hook) => {
    expect(await told('V-HK-11', plugin(hook))).toEqual([])
  })

  it('names the fixed path that is written, and no place of this machine', async () => {
    const hook = command('node', { args: ['/opt/x/dist/x.js', `${PLUGIN}/dist/x.js`] })
    const [first, ...others] = await told('V-HK-11', plugin(hook))
    expect(others).toEqual([])
    expect(first?.message).toMatch(/^\/opt\/x\/dist\/x\.js is a fixed path/)
    const { project } = await projectWith(plugin(hook))
    expect(first?.message).not.toContain(project.split('/')[1])
  })
})

describe('V-HK-39 on a variable that is never set', () => {
  const guard = (name: string) => group(command(`node "$CLAUDE_PROJECT_DIR"/.claude/hooks/${name}`))
  const shared = (text: string, name = 'g.js') => ({
    ...settings({ PreToolUse: [guard(name)], PostToolUse: [guard(name)], Stop: [guard(name), guard(name)] }),
    [`.claude/hooks/${name}`]: text,
  })

  it('is told once a script, at its line of the script', async () => {
    const found = await told('V-HK-39', shared('const fs = require("fs")\nrun(process.env.CLAUDE_FILE_PATH)\n'))
    expect(found).toEqual([{ at: '.claude/hooks/g.js:2', message: expect.stringContaining('$CLAUDE_FILE_PATH') }])
  })

  it('is told of each script, and of each command that reads one itself', async () => {
    const files = {
      ...settings({
        PreToolUse: [
          group(command('echo "$CLAUDE_FILE_PATH"'), command('sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh')),
        ],
        PostToolUse: [group(command('sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/b.sh'))],
      }),
      '.claude/hooks/a.sh': 'echo\necho "$TOOL_INPUT"\n',
      '.claude/hooks/b.sh': 'echo "$TOOL_INPUT"\n',
    }
    expect((await told('V-HK-39', files)).map(({ at }) => at.replace(/json:\d+/, 'json'))).toEqual([
      SETTINGS,
      '.claude/hooks/a.sh:2',
      '.claude/hooks/b.sh:1',
    ])
  })

  it.each([
    'const id = input.session_id || process.env.CLAUDE_SESSION_ID',
    'const id = process.env.CLAUDE_SESSION_ID || input.session_id',
    'const id = input.session_id ?? process.env.CLAUDE_SESSION_ID',
    'const id = process.env.CLAUDE_SESSION_ID ?? input.session_id',
    'const id = process.env["CLAUDE_SESSION_ID"] || input["session_id"]',
    'const file = event.tool_input.file_path || env.CLAUDE_FILE_PATH',
    'if (process.env.CLAUDE_FILE_PATH || input.tool_input) run()',
  ])('is not told where it is a fallback or a first choice: %s', async (line) => {
    expect(await told('V-HK-39', shared(`${line}\n`))).toEqual([])
  })

  it.each([
    ['g.py', 'file = data.get("file_path") or os.environ.get("CLAUDE_FILE_PATH")'],
    ['g.py', 'file = os.environ.get("CLAUDE_FILE_PATH") or data["tool_input"]["file_path"]'],
    ['g.py', 'file = os.environ.get("CLAUDE_FILE_PATH", data["file_path"])'],
    ['g.sh', `file=\${CLAUDE_FILE_PATH:-$(jq -r .tool_input.file_path)}`],
    ['g.sh', `file=$(jq -r .tool_input.file_path); file=\${file:-$CLAUDE_FILE_PATH}`],
    [
      'g.sh',
      'if [ -n "$CLAUDE_FILE_PATH" ]; then file=$CLAUDE_FILE_PATH; else file=$(jq -r .tool_input.file_path); fi',
    ],
  ])('nor in another language: %s %s', async (name, line) => {
    const run = name.endsWith('.py') ? 'python3' : 'sh'
    const files = {
      ...oneCommand('PreToolUse', `${run} "$CLAUDE_PROJECT_DIR"/.claude/hooks/${name}`),
      [`.claude/hooks/${name}`]: `${line}\n`,
    }
    expect(await told('V-HK-39', files)).toEqual([])
  })
})

describe('V-HK-43 on output that nobody reads', () => {
  const advice = async (event: string) =>
    (await told('V-HK-43', oneCommand(event, 'echo "please read the notes"'))).map(({ message }) => message)

  it('has no advice on Setup', async () => {
    const [message] = await advice('Setup')
    expect(message).toMatch(/Nothing that a hook prints here reaches it\.$/)
  })

  it('says on SessionEnd that the user alone reads stderr', async () => {
    const [message] = await advice('SessionEnd')
    expect(message).toMatch(/The user reads stderr of a hook that fails\.$/)
  })

  it.each(['Setup', 'SessionEnd', 'PostCompact', 'Notification'])(
    'tells nobody on %s to exit with 2',
    async (event) => {
      expect((await advice(event)).join()).not.toContain('exit with 2')
    },
  )
})

describe('V-HK-18 under current', () => {
  const about = async (matcher: string) =>
    (await told('V-HK-18', settings({ PreToolUse: [{ matcher, hooks: [command('true')] }] }))).map(
      ({ message }) => message,
    )

  it.each(['tool == "Bash"', 'tool == "Bash" || tool == "Write"', 'tool_input.command matches "rm"', 'Bash(git *)'])(
    'neither says that an expression works here, nor guesses a tool for one: %s',
    async (matcher) => {
      const [message, ...others] = await about(matcher)
      expect(others).toEqual([])
      expect(message).toContain('"if": "Bash(git *)"')
      expect(message).not.toMatch(/works here|Did you mean/)
    },
  )

  it.each(['Workflow', 'ListAgents', 'ReportFindings', 'ScheduleWakeup', 'Monitor'])('knows %s', async (tool) => {
    expect(await about(tool)).toEqual([])
  })
})

describe('a hook without a group', () => {
  it.each(['PreToolUse', 'Stop'])('gets one finding on %s, not one a field', async (event) => {
    const flat = { matcher: 'Bash', ...command('true'), timeout: 5, async: true, statusMessage: 'x' }
    const findings = await findingsIn(settings({ [event]: [flat] }), 'current')
    expect(findings).toMatchObject([{ rule: 'V-HK-04', severity: 'error', loss: event === 'Stop' ? 'entry' : 'file' }])
  })

  it('costs its event alone where that is no guard', async () => {
    const [finding] = await findingsIn(settings({ Stop: [command('true')] }), 'current')
    expect(finding?.message).toContain('Claude Code does not run this')
    expect(finding?.message).not.toContain('no hook of a file')
  })
})

describe('a path of Windows', () => {
  it.each([
    command('C:/tools/x.exe'),
    command('"C:/Program Files/x.exe" --quiet'),
    command('node D:/tools/x.js'),
    command('node', { args: ['C:/tools/x.js'] }),
  ])('is absolute, and not looked for below the project: %j', async (hook) => {
    const findings = await findingsIn(settings({ PreToolUse: [group(hook)] }), 'current')
    expect(findings.filter(({ rule }) => ['V-HK-07', 'V-HK-38'].includes(rule))).toEqual([])
  })
})

describe('V-HK-38 on a path from the current folder', () => {
  const at = (event: string, matcher?: string) =>
    settings({ [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [command('sh .claude/x.sh')] }] })

  it.each([
    ['SessionStart', 'startup'],
    ['Setup', undefined],
    ['Setup', 'init'],
  ])('is quiet where the agent has not called anything yet: %s %s', async (event, matcher) => {
    expect(await told('V-HK-38', at(event, matcher))).toEqual([])
  })

  it.each([
    ['SessionStart', undefined],
    ['SessionStart', 'startup|compact'],
    ['SessionStart', 'resume'],
    ['PreToolUse', 'Bash'],
    ['PreToolUse', 'startup'],
    ['Stop', undefined],
  ])('warns where the agent may have gone elsewhere: %s %s', async (event, matcher) => {
    expect(await told('V-HK-38', at(event, matcher))).toHaveLength(1)
  })
})

describe('V-HK-48 on a file in a folder of a dotfiles manager', () => {
  const hooks = JSON.stringify({ PreToolUse: [group(command('true'))] })

  it.each([
    ['dot-claude/hooks.json', 'dot-claude/settings.json'],
    ['dot_claude/hooks.json', 'dot_claude/settings.json'],
    ['private_dot_claude/hooks/hooks.json', 'private_dot_claude/settings.json'],
    ['dot-claude-plugin/hooks/hooks.json', 'hooks/hooks.json'],
  ])('says of %s alone that nothing reads it, and where its hooks belong', async (file, right) => {
    const world = await projectWith({ [file]: hooks })
    const { stdout } = await validate(world, join(world.project, file), '--profile', 'current', '--json')
    const { findings } = JSON.parse(stdout)
    expect(findings).toMatchObject([{ rule: 'V-HK-48', severity: 'warning' }])
    expect(findings[0].message).toMatch(new RegExp(`Move its hooks into ${right}\\.$`))
  })
})

describe('V-HK-48 on a file in a folder below the project', () => {
  it('has a command with paths from the project', async () => {
    const file = 'templates/.claude/hooks.json'
    const world = await projectWith({ [file]: JSON.stringify({ hooks: { Stop: [group(command('true'))] } }) })
    const { stdout } = await validate(world, join(world.project, file), '--profile', 'current', '--json')
    const [{ message }] = JSON.parse(stdout).findings
    expect(message).toContain('(mv templates/.claude/hooks.json templates/.claude/settings.json)')
  })
})

describe('a field that the client ignores', () => {
  const found = async (hook: object, more: object = {}) => {
    const findings = await findingsIn(
      settings({ PreToolUse: [{ ...group(command('true', hook)), ...more }] }),
      'current',
    )
    return findings.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`)
  }

  it.each([
    [{ continueOnBlock: true }, 'for prompt hooks only'],
    [{ url: 'http://127.0.0.1:1/' }, 'for http hooks only'],
    [{ colour: 'red' }, 'is not a field of a hook'],
    [{ enabled: false }, 'The hook runs all the same'],
    [{ matcher: 'Bash' }, 'It belongs on the group'],
    [{ run_in_background: true }, '"async"'],
  ])('is a warning on a hook, with its likely meaning: %j', async (hook, words) => {
    expect(await found(hook)).toEqual([expect.stringMatching(/^warning V-HK-16 /)])
    expect((await found(hook))[0]).toContain(words)
  })

  it.each([{ enabled: false }, { if: 'Bash(git *)' }, { timeout: 5 }])('is one on a group: %j', async (more) => {
    expect(await found({}, more)).toEqual([expect.stringMatching(/^warning V-HK-17 .*The group runs all the same\.$/)])
  })

  it.each([{ timeoutSec: 5 }, { comand: 'x' }, { statusMesage: 'x' }])(
    'is an error as a near miss: %j',
    async (hook) => {
      expect(await found(hook)).toEqual([expect.stringMatching(/^error V-HK-16 .*Did you mean/)])
    },
  )
})

describe('a finding about a script', () => {
  const GUARD = 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh'
  const REFUSES = 'if grep -q x; then\n  echo "BLOCKED: no" >&2\n  exit 1\nfi\n'

  it.each([
    ['V-HK-41', 'PreToolUse', REFUSES, 2],
    ['V-HK-43', 'PostToolUse', 'true\necho "Remember to run the tests."\n', 2],
    ['V-HK-44', 'PreToolUse', 'true\ngrep -q x && echo "Not this one." && exit 2\n', 2],
    ['V-HK-10', 'SessionEnd', 'true\n\nexit 2\n', 3],
    ['V-HK-20', 'Stop', 'npm test >&2 ||\n  exit 2\n', 2],
    ['V-HK-42', 'PostToolUse', "true\njq -e '.tool_output.stderr'\n", 2],
    ['V-HK-46', 'PreToolUse', 'true\ncat /dev/stdin > last.json\n', 2],
    ['V-HK-40', 'PreToolUse', 'true\n[[ -n x ]]\n', 2],
    ['V-HK-39', 'PostToolUse', 'true\nnpx eslint "$CLAUDE_FILE_PATH"\n', 2],
  ])('%s stands at the line of the script, once for all hooks that run it', async (rule, event, script, line) => {
    const files = {
      ...settings({ [event]: [group(command(GUARD)), group(command(`${GUARD} `))] }),
      '.claude/hooks/guard.sh': script,
    }
    const found = (await findingsIn(files, 'current')).filter((finding) => finding.rule === rule)
    expect(found).toMatchObject([{ file: '.claude/hooks/guard.sh', line }])
  })

  it('is printed under the name of the script in every format', async () => {
    const world = await projectWith({ ...oneCommand('PreToolUse', GUARD), '.claude/hooks/guard.sh': REFUSES })
    for (const format of ['pretty', 'json', 'sarif', 'github', 'junit']) {
      const { stdout } = await validate(world, '--profile', 'current', '--format', format)
      expect(stdout).toContain('.claude/hooks/guard.sh')
      expect(stdout).toContain('refuses-nothing')
    }
  })

  it.each([
    [
      'a mode that another hook asks for',
      'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh cleanup',
      'MODE=$1\n[ "$MODE" = check ] && exit 2\n',
    ],
    ['a message', GUARD, 'echo "it ended with exit 2" >> log\n'],
    ['a count of its own', GUARD, '[ "$count" -ge "$max_attempts" ] && exit 0\nexit 2\n'],
  ])('does not take %s for what it does at the end of a turn', async (_what, text, script) => {
    const files = { ...oneCommand('Stop', text), '.claude/hooks/guard.sh': script }
    expect(await told('V-HK-20', files)).toEqual([])
  })

  it('does not take the output of a mode that the hook does not ask for as its own', async () => {
    const script = `if [ "\${1:-}" = --selftest ]; then\n  echo "the selftest has passed"\n  exit 0\nfi\n`
    expect(await told('V-HK-43', { ...oneCommand('Stop', GUARD), '.claude/hooks/guard.sh': script })).toEqual([])
  })
})

describe('a file that nothing reads, named to be checked', () => {
  const HOOKS = JSON.stringify({ hooks: { PreToolUse: [group(command(`sh "${PLUGIN}/x.sh"`))] } })
  it.each(['.claude/hooks.json', '.claude/hooks/hooks.json', 'p/.claude-plugin/hooks/hooks.json'])(
    '%s is told first, and no scripts are looked for from there',
    async (path) => {
      const world = await projectWith({ [path]: HOOKS, 'p/.claude-plugin/plugin.json': '{"name":"p"}' })
      const { code, stdout } = await validate(world, `${world.project}/${path}`, '--profile', 'current', '--json')
      expect({ code, rules: JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule) }).toEqual({
        code: 0,
        rules: ['V-HK-48'],
      })
    },
  )
})
