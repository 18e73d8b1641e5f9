import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../support/processes.ts'
import { commands, makeWorld, openOn, type World } from '../support/project.ts'

const BUILT = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href

function start(
  { project, home, managed }: World,
  program: string,
  { fileBlocks }: { fileBlocks?: number } = {},
): ChildProcessWithoutNullStreams {
  const source = `import { openEngine } from ${JSON.stringify(BUILT)}
    const world = ${JSON.stringify({ project, home, managed, trust: 'stored' })}
    process.on('SIGXFSZ', () => {})
    ${program}`
  const limit = fileBlocks === undefined ? '' : `ulimit -f ${fileBlocks}; `
  const args = ['-c', `${limit}exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', source]
  const child = spawn('sh', args, { timeout: 40_000, killSignal: 'SIGKILL' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const ended = (child: ChildProcessWithoutNullStreams): Promise<unknown> =>
  new Promise((resolve) => child.on('exit', resolve))

/** Kills a host some time after it has said that it writes. */
async function killWhileWriting(child: ChildProcessWithoutNullStreams): Promise<void> {
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await until('it writes', () => said.includes('writing'))
  await pause(Math.random() * 60)
  child.kill('SIGKILL')
  await ended(child)
}

describe.skipIf(process.platform === 'win32')('a host that is killed while it writes', () => {
  it('reliability 91: leaves the old settings or the new ones, at whatever moment it is killed', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': { filler: 'x'.repeat(300_000), hooks: {} } })
    const path = join(world.home, '.claude/settings.json')
    for (let round = 0; round < 8; round++) {
      const child = start(
        world,
        `const engine = await openEngine(world)
         console.log('writing')
         for (let at = 0; ; at++) await engine.add('user', { event: 'Stop', hook: { type: 'command', command: 'echo ' + at } })`,
      )
      await killWhileWriting(child)

      const engine = await openOn(world)
      expect(engine.problems).toEqual([])
      expect(JSON.parse(readFileSync(path, 'utf8')).filler).toHaveLength(300_000)
    }
    const engine = await openOn(world)
    await engine.add('user', { event: 'Stop', hook: { type: 'command', command: 'echo last' } })
    expect(readFileSync(path, 'utf8')).toContain('echo last')
  })

  it('reliability 91: leaves the old trust or the new one, at whatever moment it is killed', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const store = join(world.home, '.hookline/trust.json')
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    const { folders, ...rest } = JSON.parse(readFileSync(store, 'utf8'))
    const others = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`/other/${at}`, { digest: String(at) }]))
    writeFileSync(store, JSON.stringify({ ...rest, folders: { ...others, ...folders } }))
    for (let round = 0; round < 8; round++) {
      const child = start(
        world,
        `const engine = await openEngine(world)
         console.log('writing')
         for (;;) await engine.acceptTrust()`,
      )
      await killWhileWriting(child)

      expect(Object.keys(JSON.parse(readFileSync(store, 'utf8')).folders)).toHaveLength(2001)
      expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(true)
    }
  })
})

describe.skipIf(process.platform === 'win32')('a disk that takes no more', () => {
  it('reliability 90: keeps the settings as they were, leaves no draft, and says what went wrong', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': { filler: 'x'.repeat(300_000) } })
    const path = join(world.home, '.claude/settings.json')
    const before = readFileSync(path, 'utf8')
    const child = start(
      world,
      `const engine = await openEngine(world)
       const outcome = await engine.add('user', { event: 'Stop', hook: { type: 'command', command: 'true' } }).then(() => 'written', (error) => error.name + ': ' + error.message)
       const { hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
       console.log(JSON.stringify({ outcome, hooks }))
       await engine.close()`,
      { fileBlocks: 64 },
    )
    const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])

    expect(complaints).toBe('')
    expect(JSON.parse(said)).toMatchObject({
      outcome: expect.stringMatching(/^HooklineError: .*settings\.json/),
      hooks: [],
    })
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(readdirSync(join(world.home, '.claude'))).toEqual(['settings.json'])
  })
})
