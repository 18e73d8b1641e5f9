import { afterAll, describe, expect, it } from 'vitest'
import { findCandidates } from '../../src/cli/commands/completion/candidates.ts'
import { SHELLS } from '../../src/cli/commands/completion/completion-script.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeLastingWorld, removeWorld } from '../support/project.ts'

const world = await makeLastingWorld({
  'project/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } },
})

afterAll(() => removeWorld(world))

/** The candidates at the end of a line. */
function offered(line: string): Promise<string[]> {
  const words = line.split(' ').slice(1)
  const places = { project: world.project, home: world.home }
  return findCandidates({ commands: COMMANDS, before: words.slice(0, -1), current: words.at(-1) ?? '', places })
}

describe('completion offers what the place needs', () => {
  const places: Record<string, [line: string, some: string[]]> = {
    'commands first': ['hookline ', ['why', 'list', 'help']],
    'the beginning of one': ['hookline st', ['stats']],
    'commands behind help': ['hookline help fi', ['fire']],
    'events behind fire': ['hookline fire Pre', ['PreToolUse', 'PreCompact']],
    'events behind why': ['hookline why Sto', ['Stop']],
    'fields behind an event': ['hookline fire PreToolUse tool_', ['tool_name=', 'tool_input.command=', 'tool_use_id=']],
    'fields behind another field': ['hookline explain PreToolUse tool_name=Bash tool_u', ['tool_use_id=']],
    'rules behind --explain': ['hookline validate --explain missing-', ['missing-script', 'missing-hooks']],
    'rules by their numbers': ['hookline validate --explain V-HK-0', ['V-HK-01']],
    'agents behind bridge install': ['hookline bridge install ', ['codex', 'gemini']],
    'words behind bridge': ['hookline bridge st', ['status']],
    'flags of the command': ['hookline log --fa', ['--failed']],
    'scopes behind --scope': ['hookline add Stop --scope ', ['project', 'local', 'user']],
    'formats behind --format': ['hookline validate --format ', ['pretty', 'json', 'sarif', 'github', 'junit']],
    'orders behind --order': ['hookline fire Stop --order ', ['parallel', 'sequential']],
    'profiles behind --profile': ['hookline list --profile ', ['classic', 'current']],
    'states behind --state': ['hookline list --state ', ['active', 'untrusted', 'duplicate', 'cannot-start']],
    'events behind --event': ['hookline log --event Not', ['Notification']],
    'show behind log': ['hookline log ', ['show']],
    'shells behind completion': ['hookline completion ', ['bash', 'zsh', 'fish', 'powershell']],
  }

  it.each(Object.entries(places))('%s', async (_what, [line, some]) => {
    const found = await offered(line)
    expect(found).toEqual(expect.arrayContaining(some))
    const current = line.split(' ').at(-1) ?? ''
    expect(found.filter((word) => !word.startsWith(current))).toEqual([])
  })

  it('keys of the hooks that are there behind remove', async () => {
    const engine = await openEngine({ project: world.project, home: world.home, managed: world.managed })
    const keys = engine.list().map(({ key }) => key)
    await engine.close()
    expect(await offered('hookline remove ')).toEqual(keys)
  })

  it.each(['hookline nonsense ', 'hookline fire Nonsense ', 'hookline list --project '])(
    'nothing, so that the shell completes files: %s',
    async (line) => expect(await offered(line)).toEqual([]),
  )
})

describe('the script for PowerShell', () => {
  /** Cmdlets of Windows PowerShell 5.1 that it may call, beside our own programs. */
  const CMDLETS = /^(?:Register-ArgumentCompleter|(?:Select|Where|ForEach|Sort)-Object|Select-String|Get-Command)$/
  const script = SHELLS.powershell?.({ node: "C:\\it's here\\node.exe", script: 'C:\\hookline.js' }) ?? ''
  const bare = script.replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/^#.*$/gm, '')

  it('closes every quote and bracket, and calls cmdlets that every PowerShell has', () => {
    expect(script).toContain("& 'C:\\it''s here\\node.exe' 'C:\\hookline.js' @place @words")
    expect(bare.replaceAll("''", '')).not.toMatch(/['"\x60]/)
    const open: string[] = []
    for (const [letter] of bare.matchAll(/[(){}[\]]/g))
      if ('({['.includes(letter)) open.push(letter)
      else expect(`${open.pop()}${letter}`).toMatch(/^(?:\(\)|\{\}|\[\])$/)
    expect(open).toEqual([])
    const cmdlets = bare.match(/\b[A-Z]\w+-[A-Z]\w+\b/g) ?? []
    expect(cmdlets.filter((name) => !CMDLETS.test(name))).toEqual([])
    expect(cmdlets.length).toBeGreaterThan(8)
  })

  it('asks in words that the command takes, also for a word that is not begun', async () => {
    const list = [...script.matchAll(/\$place (?:= @\(|\+= )'(.*?)'(?:, '(.*?)')?/g)]
    const place = list.flatMap(([, ...words]) => words.filter((word) => word !== undefined))
    expect(place).toEqual(['completion', '--complete', '--next', '--'])
    const ask = (...words: string[]) => hooklineInProcess(world, words, { places: [] })
    expect((await ask(...place, 'bridge', 'install')).stdout.split('\n')).toContain('codex')
    expect((await ask('completion', '--complete', '--', 'log', '--fa')).stdout).toBe('--failed\n')
  })
})
