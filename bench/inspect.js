/**
 * Measures the inspector against its goals: node bench/inspect.js [--events 100000]. Needs Chromium and a build. Prints a line per
 * figure; the load of the machine stands beside them.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { writeLog } from './inspect-log.js'

const COMMAND = fileURLToPath(new URL('../packages/hookline/bin/hookline.js', import.meta.url))
const PAGE = fileURLToPath(new URL('../packages/hookline/dist/inspector/', import.meta.url))
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const at = process.argv.indexOf('--events')
const events = at === -1 ? 100_000 : Number(process.argv[at + 1])

/** Scrolls a list by a screen each frame, and gives how long frames took. */
const SCROLL = `new Promise((done) => {
  const box = document.querySelector('.rows')
  const frames = []
  let last = performance.now()
  const step = () => {
    const now = performance.now()
    frames.push(now - last)
    last = now
    box.scrollTop += 700
    if (frames.length < 240) requestAnimationFrame(step)
    else done({ p95: frames.sort((a, b) => a - b)[Math.floor(frames.length * 0.95)], nodes: document.querySelectorAll('*').length })
  }
  requestAnimationFrame(step)
})`

const folder = mkdtempSync(join(tmpdir(), 'hookline-inspect-bench-'))
const log = join(folder, 'hooks.jsonl')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
try {
  await writeLog(log, { events, sessions: 1 })
  for (const name of ['without an index', 'with an index', 'with an index, again']) await measureOpening(name)
  await measureList()
  const bytes = ['inspector.js', 'inspector.css'].map((name) => gzipSync(readFileSync(join(PAGE, name))).length)
  tell('I4 scripts and styles, gzip', `${bytes.reduce((sum, one) => sum + one, 0)} bytes`)
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * @param {string} what
 * @param {string} figure
 */
function tell(what, figure) {
  console.log(`${what.padEnd(44)} ${figure}  (load ${loadavg()[0]?.toFixed(1)})`)
}

/** @param {(found: { link: string, started: number }) => Promise<void>} act */
async function withInspector(act) {
  const started = performance.now()
  const child = spawn(process.execPath, [COMMAND, 'inspect', '--json', '--no-open', '--log', log], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  /** @type {string} */
  const line = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))))
  await act({ link: JSON.parse(line).link, started })
  const ended = new Promise((done) => child.once('close', done))
  child.kill('SIGINT')
  await ended
}

/** @param {string} name */
async function measureOpening(name) {
  await withInspector(async ({ link, started }) => {
    const page = await browser.newPage()
    await page.goto(link)
    await page.waitForSelector('.rows [data-row]')
    tell(`I1 ${events} events ${name}`, `${(performance.now() - started).toFixed(0)} ms`)
    await page.waitForTimeout(name.startsWith('without') ? 5000 : 0) // the index is written behind the page
    await page.close()
  })
}

async function measureList() {
  await withInspector(async ({ link }) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(link)
    await page.waitForSelector('.rows [data-row]')
    const opened = performance.now()
    await page.goto(new URL('/session/session-0000?fold=0', link).href)
    await page.waitForSelector('.row.event')
    tell(`I3 session of ${events} events opens`, `${(performance.now() - opened).toFixed(0)} ms`)
    const session = await page.context().newCDPSession(page)
    const { result } = await session.send('Runtime.evaluate', {
      expression: SCROLL,
      awaitPromise: true,
      returnByValue: true,
    })
    const { p95, nodes } = result.value
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    tell('I3 frame while scrolling, p95', `${p95.toFixed(1)} ms`)
    tell('I3 DOM nodes', String(nodes))
    tell('I3 heap', `${(usedSize / 1e6).toFixed(1)} MB`)
    await page.close()
  })
}
