import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openEngine } from 'hookline'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedMachine } from '../../../scripts/fleet/simulated-machine.js'
import { findSpool } from '../../hookline/src/fleet/segments.ts'
import { listBatches } from '../../hookline/src/fleet/ship.ts'
import { findFaults, hasBrowser, openBrowserContext } from '../../hookline/test/inspect/browser.ts'

const FLEET = fileURLToPath(new URL('../bin/hookline-fleet.js', import.meta.url))
let folder: string
let server: ChildProcess
let url: string
let link: string
let adminKey: string

/** Reads what a program prints until it has said a word. */
function readUntil({ stdout, stderr }: ChildProcess, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let told = ''
    stderr?.on('data', (bytes) => {
      told += bytes
    })
    stdout?.on('data', (bytes) => {
      text += bytes
      if (text.includes(word)) resolve(text)
    })
    stdout?.once('close', () => reject(new Error(`it ended: ${told}`)))
  })
}

async function ask(path: string, init: RequestInit = {}, key = adminKey): Promise<Response> {
  return fetch(new URL(path, url), { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  return (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Answer>
}

async function enrol(tenant: string, name: string): Promise<string> {
  const { token } = await post<{ token: string }>(`v1/tokens?tenant=${tenant}`, {})
  return (await post<{ key: string }>('v1/enrol', { token, name })).key
}

async function send(key: string, batch: Buffer): Promise<void> {
  const sent = await ask('v1/records', { method: 'POST', body: new Uint8Array(batch) }, key)
  expect(sent.status).toBe(200)
}

/** Enrols a machine under a name, and sends records of it: those of each number but the lost ones. */
async function addMachine(
  tenant: string,
  name: string,
  { seed, counts, stepMs = 100 }: { seed: number; counts: readonly number[]; stepMs?: number },
) {
  const key = await enrol(tenant, name)
  const machine = new SimulatedMachine({ name, key, epoch: `e${seed}`, seed })
  for (const count of counts) {
    const batch = machine.packBatch(Math.abs(count), (at) => Date.now() - 60_000 - (count - at) * stepMs)
    if (count >= 0) await send(key, batch)
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline fleet-page-'))
  server = spawn(process.execPath, [FLEET, 'serve', '--data', folder, '--port', '0', '--quiet'])
  const printed = await readUntil(server, 'Ctrl+C')
  link = /Page: +(\S+)/.exec(printed)?.[1] ?? ''
  url = new URL('/', link).href
  adminKey = new URL(link).searchParams.get('key') ?? ''
  await addMachine('shop', 'amber', { seed: 1, counts: [150], stepMs: 3 * 60_000 })
  await addMachine('shop', 'birch', { seed: 2, counts: [150] })
  await addMachine('shop', 'cedar', { seed: 3, counts: [20, -10, 5] })
  await addMachine('other', 'not to be seen', { seed: 4, counts: [10] })
})

afterAll(async () => {
  if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve).kill('SIGTERM'))
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!hasBrowser)('the page of a fleet', () => {
  let context: BrowserContext
  let close: () => Promise<void>
  let page: Page

  beforeAll(async () => {
    const opened = await openBrowserContext()
    context = opened.context
    close = opened.close
    page = context.pages()[0] ?? (await context.newPage())
    await page.goto(`${link}&tenant=shop`)
    await page.waitForSelector('.rows [data-row]')
  })

  afterAll(() => close?.())

  async function goTo(path: string, selector: string): Promise<void> {
    await page.goto(`${url}page${path}`)
    await page.waitForSelector(selector)
  }

  /** Opens the newest session that fits a filter, with all its events. Gives its path. */
  async function openNewestSession(filter = ''): Promise<string> {
    await goTo(`/${filter}`, '.rows [data-row]')
    await page.click('[data-row="0"]')
    await page.waitForSelector('.figures')
    const session = new URL(page.url()).pathname.slice('/page'.length)
    await goTo(`${session}?fold=0`, '.row.event a')
    return session
  }

  it('keeps no key in the address or the cookie', async () => {
    expect(page.url()).toBe(`${url}page/`)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ name: 'hookline-fleet', path: '/page', httpOnly: true, sameSite: 'Strict' })
    expect(cookie?.value).not.toContain(adminKey)
  })

  it('lists sessions of all machines, and those of one by its filter', async () => {
    expect(await page.locator('select[aria-label=Machine] option').allTextContents()).toEqual([
      'Machine: all',
      ...['amber', 'birch', 'cedar'],
    ])
    for (const label of ['Person', 'Project', 'Agent'])
      expect(await page.locator(`select[aria-label=${label}] option`).count()).toBeGreaterThan(1)
    await page.selectOption('select[aria-label=Machine]', 'cedar')
    await page.waitForSelector('[role=grid][aria-rowcount="2"]')
    expect(new URL(page.url()).search).toBe('?machine=cedar')
    expect(await page.textContent('.rows .row:has(a)')).toContain('cedar · ')
    expect(await page.textContent('body')).not.toContain('not to be seen')
  })

  it('shows a session and an event from facts alone', async () => {
    await openNewestSession('?machine=cedar')
    expect(await page.locator('.row.event').count()).toBe(25)
    await page.click('.row.event a')
    await page.waitForSelector('.hooks')
    expect(await page.locator('.hook').count()).toBeGreaterThan(0)
    expect(await page.textContent('body')).toContain('sends facts alone')
    expect(await page.locator('button:has-text("Copy")').count()).toBe(0)
  })

  it('shows each machine with its version, head and gaps, and the hooks that never run there', async () => {
    await goTo('/machines', '[data-machine]')
    const rows = await page.locator('[data-machine]').allTextContents()
    expect(rows).toHaveLength(3)
    expect(rows.every((row) => row.includes('0.1.0') && row.includes(' ago'))).toBe(true)
    const cedar = page.locator('[data-machine]', { hasText: 'cedar' })
    expect(await cedar.locator('td').nth(5).textContent()).toMatch(/^35 [0-9a-f]{8}/)
    expect(await cedar.locator('td').nth(6).textContent()).toBe('1')
    expect(await cedar.locator('td').nth(7).textContent()).toMatch(/(?:Pre|Post)ToolUse [0-9a-f]{8}/)
    await page.click('[data-machine]:has-text("cedar") a')
    await page.waitForSelector('[role=grid][aria-rowcount="2"]')
  })

  it('raises alarms for a hook that is silent on one machine, and for records that are missing', async () => {
    await goTo('/alarms', '[data-alarm]')
    expect(await page.locator('[data-alarm=silent-guard]').first().textContent()).toContain('cedar')
    expect(await page.locator('[data-alarm=gap]').textContent()).toContain('missing')
  })

  it('draws the medians of the hooks that took most, hour by hour', async () => {
    await goTo('/cost', '.plot canvas')
    const drawn = page.locator('section', { has: page.locator('.plot') })
    expect(await drawn.locator('.legend li').count()).toBe(6)
    for (const text of await drawn.locator('.legend li').allTextContents())
      expect(text).toMatch(/^[a-z]+:\w+ [0-9a-f]{8}$/)
  })

  it('shows what comes in by itself', async () => {
    await goTo('/machines', '[data-machine]')
    await addMachine('shop', 'dogwood', { seed: 5, counts: [3] })
    await page.waitForSelector('[data-machine]:has-text("dogwood")')
  })

  it.each(['light', 'dark'] as const)('has no fault that axe finds, in any view, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    const session = await openNewestSession()
    await page.click('.row.event a')
    await page.waitForSelector('.hooks')
    const event = new URL(page.url()).pathname.slice('/page'.length)
    const id = session.slice('/session/'.length)
    for (const [path, selector] of [
      ['/', '.rows [data-row]'],
      ['/machines', '[data-machine]'],
      ['/alarms', '[data-alarm]'],
      ['/cost', '.wide-table'],
      [`${session}?fold=0`, '.row.event'],
      [event, '.hooks'],
      ['/compare', '.empty'],
      [`/compare?a=${id}&b=${id}`, '.inset'],
    ] as const) {
      await goTo(path, selector)
      expect({ path, found: await findFaults(page) }).toEqual({ path, found: [] })
    }
  })

  it('gives another page of the same browser nothing, nor a script without the cookie', async () => {
    const foreign = await context.newPage()
    await foreign.goto(`${url.replace('127.0.0.1', 'evil.test')}healthz`)
    for (const path of ['page/api/sessions', 'page/api/state', 'page/api/live', 'page/'])
      for (const options of ['{ credentials: "include" }', '{ credentials: "include", mode: "no-cors" }']) {
        const got = await foreign.evaluate(
          `fetch(${JSON.stringify(url + path)}, ${options}).then((r) => r.text(), () => '')`,
        )
        expect({ path, options, got }).toEqual({ path, options, got: '' })
      }
    await foreign.close()
    const [cookie] = await context.cookies()
    const own = `hookline-fleet=${cookie?.value}`
    const asPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    const [who, , ...rest] = (cookie?.value ?? '').split('.')
    const refused: Record<string, Record<string, string>> = {
      'no cookie': asPage,
      'no word on where it comes from': { cookie: own },
      'from another site': { ...asPage, 'sec-fetch-site': 'cross-site', cookie: own },
      'from another port of the host': { ...asPage, 'sec-fetch-site': 'same-site', cookie: own },
      'another tenant in the cookie': { ...asPage, cookie: `hookline-fleet=${[who, 'other', ...rest].join('.')}` },
      'two cookies': { ...asPage, cookie: `${own}; ${own}` },
      'the key as a cookie': { ...asPage, cookie: `hookline-fleet=${adminKey}` },
    }
    for (const [name, headers] of Object.entries(refused)) {
      const { status } = await fetch(`${url}page/api/sessions`, { headers })
      expect({ name, status }).toEqual({ name, status: status === 401 ? 401 : 403 })
    }
    const allowed = await fetch(`${url}page/api/sessions`, { headers: { ...asPage, cookie: own } })
    expect(allowed.status).toBe(200)
  })

  it('shows records of the level redacted whole: what was called and what hooks said, without secrets', async () => {
    const [home, secret] = [join(folder, 'home'), 'ghp_abcdefghijklmnopqrstuvwxyz0123456789']
    await mkdir(join(home, '.claude'), { recursive: true })
    await mkdir(join(home, 'shop'))
    const guard = (matcher: string) => ({
      matcher,
      hooks: [{ type: 'command', command: 'echo no deploy today >&2; exit 2' }],
    })
    const hooks = { PreToolUse: [guard('Bash'), guard('Edit')] }
    const settings = { hookline: { fleet: { url, level: 'redacted' } }, hooks }
    await writeFile(join(home, '.claude/settings.json'), JSON.stringify(settings))
    const engine = await openEngine({ home, project: join(home, 'shop') })
    for (const command of [`deploy --token ${secret}`, 'deploy again'])
      await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } })
    await engine.close()
    const key = await enrol('real', 'elm')
    for await (const { text } of listBatches(findSpool(home), 'a-person')) await send(key, gzipSync(text))
    await page.goto(`${link}&tenant=real`)
    await page.click('[data-row="0"]')
    await page.waitForSelector('.figures')
    const session = `${new URL(page.url()).pathname.slice('/page'.length)}?fold=0`
    for (const [at, words] of [
      [0, 'deploy --token'],
      [1, 'deploy again'],
    ] as const) {
      await goTo(session, '.row.event a')
      await page.locator('.row.event a').nth(at).click()
      await page.waitForSelector('.hook >> nth=1')
      const text = (await page.textContent('main')) ?? ''
      for (const one of [words, 'no deploy today', 'Edit']) expect(text).toContain(one)
      expect(text).not.toContain('sends facts alone')
      expect(await page.content()).not.toContain(secret)
      expect(await findFaults(page)).toEqual([])
    }
  })

  it('says why there is nothing, and what to do', async () => {
    await context.clearCookies()
    await page.goto(`${url}page/`)
    expect(await page.textContent('main')).toContain('This browser has not been let in.')
    expect(await findFaults(page)).toEqual([])
    await page.fill('input[name=key]', 'not-a-key')
    await page.click('button')
    await page.waitForSelector('p:has-text("was taken back, or has expired")')
    await page.fill('input[name=key]', adminKey)
    await page.click('button')
    for (const view of ['', 'machines', 'alarms', 'cost'])
      await goTo(`/${view}`, '.empty:has-text("No machine has sent a record yet.")')
    expect(await findFaults(page)).toEqual([])
  })

  it('lets go of pages that look when the server stops', async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
    await page.waitForSelector('[role=alert]')
  })
})
