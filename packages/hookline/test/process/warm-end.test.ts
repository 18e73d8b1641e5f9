import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EndReader } from '../../src/process/warm/end-reader.ts'
import { LENGTH_DIGITS, LOADERS, READY_END, TRIAL_FILES } from '../../src/process/warm/loaders.ts'

const MARK = '0b1f3c52-6f0e-4d8e-9c7a-2f6f1f0a9d11'

/** Ends of programs, and the exit code that each tells of before Node takes itself down; null: it tells none. */
const ENDS: Readonly<Record<string, readonly [text: string, code: number | null]>> = {
  'comes to its end': ['', 0],
  'comes to its end with a code': ['process.exitCode = 2', 2],
  'comes to its end after a while': ['setTimeout(() => { process.exitCode = 3 }, 5)', 3],
  'leaves by process.exit': ['setTimeout(() => {}, 60_000); process.exit(2)', 2],
  'leaves by process.exit, and says goodbye': ["process.on('exit', () => console.log('bye')); process.exit(2)", 2],
  'calls the end by hand, and decides later': [
    "process.emit('beforeExit', 0); process.emit('exit', 0); setTimeout(() => { process.exitCode = 2 }, 5)",
    2,
  ],
  'looks at what it emits by': [
    'setTimeout(() => { void process.emit; Reflect.get(process, "emit") }, 1); process.exitCode = 2',
    2,
  ],
  'emits from everywhere': [
    "queueMicrotask(() => process.emit('a')); setTimeout(process.emit.bind(process, 'b')); setImmediate(() => process.emit('c'))",
    0,
  ],
  'decides when it is over': ["process.on('exit', () => { process.exitCode = 2 })", null],
  'begins again when it is over': ["process.once('beforeExit', () => setTimeout(() => { process.exitCode = 2 }))", 2],
  'always does so': ["process.on('beforeExit', () => {})", null],
  fails: ["throw new Error('bad')", null],
  'fails later': ["setTimeout(() => { throw new Error('bad') })", null],
  'fails in a promise': ["Promise.reject(new Error('bad'))", null],
  'waits for what never comes': ['await new Promise(() => {})', null],
  'kills itself': ["process.kill(process.pid, 'SIGKILL')", null],
  'shows stacks in its own way': ['Error.prepareStackTrace = () => ""; process.emit("a")', null],
  'wants no stacks': ['Error.stackTraceLimit = 0; process.emit("a"); process.exitCode = 2', 2],
  'replaces what it emits by': ['const { emit } = process; process.emit = (...of) => emit.apply(process, of)', null],
}

/** Runs a program in an interpreter that waited for it. */
function runWaiting(text: string): { readonly stdout: string; readonly code: number | null; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-end-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { fileName, text: loader, value, variable } = LOADERS.node
  const file = join(folder, fileName)
  for (const [name, content] of Object.entries({ ...TRIAL_FILES, [fileName]: loader, 'hook.mjs': text }))
    writeFileSync(join(folder, name), content)
  const env = { PATH: process.env.PATH, FOLDER: folder, [variable]: value({ folder, file }, undefined) ?? '' }
  const told = `-${variable}\0#${MARK}`
  const input = `${String(told.length).padStart(LENGTH_DIGITS, '0')}${told}`
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'hook.mjs')], {
    ...{ env, input, encoding: 'utf8', timeout: 60_000, cwd: folder },
  })
  return { stdout: stdout.slice(stdout.indexOf(READY_END) + READY_END.length), code: status, folder }
}

describe.skipIf(process.platform !== 'linux')('a program in an interpreter that waited for it', () => {
  it.each(Object.entries(ENDS))('that %s tells its exit code alone, and last', (_, [text, code]) => {
    const run = runWaiting(text)
    const end = `\0${MARK}`
    expect(run.stdout.includes(end)).toBe(code !== null)
    if (code === null) return
    expect(run.code).toBe(code)
    expect(run.stdout.endsWith(`${end}${code}\n`)).toBe(true)
  })

  it('writes nothing of it into a file that has the number of its stdout by then', () => {
    const { stdout, folder } = runWaiting(
      "import { closeSync, openSync } from 'node:fs'; closeSync(1); openSync(process.env.FOLDER + '/other', 'w')",
    )
    expect(existsSync(join(folder, 'other'))).toBe(true)
    expect([readFileSync(join(folder, 'other'), 'utf8'), stdout.includes(MARK)]).toEqual(['', false])
  })
})

describe('the end that an interpreter tells of', () => {
  it('is found however the output is cut, and nothing else of it is lost', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('\0', `\0${MARK.slice(0, 9)}`, MARK.slice(1), '\n'))
    fc.assert(
      fc.property(
        fc.array(part),
        fc.option(fc.integer({ min: 0, max: 255 })),
        fc.array(fc.nat({ max: 400 })),
        (parts, code, cuts) => {
          const output = Buffer.from(parts.join(''))
          const bytes = Buffer.concat([output, Buffer.from(code === null ? '' : `\0${MARK}${code}\n`)])
          const places = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const reader = new EndReader(MARK)
          const read = places.map((to, at) => reader.read(bytes.subarray(at === 0 ? 0 : places[at - 1], to)))
          const seen = Buffer.concat([...read.map((one) => one.output), reader.takeRest()])
          expect(seen).toEqual(output)
          expect(read.map((one) => one.code).find((one) => one !== null) ?? null).toBe(code)
        },
      ),
    )
  })
})
