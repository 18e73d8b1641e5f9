import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBridge } from '../../src/bridges/list.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { hookline, inTerminal } from '../support/command.ts'
import { HOSTILE, HOSTILE_LINE, HOSTILE_NAME, residueOf } from '../support/hostile.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { answering, commands, makeWorld, put, type World } from '../support/project.ts'
import { answer, call, prompt, result } from '../support/sessions.ts'
import { faultInXml } from '../support/xml.ts'

const SHELL_TEXT = HOSTILE.replaceAll('\u0000', '').replaceAll(/\p{Cs}/gu, '')
const COLOURED = { FORCE_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }

/** A call of a command; `{log}` and the like stand for files of the world. */
type Call = readonly string[]

/** Calls that show whatever a command can show of what others wrote. A command without an entry fails the test. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  events: [['--json'], ['PreToolUse'], [HOSTILE_LINE]],
  list: [[], ['--json'], ['--plugin', '{plugin}']],
  validate: [
    [],
    ['--json'],
    ['--format', 'sarif'],
    ['--format', 'github'],
    ['--format', 'junit'],
    ['--explain', HOSTILE_LINE],
  ],
  match: [
    [`Bash|${HOSTILE_LINE}`, '--tool', HOSTILE_LINE],
    ['Bash', '--tool', `Bash${HOSTILE_LINE}`, '--json'],
    [`(${HOSTILE_LINE}`],
  ],
  why: [
    ['PreToolUse', `tool_name=${HOSTILE_LINE}`],
    ['Stop', '--json'],
  ],
  explain: [
    ['PreToolUse', `tool_name=${HOSTILE_LINE}`],
    ['Stop', '--json'],
    ['Stop', '--component', '{skill}'],
  ],
  fire: [
    ['PreToolUse', 'tool_name=Bash', `tool_input.command=${HOSTILE_LINE}`, '--trust'],
    ['PreToolUse', 'tool_name=Bash', '--trust', '--json'],
    ['Stop', '--trust', '--debug', 'hooks'],
    ['UserPromptSubmit', `prompt=${HOSTILE_LINE}`, '--trust'],
    [HOSTILE_LINE],
    ['Stop', HOSTILE_LINE],
  ],
  session: [['--trust']],
  bridge: [
    ['run', 'gemini', 'BeforeTool', '--trust'],
    ['run', 'kimi', HOSTILE_LINE],
    ['report', 'codex', '--trust'],
    ['report', '--trust', '--json'],
    ['report', 'qwen', '--markdown', '--trust'],
    ['install', 'codex', '--scope', 'project', '--dry-run', '--trust'],
    ['install', 'copilot', '--for', 'cloud', '--dry-run', '--trust'],
    ['install', 'copilot', '--for', HOSTILE_LINE],
    ['status'],
    ['status', HOSTILE_LINE],
    ['table', 'hostile'],
    ['report', 'hostile', '--trust'],
    ['report', 'broken'],
    [HOSTILE_LINE],
  ],
  resident: [['status'], ['status', '--json'], [HOSTILE_LINE]],
  ship: [['--dry-run'], [HOSTILE_LINE], ['enrol', HOSTILE_LINE, 'x']],
  wrap: [
    ['install', '--dry-run'],
    ['install', '--dry-run', '--json'],
    ['install', '--scope', HOSTILE_LINE],
    ['uninstall', '--event', HOSTILE_LINE],
    ['--agent', 'gemini', '--event', 'PreToolUse', '--matcher', HOSTILE_LINE, '--', 'true'],
    ['--agent', 'gemini', '--event', HOSTILE_LINE, '--', 'true'],
  ],
  tap: [
    ['install', '--wrap', 'all', '--scope', 'project', '--dry-run'],
    ['install', '--wrap', 'all', '--scope', 'project', '--dry-run', '--json'],
    ['install', '--scope', HOSTILE_LINE],
    ['install', '--wrap', HOSTILE_LINE],
    ['install', '--event', HOSTILE_LINE],
    ['uninstall', '--scope', 'project', '--dry-run'],
    [HOSTILE_LINE],
    ['--', 'no-such-program', HOSTILE_LINE.replaceAll('\u0000', '')],
  ],
  guard: [
    [HOSTILE_LINE],
    ['try', HOSTILE_LINE],
    ['allow', HOSTILE_LINE, HOSTILE_LINE],
    ['list', '--project', HOSTILE_LINE],
  ],
  effects: [[HOSTILE_LINE], [HOSTILE_LINE, '--json']],
  mcp: [
    [HOSTILE_LINE, '--', 'true'],
    ['files', HOSTILE_LINE, '--', 'true'],
    ['files', '--trust', '--', 'cat'],
    ['files', '--url', HOSTILE_LINE],
    ['files', '--url', 'http://127.0.0.1:9/', '--header', HOSTILE_LINE],
    ['files', '--', HOSTILE_LINE.replaceAll('\u0000', '')],
  ],
  log: [['{log}'], ['{log}', '--json'], ['{log}', '--to-test'], [HOSTILE_NAME]],
  stats: [['{log}'], ['{log}', '--json'], ['{log}', '--budget', 'max=1us'], ['{log}', '--budget', HOSTILE_LINE]],
  inspect: [[HOSTILE_LINE], ['--port', HOSTILE_LINE], ['--log', '{log}', '--session', HOSTILE_LINE]],
  test: [['--trust'], ['--trust', '--reporter', 'junit'], ['--trust', '--reporter', 'tap'], ['--trust', '--json']],
  replay: [
    ['{transcript}', '--trust'],
    ['{transcript}', '--trust', '--json'],
    ['{transcript}', '--plan'],
  ],
  'check-races': [
    ['{transcript}', '--trust'],
    ['{transcript}', '--trust', '--json'],
  ],
  trust: [[], ['--json'], ['accept', '--yes', HOSTILE_LINE], ['revoke']],
  profile: [[], ['--json'], ['current', '--dry-run'], [HOSTILE_LINE], ['classic', '--scope', HOSTILE_LINE]],
  add: [
    ['Stop', '--command', SHELL_TEXT, '--matcher', HOSTILE_LINE.replaceAll(/\p{Cs}/gu, ''), '--dry-run'],
    ['Stop', '--command', SHELL_TEXT, '--status-message', 'x', '--dry-run', '--json'],
    [HOSTILE_LINE, '--command', 'x'],
  ],
  remove: [['project:Stop:0:0', '--dry-run'], ['project:Stop:0:0', '--dry-run', '--json'], [HOSTILE_LINE]],
  init: [
    ['--event', 'Stop', '--dry-run'],
    ['--event', 'Stop', '--dry-run', '--json'],
    ['--event', HOSTILE_LINE],
    ['--event', 'Stop', '--name', HOSTILE_LINE],
  ],
  doctor: [[], ['--json']],
  schema: [['settings'], ['--json'], [HOSTILE_LINE]],
  completion: [['bash'], ['--json'], [HOSTILE_LINE]],
}

/** These read stdin, or start with a program of their own. */
const AS_PROCESS = ['fire', 'session', 'bridge', 'wrap', 'tap', 'mcp']

/** What those get on stdin that read it. */
const INPUTS: Readonly<Record<string, string>> = {
  session: `${JSON.stringify({ hook_event_name: HOSTILE })}\n${HOSTILE_LINE}\n`,
  mcp: `${JSON.stringify({ id: 1, method: HOSTILE, params: { name: HOSTILE } })}\n${HOSTILE_LINE}\n`,
}

describe('what others wrote', () => {
  it('is looked at in every command', () => {
    expect(Object.keys(CALLS)).toEqual(Object.keys(COMMANDS))
  })

  it.each(Object.keys(COMMANDS))('reaches no terminal through hookline %s but as letters', async (name) => {
    const { world, files } = await hostileWorld()
    const run = AS_PROCESS.includes(name) ? hookline : hooklineInProcess
    const looked = (CALLS[name] ?? []).map(async (args) => {
      const input = INPUTS[name] ?? ''
      const words = [name, ...args.map((arg) => files[arg] ?? arg)]
      const { stdout, stderr } = await run(world, words, { env: COLOURED, input })
      expect({ words, residue: residueOf(`${stdout}${stderr}`) }).toEqual({ words, residue: [] })
      expect(`${stdout}${stderr}`).not.toContain('a fault in Hookline itself')
      if (args.includes('--json') && stdout !== '') for (const line of stdout.trimEnd().split('\n')) JSON.parse(line)
    })
    await Promise.all(looked)
  })

  it.each([
    ['test', '--reporter', 'junit', '--trust'],
    ['validate', '--format', 'junit'],
  ])('does not make the XML of hookline %s ill-formed', async (...args) => {
    const { world } = await hostileWorld()
    const { stdout } = await hookline(world, args)
    expect(stdout).toContain('</testsuites>')
    expect(faultInXml(stdout)).toBeNull()
  })

  it('reaches no terminal through a mistake in the command line', async () => {
    const { world } = await hostileWorld()
    const { stderr } = await hookline(world, [HOSTILE_LINE, `--${HOSTILE_LINE}`], { env: COLOURED })
    expect(stderr).toContain('is not a command')
    expect(residueOf(stderr)).toEqual([])
  })

  it('is exact in JSON', async () => {
    const { world } = await hostileWorld()
    const { stdout } = await hookline(world, ['list', '--json'])
    const shown: { command?: string }[] = JSON.parse(stdout).hooks
    expect(shown.map(({ command }) => command)).toContain(`echo harmless # ${HOSTILE}`)
  })

  it('is shown in a terminal with the lines of a command apart', async () => {
    const { world } = await hostileWorld()
    const { stdout } = await inTerminal(world, ['trust'], '')
    expect(residueOf(stdout.replaceAll('\r\n', '\n'))).toEqual([])
    expect(stdout).toMatch(/ {6}second line/)
    const listed = await inTerminal(world, ['list'], '')
    expect(residueOf(listed.stdout.replaceAll('\r\n', '\n'))).toEqual([])
  })
})

/** A world in which everything that has a name or a text is hostile; the project is below a folder of such a name. */
async function hostileWorld(): Promise<{ world: World; files: Record<string, string> }> {
  const made = await makeWorld()
  const project = join(made.root, `project ${HOSTILE_NAME}`)
  await mkdir(project)
  const own = { ...made, project }
  const inProject = (path: string): string => `project ${HOSTILE_NAME}/${path}`
  const says = answering({ systemMessage: HOSTILE, stopReason: HOSTILE, reason: HOSTILE, decision: 'block' })
  const permits = answering({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: HOSTILE,
      additionalContext: HOSTILE,
      [HOSTILE]: HOSTILE,
    },
  })
  const shouting = `printf '%s' '${SHELL_TEXT}'; printf '%s' '${SHELL_TEXT}' >&2; exit`
  await put(own, inProject('.claude/settings.json'), {
    statusLine: { type: 'command', command: HOSTILE },
    env: { [HOSTILE]: HOSTILE },
    hooks: {
      Stop: [
        commands(`echo harmless # ${HOSTILE}`),
        { hooks: [{ type: 'command', command: says, statusMessage: HOSTILE }] },
      ],
      PreToolUse: [
        { matcher: 'Bash', ...commands(permits, `${shouting} 2`, `${shouting} 1`) },
        { matcher: HOSTILE, ...commands(SHELL_TEXT) },
      ],
      UserPromptSubmit: [commands(`${shouting} 0`)],
      [`Stop${HOSTILE}`]: [],
      SessionEnd: [{ [HOSTILE]: 1, hooks: [{ type: HOSTILE, command: 'x', [HOSTILE]: HOSTILE, timeout: HOSTILE }] }],
    },
  })
  const table = { ...findBridge('kimi'), name: 'hostile', title: HOSTILE }
  await put(own, 'home/.hookline/agents/hostile.json', table)
  await put(own, 'home/.hookline/agents/broken.json', { ...table, [HOSTILE]: HOSTILE, name: HOSTILE })
  const frontmatter = `---\nname: ${JSON.stringify(HOSTILE)}\ndescription: ${JSON.stringify(HOSTILE)}\nhooks:\n  Stop:\n    - hooks:\n        - { type: command, command: ${JSON.stringify(HOSTILE)} }\n---\n`
  const skill = await put(own, inProject('.claude/skills/s/SKILL.md'), frontmatter)
  await put(own, inProject(`.claude/agents/${HOSTILE_NAME}.md`), frontmatter)
  await put(own, inProject(`.claude/commands/${HOSTILE_NAME}.md`), frontmatter)
  const manifest = await put(own, 'plugin/.claude-plugin/plugin.json', { name: HOSTILE, version: '1.0.0' })
  await put(own, 'plugin/hooks/hooks.json', { hooks: { Stop: [commands(`true ${HOSTILE}`)] } })
  await put(own, inProject('.claude/hooks/x.hooktest.json'), {
    cases: [
      { name: `passes ${HOSTILE}`, event: 'Stop', expect: {} },
      { name: `fails ${HOSTILE}`, event: 'Stop', expect: { decision: { reason: HOSTILE.repeat(2) } } },
    ],
  })
  const record = recordWith({
    event: 'PreToolUse',
    hooks: [ranHook(`project:${HOSTILE}:0:0`, { command: HOSTILE, outcome: 'blocking', warnings: [HOSTILE] })],
    decision: { blocked: true, reason: HOSTILE, messages: [{ to: 'user', text: HOSTILE, hook: HOSTILE }] },
  })
  const input = { hook_event_name: 'PreToolUse', tool_name: HOSTILE, tool_input: { command: HOSTILE } }
  const log = await put(own, `log ${HOSTILE_NAME}.jsonl`, `${JSON.stringify({ record, input })}\n${HOSTILE_LINE}\n`)
  const lines = [prompt(HOSTILE), call('t1', HOSTILE), result('t1', HOSTILE), answer(HOSTILE), { type: HOSTILE }]
  const transcript = await put(
    own,
    `t ${HOSTILE_NAME}.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  const plugin = join(manifest, '../..')
  return { world: own, files: { '{log}': log, '{transcript}': transcript, '{skill}': skill, '{plugin}': plugin } }
}
