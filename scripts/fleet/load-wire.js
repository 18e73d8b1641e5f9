/** Size of records on the wire, as the real engine writes them into a spool and `hookline ship` packs them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openEngine } from 'hookline'

const MANY = 100

/**
 * Compares events where one hook of a hundred matches with events where it is the only one.
 * @param {number} events
 */
export async function measureWire(events) {
  const figures = []
  for (const level of ['facts', 'redacted', 'full']) {
    const one = await measureSpool({ level, hooks: 1, events })
    const many = await measureSpool({ level, hooks: MANY, events })
    figures.push({ level, ratio: many / one })
  }
  return figures
}

/** @param {{ level: string, hooks: number, events: number }} options */
async function measureSpool({ level, hooks, events }) {
  const home = mkdtempSync(join(tmpdir(), 'hookline-wire-'))
  try {
    const project = join(home, 'project')
    mkdirSync(join(home, '.claude'))
    mkdirSync(project)
    const groups = Array.from({ length: hooks }, (_, at) => ({
      matcher: at === 0 ? 'Bash' : `Tool${at}`,
      hooks: [{ type: 'command', command: `true # guard ${at}` }],
    }))
    const settings = { hookline: { fleet: { url: 'http://127.0.0.1:9/', level } }, hooks: { PreToolUse: groups } }
    writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings))
    const engine = await openEngine({ home, project })
    for (let at = 0; at < events; at++)
      await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: `ls ${at}` } })
    await engine.close()
    const folder = join(home, '.hookline/spool')
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    return gzipSync(texts.join('')).length / events
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
