/// <reference lib="dom" />
/** Opens the finished site in Chromium: every path by its address, as from a bookmark, and by a click, as its own router does it. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']
/** Nothing of a browser that calls home, or that a container does not have. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--process-per-site', // pages share what they have loaded
]
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 900 }
/** Pages that are opened at once. */
const MAX_OPEN_PAGES = 4
/** Longer than a page takes on a busy machine. */
const CLICK_TIMEOUT_MS = 15_000
/** @type {Record<string, string>} */
const TYPES = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** The path of a browser that is installed here; undefined: there is none. */
export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/**
 * Opens all paths, and says what is wrong with them.
 * @param {string} browser
 * @param {{ paths: readonly string[], findFile: (path: string) => string | null }} site paths begin with a slash; `findFile` finds what is served there
 */
export async function openPaths(browser, { paths, findFile }) {
  const server = createServer((request, response) => serve(findFile, request, response))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const running = await chromium.launch({ executablePath: browser, args: BROWSER_FLAGS })
  try {
    const headings = new Map()
    const faults = await openByAddress(running, { origin, paths, headings })
    return [...faults, ...(await openByClick(running, { origin, headings }))]
  } finally {
    await running.close()
    server.close()
  }
}

/**
 * As static hosts do: a folder is its index.
 * @param {(path: string) => string | null} findFile
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function serve(findFile, request, response) {
  const file = findFile(decodeURI(new URL(request.url ?? '/', 'http://site/').pathname))
  const ending = file?.split('.').at(-1) ?? ''
  response.writeHead(file === null ? 404 : 200, {
    'content-type': TYPES[ending] ?? 'text/plain',
    'cache-control': 'max-age=3600',
  })
  response.end(file === null ? 'not found' : readFileSync(file))
}

/**
 * Opens each path as a phone does that follows a link from elsewhere.
 * @param {import('playwright-core').Browser} running
 * @param {{ origin: string, paths: readonly string[], headings: Map<string, string> }} site gets the heading of each page of the site's own
 */
async function openByAddress(running, { origin, paths, headings }) {
  /** @type {string[]} */
  const faults = []
  const context = await running.newContext({ viewport: PHONE })
  const waiting = [...paths]
  const openNext = async () => {
    const page = await context.newPage()
    /** @type {string[]} */
    let errors = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('response', (answer) => answer.status() >= 400 && errors.push(`${answer.url()}: ${answer.status()}`))
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      errors = []
      const answer = await page.goto(`${origin}${path}`, { waitUntil: 'load' })
      if (answer?.status() !== 200) faults.push(`${path}: ${answer?.status()}`)
      if (!/(?:\/|\.html)$/.test(path)) continue
      await page.waitForSelector('main h1, .NotFound')
      const { heading, tooWide, isRouted } = await page.evaluate(look)
      if (isRouted) headings.set(path, heading)
      if (heading === '') faults.push(`${path}: it is not found, or has no heading`)
      if (tooWide > 0) faults.push(`${path}: ${tooWide} px too wide for a phone`)
      faults.push(...errors.map((error) => `${path}: ${error}`))
    }
  }
  await Promise.all(Array.from({ length: MAX_OPEN_PAGES }, openNext))
  await context.close()
  return faults
}

/** What a page shows; runs in the browser. */
function look() {
  const { scrollWidth, clientWidth } = document.documentElement
  const isMissing = document.querySelector('.NotFound') !== null
  const heading = isMissing ? '' : (document.querySelector('main h1')?.textContent ?? '')
  const isRouted = isMissing || document.querySelector('.vp-doc') !== null
  return { heading, tooWide: scrollWidth - clientWidth, isRouted }
}

/**
 * Goes from page to page as a reader does who clicks: the site's own router finds them.
 * @param {import('playwright-core').Browser} running
 * @param {{ origin: string, headings: ReadonlyMap<string, string> }} site
 */
async function openByClick(running, { origin, headings }) {
  const page = await running.newPage({ viewport: DESK })
  await page.goto(`${origin}/`, { waitUntil: 'load' })
  /** @type {string[]} */
  const faults = []
  for (const [path, heading] of headings) {
    await page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href })
      document.body.append(link)
      link.click()
      link.remove()
    }, path)
    const arrives = page.waitForFunction(
      ([wanted, text]) => location.pathname === wanted && document.querySelector('.vp-doc h1')?.textContent === text,
      [path, heading],
      { timeout: CLICK_TIMEOUT_MS },
    )
    await arrives.catch(() => faults.push(`${path}: a click does not lead to "${heading}"`)) // it took too long, or the page is not found
  }
  await page.close()
  return faults
}
