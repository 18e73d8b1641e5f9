import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openEngine as openBuiltEngine } from 'hookline'

/**
 * Opens an engine on a project of its own with these hooks, hands it over, and leaves nothing behind.
 * @template Result
 * @param {object} hooks Written as in a settings file.
 * @param {(engine: import('hookline').Engine) => Promise<Result>} use
 * @param {import('hookline').EngineOptions} [options]
 * @param {typeof openBuiltEngine} [openEngine]
 * @returns {Promise<Result>}
 */
export async function withEngine(hooks, use, options = {}, openEngine = openBuiltEngine) {
  const root = await mkdtemp(join(tmpdir(), 'hookline-bench-'))
  const project = join(root, 'project')
  await mkdir(join(project, '.claude'), { recursive: true })
  await writeFile(join(project, '.claude/settings.json'), JSON.stringify({ hooks }))
  const places = { project, home: join(root, 'home'), managed: join(root, 'managed.json') }
  const engine = await openEngine({ ...places, trust: 'accepted', ...options })
  try {
    return await use(engine)
  } finally {
    await engine.close()
    await rm(root, { recursive: true, force: true })
  }
}

/** A call of the Bash tool with about 600 bytes of input, as an agent fires it. */
export const BASH_CALL = {
  hook_event_name: /** @type {const} */ ('PreToolUse'),
  session_id: '00000000-0000-4000-8000-000000000000',
  transcript_path: '/home/somebody/.claude/projects/bench/session.jsonl',
  permission_mode: 'default',
  tool_name: 'Bash',
  tool_input: { command: 'grep -rn "deadline" src '.padEnd(260, '.'), description: 'Look for deadlines' },
  tool_use_id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
}

const PROJECT_TIMEOUT_MS = 500

/**
 * Fires until resident shells start all hooks; a silent fall-back would measure something else.
 * @param {import('hookline').Engine} engine
 */
export async function untilPooled(engine) {
  for (let left = PROJECT_TIMEOUT_MS; left > 0; left--) {
    const { hooks } = await engine.dispatch(BASH_CALL)
    if (hooks.every(({ launcher, exitCode }) => launcher === 'pool' && exitCode === 0)) return
    await pause(20)
  }
  throw new Error('hooks are not started by resident shells')
}
