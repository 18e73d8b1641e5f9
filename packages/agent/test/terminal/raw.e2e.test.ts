import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { HOSTILE, HOSTILE_LINE, HOSTILE_NAME, residueOf } from '../../../hookline/test/support/hostile.ts'
import { answering, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { print, program } from '../support/command.ts'
import { group, openSession } from './support/session.ts'

/** Keeps every byte that a program writes to its terminal. */
const KEEPING = 'exec script -qefc "$(printf "%q " "$@")" "$0"'

/** What the terminal itself writes: cursor, colours and underlines (not concealment), marks around pastes and drawings; it never erases the whole screen. */
const OWN = new RegExp(
  `${'\u001b'}\\[(?:\\d*[ABCDEFGK]|2K|\\?(?:25|2004|2026)[lh]|(?:0|1|2|3|4|7|22|23|24|27|28|3[1-6]|39)m)`,
  'g',
)

/** What a terminal got that this program did not mean. */
function foreignIn(raw: string): string[] {
  const said = raw.replace(/^Script started[^\n]*\n/, '').replace(/\n[^\n]*Script done[^\n]*\n?$/, '')
  return residueOf(said.replaceAll(/\r+\n/g, '\n').replaceAll(OWN, ''))
}

const SHELL_TEXT = HOSTILE.replaceAll('\u0000', '').replaceAll(/\p{Cs}/gu, '')

/** A project in which everything speaks to the terminal. */
const settings = {
  statusLine: { type: 'command', command: `printf '%s\\n' '${SHELL_TEXT}'` },
  hooks: {
    PreToolUsed: [group('true')],
    [`Stop${HOSTILE}`]: [],
    PreToolUse: [{ matcher: HOSTILE, ...group(SHELL_TEXT) }],
    PostToolUse: [group(`printf '%s' '${SHELL_TEXT}' >&2; exit 2`, { statusMessage: HOSTILE })],
    Stop: [group(answering({ systemMessage: HOSTILE, continue: false, stopReason: HOSTILE }))],
  },
}
const described = `---\nname: ${JSON.stringify(HOSTILE_LINE)}\ndescription: ${JSON.stringify(HOSTILE)}\n---\nSay hello.\n`
const files = {
  'project/.claude/settings.json': settings,
  [`project/.claude/commands/${HOSTILE_NAME}.md`]: described,
  'project/.claude/skills/s/SKILL.md': described,
  'project/.claude/agents/a.md': described,
}
const command = `ls # just looking ${SHELL_TEXT}\ntouch made`
const turns = [
  { text: `# ${HOSTILE}`, tools: [{ name: 'Bash', input: { command, description: HOSTILE } }] },
  { text: `Done. ${HOSTILE}` },
]

it('lets nothing that others wrote reach the terminal but as letters, from the question of trust to the end', async () => {
  const raw = join(tmpdir(), `raw-${randomUUID()}`)
  onTestFinished(() => rm(raw, { force: true }))
  const prefix = ['bash', '-c', KEEPING, raw]
  const { terminal } = await openSession({ files, turns, trusted: false, prefix, columns: 100, rows: 45 })
  await terminal.see('you do not trust yet')
  await terminal.press('PageDown', 'y')
  await terminal.see('"PreToolUsed" is not an event')
  await terminal.see('Ask something')
  await terminal.enter('Go')

  const asked = await terminal.see('Run this command?')
  expect(asked).toMatch(/\n│ +touch made +│\n/)
  await terminal.press('1')
  await terminal.see('Done. ')
  await terminal.press('C-o')
  await terminal.see('verbose')
  await terminal.enter('/hooks')
  await terminal.see('Hooks by event')
  await terminal.see('"PreToolUsed" is not an event')
  await terminal.press('Enter')
  await terminal.see('state')
  await terminal.press('Escape', 'Escape')
  await terminal.enter('/help')
  await terminal.see('this list')
  await terminal.press('C-d')
  await terminal.ended()

  expect(foreignIn(readFileSync(raw, 'utf8'))).toEqual([])
})

it.each(['text', 'json', 'stream-json'])(
  'prints nothing in print mode that a terminal obeys, as %s',
  async (format) => {
    const world = await makeWorld(files)
    const args = ['Go', '--trust', '--allowed-tools', 'Bash', '--output-format', format, '--debug', 'hooks,api']
    const { stdout, stderr } = await print({ world, script: { turns }, args })
    const lines = format === 'text' ? [] : stdout.trimEnd().split('\n')
    for (const line of lines) JSON.parse(line)

    expect(stderr).toContain('"PreToolUsed" is not an event')
    expect(residueOf(stderr)).toEqual([])
    // In a file an answer is as it was said, but for controls.
    expect(format === 'text' ? stdout.includes('\u001b') : residueOf(stdout).length > 0).toBe(false)
    if (format === 'stream-json')
      expect(stdout).toMatch(/"subtype":"told","to":"user","text":"[^"]*\\"PreToolUsed\\" is not/)
  },
)

it('prints nothing to a terminal in print mode that it obeys or hides', async () => {
  const unstopped = { ...settings, hooks: { ...settings.hooks, Stop: [] } }
  const world = await makeWorld({ ...files, 'project/.claude/settings.json': unstopped })
  const turnsFile = await put(world, 'turns.json', { turns })
  const { project, home, managed } = world
  const words = [process.execPath, program, '-p', 'Go', '--trust', '--allowed-tools', 'Bash']
  const places = ['--project', project, '--home', home, '--managed', managed, '--model', `script:${turnsFile}`]
  const line = [...words, ...places].map((word) => `'${word}'`).join(' ')
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], { cwd: project })
  expect(stdout).toContain('Done.')
  expect(foreignIn(stdout)).toEqual([])
})
