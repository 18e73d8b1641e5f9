import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFaults, hasBrowser, openBrowserContext } from './browser.ts'

const SCRIPT = new URL('../../../../scripts/build-playground.js', import.meta.url).href
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

let folder: string
let server: Server
const asked: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-playground-'))
  const { buildPlayground } = (await import(SCRIPT)) as { buildPlayground: (folder: string) => Promise<unknown> } // a script without types
  await buildPlayground(folder)
  server = createServer(({ url = '/' }, response) => {
    asked.push(url)
    const file = join(folder, new URL(url, 'http://site/').pathname.replace(/\/$/, '/index.html'))
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain')
    response.end(readFileSync(file))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})

afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!hasBrowser)('the page of the playground', () => {
  it('answers while one types, keeps what was typed in its address, and asks for nothing but its own files', async () => {
    const { context, close } = await openBrowserContext()
    const page = context.pages()[0] ?? (await context.newPage())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // it listens
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(address)
    const settings = {
      hooks: { PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: './guard.sh' }] }] },
    }
    await page.fill('#settings', JSON.stringify(settings))
    await page.fill('#event', '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}')
    await page.waitForSelector('.plan li:has-text("which its matcher does not match")')
    await page.waitForSelector('.findings li:has-text("Did you mean \\"Bash\\"?")')
    expect(await page.textContent('main')).toContain('Scripts and programs: not looked at.')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findFaults(page)).toEqual([])
    }
    const other = await context.newPage()
    await other.goto(page.url())
    await other.waitForSelector('.plan li:has-text("matcher-miss")')
    expect(await other.inputValue('#settings')).toBe(JSON.stringify(settings))
    expect(await page.locator('select[aria-label=Example] option').count()).toBeGreaterThan(5)
    expect(requests.every((url) => url.startsWith(address))).toBe(true)
    expect(asked.some((url) => url.includes('guard'))).toBe(false)
    await close()
  })
})
