/**
 * `npm run docs`: builds the pages of the repository as a website in site/dist, follows every link of it, and opens every path
 * in Chromium where there is one. What it needs is installed into site/, from a lock file of its own.
 * `--report FILE` writes how many pages and paths are right, for `npm test`.
 */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { buildPlayground } from './build-playground.js'
import { readCall } from './read-options.js'
import { findBrowser, openPaths } from './site-browser.js'
import { ROOT } from './tools.js'

const SITE = join(ROOT, 'site')
const PAGES = join(SITE, 'pages')
const DIST = join(SITE, 'dist')

/** Files of the repository that are not for its readers. */
const NOT_PAGES = /^CHANGELOG\.md$|^(?:site|packages\/[^/]+\/(?:src|test))\/|\/project\/|\/corpus\//

const { values: options } = readCall(import.meta.url, { options: { report: { type: 'string' } } })

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
for (const file of linked) copy(file, DIST)
await buildPlayground(join(DIST, 'playground'))
const { broken, paths } = followLinks()
console.log(`site/dist: ${pages.length} pages, ${broken.length} broken links`)
const browser = findBrowser()
const unseen = browser === undefined ? [] : await openPaths(browser, { paths, findFile })
console.log(
  browser === undefined
    ? 'Not opened in a browser: there is no chromium here.'
    : `${paths.length} paths opened in ${browser}, ${unseen.length} faults`,
)
const faults = [...broken, ...unseen]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
if (options.report !== undefined) {
  const checked = pages.length + (browser === undefined ? 0 : paths.length)
  writeFileSync(options.report, JSON.stringify({ passed: checked - faults.length, failed: faults.length, skipped: 0 }))
}

/** @param {string[]} args */
function npm(args) {
  execFileSync('npm', args, { cwd: SITE, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Copies the pages and their pictures; the other files that they link to. */
function stage() {
  rmSync(PAGES, { recursive: true, force: true })
  /** @type {Set<string>} */
  const others = new Set()
  write('LICENSE.md', `# Licence\n\n\`\`\`text\n${readFileSync(join(ROOT, 'LICENSE'), 'utf8')}\`\`\`\n`)
  for (const page of pages) {
    write(indexed(page), withIndexes(readFileSync(join(ROOT, page), 'utf8')))
    for (const file of linksOf(page)) {
      if (/\.(?:png|svg)$/.test(file)) copy(file, PAGES)
      else if (!/\.md$|^LICENSE$/.test(file) && existsSync(join(ROOT, file)) && statSync(join(ROOT, file)).isFile())
        others.add(file)
    }
  }
  return others
}

/**
 * The README of a folder is its index, so that the folder opens with it, as on GitHub.
 * @param {string} page
 */
function indexed(page) {
  return basename(page) === 'README.md' ? join(dirname(page), 'index.md') : page
}

/**
 * A page whose links lead to these indexes.
 * @param {string} text
 */
function withIndexes(text) {
  return text.replaceAll(/(\]\((?![a-z]+:)[^)\s#]*?)README\.md(?=[)#])/g, '$1index.md')
}

/**
 * @param {string} page
 * @param {string} text
 */
function write(page, text) {
  mkdirSync(dirname(join(PAGES, page)), { recursive: true })
  writeFileSync(join(PAGES, page), text)
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

function htmlFiles() {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
}

/** Every link and picture that leads to nothing within the site, with its page; every path that a page is at or leads to. */
function followLinks() {
  const texts = new Map(htmlFiles().map((file) => [file, readFileSync(join(DIST, file), 'utf8')]))
  const paths = new Set([...texts.keys()].filter((file) => file !== '404.html').map((file) => canonical(`/${file}`)))
  const broken = [...texts].flatMap(([file, text]) => {
    const links = [...text.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
    return [...new Set(links)]
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => {
        const { pathname, hash } = new URL(link, `http://site/${file}`)
        const target = targetOf(decodeURI(pathname).slice(1))
        if (target === null) return [`${file}: ${link} leads nowhere`]
        paths.add(canonical(pathname))
        const id = decodeURIComponent(hash.slice(1))
        const isThere = id === '' || !target.endsWith('.html') || texts.get(target)?.includes(`id="${id}"`)
        return isThere ? [] : [`${file}: ${link} leads to a page without that heading`]
      })
  })
  return { broken, paths: [...paths].toSorted() }
}

/**
 * A path as the site itself writes it.
 * @param {string} path
 */
function canonical(path) {
  return path.replace(/\/index\.html$/, '/')
}

/**
 * The file that is served at a path; null: none is.
 * @param {string} path
 */
function findFile(path) {
  const target = targetOf(path.slice(1))
  return target === null ? null : join(DIST, target)
}

/** @param {string} path */
function targetOf(path) {
  const found = [path, join(path, 'index.html')].find(
    (file) => existsSync(join(DIST, file)) && statSync(join(DIST, file)).isFile(),
  )
  return found === undefined ? null : normalize(found)
}
