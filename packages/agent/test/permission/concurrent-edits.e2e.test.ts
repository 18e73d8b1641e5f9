import { spawn } from 'node:child_process'
import { readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'

// Several processes at once, each a user of the built packages: agents whose user grants rules, engines that add hooks,
// the command that adds and removes some, and a host that edits settings itself.

const built = (path: string): string => new URL(`../../../${path}`, import.meta.url).href
const command = fileURLToPath(built('hookline/bin/hookline.js'))

/** An agent that is asked for several calls, and whose user allows each for good. */
const AGENT = `
import { createAgent, makeScriptedModel } from '${built('agent/dist/index.js')}'
const [, , project, home, managed, name, count] = process.argv
const tools = Array.from({ length: Number(count) }, (_, at) => ({ name: 'Bash', input: { command: \`true \${name} \${at}\` } }))
const agent = await createAgent({
  ...{ project, home, managed, trust: 'accepted' },
  model: makeScriptedModel({ turns: [...tools.map((tool) => ({ tools: [tool] })), { text: 'done' }] }, { name: 'script' }),
  dialog: async ({ input }) => ({
    behavior: 'allow',
    updatedPermissions: [
      { type: 'addRules', behavior: 'allow', destination: 'localSettings', rules: [{ toolName: 'Bash', ruleContent: input.command }] },
    ],
  }),
  onEvent: (event) => event.type === 'told' && event.to === 'user' && console.error(event.text),
})
const { success } = await agent.run('go')
await agent.close()
process.exitCode = success ? 0 : 1
`

/** An engine that adds hooks to the same file. */
const ENGINE = `
import { openEngine } from '${built('hookline/dist/index.js')}'
const [, , project, home, managed, name, count] = process.argv
const engine = await openEngine({ project, home, managed, trust: 'accepted' })
for (let at = 0; at < Number(count); at++)
  await engine.add('local', { event: 'Stop', hook: { type: 'command', command: \`echo \${name} \${at}\` } })
await engine.close()
`

/** A host that edits the same file without an engine. */
const HOST = `
import { changeMember, editSettings, findSettingsPlace } from '${built('hookline/dist/config/index.js')}'
const [, , project, home, , name, count] = process.argv
for (let at = 0; at < Number(count); at++)
  await editSettings(findSettingsPlace('local', { project, home }), project, (text) =>
    changeMember(text, ['permissions', 'deny'], { add: [\`Bash(\${name} \${at})\`] }),
  )
`

/** Runs a program to its end; rejects with what it said when it fails. */
async function finished(world: World, args: readonly string[]): Promise<void> {
  const { project, home, managed } = world
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, HOOKLINE_MANAGED: managed },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  if (code !== 0 || /does not count|session only/.test(err))
    throw new Error(`${args.join(' ')}: ${code}\n${out}\n${err}`)
}

const EACH = 4

describe('edits of one settings file by several processes', () => {
  it('all count: grants of agents, hooks of engines and of the command, rules of a host, also by way of a link', {
    timeout: 240_000,
  }, async () => {
    const names = [0, 1, 2]
    const old = names.map((at) => ({ hooks: [{ type: 'command', command: `echo old${at}` }] }))
    const world = await makeWorld({
      'project/.claude/settings.local.json': { permissions: { allow: ['Read'] }, hooks: { Stop: old } },
    })
    const { root, project, home, managed } = world
    await put(world, 'agent.mjs', AGENT)
    await put(world, 'engine.mjs', ENGINE)
    await put(world, 'host.mjs', HOST)
    await symlink(project, join(root, 'same-project'))
    const places = (at: number): string[] => [at % 2 === 0 ? project : join(root, 'same-project'), home, managed]
    const flags = ['--scope', 'local', '--yes', '--project', project, '--home', home]
    await Promise.all([
      finished(world, [join(root, 'host.mjs'), ...places(1), 'host', String(EACH)]),
      ...names.map((at) => finished(world, [join(root, 'agent.mjs'), ...places(at), `agent${at}`, String(EACH)])),
      ...names.map((at) => finished(world, [join(root, 'engine.mjs'), ...places(at), `engine${at}`, String(EACH)])),
      ...names.map((at) => finished(world, [command, 'add', 'Stop', '--command', `echo command${at} 0`, ...flags])),
      ...names.map((at) =>
        finished(world, [command, 'remove', '--event', 'Stop', '--command', `echo old${at}`, ...flags]),
      ),
    ])

    const settings = await readFile(join(project, '.claude/settings.local.json'), 'utf8')
    const { permissions, hooks } = JSON.parse(settings)
    const granted = names.flatMap((at) => Array.from({ length: EACH }, (_, call) => `Bash(true agent${at} ${call})`))
    expect([...permissions.allow].sort()).toEqual(['Read', ...granted].sort())
    expect(permissions.deny).toEqual(Array.from({ length: EACH }, (_, at) => `Bash(host ${at})`))
    const added = [
      ...names.flatMap((at) => Array.from({ length: EACH }, (_, call) => `echo engine${at} ${call}`)),
      ...names.map((at) => `echo command${at} 0`),
    ]
    const commands = hooks.Stop.flatMap((group: { hooks: { command: string }[] }) =>
      group.hooks.map((hook) => hook.command),
    )
    expect([...commands].sort()).toEqual(added.sort())

    const store = JSON.parse(await readFile(join(home, '.hookline/granted.json'), 'utf8'))
    expect(Object.keys(store)).toEqual([project])
    expect([...store[project]].sort()).toEqual(granted.sort())
    expect((await stat(join(home, '.hookline/granted.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(join(project, '.claude'))).filter((name) => /lock|tmp|breaking/.test(name))).toEqual([])
  })
})
