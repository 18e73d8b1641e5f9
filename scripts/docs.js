/**
 * `npm run docs`: builds the pages of the repository as a website in site/dist, follows every link of it, and looks at one page
 * in a browser where there is one. What it needs is installed into site/, from a lock file of its own.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './tools.js'

const SITE = join(ROOT, 'site')
const PAGES = join(SITE, 'pages')
const DIST = join(SITE, 'dist')

/** Files of the repository that are not for its readers. */
const NOT_PAGES = /^(?:site|packages\/[^/]+\/(?:src|test))\/|\/project\/|\/corpus\//

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome']
/** @type {Record<string, string>} */
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', png: 'image/png' }

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((page) => !NOT_PAGES.test(page))

if (!existsSync(join(SITE, 'node_modules'))) npm(['ci', '--ignore-scripts'])
const linked = stage()
rmSync(DIST, { recursive: true, force: true })
npm(['run', '--silent', 'build'])
finish(linked)
const faults = brokenLinks()
for (const fault of faults) console.error(fault)
console.log(`site/dist: ${pages.length} pages, ${faults.length} broken links`)
console.log(await inBrowser())
if (faults.length > 0) process.exitCode = 1

/** @param {string[]} args */
function npm(args) {
  execFileSync('npm', args, { cwd: SITE, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Copies the pages and their pictures; the other files that they link to. */
function stage() {
  rmSync(PAGES, { recursive: true, force: true })
  /** @type {Set<string>} */
  const others = new Set()
  for (const page of pages) {
    copy(page, PAGES)
    for (const file of linksOf(page)) {
      if (/\.(?:png|svg)$/.test(file)) copy(file, PAGES)
      else if (!file.endsWith('.md') && existsSync(join(ROOT, file)) && statSync(join(ROOT, file)).isFile())
        others.add(file)
    }
  }
  return others
}

/**
 * The files of the repository that a page links to.
 * @param {string} page
 */
function linksOf(page) {
  const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => normalize(join(dirname(page), link)))
}

/**
 * @param {string} file
 * @param {string} folder
 */
function copy(file, folder) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  cpSync(join(ROOT, file), join(folder, file))
}

/**
 * A folder opens with its README, as on GitHub, and what is linked and not a page is beside the pages.
 * @param {ReadonlySet<string>} others
 */
function finish(others) {
  for (const file of htmlFiles()) {
    if (!/(?:^|\/)README\.html$/.test(file)) continue
    cpSync(join(DIST, file), join(DIST, dirname(file), 'index.html'))
  }
  for (const file of others) copy(file, DIST)
  cpSync(join(ROOT, 'LICENSE'), join(DIST, 'LICENSE.html')) // what a link without an ending becomes
}

function htmlFiles() {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
}

/** Every link and picture of every page that leads to nothing within the site, with its page. */
function brokenLinks() {
  const texts = new Map(htmlFiles().map((file) => [file, readFileSync(join(DIST, file), 'utf8')]))
  return [...texts].flatMap(([file, text]) => {
    const links = [...text.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
    return [...new Set(links)]
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const { pathname, hash } = new URL(link, `http://site/${file}`)
        const target = targetOf(decodeURI(pathname).slice(1))
        if (target === null) return [`${file}: ${link} leads nowhere`]
        const id = decodeURIComponent(hash.slice(1))
        const isThere = id === '' || !target.endsWith('.html') || texts.get(target)?.includes(`id="${id}"`)
        return isThere ? [] : [`${file}: ${link} leads to a page without that heading`]
      })
  })
}

/** @param {string} path */
function targetOf(path) {
  const found = [path, join(path, 'index.html')].find(
    (file) => existsSync(join(DIST, file)) && statSync(join(DIST, file)).isFile(),
  )
  return found === undefined ? null : normalize(found)
}

/** Opens one page in a browser and looks for its heading and the search. */
async function inBrowser() {
  const browser = BROWSERS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (browser === undefined) return 'Not looked at in a browser: there is no chromium here.'
  const server = createServer((request, response) => {
    const file = targetOf(decodeURI(new URL(request.url ?? '/', 'http://site/').pathname).slice(1))
    const ending = file?.split('.').at(-1) ?? ''
    response.writeHead(file === null ? 404 : 200, {
      'content-type': TYPES[ending] ?? 'text/plain',
    })
    response.end(file === null ? '' : readFileSync(join(DIST, file)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=8000', '--dump-dom']
  const { stdout } = await promisify(execFile)(browser, [...flags, `http://127.0.0.1:${port}/docs/install.html`], {
    timeout: 120_000,
    maxBuffer: 2 ** 26,
  })
  server.close()
  const isWhole = /<h1[^>]*>Install/.test(stdout) && stdout.includes('VPNavBarSearch')
  if (!isWhole) process.exitCode = 1
  return isWhole
    ? `docs/install.html opens in ${browser}, with its heading and the search`
    : `docs/install.html does not open in ${browser}`
}
