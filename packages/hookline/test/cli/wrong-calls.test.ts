import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { placesOf } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeLastingWorld, removeWorld } from '../support/project.ts'

const world = await makeLastingWorld({
  'project/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } },
  'project/notes.txt': 'not a log\n',
  'project/words.json': '["a"]',
  'project/torn.json': '{"hook_event_name":',
})

afterAll(() => removeWorld(world))

const file = (name: string): string => join(world.project, name)

/** Calls that are wrong, by command, and what their answer leads to. */
const WRONG: Readonly<Record<string, readonly (readonly [args: readonly string[], leads: RegExp])[]>> = {
  events: [
    [['Stpo'], /Did you mean "Stop"/],
    [['--jsn'], /Did you mean "--json"/],
    [['Stop', 'PreToolUse'], /"PreToolUse" is not expected here/],
    [['--profile', 'old'], /--profile must be/],
    [['Stop', '--log', 'x.jsonl'], /Unknown option '--log'\. HOOKLINE_LOG=FILE before the command records/],
    [['--project', 'gone'], /there is no folder gone/],
  ],
  list: [
    [['--evnt', 'Stop'], /Did you mean "--event"/],
    [['--event', 'Stpo'], /Did you mean "Stop"/],
    [['--state', 'sleepy'], /sleepy/],
    [['--home', 'gone'], /there is no folder gone/],
    [['--settings', 'gone.json'], /there is no file gone\.json/],
    [['--plugin', 'gone'], /there is no folder gone/],
    [['--event'], /--event/],
  ],
  validate: [
    [['gone.json'], /gone\.json does not exist/],
    [['--fomat', 'json'], /Did you mean "--format"/],
    [['--format', 'yml'], /--format|"yml"/],
    [['--explain', 'V-HK-999'], /V-HK-999/],
    [['--explain', 'missing-scrpt'], /Did you mean "missing-script"/],
    [['--profile', 'next'], /--profile must be/],
  ],
  match: [
    [[], /which matcher|matcher/i],
    [['Bash', '--event', 'Stpo'], /Did you mean "Stop"/],
    [['Bash', '--evnt', 'Stop'], /Did you mean "--event"/],
  ],
  why: [
    [['PreTolUse'], /Did you mean "PreToolUse"/],
    [['PreToolUse', 'toolname=Bash'], /Did you mean "tool_name"/],
    [['PreToolUse', 'Bash'], /"Bash" is not of the form field=value/],
    [['--input', 'gone.json'], /gone\.json cannot be read/],
    [['--projct', '.'], /Did you mean "--project"/],
  ],
  explain: [
    [[], /which event\?/],
    [['PreToolUs'], /Did you mean "PreToolUse"/],
    [['PreToolUse', 'tool=Write'], /Did you mean "tool_name"/],
    [['PreToolUse', 'tool_input.comand=ls'], /Did you mean "command"/],
    [['PreToolUse', '=Bash'], /not of the form field=value/],
    [['PreToolUse', 'a..b=1'], /does not name a field/],
    [['PreToolUse', '--halts', 'nobody'], /nobody/],
    [['PreToolUse', '--component', 'gone.md'], /gone\.md/],
    [['PreToolUse', '--agian'], /Did you mean "--again"/],
  ],
  fire: [
    [[], /which event\?/],
    [['pretooluse'], /Did you mean "PreToolUse"/],
    [['PreToolUse', 'toolname=Write'], /Did you mean "tool_name"/],
    [['PreToolUse', 'tool_name'], /not of the form field=value/],
    [['PreToolUse', 'tool_nam.x=1'], /Did you mean "tool_name"/],
    [['PreToolUse', '--input', file('words.json')], /is not a JSON object/],
    [['PreToolUse', '--input', file('torn.json')], /is not JSON/],
    [['PreToolUse', '--input', file('gone.json')], /cannot be read \(ENOENT\)/],
    [['--input', file('words.json')], /is not a JSON object/],
    [['PreToolUse', '--order', 'random'], /--order must be parallel or sequential/],
    [['PreToolUse', '--default-timeout', 'soon'], /--default-timeout must be/],
    [['PreToolUse', '--setting-sources', 'mine'], /--setting-sources must be/],
    [['PreToolUse', '--debug', 'everything'], /is not a category of --debug/],
    [['PreToolUse', '--jsn'], /Did you mean "--json"/],
    [['PreToolUse', '--projct', '.'], /Did you mean "--project"/],
    [['PreToolUse', '--project'], /--project/],
  ],
  session: [
    [['now'], /"now" is not expected here/],
    [['--ordr', 'parallel'], /Did you mean "--order"/],
  ],
  tap: [
    [['instal'], /Did you mean "install"/],
    [['install', '--wrp'], /Did you mean "--wrap"/],
  ],
  mcp: [[[], /which server\?/]],
  bridge: [
    [['instal', 'codex'], /Did you mean "install"/],
    [['install'], /agent/],
    [['install', 'codx'], /Did you mean "codex"/],
    [['report', 'codx'], /Did you mean "codex"/],
    [['status', 'gemni'], /Did you mean "gemini"/],
    [['install', 'codex', '--scope', 'team'], /--scope/],
  ],
  log: [
    [[], /there is no log in .*HOOKLINE_LOG=FILE/],
    [['gone.jsonl'], /There is no log gone\.jsonl/],
    [[file('notes.txt')], /is not a log of Hookline/],
    [['show'], /which event\?/],
    [['--event', 'Stpo'], /Did you mean "Stop"/],
    [['--since', 'soon'], /--since must be/],
    [['--until', 'later'], /--until must be/],
    [['--slow', 'very'], /--slow must be/],
    [['-n', 'few'], /-n must be/],
    [['--last', '0'], /-n must be/],
    [['--faild'], /Did you mean "--failed"/],
    [['--follow', 'a.jsonl', 'b.jsonl'], /--follow takes one FILE/],
    [['--home', 'gone'], /there is no folder gone/],
  ],
  stats: [
    [[], /there is no log in .*HOOKLINE_LOG=FILE/],
    [[file('notes.txt')], /is not a log of Hookline/],
    [['--by', 'week'], /"week" is not one of hook, day, project, session/],
    [['--by', 'sesion'], /Did you mean "session"/],
    [['--budget', 'p99=1s'], /--budget must look like/],
    [['--since', 'yesterday'], /--since must be/],
    [['--budgt', 'p95=1s'], /Did you mean "--budget"/],
  ],
  test: [
    [['gone.hooktest.yaml', '--trust'], /gone\.hooktest\.yaml/],
    [['--trust'], /There is no file \*\.hooktest\.yaml.*hookline test --new/],
    [['--reporter', 'loud', '--trust'], /--reporter must be/],
    [['--new', 'Stpo', '--trust'], /Did you mean "Stop"/],
    [['--new', 'Stop', '--file', 'x.txt', '--trust'], /must end in \.hooktest\.yaml/],
    [['--fliter', 'x'], /Did you mean "--filter"/],
  ],
  replay: [
    [[], /which sessions\?/],
    [['gone.jsonl'], /gone\.jsonl cannot be read/],
    [[file('notes.txt'), '--plan'], /not a transcript, and not a log of Hookline/],
    [['gone.jsonl', '--plan', '--against', 'main'], /--plan and --against do not go together/],
    [['gone.jsonl', '--plna'], /Did you mean "--plan"/],
  ],
  'check-races': [[['gone.jsonl'], /gone\.jsonl cannot be read/]],
  trust: [
    [['acept'], /Did you mean "accept"/],
    [['--projct', '.'], /Did you mean "--project"/],
  ],
  profile: [
    [['curent'], /Did you mean "current"/],
    [['current', '--scope', 'managed'], /scope|managed/],
  ],
  add: [
    [[], /for which event\?/],
    [['Stpo', '--command', 'true'], /Did you mean "Stop"/],
    [['Stop'], /Give a --command/],
    [['Stop', '--command', 'true', '--timeout', 'long'], /--timeout must be/],
    [['Stop', '--command', 'true', '--scope', 'team'], /--scope must be/],
    [['Stop', '--command', 'true', '--scope', 'managed'], /policy/],
    [['Stop', '--command', 'true', '--type', 'script'], /--type must be/],
    [['Stop', '--prompt', 'Is it safe?', '--command', 'true'], /--prompt needs --type/],
    [['Stop', '--command', './nope.sh'], /missing-script: .*nope\.sh.*/],
    [['Stop', 'now', '--command', 'true'], /"now" is not expected here/],
    [['Stop', '--comand', 'true'], /Did you mean "--command"/],
  ],
  remove: [
    [[], /which hook|key or id|--event/],
    [['project:Stop:9:9'], /project:Stop:9:9/],
    [['00000000'], /00000000/],
    [['--event', 'Stpo', '--command', 'true'], /Stpo/],
  ],
  init: [
    [[], /for which event\?/],
    [['--event', 'Stpo'], /Did you mean "Stop"/],
    [['--event', 'Stop', '--language', 'cobol'], /--language must be/],
    [['--event', 'Stop', '--name', 'a b'], /--name may have letters/],
    [['--event', 'Stop', '--matcher', 'Bash'], /takes no --matcher/],
  ],
  doctor: [
    [['all'], /"all" is not expected here/],
    [['--jsn'], /Did you mean "--json"/],
  ],
  schema: [
    [['Stpo'], /Did you mean "Stop"/],
    [['settings', '--answer'], /--answer is for events/],
  ],
  completion: [
    [[], /for which shell\?/],
    [['tcsh'], /"tcsh" is not one of/],
    [['bsh'], /Did you mean "bash"/],
  ],
}

/** The flags that keep a call inside the world, where it does not name such places itself. */
function placesFor(name: string, args: readonly string[]): string[] {
  if (args.includes('--home')) return []
  return args.includes('--project') ? ['--home', world.home] : placesOf(world, name)
}

const calls = Object.entries(WRONG).flatMap(([name, rows]) => rows.map(([args, leads]) => ({ name, args, leads })))

describe('a wrong call', () => {
  it('is one of at least 120', () => {
    expect(calls.length).toBeGreaterThanOrEqual(120)
  })

  it.each(calls)('gets a sentence that leads on: hookline $name $args', async ({ name, args, leads }) => {
    const env = { HOOKLINE_LOG: undefined, NO_COLOR: '1' }
    const { code, stderr } = await hooklineInProcess(world, [name, ...args], { env, places: placesFor(name, args) })
    expect(stderr).toMatch(leads)
    expect(stderr).not.toMatch(/^\s+at |a fault in Hookline/m)
    expect(code).toBe(1)
  })
})
