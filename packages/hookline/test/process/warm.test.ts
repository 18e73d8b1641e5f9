// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how settings write it
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, cp, rename, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DispatchRecord, Engine } from '../../src/index.ts'
import { readPlainWords } from '../../src/process/warm/plain-command.ts'
import { openFor, printed } from '../faults/fire.ts'
import { processesWith, processIds, until } from '../support/processes.ts'
import { bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'

const ONLY_LINUX = process.platform !== 'linux'
const PYTHON = '/usr/bin/python3'
const guard = (word: string): string => `require('fs').readFileSync(0); console.log(${word})`
const refusal = { 'project/guard.cjs': `require('fs').readFileSync(0); console.error('no'); process.exit(2)` }
const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const
const files = { 'project/guard.cjs': guard("'one'") }

/** Fires until the interpreter of every hook was started ahead. */
async function untilWarm(engine: Engine, event: typeof bashCall = bashCall): Promise<DispatchRecord> {
  for (let left = 300; left > 0; left--) {
    const record = await engine.dispatch(event)
    if (record.hooks.every(({ launcher }) => launcher === 'warm')) return record
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no interpreter was ready')
}

/** Waits until an interpreter waits that has not run anything yet. */
async function untilWaiting(token: string, count = 1): Promise<number[]> {
  await until('an interpreter waits', () => processesWith(token).length >= count)
  return processesWith(token)
}

/** Waits until an interpreter reads what it is told; its shell waits for it. */
async function untilAtItsWait(token: string): Promise<{ interpreter: number; shell: number }> {
  const read = (pid: number, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1')
    } catch {
      return '' // gone
    }
  }
  const isReadingStdin = (pid: number): boolean => /^\d+ 0x0 /.test(read(pid, 'syscall'))
  const findInterpreter = (): number | undefined =>
    processesWith(token).find((pid) => read(pid, 'cmdline').startsWith('node\0') && isReadingStdin(pid))
  await until('an interpreter is at its wait', () => findInterpreter() !== undefined)
  const interpreter = findInterpreter() ?? 0
  return { interpreter, shell: Number(/^PPid:\t(\d+)$/m.exec(read(interpreter, 'status'))?.[1]) }
}

/** How many processes are in a folder. */
function childrenIn(folder: string): number {
  const folderOf = (pid: string): string => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch {
      return '' // gone, or not ours
    }
  }
  return processIds().filter((pid) => folderOf(pid) === folder).length
}

describe.skipIf(ONLY_LINUX)('an interpreter is started ahead', () => {
  it('from the second run of a hook on, once it is ready, and the record says so', async () => {
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], { files, warm: 'auto' })
    const first = await engine.dispatch(bashCall)
    expect(first.hooks[0]?.launcher).not.toBe('warm')
    const later = await untilWarm(engine)
    expect([printed(first), printed(later)]).toEqual(['one', 'one'])
  })

  it('never when the host says so, nor for a hook that is not plainly one of Node or Python', async () => {
    const off = await openFor('PreToolUse', ['node guard.cjs'], { files, warm: 'off' })
    expect((await off.engine.dispatch(bashCall)).hooks[0]?.launcher).not.toBe('warm')
    const odd = ['node guard.cjs | cat', 'X=1 node guard.cjs', 'cd . && node guard.cjs', 'node --no-warnings guard.cjs']
    const { engine } = await openFor('PreToolUse', odd, { files, warm: 'on' })
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ launcher, exitCode }) => [launcher === 'warm', exitCode])).toEqual(odd.map(() => [false, 0]))
  })

  it('never where options of Node would load something else first', async () => {
    const env = { ...process.env, NODE_OPTIONS: '--require ./guard.cjs' }
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], { files, warm: 'on', env })
    expect((await engine.dispatch(bashCall)).hooks[0]?.launcher).not.toBe('warm')
  })

  it('also where options of Node do nothing of the kind, which the hook finds as they are', async () => {
    const env = { ...process.env, NODE_OPTIONS: '--no-warnings' }
    const options = { files: { 'project/guard.cjs': guard('process.env.NODE_OPTIONS') }, warm: 'on', env } as const
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], options)
    const record = await engine.dispatch(bashCall)
    expect([record.hooks[0]?.launcher, printed(record)]).toEqual(['warm', '--no-warnings'])
  })

  it('never when the interpreter would not wait: a hook does not run without an event', async () => {
    const world = await makeWorld({ 'project/guard.cjs': 'cat >/dev/null\necho x >>runs\n', 'project/bin/none': '' })
    await cp('/bin/bash', join(world.project, 'bin/node'))
    const env = { ...process.env, PATH: `${join(world.project, 'bin')}:${process.env.PATH}` }
    const engine = await openOn(world, { warm: 'on', env })
    await engine.register({ PreToolUse: [commands('node guard.cjs')] })
    for (let left = 3; left > 0; left--) expect((await engine.dispatch(bashCall)).hooks[0]?.launcher).not.toBe('warm')
    await engine.close()
    expect(readFileSync(join(world.project, 'runs'), 'utf8')).toBe('x\nx\nx\n')
  })

  it('by a shell that holds none of its outputs: their end is heard while Node takes itself down', async () => {
    const code = `const { readdirSync, readFileSync, readlinkSync } = require('fs')
const held = (pid) => readdirSync('/proc/' + pid + '/fd').map((fd) => {
  try {
    return readlinkSync('/proc/' + pid + '/fd/' + fd)
  } catch {}
})
readFileSync(0)
console.log([1, 2].map((fd) => held(process.ppid).includes(readlinkSync('/proc/self/fd/' + fd))).join())`
    const options = { files: { 'project/guard.cjs': code }, warm: 'on', launcher: 'pool' } as const
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], options)
    const record = await engine.dispatch(bashCall)
    expect([record.hooks[0]?.launcher, printed(record)]).toEqual(['warm', 'false,false'])
  })

  it('is refused by a word that is not one of the choices', async () => {
    const opening = openFor('PreToolUse', ['true'], { warm: 'hot' as 'on' })
    await expect(opening).rejects.toThrow('warm must be one of auto, off, on, not "hot".')
  })
})

describe.skipIf(ONLY_LINUX)('a hook whose interpreter waits', () => {
  it('runs as it is at the event, with its imports', async () => {
    const edited = {
      'project/guard.mjs': `import { word } from './word.mjs'\nconsole.log(word, 1)`,
      'project/word.mjs': `export const word = 'a'`,
    }
    const { engine, world } = await openFor('PreToolUse', ['node guard.mjs'], { files: edited, warm: 'auto' })
    expect(printed(await untilWarm(engine))).toBe('a 1')
    await put(world, 'project/word.mjs', `export const word = 'b'`)
    expect(printed(await untilWarm(engine))).toBe('b 1')
    await put(world, 'project/guard.mjs', `import { word } from './word.mjs'\nconsole.log(word, 2)`)
    expect(printed(await untilWarm(engine))).toBe('b 2')
  })

  it('has its modules kept compiled where Node can, in a folder of the session, and finds no variable of it', async () => {
    const code = `(require('module').getCompileCacheDir?.() ?? 'none').split('-')[1], process.env.NODE_COMPILE_CACHE`
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], {
      files: { 'project/guard.cjs': guard(code) },
      warm: 'on',
    })
    const isKept = 'enableCompileCache' in module
    expect(printed(await engine.dispatch(bashCall))).toBe(`${isKept ? 'warm' : undefined} undefined`)
  })

  it('refuses although everything that waits for it was killed or stopped', async () => {
    const { engine, token } = await openFor('PreToolUse', ['node guard.cjs'], { files: refusal, warm: 'auto' })
    await engine.dispatch(bashCall)
    for (const signal of SIGNALS) {
      for (const pid of await untilWaiting(token)) process.kill(pid, signal)
      for (let left = 3; left > 0; left--)
        expect((await engine.dispatch(bashCall)).decision).toMatchObject({ blocked: true, reason: 'no' })
    }
  })

  it.each(['direct', 'pool'] as const)(
    'refuses although one of the processes that wait for it was killed or stopped (%s)',
    async (launcher) => {
      const { engine, token } = await openFor('PreToolUse', ['node guard.cjs'], {
        files: refusal,
        warm: 'auto',
        launcher,
      })
      await untilWarm(engine)
      for (const signal of SIGNALS) {
        for (const part of ['interpreter', 'shell'] as const) {
          const waiting = await untilAtItsWait(token)
          process.kill(waiting[part], signal)
          const { decision, hooks } = await engine.dispatch(bashCall)
          expect({ signal, part, decision, hooks }).toMatchObject({ decision: { blocked: true, reason: 'no' } })
          await untilWarm(engine)
        }
      }
    },
  )

  it('is started at its event when the host has changed its environment, and finds that', async () => {
    const env: NodeJS.ProcessEnv = { ...process.env, WORD: 'a' }
    const options = {
      files: { 'project/guard.cjs': guard('process.env.WORD, process.env.MORE') },
      warm: 'auto',
      env,
    } as const
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], options)
    expect(printed(await untilWarm(engine))).toBe('a undefined')
    env.WORD = 'b'
    expect(printed(await engine.dispatch(bashCall))).toBe('b undefined')
    expect(printed(await untilWarm(engine))).toBe('b undefined')
    env.MORE = 'c'
    expect(printed(await engine.dispatch(bashCall))).toBe('b c')
    delete env.WORD
    expect(printed(await untilWarm(engine))).toBe('undefined c')
  })

  it('finds the session of its event, whichever its interpreter was started in', async () => {
    const options = {
      files: { 'project/guard.cjs': guard('process.env.CLAUDE_CODE_SESSION_ID') },
      warm: 'on',
      profile: 'current',
    } as const
    const { engine } = await openFor('PreToolUse', ['node guard.cjs'], options)
    await engine.dispatch({ ...bashCall, session_id: 'first' })
    const record = await engine.dispatch({ ...bashCall, session_id: 'second' })
    expect([record.hooks[0]?.launcher, printed(record)]).toEqual(['warm', 'second'])
  })

  it.each<[string, (project: string) => Promise<unknown>, string]>([
    [
      'its folder was replaced',
      async (project) => {
        await rename(join(project, 'sub'), join(project, 'old'))
        await cp(join(project, 'old'), join(project, 'sub'), { recursive: true })
      },
      'true 22',
    ],
    [
      'another interpreter comes first on PATH',
      async (project) => {
        await writeFile(join(project, 'bin/node'), '#!/bin/sh\necho other\n', { mode: 0o755 })
      },
      'other',
    ],
    ['the umask is another one', async () => process.umask(0o077), 'true 77'],
    ['the mode of its file is another one', async (project) => chmod(join(project, 'sub/guard.cjs'), 0o700), 'true 22'],
  ])('is started at its event when %s', async (_, change, said) => {
    const umask = process.umask(0o022)
    onTestFinished(() => void process.umask(umask))
    const code = "require('fs').existsSync('guard.cjs'), process.umask().toString(8)"
    const world = await makeWorld({ 'project/sub/guard.cjs': guard(code), 'project/bin/none': '' })
    const env = { ...process.env, PATH: `${join(world.project, 'bin')}:${process.env.PATH}` }
    const engine = await openOn(world, { warm: 'auto', env, launcher: 'direct' })
    await engine.register({ PreToolUse: [commands('node guard.cjs')] })
    const call = { ...bashCall, cwd: join(world.project, 'sub') }
    expect(printed(await untilWarm(engine, call))).toBe('true 22')
    await until('an interpreter waits', () => childrenIn(call.cwd) > 0)
    await change(world.project)
    const record = await engine.dispatch(call)
    expect([record.hooks[0]?.launcher, printed(record)]).toEqual(['direct', said])
  })

  it('ends with the session, and when the session runs on other settings', async () => {
    const { engine, token } = await openFor('PreToolUse', ['node guard.cjs'], { files, warm: 'auto' })
    await engine.dispatch(bashCall)
    await untilWaiting(token)
    await engine.add('local', { event: 'Stop', hook: { type: 'command', command: 'true' } })
    await until('the interpreter is gone', () => processesWith(token).length === 0)
    expect(printed(await untilWarm(engine))).toBe('one')
    await untilWaiting(token)
    await engine.close()
    expect(processesWith(token, { residents: true })).toEqual([])
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`hookline-warm-${process.pid}.`))).toEqual([])
  })

  it.skipIf(!existsSync(PYTHON))('is not waited for by a burst of a hundred events', async () => {
    const guards = { 'project/guard.py': `print('one')` }
    const { engine } = await openFor('PreToolUse', [`${PYTHON} guard.py`], { files: guards, warm: 'auto' })
    await untilWarm(engine)
    const records = await Promise.all(Array.from({ length: 100 }, () => engine.dispatch(bashCall)))
    expect(records.map((record) => printed(record))).toEqual(records.map(() => 'one'))
    expect(records.filter(({ hooks }) => hooks[0]?.launcher === 'warm').length).toBeLessThan(2)
  })
})

describe('plain words of a command', () => {
  const env = { CLAUDE_PROJECT_DIR: '/a b', ROOT: '/plain/x', HOME: '/home/me', STAR: '*', TWO: 'a b', EMPTY: '' }

  it.each([
    ['node guard.mjs', ['node', 'guard.mjs']],
    ['  python3\tguard.py  --strict=1 ', ['python3', 'guard.py', '--strict=1']],
    ['node "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.mjs', ['node', '/a b/.claude/hooks/guard.mjs']],
    ['node "${CLAUDE_PROJECT_DIR}/x y.mjs" \'$ROOT\'', ['node', '/a b/x y.mjs', '$ROOT']],
    ['python3 $ROOT/guard.py ${ROOT}', ['python3', '/plain/x/guard.py', '/plain/x']],
    ['~/.claude/hooks/guard.py ~', ['/home/me/.claude/hooks/guard.py', '/home/me']],
    ['node x.mjs "" a""b', ['node', 'x.mjs', '', 'ab']],
  ])('of %j are %j', (text, words) => {
    expect(readPlainWords(text, env)).toEqual(words)
  })

  it.each([
    'node a.mjs | cat',
    'node a.mjs > out',
    'node a.mjs 2>&1',
    'node a.mjs; true',
    'node a.mjs && true',
    'node a.mjs &',
    'X=1 node a.mjs',
    'node *.mjs',
    'node a?.mjs',
    'node {a,b}.mjs',
    'node $(echo a).mjs',
    'node `echo a`.mjs',
    'node "`echo a`"',
    'node "$(echo a)"',
    'node a\\ b.mjs',
    'node "a\\"b"',
    'node a.mjs # why',
    'node $STAR',
    'node $TWO',
    'node $EMPTY',
    'node $MISSING/a.mjs',
    'node "$MISSING/a.mjs"',
    'node ${ROOT:-x}/a.mjs',
    'node "${ROOT%x}"',
    'node $1',
    'node ~other/a.mjs',
    "node 'a.mjs",
    'node "a.mjs',
    'node a.mjs\nnode b.mjs',
    'node a.mjs <<E',
    '! node a.mjs',
    '(node a.mjs)',
  ])('are not there for %j', (text) => {
    expect(readPlainWords(text, env)).toBeNull()
  })
})
