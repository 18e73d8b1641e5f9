import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'
import { asHost, guard, LOCAL, marking, PROJECT, SKILL, skillWith, start, stop, USER, verdicts } from './accepting.ts'

describe('files that are planted', () => {
  it('CVE-2026-25725: does not run a settings file that a hook creates, now or in the next session', async () => {
    const world = await makeWorld()
    const { command, ran } = marking(world)
    const planted = JSON.stringify({ hooks: { SessionStart: [commands(command)], Stop: [commands(command)] } })
    const target = join(world.project, '.claude/settings.json')
    await put(world, USER, {
      hooks: { SessionStart: [commands(`mkdir -p '${world.project}/.claude'; cat >'${target}' <<'X'\n${planted}\nX`)] },
    })
    const engine = await asHost(world)
    await engine.dispatch(start)
    expect(existsSync(target)).toBe(true)
    const { notices, hooks } = await engine.dispatch(stop)
    const next = await asHost(world)
    await next.dispatch(start)

    expect(notices?.join()).toContain('.claude/settings.json changed on disk')
    expect(hooks).toEqual([])
    expect(next.trust.accepted).toBe(false)
    expect(ran()).toBe(false)
  })

  it('CVE-2026-25725: does not run a local file that is planted in a folder that was accepted', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    await (await asHost(world)).acceptTrust()
    const { command, ran } = marking(world)
    await put(world, LOCAL, { hooks: { SessionStart: [commands(command)] } })

    expect(verdicts(await (await asHost(world)).dispatch(start))).toEqual(['local untrusted'])
    expect(ran()).toBe(false)
  })

  it('CVE-2026-25725: does not run a skill that is planted in a folder that asked for nothing', async () => {
    const world = await makeWorld()
    const engine = await asHost(world)
    const { command, ran } = marking(world)
    await put(world, `project/${SKILL}`, skillWith(command))
    await engine.activate(SKILL)

    expect(verdicts(await engine.dispatch(stop))).toEqual(['skill untrusted'])
    expect(ran()).toBe(false)
  })

  it('CVE-2026-39861: does not trust a skill because its link leads out of the project', async () => {
    const world = await makeWorld()
    const { command, ran } = marking(world)
    await put(world, 'elsewhere/skills/one/SKILL.md', skillWith(command))
    await mkdir(join(world.project, '.claude'))
    await symlink(join(world.root, 'elsewhere/skills'), join(world.project, '.claude/skills'))
    await put(world, PROJECT, guard)
    const engine = await asHost(world)

    await engine.activate(SKILL).catch(() => []) // refusing it is as good
    await engine.dispatch(stop)

    expect(ran()).toBe(false)
  })

  it('CVE-2026-39861: does not trust a plugin because its link leads out of the project', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const { command, ran } = marking(world)
    await put(world, 'elsewhere/hooks/hooks.json', { hooks: { Stop: [commands(command)] } })
    await symlink(join(world.root, 'elsewhere'), join(world.project, 'plugin'))
    const engine = await asHost(world, { plugins: [join(world.project, 'plugin')] })

    await engine.dispatch(stop)

    expect(ran()).toBe(false)
  })

  it('Mini Shai-Hulud: says at the next start that the hooks of the user are not the same as before', async () => {
    const world = await makeWorld({ [USER]: { hooks: { Stop: [commands('true')] } } })
    const first = await asHost(world)
    await first.dispatch(start)
    await first.close()
    await put(world, USER, { hooks: { Stop: [commands('true')], SessionStart: [commands('true')] } })

    const { notices } = await (await asHost(world)).dispatch(start)

    expect(notices?.join()).toContain('settings.json')
  })

  it('git CVE-2024-32021: judges the file it has read, whatever its name leads to a moment later', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world, {
      trust: async ({ folder }) => {
        await rename(join(folder, '.claude'), join(folder, '.reviewed'))
        await put(world, PROJECT, { hooks: { PreToolUse: [commands('true')] } })
        return true
      },
    })

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })
})

describe('plugins', () => {
  it('reliability 99: counts a plugin to the project whose real place is there, whatever path leads to it', async () => {
    const world = await makeWorld({ 'project/vendor/plugin/hooks/hooks.json': { hooks: { Stop: [commands('true')] } } })
    await symlink(join(world.project, 'vendor/plugin'), join(world.home, 'plugin'))
    const roots = ['home/plugin', 'home/../project/vendor/plugin', 'project/vendor/../vendor/plugin']
    for (const root of roots) {
      const engine = await asHost(world, { plugins: [`${world.root}/${root}`] })

      expect(verdicts(await engine.dispatch(stop))).toEqual(['plugin untrusted'])
    }
  })

  it('CVE-2025-54794: does not take a folder for a part of the project because its name begins the same', async () => {
    const world = await makeWorld({ 'project-plugin/hooks/hooks.json': { hooks: { Stop: [commands('true')] } } })
    const engine = await asHost(world, { plugins: [join(world.root, 'project-plugin')] })

    expect(verdicts(await engine.dispatch(stop))).toEqual(['plugin ran'])
  })

  it('CVE-2025-54794: takes a folder for a part of the project although its name begins with two dots', async () => {
    const world = await makeWorld({ 'project/..plugin/hooks/hooks.json': { hooks: { Stop: [commands('true')] } } })
    const engine = await asHost(world, { plugins: [join(world.project, '..plugin')] })

    expect(verdicts(await engine.dispatch(stop))).toEqual(['plugin untrusted'])
  })

  it('reliability 99: does not read hooks from where a manifest points', async () => {
    const world = await makeWorld()
    const { command, ran } = marking(world)
    await put(world, 'plugin/.claude-plugin/plugin.json', { name: 'p', hooks: '../project/evil.json' })
    await put(world, 'plugin/hooks/hooks.json', { hooks: {} })
    await put(world, 'project/evil.json', { hooks: { Stop: [commands(command)] } })
    await (await asHost(world, { plugins: [join(world.root, 'plugin')] })).dispatch(stop)

    expect(ran()).toBe(false)
  })

  it('reliability 99: does not read hooks from where a link leads out of the plugin', async () => {
    const world = await makeWorld({ 'plugin/hooks/keep': '' })
    const { command, ran } = marking(world)
    const evil = await put(world, 'project/evil.json', { hooks: { Stop: [commands(command)] } })
    await symlink(evil, join(world.root, 'plugin/hooks/hooks.json'))
    const engine = await asHost(world, { plugins: [join(world.root, 'plugin')] })
    await engine.dispatch(stop)

    expect(ran()).toBe(false)
    expect(engine.problems).toMatchObject([{ severity: 'error' }])
  })

  it('reliability 99: does not let a plugin speak in the name of another', async () => {
    const names = ['managed', 'a:Stop:0:0', '../evil', 'same', 'same']
    const files = names.map((name, at) => [
      [`p${at}/.claude-plugin/plugin.json`, { name }],
      [`p${at}/hooks/hooks.json`, { hooks: { Stop: [commands(`: ${at}`)] } }],
    ])
    const world = await makeWorld(Object.fromEntries(files.flat()))
    const plugins = names.map((_, at) => join(world.root, `p${at}`))
    const { hooks } = await (await openOn(world, { plugins })).dispatch(stop)

    expect(new Set(hooks.map(({ id }) => id)).size).toBe(names.length)
    expect(hooks.every(({ id, scope }) => scope === 'plugin' && id.startsWith('plugin:'))).toBe(true)
  })
})

describe('commands that are built from names', () => {
  const hostile = [
    '$(touch pwned)',
    '`touch pwned`',
    '; touch pwned #',
    "' && touch pwned '",
    '" && touch pwned "',
    '-rf',
  ]

  for (const name of hostile) {
    it(`gemini-cli #15277: does not run what stands in the name of a project: ${name}`, async () => {
      const world = await makeWorld()
      const project = join(world.root, name)
      await put(world, `${name}/.claude/settings.json`, {
        hooks: { Stop: [commands('printf %s "$CLAUDE_PROJECT_DIR" >"$CLAUDE_PROJECT_DIR/seen"')] },
      })
      const { hooks } = await (await openOn(world, { project })).dispatch(stop)

      expect(hooks).toMatchObject([{ outcome: 'success' }])
      expect(readFileSync(join(project, 'seen'), 'utf8')).toBe(project)
      expect(existsSync(join(project, 'pwned'))).toBe(false)
    })

    it(`CVE-2025-54795: does not run what stands in the name of a plugin: ${name}`, async () => {
      const world = await makeWorld()
      const root = join(world.root, 'plugins', name)
      await put(world, `plugins/${name}/run.sh`, '#!/bin/sh\necho done\n')
      await put(world, `plugins/${name}/hooks/hooks.json`, {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
        hooks: { Stop: [commands('"${CLAUDE_PLUGIN_ROOT}/run.sh"')] },
      })
      const { hooks } = await (await openOn(world, { plugins: [root] })).dispatch(stop)

      expect(hooks).toMatchObject([{ outcome: 'success', stdoutBytes: 5 }])
      expect(existsSync(join(world.project, 'pwned'))).toBe(false)
    })

    it(`CVE-2025-54795: does not run what stands in an event: ${name}`, async () => {
      const world = await makeWorld({ [PROJECT]: { hooks: { PreToolUse: [commands('cat >/dev/null; echo "$@"')] } } })
      const engine = await openOn(world)
      await engine.dispatch({ ...bashCall, tool_name: name, tool_input: { command: name }, tool_use_id: name })

      expect(existsSync(join(world.project, 'pwned'))).toBe(false)
    })
  }
})
