/** Writes the hook entries of a client by hand, so that `hookline bridge run` can be tried. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const CLAUDE = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']

/** @type {Record<string, (place: { home: string, run: (event: string) => string }) => void>} */
export const ENTRIES = {
  codex: ({ home, run }) => merge(join(home, '.codex/hooks.json'), { hooks: groups(CLAUDE, run, 60) }),
  copilot: ({ home, run }) =>
    merge(join(home, '.copilot/hooks/hookline.json'), {
      version: 1,
      hooks: Object.fromEntries(
        [
          'sessionStart',
          'sessionEnd',
          'userPromptSubmitted',
          'preToolUse',
          'postToolUse',
          'postToolUseFailure',
          'agentStop',
        ].map((event) => [event, [{ type: 'command', bash: run(event), timeoutSec: 60 }]]),
      ),
    }),
  gemini: ({ home, run }) =>
    merge(join(home, '.gemini/settings.json'), {
      hooks: groups(
        ['SessionStart', 'SessionEnd', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'],
        run,
        60_000,
      ),
    }),
  qwen: ({ home, run }) =>
    merge(join(home, '.qwen/settings.json'), { hooks: groups([...CLAUDE, 'PostToolUseFailure'], run, 60_000) }),
  droid: ({ home, run }) => merge(join(home, '.factory/hooks.json'), groups(CLAUDE, run, 60)),
  kimi: ({ home, run }) => {
    for (const event of [...CLAUDE, 'PostToolUseFailure'])
      appendFileSync(
        join(home, '.kimi-code/config.toml'),
        `\n[[hooks]]\nevent = "${event}"\ncommand = "${run(event)}"\ntimeout = 60\n`,
      )
  },
  opencode: () => {},
}

/**
 * @param {string[]} events
 * @param {(event: string) => string} run
 * @param {number} timeout
 */
function groups(events, run, timeout) {
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: 'command', command: run(event), timeout }] }]]),
  )
}

/**
 * @param {string} path
 * @param {object} more
 */
function merge(path, more) {
  mkdirSync(dirname(path), { recursive: true })
  const there = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  writeFileSync(path, JSON.stringify({ ...there, ...more }, null, 2))
}
