import { spawn } from 'node:child_process'
import { appendFile, chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../src/index.ts'
import type { EventAnswer, SessionAnswer } from '../../src/inspect/api.ts'
import { readLog } from '../../src/log/log.ts'
import { withMissReasons } from '../../src/log/miss-reasons.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import { hookline } from '../support/command.ts'
import { HOSTILE } from '../support/hostile.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'
import { commands, makeLastingWorld, makeWorld, put, removeWorld, type World } from '../support/project.ts'
import { COMMAND, findFaults, hasBrowser, openBrowserContext, type StartedInspector, startInspect } from './browser.ts'

const GUARD = `grep -q force && { echo 'no force <b>here</b>' >&2; exit 2; } || exit 0`
const SETTINGS = {
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: GUARD }] },
      { matcher: 'Edit', hooks: [{ type: 'command', command: 'true' }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: './not-there.sh' }] },
    ],
    Stop: [commands('echo done')],
  },
}

let world: World
let log: string
let inspector: StartedInspector
let context: BrowserContext
let closeBrowser: () => Promise<void>
let page: Page
const requests: string[] = []

/** A line that holds hostile text in every field that a view shows. */
function hostileLine(): string {
  const text = `${HOSTILE}<img src=x onerror=alert(1)><script>alert(2)</script><a href="http://evil.test/">`
  const hook = ranHook(`project:Stop:0:0${text}`, {
    command: text,
    because: text,
    file: text,
    matcher: text,
    outcome: 'blocking',
    stdoutTail: text,
    stderrTail: text,
    signal: text,
    failed: text,
    model: text,
    answer: { [text]: text },
    warnings: [text],
    startMs: 1,
  })
  const record = recordWith({
    id: `hostile/${text}`,
    sessionId: `hostile-${text}`,
    agentId: text,
    host: { client: text, version: text },
    project: { name: text, pathHash: text },
    engine: text,
    hooks: [hook],
    notices: [text],
    decision: {
      blocked: true,
      halt: true,
      stopReason: text,
      reason: text,
      permission: 'deny',
      context: [text],
      contextFrom: [{ hook: hook.id, kind: 'context' }],
      messages: [
        { to: 'model', text, hook: hook.id },
        { to: 'user', text, hook: hook.id },
      ],
      updatedInput: { [text]: text },
      updatedPermissions: [{ [text]: text }],
      updatedToolOutput: text,
      instructions: text,
      sessionTitle: text,
      displayContent: text,
    },
  })
  const input = { hook_event_name: 'Stop', tool_name: text, tool_input: { command: text }, cwd: text, prompt: text }
  return `${JSON.stringify({ record, input })}\n`
}

beforeAll(async () => {
  if (!hasBrowser) return
  world = await makeLastingWorld({ 'project/.claude/settings.json': SETTINGS })
  log = join(world.root, 'logs', 'hooks.jsonl')
  const { project, home, managed } = world
  const options = { project, home, managed, trust: 'accepted', sessionId: 'first', profile: 'current' } as const
  const engine = await openEngine({ ...options, log: { file: log } })
  const fire = (tool: string, command: string) =>
    engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: { command }, tool_use_id: 't' })
  await fire('Bash', 'git push --force')
  for (const nth of [1, 2, 3, 4]) await fire('Read', `file ${nth}`)
  await fire('Bash', 'ls')
  await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
  await engine.close()
  await appendFile(log, hostileLine())
  const place = ['--project', world.project, '--home', world.home]
  inspector = await startInspect(['--log', log, ...place, '--trust'])
  const browser = await openBrowserContext()
  context = browser.context
  closeBrowser = browser.close
  page = context.pages()[0] ?? (await context.newPage())
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(inspector.link)
  await page.waitForSelector('.rows [data-row]')
})

afterAll(async () => {
  await closeBrowser?.()
  if (inspector) expect(await inspector.end()).toBe(0)
  if (world) await removeWorld(world)
})

/** Goes to an address inside of the page, as its links do. */
async function goTo(path: string, selector: string): Promise<void> {
  await page.goto(new URL(path, inspector.address).href)
  await page.waitForSelector(selector)
}

async function findHostile(): Promise<{ session: string; event: string }> {
  for await (const { record } of readLog(log)) {
    if (record.sessionId.startsWith('hostile'))
      return { session: encodeURIComponent(record.sessionId), event: encodeURIComponent(record.id ?? '') }
  }
  throw new Error('it is in the log')
}

const describeWithBrowser = hasBrowser ? describe : describe.skip
if (!hasBrowser) process.stderr.write('The page of the inspector is not looked at: there is no /usr/bin/chromium.\n')

describeWithBrowser('the page of the inspector', () => {
  it('shows sessions, a session and an event, each at an address of its own, and goes back', async () => {
    await goTo('/', '.rows [data-row]')
    await page.click('[data-row="0"]')
    await page.waitForSelector('.row.denied')
    expect(new URL(page.url()).pathname).toBe('/session/first')
    expect(await page.textContent('.row.silent')).toContain('4 events, all silent')
    await page.click('.row.denied a')
    await page.waitForSelector('.hooks')
    expect(await page.textContent('.headline')).toContain('git push --force')
    expect(await page.locator('.hook').count()).toBe(3)
    await page.goBack()
    await page.waitForSelector('.row.denied')
    await page.goBack()
    await page.waitForSelector('h1:text("Sessions")')
  })

  it('is used by keyboard alone', async () => {
    await goTo('/', '.rows [data-row]')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.row.denied')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.hooks')
    await page.keyboard.press(']')
    await page.waitForSelector('.headline:has-text("file 1")')
    await page.keyboard.press('u')
    await page.waitForSelector('.row.denied')
    await page.keyboard.press('/')
    await page.keyboard.type('ls')
    await page.waitForSelector('[role=grid][aria-rowcount="2"]')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    expect(await page.textContent('dialog')).toContain('next and previous row')
    await page.keyboard.press('Escape')
    for (const [key, title] of [
      ['2', 'Hooks'],
      ['3', 'Cost'],
      ['4', 'Compare'],
      ['1', 'Sessions'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForSelector(`h1:text("${title}")`)
    }
  })

  it('shows an event by itself that is recorded while a session is open', async () => {
    await goTo('/session/first?fold=0', '.rows [data-row]')
    const line = (await readFile(log, 'utf8')).split('\n', 1)[0] ?? ''
    const entry = JSON.parse(line) as { record: { id: string; at: string }; input: { tool_input: { command: string } } }
    entry.record.id = 'live/1/1'
    entry.record.at = new Date().toISOString()
    entry.input.tool_input.command = 'appeared by itself'
    await appendFile(log, `${JSON.stringify(entry)}\n`)
    await page.waitForSelector('.row:has-text("appeared by itself")')
  })

  it('shows a line for every configured hook of every event, as the record has it', async () => {
    const { rows } = await inspector.ask<SessionAnswer>('api/session?id=first&fold=0&limit=500')
    let seen = 0
    for await (const entry of readLog(log, { session: 'first' })) {
      const { record } = await withMissReasons(entry)
      const query = new URLSearchParams({ session: 'first', id: record.id ?? '' })
      const event = await inspector.ask<EventAnswer>(`api/event?${query}`)
      expect(event.hooks.map(({ id, verdict, because }) => ({ id, verdict, because }))).toEqual(
        record.hooks.map(({ id, verdict, because = null }) => ({ id, verdict, because })),
      )
      seen++
      if (seen > 2) continue
      await goTo(`/session/first/event/${encodeURIComponent(record.id ?? '')}`, '.hooks')
      expect(await page.locator('.hook').count()).toBe(record.hooks.length)
    }
    expect(rows.filter(({ kind }) => kind === 'event')).toHaveLength(seen)
  })

  it('answers a typed call as hookline explain does', async () => {
    const call = ['PreToolUse', 'tool_name=Bash', 'tool_input.command=ls']
    const { stdout } = await hookline(world, ['explain', ...call, '--json', '--trust'])
    const { causes: _, ...explained } = JSON.parse(stdout) as Record<string, unknown>
    const answered = await page.evaluate(
      async (key) => {
        const body = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
        const headers = { 'content-type': 'application/json', 'x-hookline-page': key }
        return (await fetch('/api/explain', { method: 'POST', headers, body })).json()
      },
      await readPageKey(),
    )
    expect(answered).toEqual(explained)
    await goTo(`/hooks?call=${encodeURIComponent(call.join(' '))}`, '.wide-table')
    await page.waitForSelector('.would-run')
    expect(await page.locator('tr.would-run').count()).toBe(1)
    expect(await page.locator('tr.cannot-start').count()).toBe(1)
  })

  it('shows the figures of hookline stats', async () => {
    const { stdout } = await hookline(world, ['stats', log, '--json'])
    const stats = JSON.parse(stdout) as { events: number; hooks: unknown[] }
    const cost = await inspector.ask<{ events: number; hooks: unknown[] }>('api/cost')
    expect(cost.hooks).toEqual(stats.hooks)
    expect(cost.events).toBe(stats.events)
  })

  it.each(['light', 'dark'] as const)('has no fault that axe finds, in any view, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    const { session, event } = await findHostile()
    const views: [string, string][] = [
      ['/', '.rows [data-row]'],
      ['/session/first', '.row.denied'],
      [`/session/${session}/event/${event}`, '.hooks'],
      ['/hooks?call=PreToolUse%20tool_name%3DBash', '.would-run'],
      ['/cost', '.wide-table'],
      ['/compare', '.empty'],
      ['/compare?a=first&b=first', '.inset'],
    ]
    for (const [path, selector] of views) {
      await goTo(path, selector)
      const found = await findFaults(page)
      expect({ path, found }).toEqual({ path, found: [] })
    }
  })

  it('makes nothing of what a record holds but text', async () => {
    const { session, event } = await findHostile()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of [
      '/',
      `/session/${session}`,
      `/session/${session}/event/${event}`,
      '/cost',
      `/compare?a=first&b=${session}`,
    ]) {
      await goTo(path, 'main')
      await page.waitForTimeout(150)
      const foreign = await page.locator('main :is(img, script, iframe, a[href^="http"])').count()
      const text = (await page.textContent('body')) ?? ''
      expect(foreign).toBe(0)
      expect(text).toContain('<img src=x onerror=alert(1)>')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)
    }
    expect(dialogs).toEqual([])
  })

  it('asks nobody but its own server', () => {
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.filter((url) => !url.startsWith(inspector.address))).toEqual([])
  })

  it('says what to do where a session, an event or a view is not there, and the rest goes on', async () => {
    await goTo('/session/nobody', '[role=alert]')
    expect(await page.textContent('[role=alert]')).toContain('No recorded session has the id "nobody".')
    await goTo('/session/first/event/none', '[role=alert]')
    expect(await page.textContent('[role=alert]')).toContain('The session has no event with the id "none".')
    await goTo('/', '.rows [data-row]')
  })
})

/** Other pages that the user has open: what each of them tries, and what it gets. */
describeWithBrowser('another page in the same browser', () => {
  let other: Server
  let port = 0
  /** The cookies that the browser sent there. */
  let sent = ''
  beforeAll(async () => {
    other = createServer((request, response) => {
      sent = request.headers.cookie ?? sent
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>other</title><body>')
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    port = (other.address() as AddressInfo).port // it listens
  })
  afterAll(() => void other?.close())

  /** What a page there gets from the inspector: `null` where it gets nothing. */
  const TRIES: readonly [string, string][] = [
    ['fetches', `fetch(URL_ + 'api/state').then((r) => r.text())`],
    ['fetches with cookies', `fetch(URL_ + 'api/state', { credentials: 'include' }).then((r) => r.text())`],
    [
      'fetches without CORS',
      `fetch(URL_ + 'api/state', { mode: 'no-cors', credentials: 'include' }).then((r) => r.text())`,
    ],
    [
      'posts plain text',
      `fetch(URL_ + 'api/explain', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"hook_event_name":"Stop"}' }).then((r) => r.text())`,
    ],
    [
      'posts JSON',
      `fetch(URL_ + 'api/explain', { method: 'POST', headers: { 'content-type': 'application/json' }, credentials: 'include', body: '{}' }).then((r) => r.text())`,
    ],
    [
      'listens to events',
      `new Promise((done) => { const s = new EventSource(URL_ + 'api/live', { withCredentials: true }); s.onopen = () => done('open'); s.onerror = () => done('') })`,
    ],
    [
      'opens a WebSocket',
      `new Promise((done) => { const s = new WebSocket(URL_.replace('http', 'ws') + 'api/live'); s.onopen = () => done('open'); s.onerror = () => done('') })`,
    ],
    [
      'loads it as a script',
      `new Promise((done) => { const s = document.createElement('script'); s.src = URL_ + 'api/state'; s.onload = () => done('loaded'); s.onerror = () => done(''); document.body.append(s) })`,
    ],
    [
      'loads it as an image',
      `new Promise((done) => { const s = new Image(); s.src = URL_; s.onload = () => done('loaded'); s.onerror = () => done('') })`,
    ],
    [
      'loads it as a style',
      `new Promise((done) => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.href = URL_; s.onload = () => done('loaded'); s.onerror = () => done(''); document.head.append(s) })`,
    ],
    ['imports it', `import(URL_ + 'api/state').then(() => 'imported')`],
    [
      'frames it and looks inside',
      `new Promise((done) => { const f = document.createElement('iframe'); f.src = URL_; f.onload = () => { try { done(f.contentDocument?.getElementById('app') ? 'seen' : '') } catch { done('') } }; document.body.append(f) })`,
    ],
    [
      'opens it and looks inside',
      `new Promise((done) => { const w = open(URL_); setTimeout(() => { try { done(w?.document.getElementById('app') ? 'seen' : '') } catch { done('') } finally { w?.close() } }, 400) })`,
    ],
    ['sends a beacon', `Promise.resolve(navigator.sendBeacon(URL_ + 'api/explain', '{}') && '')`],
  ]

  it.each([
    ['another port', () => `http://127.0.0.1:${port}/`],
    ['another site', () => `http://evil.test:${port}/`],
    ['127.evil.test', () => `http://127.evil.test:${port}/`],
  ])('of %s gets nothing, whatever it tries', async (_, from) => {
    const foreign = await context.newPage()
    await foreign.goto(from())
    for (const [name, code] of TRIES) {
      const got = await foreign.evaluate(
        `(async () => { const URL_ = ${JSON.stringify(inspector.address)}; try { return (await ${code}) || '' } catch { return '' } })()`,
      )
      expect({ name, got }).toEqual({ name, got: '' })
    }
    await foreign.close()
  })

  it('is sent the cookie where it is on another port, and its server gets nothing with it', async () => {
    const foreign = await context.newPage()
    await foreign.goto(`http://127.0.0.1:${port}/`)
    await foreign.close()
    expect(sent).toContain('hookline-') // cookies do not tell ports apart
    const pretend = (path: string, more: Readonly<Record<string, string>> = {}): Promise<number | undefined> =>
      new Promise((done, fail) => {
        const headers = { cookie: sent, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', ...more }
        get(`${inspector.address}${path}`, { headers }, (answer) => {
          answer.destroy()
          done(answer.statusCode)
        }).on('error', fail)
      })
    expect(await pretend('api/state')).toBe(403)
    expect(await pretend('api/live')).toBe(403)
    expect(await pretend('api/state', { 'x-hookline-page': await readPageKey() })).toBe(200)
  })

  it('finds no key in the address, and a view that is opened by its address later has it', async () => {
    expect(page.url()).not.toContain('page=')
    const later = await context.newPage()
    await later.goto(`${inspector.address}session/first`)
    await later.waitForSelector('.row.event')
    await later.close()
  })

  it('that is rebound to the address of the inspector is refused', async () => {
    const foreign = await context.newPage()
    const response = await foreign.goto(inspector.address.replace('127.0.0.1', 'rebound.test'))
    expect(response?.status()).toBe(403)
    const got = await foreign.evaluate(() =>
      fetch('/api/state').then(
        (answer) => answer.status,
        () => 'not sent',
      ),
    )
    expect([403, 'not sent']).toContain(got)
    await foreign.close()
  })
})

describe('hookline inspect', () => {
  it('writes nothing for a small log, and says what is wrong in a sentence', async () => {
    const empty = await makeWorld()
    const file = await put(empty, 'logs/hooks.jsonl', 'not a record\n{"a":1}\n')
    const place = ['--project', empty.project, '--home', empty.home]
    const started = await startInspect(['--log', file, ...place])
    await started.ask('api/sessions') // waits until the log is read
    const { notes, events } = await started.ask<{ notes: string[]; events: number }>('api/state')
    expect({ notes, events }).toEqual({ notes: ['2 lines are not records and were skipped.'], events: 0 })
    const { port } = new URL(started.address)
    const taken = await hookline(empty, ['inspect', '--no-open', '--port', port, '--log', file])
    expect(taken).toMatchObject({
      code: 1,
      stderr: `hookline inspect: Port ${port} is taken. Leave --port out, or name another one.\n`,
    })
    await writeFile(file, '')
    expect(await started.end()).toBe(0)
    const unknown = await hookline(empty, ['inspect', '--no-open', '--log', file, '--session', 'x'])
    expect(unknown.stderr).toContain('no recorded session has the id "x". hookline log --sessions lists them.')
    for (const [flag, value] of [
      ['--port', '0'],
      ['--port', 'x'],
      ['--host', '0.0.0.0'],
      ['--host', 'localhost'],
    ] as const)
      expect(await hookline(empty, ['inspect', flag, value])).toMatchObject({ code: 1 })
  })

  it('prints a link that works once where the program that opens browsers is missing, or finds none', async () => {
    const own = await makeWorld()
    for (const BROWSER of [join(own.root, 'none'), 'false'])
      expect(await readAnnouncement({ home: own.home, BROWSER })).toMatch(
        /^Open this link in your browser, it works once: http:\/\/127\.0\.0\.1:\d+\/open\//,
      )
    expect(await readAnnouncement({ home: own.home, BROWSER: 'true' })).toContain('is open in your browser')
  })

  it.runIf(process.getuid?.() === 0)('shows no log of another user, and says whose it is', async () => {
    const own = await makeWorld()
    const record = recordWith({ id: 'm/e/1', sessionId: 'theirs', hooks: [] })
    const file = await put(own, 'logs/hooks.jsonl', `${JSON.stringify({ record, input: null })}\n`)
    await chown(file, 65_534, 65_534)
    const started = await startInspect(['--log', file, '--home', own.home])
    expect(await started.ask('api/sessions')).toMatchObject({ all: 0 })
    expect(await started.ask('api/state')).toMatchObject({ notes: [`${file} belongs to another user.`] })
    expect(await started.end()).toBe(0)
  })

  it('is named with the address of each event by hookline log --follow and hookline why', async () => {
    const own = await makeWorld({ 'project/.claude/settings.json': SETTINGS })
    const { project, home, managed } = own
    const file = join(home, '.hookline', 'hooks.jsonl')
    const options = { project, home, managed, trust: 'accepted', sessionId: 'named', profile: 'current' } as const
    const engine = await openEngine({ ...options, log: { file } })
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    await engine.close()
    const before = JSON.parse((await hookline(own, ['why', 'Stop', '--json'])).stdout) as { recorded: object }
    expect(before.recorded).toMatchObject({ inspect: null })
    const started = await startInspect(['--project', project, '--home', home])
    const [entry] = await readAll(file)
    const address = `${started.address}session/named/event/${encodeURIComponent(entry?.record.id ?? '')}`
    const why = await hookline(own, ['why', 'Stop', '--json'])
    expect(JSON.parse(why.stdout)).toMatchObject({ recorded: { inspect: address } })
    expect((await hookline(own, ['why', 'Stop'])).stdout.replaceAll(/\s+/g, '')).toContain(address)
    expect(await readFollowed(home)).toContain(address)
    expect(await started.end()).toBe(0)
    expect(await readdir(join(home, '.hookline/inspectors'))).toEqual([])
  })
})

/** What hookline inspect prints when it has started. */
async function readAnnouncement({
  home,
  BROWSER,
}: {
  readonly home: string
  readonly BROWSER: string
}): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, 'inspect', '--home', home], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOOKLINE_LOG: '', BROWSER },
  })
  const ended = new Promise((done) => child.once('close', done))
  const text: string = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))))
  child.kill('SIGINT')
  await ended
  return text
}

/** The key that the page keeps for itself. */
function readPageKey(): Promise<string> {
  return page.evaluate(() => {
    const { localStorage } = globalThis as unknown as { localStorage: { getItem: (name: string) => string | null } } // a browser's
    return localStorage.getItem('hookline-page') ?? ''
  })
}

async function readAll(file: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const entry of readLog(file)) entries.push(entry)
  return entries
}

/** The first event that hookline log --follow prints. */
async function readFollowed(home: string): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, 'log', '--follow', '--home', home], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, HOOKLINE_LOG: '' },
  })
  let text = ''
  for await (const bytes of child.stdout) {
    text += bytes
    if (text.includes('/event/')) break
  }
  child.kill('SIGINT')
  return text
}
