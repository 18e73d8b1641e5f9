import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fire, hooklinePackage, run } from '../support/hook-file.ts'

describe('a hook of defineHook', () => {
  const stop = { hook_event_name: 'Stop' }

  it('keeps stdout for its answer, whatever is printed', async () => {
    const { code, stdout, stderr } = await run(
      `defineHook({ async Stop(_, reply) {
        console.log('one'); process.stdout.write('two\\n')
        setTimeout(() => console.info('three'), 20)
        return reply.block('go on')
      } })`,
      stop,
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '{"decision":"block","reason":"go on"}\n',
      stderr: 'one\ntwo\nthree\n',
    })
  })

  it('says nothing about an event without a handler', async () => {
    const { code, stdout, stderr } = await run('defineHook({ Stop() { throw 1 } })', { hook_event_name: 'SessionEnd' })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('fails with its file and the message when a handler throws, and stops nothing', async () => {
    const { hooks, decision } = await fire('Stop', `defineHook({ Stop() { throw new Error('broken lamp') } })`)
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error', exitCode: 1, stdoutBytes: 0 }])
    expect(decision.blocked).toBe(false)
    expect(decision.messages).toContainEqual(
      expect.objectContaining({ to: 'user', text: expect.stringMatching(/code: .*hook\.js: Error: broken lamp$/) }),
    )
  })

  it.each([
    ['throws', `throw new Error('broken')`],
    ['throws where nobody awaits it', `return new Promise(() => setTimeout(() => { throw new Error('broken') }))`],
    ['waits for what cannot come', 'return new Promise(() => {})'],
    ['exits by itself', 'process.exit()'],
    ['forgets to return its reply', `reply.deny('no')`],
  ])('refuses with onError block when its handler %s', async (_how, body) => {
    const { hooks, decision } = await fire(
      'PreToolUse',
      `defineHook({ PreToolUse(_, reply) { ${body} } }, { onError: 'block' })`,
    )
    expect(hooks).toMatchObject([{ outcome: 'blocking', exitCode: 2 }])
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
    expect(decision.reason).toMatch(/hook\.js: /)
  })

  it.each([
    ['nothing', '', 'stdin is empty'],
    ['no JSON', 'lamp', 'stdin holds no event: Unexpected token'],
    ['a list', '[]', 'stdin holds no event: it is not an object with a "hook_event_name"'],
  ])('fails on a stdin that holds %s', async (_what, stdin, message) => {
    const { code, stdout, stderr } = await run('defineHook({ Stop() {} })', stdin)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`hook.js: ${message}`)
    expect(stderr).not.toContain('    at ')
  })

  it('fails when it is defined twice', async () => {
    const { code, stderr } = await run('defineHook({}); defineHook({})', stop)
    expect(code).toBe(1)
    expect(stderr).toContain('defineHook was called twice')
  })

  it('stands by its answer when something it left behind breaks', async () => {
    const { code, stdout, stderr } = await run(
      `defineHook({ Stop(_, reply) { setInterval(() => { throw new Error('late') }, 5); return reply.block('go on') } })`,
      stop,
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"decision":"block","reason":"go on"}\n' })
    expect(stderr).toContain('hook.js: Error: late')
  })

  it('waits for what its handler left unfinished', async () => {
    const { world, code } = await run(
      `import { setTimeout as pause } from 'node:timers/promises'
      import { writeFile } from 'node:fs/promises'
      defineHook({ Stop() { pause(50).then(() => writeFile('done', 'yes')) } })`,
      stop,
    )
    expect(code).toBe(0)
    expect(await readFile(join(world.project, 'done'), 'utf8')).toBe('yes')
  })

  it('reads 5 MB and writes 5 MB', async () => {
    const prompt = 'lämp '.repeat(1_000_000)
    const { code, stdout } = await run(
      'defineHook({ UserPromptSubmit: ({ prompt }, reply) => reply.context(prompt) })',
      {
        hook_event_name: 'UserPromptSubmit',
        prompt,
      },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext === prompt).toBe(true)
  })

  it('loads the few files of its door, and no package', async () => {
    const files = {
      'project/spy.js': `
        import { appendFileSync } from 'node:fs'
        export async function load(url, context, next) {
          if (!url.startsWith('node:')) appendFileSync('loaded', url + '\\n')
          return next(url, context)
        }`,
      'project/register.js': `import { register } from 'node:module'; register('./spy.js', import.meta.url)`,
    }
    const { code, world } = await run('defineHook({ Stop() {} })', stop, {
      files,
      flags: ['--import', './register.js'],
    })
    expect(code).toBe(0)
    const loaded = (await readFile(join(world.project, 'loaded'), 'utf8')).trim().split('\n')
    const ours = loaded
      .map((url) => relative(hooklinePackage, fileURLToPath(url)))
      .filter((file) => !file.startsWith('..'))
    expect(loaded).toHaveLength(ours.length + 1) // and the hook itself
    const bytes = await Promise.all(ours.map(async (file) => (await stat(join(hooklinePackage, file))).size))
    expect(ours[0]).toBe(join('dist', 'hook', 'index.js'))
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(40_000)
  })
})
