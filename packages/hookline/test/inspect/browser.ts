import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** True if pages can be looked at here. */
export const hasBrowser = existsSync(CHROMIUM)

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

/** A browser with a profile of its own. */
export async function openBrowserContext(): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'hookline-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
    viewport: { width: 1280, height: 800 },
  })
  return {
    context,
    close: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The faults that axe finds in a page. */
export async function findFaults(page: Page): Promise<unknown[]> {
  // The policy of the page lets no script in; the protocol of the browser does.
  const session = await page.context().newCDPSession(page)
  const run = `${AXE}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary) })))`
  const { result } = await session.send('Runtime.evaluate', {
    expression: run,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return (result.value ?? [result.description]) as unknown[] // of axe
}

/** An inspector in a process of its own, as users start it. */
export interface StartedInspector {
  readonly address: string
  readonly link: string
  readonly token: string
  /** Asks as a script does. */
  readonly ask: <Answer>(path: string) => Promise<Answer>
  readonly end: () => Promise<number | null>
}

/** The command `hookline`. */
export const COMMAND = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url))

/** Starts `hookline inspect`. */
export function startInspect(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<StartedInspector> {
  return startInspecting(['inspect', ...args], env)
}

/** Starts a command that opens the inspector, and waits for its address. */
export async function startInspecting(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<StartedInspector> {
  const child = spawn(process.execPath, [COMMAND, ...args, '--json', '--no-open'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOOKLINE_LOG: undefined, ...env },
  })
  const { address, link, token } = JSON.parse(await readAddressLine(child)) as Record<string, string>
  if (address === undefined || link === undefined || token === undefined) throw new Error('no address')
  const ended = new Promise<number | null>((done) => child.once('close', done))
  return {
    address,
    link,
    token,
    ask: async (path) => {
      const response = await fetch(`${address}${path}`, { headers: { 'x-hookline-token': token } })
      return (await response.json()) as never // told by the caller
    },
    end: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

function readAddressLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = ''
    let said = ''
    child.stderr?.on('data', (bytes) => {
      said += bytes
    })
    child.stdout?.on('data', (bytes) => {
      text += bytes
      const line = text.split('\n').find((one) => one.startsWith('{"address"') && one.endsWith('}'))
      if (line !== undefined) done(line)
    })
    child.once('close', () => fail(new Error(`it ended: ${said}`)))
  })
}
