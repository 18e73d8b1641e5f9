/**
 * As much of vitest as the tests use that run on Windows: vitest itself needs a native part for the system, which the
 * machine with Wine does not have. A bundle of test files imports this file in its place, and ends with `runTests`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { format } from 'node:util'
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect'
import { restoreAllMocks, spyOn } from '@vitest/spy'
import * as chai from 'chai'

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)
export const expect = (value, message) => chai.expect(value, message)
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT])
expect.extend = (matchers) => chai.expect.extend(expect, matchers)
expect.extend(customMatchers)

/** What is around the tests that are being told: their names, what runs before and after each, and why they are left out. */
const OUTERMOST = { names: [], before: [], after: [], skip: false }
let around = OUTERMOST
const tests = []
const LIMIT_MS = 180_000

function tell(names, rest, { skip = false } = {}) {
  const run = rest.find((part) => typeof part === 'function')
  tests.push({ ...around, names: [...around.names, names], skip: skip || around.skip, run })
}

function group(name, rest, { skip = false } = {}) {
  const outer = around
  around = {
    names: [...outer.names, name],
    before: [...outer.before],
    after: [...outer.after],
    skip: skip || outer.skip,
  }
  rest.find((part) => typeof part === 'function')()
  around = outer
}

function named(title, values, at) {
  const [first] = values
  const filled =
    typeof first === 'object' && first !== null
      ? title.replace(/\$([\w.]+)/g, (all, key) => String(first[key] ?? all))
      : title
  const places = filled.match(/%[sidfjoO]/g)?.length ?? 0
  return format(filled.replaceAll('%#', at), ...values.slice(0, places))
}

function teller(act, options = {}) {
  const each =
    (rows) =>
    (title, ...rest) => {
      const run = rest.find((part) => typeof part === 'function')
      for (const [at, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row]
        act(named(title, values, at), [() => run(...values)], options)
      }
    }
  const withRow =
    (rows) =>
    (title, ...rest) => {
      const run = rest.find((part) => typeof part === 'function')
      for (const [at, row] of rows.entries())
        act(named(title, Array.isArray(row) ? row : [row], at), [(context) => run(row, context)], options)
    }
  return Object.assign((title, ...rest) => act(title, rest, options), { each, for: withRow })
}

function full(act) {
  return Object.assign(teller(act), {
    skip: teller(act, { skip: true }),
    concurrent: teller(act),
    skipIf: (holds) => teller(act, { skip: Boolean(holds) }),
    runIf: (holds) => teller(act, { skip: !holds }),
  })
}

export const it = full(tell)
export const test = it
export const describe = full(group)
export const beforeEach = (run) => around.before.push(run)
export const afterEach = (run) => around.after.unshift(run)

let finishing = []
export const onTestFinished = (run) => finishing.unshift(run)

const variables = new Map()
export const vi = {
  spyOn,
  restoreAllMocks,
  stubEnv: (name, value) => {
    if (!variables.has(name)) variables.set(name, process.env[name])
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  },
  unstubAllEnvs: () => {
    for (const [name, value] of variables) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    variables.clear()
  },
  waitFor: async (check, { timeout = 10_000 } = {}) => {
    for (const end = Date.now() + timeout; ; await pause(50)) {
      try {
        return await check()
      } catch (error) {
        if (Date.now() > end) throw error
      }
    }
  },
}

class Skipped extends Error {}

/** Runs what was told, one after another; the last line is `N passed, N failed, N skipped`. */
export async function runTests() {
  const only = new RegExp(process.argv[2] ?? '')
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { names, before, after, skip, run } of tests) {
    const name = names.join(' > ')
    if (!only.test(name)) continue
    if (skip) {
      counts.skipped++
      continue
    }
    const limit = new AbortController()
    const tooLong = pause(LIMIT_MS, null, { signal: limit.signal }).then(() => {
      throw new Error('it did not end')
    })
    try {
      await Promise.race([tooLong, runOne([...before, run], [...after])])
      counts.passed++
    } catch (error) {
      counts[error instanceof Skipped ? 'skipped' : 'failed']++
      if (!(error instanceof Skipped)) console.log(`FAIL ${name}  ${told(error)}`)
    } finally {
      tooLong.catch(() => {}) // nothing waits for it any more
      limit.abort()
    }
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(counts.failed === 0 ? 0 : 1)
}

async function runOne(steps, after) {
  finishing = []
  const context = {
    onTestFinished,
    skip: (reason) => {
      throw new Skipped(reason)
    },
  }
  try {
    for (const step of steps) await step(context)
  } finally {
    for (const step of [...after, ...finishing]) await step(context)
    vi.unstubAllEnvs()
    restoreAllMocks()
  }
}

function told(error) {
  const [first] = (error.stack ?? '').split('\n').filter((line) => line.includes('.test.'))
  const difference = 'expected' in error ? ` ${short(error.expected)} / ${short(error.actual)}` : ''
  return `${String(error.message).replaceAll('\n', ' ').slice(0, 300)}${difference} ${first?.trim() ?? ''}`
}

function short(value) {
  return JSON.stringify(value)?.slice(0, 300)
}
