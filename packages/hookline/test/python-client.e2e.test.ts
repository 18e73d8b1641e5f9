import { execFile, spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { writeHookScript } from '../src/cli/commands/init/hook-script.ts'
import { loadProfile, PROFILE_NAMES } from '../src/protocol/profiles.ts'
import { hookline, program } from './support/command.ts'
import { makeWorld } from './support/project.ts'

const client = fileURLToPath(new URL('../../../clients/python', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)('the client for Python (skipped where there is no python3)', () => {
  it('passes its own tests against the built command, and leaves nothing open', { timeout: 400_000 }, async () => {
    const env = {
      ...process.env,
      HOOKLINE: `'${process.execPath}' '${program}'`,
      HOOKLINE_TRUST: '',
      PYTHONPATH: `${client}/src:${client}/tests`,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const files = (await readdir(`${client}/tests`)).filter((name) => name.startsWith('test_'))
    const runs = files.map(async (name) => {
      const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', `${client}/tests`, '-p', name]
      return (await promisify(execFile)('python3', args, { env, timeout: 390_000 })).stderr // most of the time they wait
    })
    for (const stderr of await Promise.all(runs)) {
      expect(stderr).toMatch(/\nRan \d+ tests in [\s\S]*\nOK(?: \(skipped=\d+\))?\n$/)
      expect(stderr).not.toContain('ResourceWarning')
    }
  })

  it('makes a hook of the program that the page shows, by its settings and its line to try it', async () => {
    const page = await readFile(new URL('../../../docs/hooks-in-python.md', import.meta.url), 'utf8')
    const readBlock = (language: string): string =>
      new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
    const [, line = ''] = /Try it: `hookline (.*?)`/.exec(page) ?? []
    const world = await makeWorld({
      'project/.claude/hooks/guard.py': readBlock('python'),
      'project/.claude/settings.json': JSON.parse(readBlock('json')),
    })
    const env = { ...process.env, PYTHONPATH: `${client}/src` }
    const { stdout, code } = await hookline(world, line.split(' '), { env })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^PreToolUse {2}allowed \(no hook objected\)\n {2}ran /)])
    for (const [command, decision] of [
      ['git push --force', 'denied: Do not force'],
      ['git push', 'Push now?'],
    ]) {
      const fired = await hookline(world, [...line.split(' '), `tool_input={"command":"${command}"}`], { env })
      expect(fired.stdout).toContain(decision)
    }
  })

  it('is imported by hooks of hookline init where python3 has it, and they pass hookline test', async () => {
    const world = await makeWorld()
    const env = { ...process.env, PYTHONPATH: `${client}/src`, PYTHONDONTWRITEBYTECODE: '1' }
    const init = ['init', '--event', 'PreToolUse', '--matcher', 'Bash', '--language', 'python', '--yes']
    expect((await hookline(world, init, { env })).stdout).toContain('It imports the package "hookline"')
    const script = await readFile(join(world.project, '.claude/hooks/pre-tool-use.py'), 'utf8')
    expect(script).toContain('from hookline import hook\n\n\n@hook.pre_tool_use\ndef answer(event: hook.PreToolUse):\n')
    expect(await hookline(world, ['test', '--trust'], { env })).toMatchObject({ code: 0 })
    const { stdout } = await hookline(world, [...init, '--name', 'plain'], { env: { ...env, PYTHONPATH: '' } })
    expect(stdout).toContain('has no package "hookline"')
  })

  it('knows every answer that hooks of hookline init show', async () => {
    const scripts = await Promise.all(
      PROFILE_NAMES.map(async (profile) =>
        [...(await loadProfile(profile)).events.values()].flatMap((row) => {
          const script = writeHookScript('python-package', 'guard', { row, profile })
          const others = [...script.matchAll(/^ {4}# {3}(return .*)$/gm)].map(([, line = '']) =>
            script.replace(/^ {4}(return hook|print).*$/m, () => `    ${line}`),
          )
          const event = { hook_event_name: row.name, ...row.example, stop_hook_active: false }
          return [script, ...others].map((text) => ({ text, event }))
        }),
      ),
    )
    const { status, stderr } = spawnSync('python3', ['-c', TRY_ALL], {
      input: JSON.stringify(scripts.flat()),
      env: { ...process.env, PYTHONPATH: `${client}/src` },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(scripts.flat().length).toBeGreaterThan(150)
  })
})

/** Has each program answer its event: what the event does not know raises. */
const TRY_ALL = `
import contextlib, io, json, sys
from hookline import _hook_run, hook
for one in json.load(sys.stdin):
    space = {"__name__": "tried"}
    exec(one["text"], space)
    kind = getattr(hook, one["event"]["hook_event_name"])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        reply = space["answer"](kind(one["event"]))
        if reply is not None:
            _hook_run.write(kind, reply, one["event"])
`
