/** Makes the pictures of the inspector for docs/screens: a session with real hooks is recorded, and its page is looked at in Chromium. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from 'hookline'
import { chromium } from 'playwright-core'
import { BROWSER_FLAGS } from './site-browser.js'
import { ROOT } from './tools.js'

const COMMAND = join(ROOT, 'packages/hookline/bin/hookline.js')
const SIZE = { width: 1120, height: 620 }
const SCRIPTS = {
  'guard.sh': `#!/bin/sh\nif grep -q 'push --force'; then echo 'Force pushes go through a pull request.' >&2; exit 2; fi\n`,
  'format.sh': '#!/bin/sh\ncat > /dev/null\nsleep 0.2\n',
  'types.sh': '#!/bin/sh\ncat > /dev/null\nsleep 0.5\n',
  'remember.sh': `#!/bin/sh\ncat > /dev/null\necho 'Tests run with: npm test -- --run'\n`,
}
/** @param {string} script @param {string} matcher */
const group = (script, matcher) => ({
  matcher,
  hooks: [{ type: 'command', command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${script}` }],
})
const SETTINGS = {
  hooks: {
    UserPromptSubmit: [group('remember.sh', '')],
    PreToolUse: [group('guard.sh', 'Bash'), group('types.sh', 'Write|Edit')],
    PostToolUse: [group('format.sh', 'Write|Edit'), group('types.sh', 'Write|Edit')],
  },
}
const CALLS = [
  ['Read', { file_path: 'src/lamp.ts' }],
  ['Grep', { pattern: 'lit' }],
  ['Read', { file_path: 'test/lamp.test.ts' }],
  ['Edit', { file_path: 'src/lamp.ts', old_string: 'off', new_string: 'on' }],
  ['Bash', { command: 'npm test -- --run' }],
  ['Bash', { command: 'git commit -am "Light the lamp at six"' }],
  ['Bash', { command: 'git push --force origin main' }],
  ['Bash', { command: 'git push origin lamp' }],
]

/** Draws the pictures, in light and dark. Gives their paths. */
export async function drawInspector() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-screens-'))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: BROWSER_FLAGS })
  try {
    const log = await recordSession(folder)
    /** @type {string[]} */
    const drawn = []
    /** @type {(page: import('playwright-core').Page, path: string) => Promise<void>} */
    const draw = async (page, path) => {
      await page.screenshot({ path: join(ROOT, path) })
      drawn.push(path)
    }
    const { child, address, link } = await startInspector(folder, log)
    const page = await browser.newPage({ viewport: SIZE })
    await page.goto(link)
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${address}session/lamp`)
      await page.waitForSelector('.row.denied')
      await draw(page, `docs/screens/inspector-session-${colorScheme}.png`)
      await page.click('.row.denied a')
      await page.waitForSelector('.hooks')
      await draw(page, `docs/screens/inspector-event-${colorScheme}.png`)
    }
    child.stdin.end()
    return drawn
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function recordSession(folder) {
  const [project, home, managed] = ['lamp', 'home', 'managed'].map((name) => join(folder, name))
  const hooks = join(project ?? '', '.claude/hooks')
  mkdirSync(hooks, { recursive: true })
  mkdirSync(home ?? '')
  for (const [name, text] of Object.entries(SCRIPTS)) {
    writeFileSync(join(hooks, name), text)
    chmodSync(join(hooks, name), 0o755)
  }
  writeFileSync(join(project ?? '', '.claude/settings.json'), JSON.stringify(SETTINGS, null, 2))
  const file = join(folder, 'hooks.jsonl')
  const places = { project: project ?? '', home: home ?? '', managed: managed ?? '' }
  const engine = await openEngine({
    ...places,
    trust: 'accepted',
    profile: 'current',
    sessionId: 'lamp',
    host: { client: 'claude-code', version: '2.1.325' },
    log: { file },
  })
  await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: 'Light the lamp at six, then publish it' })
  for (const [nth, [tool, toolInput]] of CALLS.entries()) {
    const call = { tool_name: String(tool), tool_input: Object(toolInput), tool_use_id: `t${nth}` }
    const { decision } = await engine.dispatch({ hook_event_name: 'PreToolUse', ...call })
    if (!decision.blocked) await engine.dispatch({ hook_event_name: 'PostToolUse', ...call, tool_response: {} })
  }
  await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
  await engine.close()
  return file
}

/**
 * @param {string} folder
 * @param {string} log
 */
async function startInspector(folder, log) {
  const place = ['--project', join(folder, 'lamp'), '--home', join(folder, 'home'), '--log', log]
  const args = [COMMAND, 'inspect', '--no-open', '--json', '--stdin', '--trust', ...place]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  /** @type {string} */
  const line = await new Promise((done) => child.stdout.once('data', (bytes) => done(String(bytes))))
  const { address, link } = JSON.parse(line)
  return { child, address: String(address), link: String(link) }
}
