import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { run as doctor } from '../../src/cli/commands/doctor/doctor.ts'
import { run as explain } from '../../src/cli/commands/explain/explain.ts'
import { run as list } from '../../src/cli/commands/list/list.ts'
import { placesOf } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import type { World } from '../support/project.ts'
import { findingsIn, projectWith, validate } from '../support/validate.ts'

/** What a command of the desk prints about a world. */
async function printed(run: (args: string[]) => Promise<number>, world: World, ...args: string[]): Promise<string> {
  const kept: string[] = []
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => kept.push(String(text)) > 0)
  try {
    await run([...args, '--trust', ...placesOf(world)])
    return kept.join('')
  } finally {
    out.mockRestore()
  }
}

const hooked = (hook: object): Record<string, string> => ({
  '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } }),
})

const SCRIPTS = {
  '.claude/hooks/crlf.sh': '#!/bin/sh\r\nexit 0\r\n',
  '.claude/hooks/good.sh': '#!/bin/sh\nexit 0\n',
  '.claude/hooks/plain.sh': 'exit 0\n',
  '.claude/hooks/lost.sh': '#!/no/such/interpreter\nexit 0\n',
  '.claude/hooks/env-lost.sh': '#!/usr/bin/env no-such-interpreter\nexit 0\n',
  '.claude/hooks/folder/x': '',
}

const HERE = '"$CLAUDE_PROJECT_DIR"/.claude/hooks'
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const EXEC = '${CLAUDE_PROJECT_DIR}/.claude/hooks'

const STUCK: readonly [name: string, hook: object, rule: string, because: string][] = [
  ['a first line that ends in CRLF', { command: `${HERE}/crlf.sh` }, 'V-HK-06', 'has CRLF line endings'],
  ['a program that is not there', { command: 'surely-no-such-program' }, 'V-HK-06', 'there is no program'],
  ['an interpreter that is not there', { command: `${HERE}/lost.sh` }, 'V-HK-06', 'the interpreter'],
  ['a script that may not be executed', { command: `${HERE}/plain.sh` }, 'V-HK-06', 'is not executable'],
  ['a script that is not there', { command: `sh ${HERE}/gone.sh` }, 'V-HK-07', 'does not exist'],
  ['a module that is not there', { command: `node ${HERE}/gone.js` }, 'V-HK-07', 'does not exist'],
  ['an interpreter that env does not find', { command: `${HERE}/env-lost.sh` }, 'V-HK-06', 'is not on PATH'],
  ['a folder in place of a script', { command: `${HERE}/folder` }, 'V-HK-07', 'is a folder'],
  ['a quote that is never closed', { command: 'echo "called' }, 'V-HK-06', 'the shell cannot read the command'],
]

const STUCK_WITHOUT_SHELL: typeof STUCK = [
  ['a program that is not there', { command: 'surely-no-such-program', args: [] }, 'V-HK-06', 'there is no program'],
  ['a first line that ends in CRLF', { command: `${EXEC}/crlf.sh`, args: ['x'] }, 'V-HK-06', 'has CRLF line endings'],
  ['a script that is not there', { command: 'sh', args: [`${EXEC}/gone.sh`] }, 'V-HK-07', 'does not exist'],
]

/** The temp folder has a blank in its name, at which a shell splits what is not in quotes. */
const SPLIT: typeof STUCK = ['', 'sh ', 'python3 ', 'node '].map((program) => [
  'a path that is not in quotes',
  { command: `${program}$CLAUDE_PROJECT_DIR/.claude/hooks/good.sh` },
  'V-HK-24',
  'is not in quotes',
])

const CASES = [
  ...[...STUCK, ...SPLIT].map((one) => [...one, 'classic'] as const),
  ...[...STUCK, ...STUCK_WITHOUT_SHELL].map((one) => [...one, 'current'] as const),
]

describe.skipIf(process.platform === 'win32')('a hook that cannot start', () => {
  it.each(CASES)('for %s is not said to run: %j', async (_name, hook, rule, because, profile) => {
    const world = await projectWith({ ...hooked(hook), ...SCRIPTS })
    const words = ['PreToolUse', 'tool_name=Bash', '--profile', profile]
    const explained = await printed(explain, world, ...words)
    expect(explained).toMatch(/^ {2}cannot start /m)
    expect(explained).toContain('0 of 1 would run.')
    expect(explained).not.toContain('would run  ')
    const { hooks } = JSON.parse(await printed(explain, world, ...words, '--json'))
    expect(hooks).toMatchObject([{ planned: true, cannotStart: expect.stringContaining(because) }])
    const listed = JSON.parse(await printed(list, world, '--json', '--profile', profile))
    expect(listed.hooks).toMatchObject([{ state: 'active', cannotStart: expect.stringContaining(because) }])
    expect(await printed(list, world, '--profile', profile)).toMatch(/^ {2}cannot start /m)
    const examined = JSON.parse(await printed(doctor, world, '--json', '--profile', profile))
    expect(examined.hooks).toMatchObject([{ state: 'active', cannotStart: expect.stringContaining(because) }])
    expect(examined.attention.filter((sentence: string) => sentence.includes(because))).toHaveLength(1)
    expect(await printed(doctor, world, '--profile', profile)).toContain('Cannot start')
    const { findings } = JSON.parse((await validate(world, '--json', '--profile', profile)).stdout)
    expect(findings).toMatchObject([{ rule, message: expect.stringContaining(because) }])
  })

  it.each(
    ['classic', 'current', null].flatMap((profile) =>
      [...STUCK, ...SPLIT, ...(profile === 'classic' ? [] : STUCK_WITHOUT_SHELL)].map(
        ([name, hook, , because]) => [name, profile ?? 'no profile', hook, because] as const,
      ),
    ),
  )('for %s is told by fire, explain and why alike under %s: %j', async (_name, profile, hook, because) => {
    const settings = { Notification: [{ hooks: [{ type: 'command', ...hook }] }] }
    const world = await projectWith({ ...SCRIPTS, '.claude/settings.json': JSON.stringify({ hooks: settings }) })
    const words = ['Notification', ...(profile === 'no profile' ? [] : ['--profile', profile])]
    const fired = await hooklineInProcess(world, ['fire', ...words, '--trust', '--json'])
    expect([fired.code, fired.stderr]).toEqual([1, expect.stringContaining(because)])
    const { hooks } = JSON.parse((await hooklineInProcess(world, ['explain', ...words, '--trust', '--json'])).stdout)
    expect(hooks).toMatchObject([{ cannotStart: expect.stringContaining(because) }])
    expect(fired.stderr).toContain(hooks[0].cannotStart)
    const why = await hooklineInProcess(world, ['why', ...words, '--trust', '--json'])
    const { causes } = JSON.parse(why.stdout)
    expect([why.code, causes[0]]).toMatchObject([1, { because: expect.stringContaining(because) }])
    const isAboutQuotes = (cause: { because: string }): boolean => /in quotes|is not quoted/.test(cause.because)
    expect(causes.filter(isAboutQuotes).length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['a path that only the shell can work out', '"$(pwd)"/gone.sh'],
    ['a folder that is entered first', 'cd . && ./gone.sh'],
    ['a program that is started by another', 'timeout 5 ./gone.sh'],
    ['a program of no system', '"$CLAUDE_PROJECT_DIR"/.claude/hooks/garbage'],
  ])('is told by fire alone for %s', async (_name, command) => {
    const world = await projectWith({ ...hooked({ command }), '.claude/hooks/garbage': '#!x\0\0\0' })
    await writeFile(join(world.project, '.claude/hooks/garbage'), Buffer.from([1, 2, 0, 0xff, 0xfe, 0]))
    const { code, stderr, stdout } = await hooklineInProcess(world, ['fire', 'PreToolUse', '--trust', '--json'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot run: \S/)])
    expect(JSON.parse(stdout).hooks).toMatchObject([{ notStarted: expect.any(String) }])
  })

  it('is told of one in the background too', async () => {
    const world = await projectWith(hooked({ command: './gone.sh', async: true }))
    const { code, stderr } = await hooklineInProcess(world, ['fire', 'PreToolUse', '--trust', '--json'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot run: ./gone.sh does not exist')])
  })

  it.each([
    ['ends with 127', 'exit 127'],
    ['ends with 126', 'exit 126'],
    ['calls a program that is not there', '"$CLAUDE_PROJECT_DIR"/.claude/hooks/calls.sh'],
    ['provides for a program that is not there', './gone.sh || true'],
  ])('is none that started and %s', async (_name, command) => {
    const world = await projectWith({
      ...hooked({ command }),
      '.claude/hooks/calls.sh': '#!/bin/sh\nno-such-program\n',
    })
    const { code, stdout } = await hooklineInProcess(world, ['fire', 'PreToolUse', '--trust', '--json'])
    expect([code, JSON.parse(stdout).hooks[0].notStarted]).toEqual([0, undefined])
  })

  it('is one whose script was made so', async () => {
    const world = await projectWith({ ...hooked({ command: `${HERE}/good.sh` }), ...SCRIPTS })
    expect(await printed(explain, world, 'PreToolUse')).toContain('1 of 1 would run')
    await chmod(join(world.project, '.claude/hooks/good.sh'), 0o644)
    expect(await printed(explain, world, 'PreToolUse')).toContain('cannot start')
  })

  it('is not told of what only a run can tell', async () => {
    const found = await findingsIn(hooked({ command: 'cd sub && ./not-here.sh' }))
    expect(found).toEqual([])
  })
})

describe('the condition of a hook', () => {
  const world = () =>
    projectWith({
      '.claude/settings.json': JSON.stringify({
        hooks: {
          PreToolUse: ['Bash(git *)', 'Bash(rm *)', 'Write(src/**)', 'Bash('].map((rule) => ({
            hooks: [{ type: 'command', command: `echo ${rule.length}`, if: rule }],
          })),
        },
      }),
    })
  const call = ['PreToolUse', 'tool_name=Bash', 'tool_input.command=true && git status', '--profile', 'current']

  it('is shown with whether the call fits it, and why', async () => {
    const { hooks, conditions } = JSON.parse(await printed(explain, await world(), ...call, '--json'))
    expect(conditions).toEqual([
      { id: 'project:PreToolUse:0:0', rule: 'Bash(git *)', because: 'a part of the command matches' },
    ])
    expect(hooks.map((line: { because?: string }) => line.because)).toEqual([
      undefined,
      'its "if" "Bash(rm *)" does not match the call: no part of the command matches',
      'its "if" "Write(src/**)" does not match the call: the tool is Bash',
      expect.stringContaining('its "if" can never hold: '),
    ])
  })

  it('is shown to people too', async () => {
    const text = await printed(explain, await world(), ...call)
    expect(text).toContain('if       Bash(git *)  (matches: a part of the command matches)')
    expect(text).toContain('1 of 4 would run')
  })
})
