import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
/** Scripts that npm calls, not people. */
const CALLED_BY_NPM = ['dependencies', 'prepare']

const called = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node ((?:scripts|bench)\/[\w-]+\.js)/.exec(line) ?? []
  return file === undefined || CALLED_BY_NPM.includes(name) ? [] : [[name, file] as const]
})

function run(file: string, word: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, word], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

it('finds the scripts of the package', () => {
  expect(called.length).toBeGreaterThan(25)
})

it.each(called)('npm run %s tells a word that it does not know in a sentence, and does nothing', (_name, file) => {
  const { status, output } = run(file, '--no-such-option')
  expect(status).toBeGreaterThan(0)
  expect(output).toMatch(/^Unknown option '--no-such-option'/)
  expect(output).not.toMatch(/^ {4}at /m)
})

it('npm run fleet:kill says with --help how it is called', () => {
  const { status, output } = run('scripts/fleet-kill.js', '--help')
  expect(status).toBe(0)
  expect(output).toMatch(/^`npm run fleet:kill`: [\s\S]*--seed N/)
  expect(output).not.toContain('*')
})

it('npm run fuzz refuses a number that is none', () => {
  const { status, output } = run('scripts/fuzz.js', '--minutes=soon')
  expect(status).toBe(2)
  expect(output).toMatch(/^--minutes is a number above 0, not "soon"\.\n/)
})
