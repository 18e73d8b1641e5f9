/**
 * Measures the inspector against its goals: node bench/inspect.js [--events 100000] [--million] [--only I3]. Needs Chromium and a build.
 * Prints a line per figure with its limit; the load of the machine stands beside them. Ends with 1 where a limit is not kept.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { BROWSER_FLAGS } from '../scripts/site-browser.js'
import { makeEntry, writeLog } from './inspect-log.js'
import { BASH_CALL, untilPooled, withEngine } from './project.js'
import { inRounds } from './rounds.js'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
const PAGE = fileURLToPath(new URL('../packages/hookline/dist/inspector/', import.meta.url))
const MILLION = 1_000_000
/** Events of a round of dispatching. */
const DISPATCHES = 100

/** @param {string} name */
const readFlag = (name) => process.argv[process.argv.indexOf(name) + 1]
const events = process.argv.includes('--events') ? Number(readFlag('--events')) : 100_000
const only = process.argv.includes('--only') ? readFlag('--only') : undefined
/** @param {string} goal */
const isAsked = (goal) => only === undefined || only === goal

/** Scrolls a list by a screen each frame, and gives how long frames took. */
const SCROLL = `new Promise((done) => {
  const box = document.querySelector('.rows')
  const frames = []
  let [last, most] = [performance.now(), 0]
  const step = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    box.scrollTop += 700
    most = Math.max(most, document.querySelectorAll('*').length)
    if (frames.length < 240) requestAnimationFrame(step)
    else done({ p95: frames.sort((a, b) => a - b)[Math.floor(frames.length * 0.95)], nodes: most })
  }
  requestAnimationFrame(step)
})`

/** Goes to an address as a link does, and gives the milliseconds until an element is painted. */
const go = (/** @type {string} */ path, /** @type {string} */ selector) => `new Promise((done) => {
  const began = performance.now()
  history.pushState(null, '', ${JSON.stringify(path)})
  dispatchEvent(new PopStateEvent('popstate'))
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look)
    requestAnimationFrame(() => done(performance.now() - began))
  }
  requestAnimationFrame(look)
})`

/** Waits for the row of an event, and gives the moment at which it was painted. */
const waitForRow = (/** @type {string} */ text) => `new Promise((done) => {
  const look = () => {
    if (!document.querySelector('.rows')?.textContent.includes(${JSON.stringify(text)})) return requestAnimationFrame(look)
    requestAnimationFrame(() => done(Date.now()))
  }
  look()
})`

/**
 * Does something with a page and its server, and gives the CPU time that both took in milliseconds: a machine that has other things
 * to do makes an answer late, and not dearer.
 * @template Result
 * @param {{ page: import('playwright-core').Page, pid: number }} measured
 * @param {() => Promise<Result>} act
 * @returns {Promise<{ result: Result, cpu: number }>}
 */
async function countCpu({ page, pid }, act) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readTaskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const [server, task] = [readCpuMs(pid), await readTaskMs()]
  const result = await act()
  const cpu = readCpuMs(pid) - server + (await readTaskMs()) - task
  await session.detach()
  return { result, cpu }
}

/** Asks what would run at a call, as the field does. */
const askCall = (/** @type {number} */ nth) => `(async () => {
  const began = performance.now()
  const body = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls ${nth}' } })
  const headers = { 'content-type': 'application/json', 'x-hookline-page': localStorage.getItem('hookline-page') ?? '' }
  const answer = await fetch('/api/explain', { method: 'POST', headers, body })
  await answer.json()
  return performance.now() - began
})()`

let isKept = true
const folder = mkdtempSync(join(tmpdir(), 'hookline-inspect-bench-'))
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: BROWSER_FLAGS })
try {
  const log = join(folder, 'hooks.jsonl')
  if (isAsked('I1') || isAsked('I3')) await writeLog(log, { events, sessions: 1 })
  if (isAsked('I1')) await measureOpenings(log, { events, without: 4000, withIndex: 1000 })
  if (isAsked('I2')) await measureLiveness(join(folder, 'live', 'hooks.jsonl'))
  if (isAsked('I2')) await measureDispatch(join(folder, 'dispatched', 'hooks.jsonl'))
  if (isAsked('I3')) await measureList(log)
  if (isAsked('I4')) measurePage()
  if (isAsked('I6')) await measureHooks()
  if (isAsked('I7')) await measureComparison()
  if (process.argv.includes('--million')) await measureMillion()
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = isKept ? 0 : 1

/**
 * @param {string} what
 * @param {number} figure
 * @param {{ limit: number, unit: string }} goal
 */
function tell(what, figure, { limit, unit }) {
  const isWithin = figure <= limit
  isKept &&= isWithin
  const shown = `${figure.toFixed(figure < 10 ? 2 : 0)} ${unit}`.padStart(14)
  console.log(
    `${what.padEnd(58)} ${shown}  limit ${limit} ${unit}${isWithin ? '' : '  NOT KEPT'}  (load ${loadavg()[0]?.toFixed(1)})`,
  )
}

/**
 * @param {string[]} args
 * @param {(found: { link: string, started: number, child: import('node:child_process').ChildProcess }) => Promise<void>} act
 */
async function withInspector(args, act) {
  const started = performance.now()
  const child = spawn(process.execPath, [COMMAND, 'inspect', '--json', '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOOKLINE_LOG: '' },
  })
  /** @type {string} */
  const line = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))))
  await act({ link: JSON.parse(line).link, started, child })
  const ended = new Promise((done) => child.once('close', done))
  child.kill('SIGINT')
  await ended
}

/**
 * Runs code in the page by the protocol of the browser: the policy of the page lets none in.
 * @param {import('playwright-core').Page} page
 * @param {string} expression
 */
async function evaluate(page, expression) {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  await session.detach()
  return result.value
}

/** @param {string} link */
async function openPage(link) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(link)
  return page
}

/**
 * @param {string} log
 * @param {{ events: number, without: number | null, withIndex: number }} limits
 */
async function measureOpenings(log, { events: count, without, withIndex }) {
  for (const isIndexed of [false, true]) {
    await withInspector(['--log', log], async ({ link, started }) => {
      const page = await openPage(link)
      await page.waitForSelector('.rows [data-row]', { timeout: 300_000 })
      const limit = isIndexed ? withIndex : (without ?? Number.POSITIVE_INFINITY)
      const name = `I1 usable, ${count} events, ${isIndexed ? 'with' : 'without'} an index`
      tell(name, performance.now() - started, { limit, unit: 'ms' })
      while (!isIndexed && !hasIndex(log)) await page.waitForTimeout(100)
      await page.close()
    })
  }
}

/** @param {string} log */
function hasIndex(log) {
  return statSync(`${log}.index`, { throwIfNoEntry: false }) !== undefined
}

async function measureMillion() {
  const log = join(folder, 'million.jsonl')
  await writeLog(log, { events: MILLION, sessions: 200 })
  await measureOpenings(log, { events: MILLION, without: null, withIndex: 1500 })
}

/** @param {string} log */
async function measureLiveness(log) {
  await writeLog(log, { events: 2000, sessions: 1 })
  await withInspector(['--log', log], async ({ link, child }) => {
    const pid = child.pid ?? 0
    const page = await openPage(link)
    await page.waitForSelector('.rows [data-row]')
    await evaluate(page, go('/session/session-0000?fold=0&q=live', '[role=grid][aria-rowcount="1"]'))
    const delays = []
    for (let nth = 0; nth < 60; nth++) {
      const text = `live ${nth} end`
      const shown = evaluate(page, waitForRow(text))
      await new Promise((done) => setTimeout(done, 20 + ((nth * 37) % 130))) // not in step with the looks at the log
      const { record, input } = makeEntry(3, { session: 0, hooks: 4, at: Date.now() })
      const entry = { record: { ...record, id: `live/${nth}` }, input: { ...input, tool_input: { command: text } } }
      const decided = Date.now()
      appendFileSync(log, `${JSON.stringify(entry)}\n`)
      delays.push((await shown) - decided)
    }
    tell('I2 on the page after its decision, p95', findP95(delays), { limit: 250, unit: 'ms' })
    await page.close()
    await new Promise((done) => setTimeout(done, 500))
    const before = readCpuMs(pid)
    await new Promise((done) => setTimeout(done, 10_000))
    tell('I2 CPU in 10 s while nobody looks', readCpuMs(pid) - before, { limit: 20, unit: 'ms' })
  })
}

/**
 * Dispatching into a log that an inspector stands beside and nobody looks at. In every other round the inspector is stopped, and so
 * as good as not there: the machine is the same for both.
 * @param {string} log
 */
async function measureDispatch(log) {
  await writeLog(log, { events: 2000, sessions: 1 })
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] }
  await withInspector(['--log', log], ({ child }) =>
    withEngine(
      hooks,
      async (engine) => {
        await untilPooled(engine)
        const dispatch = async () => {
          for (let nth = 0; nth < DISPATCHES; nth++) await engine.dispatch(BASH_CALL)
        }
        const within = (/** @type {NodeJS.Signals} */ signal) => async () => {
          child.kill(signal)
          const started = performance.now()
          await dispatch()
          return performance.now() - started
        }
        const { beside, alone } = await inRounds(
          { rounds: 60 },
          { beside: { run: within('SIGCONT') }, alone: { run: within('SIGSTOP') } },
        )
        child.kill('SIGCONT')
        tell('I2 dispatch beside an inspector, p50 over p50', beside.p50 / alone.p50, { limit: 1.01, unit: 'x' })
        tell('I2 dispatch beside an inspector, p25 over p25', beside.p25 / alone.p25, { limit: 1.01, unit: 'x' })
      },
      { log },
    ),
  )
}

/** @param {number[]} values */
function findP95(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}

/**
 * CPU time of a process in milliseconds, as Linux counts it: in hundredths of a second.
 * @param {number} pid
 */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** @param {string} log */
async function measureList(log) {
  const shorter = join(folder, 'shorter.jsonl')
  await writeLog(shorter, { events: 20_000, sessions: 1 })
  await withInspector(['--log', shorter], async ({ link }) => {
    const page = await openPage(link)
    await page.waitForSelector('.rows [data-row]')
    const opened = await evaluate(page, go('/session/session-0000', '.row.event'))
    tell('I3 session of 20000 events opens', opened, { limit: 500, unit: 'ms' })
    await page.close()
  })
  await withInspector(['--log', log], async ({ link }) => {
    const page = await openPage(link)
    await page.waitForSelector('.rows [data-row]', { timeout: 60_000 })
    await evaluate(page, go('/session/session-0000?fold=0', '.row.event'))
    const { p95, nodes } = await evaluate(page, SCROLL)
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    tell(`I3 frame while ${events} rows are scrolled, p95`, p95, { limit: 33, unit: 'ms' })
    tell('I3 DOM nodes, the most', nodes, { limit: 300, unit: 'nodes' })
    tell('I3 heap', usedSize / 1e6, { limit: 80, unit: 'MB' })
    await page.close()
  })
}

function measurePage() {
  const bytes = ['inspector.js', 'inspector.css'].map((name) => gzipSync(readFileSync(join(PAGE, name))).length)
  tell('I4 scripts and styles, gzip', bytes.reduce((sum, one) => sum + one, 0) / 1000, { limit: 60, unit: 'kB' })
}

async function measureHooks() {
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(join(project, '.claude'), { recursive: true })
  mkdirSync(home)
  const groups = Array.from({ length: 1000 }, (_, nth) => ({
    matcher: nth % 5 === 0 ? 'Bash' : `Tool${nth}|Edit`,
    hooks: [{ type: 'command', command: `echo ${nth}` }],
  }))
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: groups } }, null, 2))
  const place = ['--project', project, '--home', home]
  await withInspector([...place, '--trust'], async ({ link, child }) => {
    const page = await openPage(link)
    const measured = { page, pid: child.pid ?? 0 }
    await page.waitForSelector('.empty')
    await page.waitForTimeout(1000) // the page is looked at before anybody clicks
    const times = []
    const costs = []
    for (let nth = 0; nth < 7; nth++) {
      const { result, cpu } = await countCpu(measured, () => evaluate(page, go('/hooks', '[data-hook]')))
      times.push(result)
      costs.push(cpu)
      await evaluate(page, go('/', 'h1'))
      await page.waitForTimeout(300)
    }
    tellTimes('I6 configuration with 1000 hooks', { times, costs, limit: 200 })
    await evaluate(page, go('/hooks', '[data-hook]'))
    const answers = []
    const answerCosts = []
    for (let nth = 0; nth < 21; nth++) {
      const { result, cpu } = await countCpu(measured, () => evaluate(page, askCall(nth)))
      answers.push(result)
      answerCosts.push(cpu)
    }
    tellTimes('I6 a typed call is answered', { times: answers, costs: answerCosts, limit: 50 })
    await page.close()
  })
}

/**
 * The first and the median of several times, and the CPU time of both, which no other program makes longer.
 * @param {string} what
 * @param {{ times: number[], costs: number[], limit: number }} measured
 */
function tellTimes(what, { times, costs, limit }) {
  tell(`${what}, first`, times[0] ?? 0, { limit, unit: 'ms' })
  tell(`${what}, first, CPU of page and server`, costs[0] ?? 0, { limit, unit: 'ms' })
  tell(`${what}, median of ${times.length}`, findMedian(times), { limit, unit: 'ms' })
  tell(`${what}, median, CPU`, findMedian(costs), { limit, unit: 'ms' })
}

/** @param {number[]} values */
function findMedian(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function measureComparison() {
  const log = join(folder, 'two.jsonl')
  await writeLog(log, { events: 4000, sessions: 2 })
  await withInspector(['--log', log], async ({ link, child }) => {
    const page = await openPage(link)
    await page.waitForSelector('.rows [data-row]')
    await page.waitForTimeout(1000)
    const times = []
    const costs = []
    for (let nth = 0; nth < 5; nth++) {
      const compare = () => evaluate(page, go('/compare?a=session-0000&b=session-0001', '.inset'))
      const { result, cpu } = await countCpu({ page, pid: child.pid ?? 0 }, compare)
      times.push(result)
      costs.push(cpu)
      await evaluate(page, go('/', 'h1'))
      await page.waitForTimeout(100)
    }
    tellTimes('I7 two sessions of 2000 events compared', { times, costs, limit: 200 })
    await page.close()
  })
}
