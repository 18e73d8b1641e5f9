import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findServing } from '../../src/resident/serve.ts'
import { ended, program } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { commands } from '../support/project.ts'
import { bashEvent, call, expectWays, makeServedHome, readFigures, type ServedHome, startCall } from './resident.ts'

/** Reads a link; empty where it has gone meanwhile, as the descriptor of a file that is just read. */
function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '' // gone
  }
}

/** Guard that writes down which call it saw, and refuses. */
const COUNTING = 'cat >/dev/null; echo "$ONE" >> "$HOME/runs"; echo no >&2; exit 2'
const listRuns = ({ home }: ServedHome): string[] =>
  existsSync(join(home, 'runs')) ? readFileSync(join(home, 'runs'), 'utf8').trim().split('\n') : []

describe('a resident with many callers', () => {
  it('answers 200 calls at once, by either way, each once', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    const ids = Array.from({ length: 200 }, (_, at) => `call-${at}`)
    const ends = await Promise.all(ids.map((ONE) => startCall(served, bashEvent('ls'), { env: { ONE } })))
    expect(ends.filter(({ stdout }) => !stdout.includes('"deny"'))).toEqual([])
    expect(listRuns(served).sort()).toEqual([...ids].sort())
    await until('it has answered some of them', () => (readFigures(served)?.served ?? 0) > 0)
  })

  it('has its clients follow each other in the same slots, as clean as the first found them', async () => {
    const served = await makeServedHome({})
    const { slots } = served.place
    const list = () => readdirSync(slots).map((name) => [name, ...readdirSync(join(slots, name)).sort()].join(' '))
    const before = list().sort()
    for (let at = 0; at < 40; at++) call(served, bashEvent('ls', { pad: 'x'.repeat(at * 5000) }))
    await expectWays(served, { served: 40 })
    await until('every slot waits again', () => list().sort().join() === before.join())
  })

  it('answers each of 300 calls that follow each other at once', async () => {
    const served = await makeServedHome({})
    const pid = findServing(served.place)
    for (let at = 0; at < 300; at++) call(served, bashEvent('ls'))
    expect(findServing(served.place)).toBe(pid)
    await expectWays(served, { served: 300 })
  })

  it('leaves nothing of itself behind where it was killed and is then told to stop', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    const pid = findServing(served.place) ?? 0
    process.kill(pid, 'SIGKILL')
    await until('it is gone', () => findServing(served.place) === null)
    expect(readdirSync(served.place.slots).length).toBeGreaterThan(0)
    const env = { HOME: served.home }
    expect(await ended(process.execPath, [program, 'resident', 'stop', '--yes'], { env })).toMatchObject({ code: 0 })
    expect([readdirSync(served.place.slots), existsSync(served.place.bell)]).toEqual([[], false])
  })

  it('keeps nothing of a client that was killed before its agent wrote anything', async () => {
    const served = await makeServedHome({}, { patience: 'usual' })
    const pid = findServing(served.place) ?? 0
    const wires = () =>
      readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
        const path = readLink(`/proc/${pid}/fd/${name}`)
        return path.endsWith('/pipe') ? [path] : [] // the name under which it was opened
      })
    const claimed = () => wires().filter((wire) => existsSync(join(wire, '../claim')))
    const silent = spawn(served.launcher, ['bridge', 'run', 'codex', 'PreToolUse'], { env: { HOME: served.home } })
    await until('it has claimed a slot, and reads', () => claimed().some((wire) => existsSync(join(wire, '../stdin'))))
    const [wire] = claimed()
    silent.kill('SIGKILL')
    await until('the resident has let go of it', () => {
      call(served, bashEvent('ls')) // slots are made anew from time to time
      return !wires().some((one) => one === wire || one === `${wire} (deleted)`) && !existsSync(join(wire ?? '', '..'))
    })
  })

  it('serves again once no client is left of those that claimed its slots and were killed before they rang', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] })
    const { slots } = served.place
    const { pid: gone } = spawnSync('true')
    for (const name of readdirSync(slots)) writeFileSync(join(slots, name, 'claim'), `${gone}\n`)
    expect(call(served, bashEvent('ls'), { env: { ONE: 'cold' } }).stdout).toContain('"deny"')
    await until('slots wait again', () => readdirSync(slots).every((name) => !existsSync(join(slots, name, 'claim'))))
    expect(call(served, bashEvent('ls'), { env: { ONE: 'served' } }).stdout).toContain('"deny"')
    await expectWays(served, { served: 1 })
    expect(listRuns(served)).toEqual(['cold', 'served'])
  })

  it('ends the hooks of a client that is killed', async () => {
    const served = await makeServedHome(
      { PreToolUse: [commands('echo $$ > "$HOME/pid"; exec sleep 60')] },
      { patience: 'usual' },
    )
    const line = ['timeout', '-s', 'KILL', '2', served.launcher, 'bridge', 'run', 'codex', 'PreToolUse']
    call(served, bashEvent('ls'), { line })
    const hook = readFileSync(join(served.home, 'pid'), 'utf8').trim()
    await until(
      'the hook has ended',
      () => !existsSync(`/proc/${hook}/fd`) || readdirSync(`/proc/${hook}/fd`).length === 0,
    )
  })
})

describe('another user', () => {
  const [asUser = '', ...WORDS] = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  const canBeOther = spawnSync(asUser, [...WORDS, 'true']).status === 0

  it.skipIf(!canBeOther)('can neither ring, nor look, nor leave a call', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    for (const folder of [served.world.root, served.home]) chmodSync(folder, 0o755)
    const asOther = (text: string): number | null =>
      spawnSync(asUser, [...WORDS, 'sh', '-c', text], { cwd: '/' }).status
    const [slot = ''] = readdirSync(served.place.slots)
    expect(statSync(served.place.folder).mode & 0o077).toBe(0)
    expect(asOther(`ls '${served.home}'`)).toBe(0)
    expect(asOther(`ls '${served.place.folder}'`)).not.toBe(0)
    expect(asOther(`echo ${slot} 1<>'${served.place.bell}'`)).not.toBe(0)
    expect(asOther(`echo 1 > '${join(served.place.slots, slot, 'claim')}'`)).not.toBe(0)
    expect(listRuns(served)).toEqual([])
    expect(call(served, bashEvent('ls'), { env: { ONE: 'own' } }).stdout).toContain('"deny"')
    expect(listRuns(served)).toEqual(['own'])
  })

  it.skipIf(!canBeOther)('cannot stand in for it with a folder of theirs', async () => {
    const served = await makeServedHome({ PreToolUse: [commands(COUNTING)] }, { patience: 'usual' })
    const env = { HOME: served.home }
    await ended(process.execPath, [program, 'resident', 'stop', '--yes'], { env })
    spawnSync('chown', ['65534', served.place.folder])
    expect(await ended(process.execPath, [program, 'resident', 'serve'], { env })).toMatchObject({ code: 0 })
    expect(findServing(served.place)).toBeNull()
    expect(call(served, bashEvent('ls'), { env: { ONE: 'own' } }).stdout).toContain('"deny"')
    writeFileSync(join(served.home, 'runs'), '')
  })
})
