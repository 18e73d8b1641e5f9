import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EVENTS } from './events.js'

/** Commands that end at once. */
const QUICK = [
  { command: 'true' },
  { command: 'cat >/dev/null' },
  { command: 'echo plain text' },
  { command: 'echo no >&2; exit 2' },
  { command: 'exit 1' },
  { command: 'kill -9 $$' },
  { command: 'no-such-program-anywhere' },
  { command: printing({ systemMessage: 'said' }) },
  { command: printing({ decision: 'block', reason: 'for the soak' }) },
  { command: printing({ continue: false, stopReason: 'enough' }) },
  { command: printing({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }) },
  { command: `printf '{"broken": '` },
  { command: 'test -z "$CLAUDE_ENV_FILE" || echo "export SOAK=$$" >> "$CLAUDE_ENV_FILE"' },
  { command: `sleep 0.05; ${printing({ systemMessage: 'late' })}`, async: true },
  { command: `echo '{"async": true}'; sleep 0.05; ${printing({ systemMessage: 'later' })}` },
].map(asCommand)

/** Commands whose interpreters may be started ahead, by the files of the project; they take their time otherwise. */
const FILES = {
  'soak.cjs': `require('fs').readFileSync(0); console.log('{"systemMessage": "of Node"}')\n`,
  'soak.py': `import sys\nsys.stdin.read()\nprint('no', file=sys.stderr)\nsys.exit(2)\n`,
}
const INTERPRETED = [{ command: 'node soak.cjs' }, { command: '/usr/bin/python3 soak.py' }].map(asCommand)
const isInterpreting = process.env.HOOKLINE_WARM === 'on'

/** Commands that hang, talk too much or leave somebody behind; that somebody ends by itself within half a second. */
const NASTY = [
  { command: 'trap "" TERM; sleep 5', timeout: 0.1 },
  { command: 'sleep 5 & sleep 5', timeout: 0.1 },
  { command: 'exec >&- 2>&-; sleep 5', timeout: 0.1 },
  { command: 'sleep 0.3 & echo held' },
  { command: 'setsid sleep 0.3 & echo held by another group' },
  { command: 'head -c 3000000 /dev/zero' },
  { command: 'yes flood | head -c 2000000 >&2' },
  { command: 'sleep 5', async: true, timeout: 0.2 },
  { command: 'trap "" TERM; sleep 5', async: true, timeout: 0.1 },
  { command: `echo '{"async": true, "asyncTimeout": 100}'; sleep 5` },
].map(asCommand)

/** What runs nowhere, and what is written wrongly. */
export const UNRUNNABLE = [
  { type: 'prompt', prompt: 'Is this right? $ARGUMENTS' },
  { type: 'agent', prompt: 'Look into it' },
  { type: 'command' },
  { type: 'http', url: 'http://localhost/' },
]

const MATCHERS = ['*', 'Bash', 'Edit|Write', 'mcp__.*', 'tool == "Bash"', '^(a+)+$', 'startup', '(']

/** Names of the components, by path in the project. */
export const COMPONENTS = ['.claude/skills/soak/SKILL.md', '.claude/agents/soak.md', '.claude/commands/soak.md']

/**
 * Writes a project with its settings, and its components.
 * @param {string} project
 * @param {string} settings
 * @param {import('./random.js').Random} random
 */
export async function writeWorld(project, settings, random) {
  await put(join(project, '.claude/settings.json'), settings)
  for (const [path, text] of Object.entries(FILES)) await put(join(project, path), text)
  for (const path of COMPONENTS) {
    const hooks = { PreToolUse: randomGroups(random), PostToolUse: randomGroups(random), Stop: randomGroups(random) }
    await put(join(project, path), `---\nname: soak\nhooks: ${JSON.stringify(hooks)}\n---\nA component.\n`)
  }
}

/**
 * Settings with hooks for every event.
 * @param {import('./random.js').Random} random
 */
export function randomSettings(random) {
  return {
    hooks: Object.fromEntries(EVENTS.map(({ hook_event_name }) => [hook_event_name, randomGroups(random)])),
    statusLine: { type: 'command', command: 'echo status' },
    fileSuggestion: { type: 'command', command: 'ls' },
  }
}

/**
 * Groups as they stand in settings.
 * @param {import('./random.js').Random} random
 */
export function randomGroups(random) {
  return Array.from({ length: 1 + random.below(3) }, () => ({
    ...(random.chance(0.6) ? {} : { matcher: random.pick(MATCHERS) }),
    hooks: [
      ...random.some(QUICK, 2),
      ...(isInterpreting && random.chance(0.3) ? [random.pick(INTERPRETED)] : []),
      ...(random.chance(0.15) ? [random.pick(NASTY)] : []),
      ...(random.chance(0.1) ? [random.pick(UNRUNNABLE)] : []),
    ],
  }))
}

/** @param {{ command: string, async?: boolean, timeout?: number }} hook */
function asCommand(hook) {
  return { type: 'command', ...hook }
}

/** @param {object} answer */
function printing(answer) {
  return `echo '${JSON.stringify(answer)}'`
}

/**
 * @param {string} path
 * @param {string} text
 */
async function put(path, text) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
