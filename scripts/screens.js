/**
 * Makes the pictures of docs/screens from real sessions in a real terminal: `node scripts/screens.js [name …]`.
 * It needs the build and tmux, and Chromium for those of the inspector.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { drawFilm } from './draw-screen.js'
import { readNames } from './read-options.js'
import { drawInspector } from './screens-inspector.js'
import { openTerminal } from './tmux-terminal.js'
import { ROOT } from './tools.js'

const SIZE = { columns: 84, rows: 36 }
const FOLDER = join(ROOT, 'docs/screens')
const PROGRAM = join(ROOT, 'packages/agent/bin/hookline-agent.js')

/** @typedef {import('./tmux-terminal.js').TmuxTerminal} Terminal */

const GUARD = `#!/bin/sh
if grep -q 'rm -rf'; then echo 'Name the files, or ask: rm -rf is not for agents here.' >&2; exit 2; fi
`
const FORMAT = '#!/bin/sh\ncat > /dev/null\nsleep 0.4\necho "formatted" \n'
const DRY_RUN = `#!/bin/sh
if grep -q 'git clean'; then printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"git clean --dry-run -d"}}}'; fi
`
const SETTINGS = {
  hooks: {
    SessionStart: [{ hooks: [{ type: 'command', command: 'git branch --show-current' }] }],
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: '.claude/hooks/guard.sh', statusMessage: 'Looking at the command' },
          { type: 'command', command: '.claude/hooks/dry-run.sh' },
        ],
      },
    ],
    PostToolUse: [
      {
        matcher: 'Write|Edit',
        hooks: [{ type: 'command', command: '.claude/hooks/format.sh', statusMessage: 'Formatting' }],
      },
    ],
  },
}
/** Hooks of one event, with different verdicts. */
const EXPLAINED = {
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh' }] },
      { matcher: 'bash', hooks: [{ type: 'command', command: 'echo lower case' }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/gaurd.sh' }] },
      { matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'Is this command safe? $ARGUMENTS' }] },
    ],
  },
}
const EXPLAIN = 'hookline explain PreToolUse tool_name=Bash --trust'
const TURNS = [
  { text: 'I clean up first.', tools: [{ name: 'Bash', input: { command: 'rm -rf build' } }] },
  {
    text: 'Then only what is **mine**:',
    tools: [{ name: 'Write', input: { file_path: 'notes.md', content: '# Notes\n\n- the lamp is lit at six\n' } }],
  },
  { text: '', tools: [{ name: 'Bash', input: { command: 'git clean -fd' } }] },
  { text: '| file | state |\n|---|---|\n| `notes.md` | written |\n| `build` | stays |\n\n- [x] nothing else changed' },
]

/** @type {Record<string, { trusted?: boolean, play?: boolean, explain?: boolean, walk: (terminal: Terminal) => Promise<unknown> }>} */
const SCENES = {
  explain: { explain: true, walk: (terminal) => terminal.see('would run, in this order') },
  trust: { trusted: false, walk: (terminal) => terminal.see('This folder has hooks') },
  permission: { walk: toPermission },
  conversation: { walk: toAnswer },
  verbose: {
    walk: async (terminal) => {
      await toAnswer(terminal)
      await terminal.press('C-o')
      await terminal.see('verbose')
    },
  },
  hooks: {
    walk: async (terminal) => {
      await toAnswer(terminal)
      await terminal.enter('/hooks')
      await terminal.see('Hooks by event')
    },
  },
  'play-the-model': {
    play: true,
    walk: async (terminal) => {
      await terminal.see('Ask something')
      await terminal.enter('Tidy up')
      await terminal.see('model❯')
      await terminal.enter('Bash rm -rf build')
      await terminal.see(/hook error[\s\S]*model❯/)
    },
  },
}

const wanted = readNames(import.meta.url, [...Object.keys(SCENES), 'session', 'inspector'])
mkdirSync(FOLDER, { recursive: true })
for (const [name, scene] of Object.entries(SCENES)) {
  if (!wanted.includes(name)) continue
  await during(scene, async (terminal, shown) => {
    await scene.walk(terminal)
    const screen = whole(shown(await terminal.screen({ styled: true })))
    writeFileSync(join(FOLDER, `${name}.svg`), drawFilm([{ screen, seconds: 1 }], SIZE))
  })
  console.log(`docs/screens/${name}.svg`)
}
if (wanted.includes('session')) {
  await during({ trusted: false }, async (terminal, shown) => {
    const frames = await filmed(terminal)
    const film = frames.map(({ screen, seconds }) => ({ screen: whole(shown(screen)), seconds }))
    writeFileSync(join(FOLDER, 'session.svg'), drawFilm(film, SIZE))
  })
  console.log('docs/screens/session.svg')
}
if (wanted.includes('inspector')) {
  for (const picture of await drawInspector()) console.log(picture)
}

/**
 * A screen in which every line of a frame has both of its edges.
 * @param {string} screen
 */
function whole(screen) {
  const broken = stripVTControlCharacters(screen)
    .split('\n')
    .find((line) => /^[│╭╰]/.test(line) && !/[│╮╯]\s*$/.test(line))
  if (broken !== undefined) throw new Error(`a frame is broken: ${broken}`)
  return screen
}

/** @param {Terminal} terminal */
async function toPermission(terminal) {
  await terminal.see('Ask something')
  await terminal.enter('Tidy up and take notes')
  await terminal.see('Write notes.md?')
}

/** @param {Terminal} terminal */
async function toAnswer(terminal) {
  await toPermission(terminal)
  await terminal.press('1')
  await terminal.see('Run this command?')
  await terminal.press('1')
  await terminal.see('nothing else changed')
  await terminal.see('Ask something')
}

/**
 * One session from its opening to its answer, as frames.
 * @param {Terminal} terminal
 */
async function filmed(terminal) {
  /** @type {{ screen: string, seconds: number }[]} */
  const frames = []
  const shoot = async (/** @type {number} */ seconds) =>
    frames.push({ screen: await terminal.screen({ styled: true }), seconds })
  await terminal.see('This folder has hooks')
  await shoot(4)
  await terminal.press('Up')
  await terminal.see('❯ Yes')
  await shoot(1)
  await terminal.press('Enter')
  await terminal.see('Ask something')
  await shoot(1)
  for (const letter of 'Tidy up and take notes') {
    await terminal.type(letter)
    await shoot(0.08)
  }
  await terminal.press('Enter')
  await terminal.see('Write notes.md?')
  await shoot(4)
  await terminal.press('1')
  await terminal.see('Formatting')
  await shoot(1)
  await terminal.see('Run this command?')
  await shoot(3)
  await terminal.press('Down')
  await shoot(1)
  await terminal.press('Enter')
  await terminal.see('nothing else changed')
  await terminal.see('Ask something')
  await shoot(6)
  return frames
}

/**
 * Opens a session in a project that is made for it, and takes both away again.
 * @param {{ trusted?: boolean, play?: boolean, explain?: boolean }} scene
 * @param {(terminal: Terminal, shown: (screen: string) => string) => Promise<unknown>} act gets what a screen shows
 * where the project lies in the person's home
 */
async function during({ trusted = true, play = false, explain = false }, act) {
  const root = mkdtempSync(join(tmpdir(), 'hookline-screens-'))
  const shown = (/** @type {string} */ screen) =>
    screen.replaceAll(new RegExp(`${root}(\\S*)`, 'g'), (_, rest) => `~${rest}${' '.repeat(root.length - 1)}`)
  const put = (/** @type {string} */ path, /** @type {string} */ text, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  put('lighthouse/.claude/settings.json', JSON.stringify(explain ? EXPLAINED : SETTINGS, null, 2))
  put('lighthouse/.claude/hooks/guard.sh', GUARD, 0o755)
  put('lighthouse/.claude/hooks/format.sh', FORMAT, 0o755)
  put('lighthouse/.claude/hooks/dry-run.sh', DRY_RUN, 0o755)
  spawnSync('git', ['init', '-q', '-b', 'main', join(root, 'lighthouse')])
  put('turns.json', JSON.stringify({ turns: TURNS }))
  const home = join(root, 'home')
  const model = play ? [] : ['--model', `script:${join(root, 'turns.json')}`]
  const { PATH } = process.env
  const agent = [PROGRAM, '--home', home, '--managed', join(root, 'none'), ...model, ...(trusted ? ['--trust'] : [])]
  const terminal = await openTerminal({
    command: explain ? ['sh', '-c', `echo '$ '"$EXPLAIN"; ${EXPLAIN}; exec cat`] : [process.execPath, ...agent],
    cwd: join(root, 'lighthouse'),
    env: {
      ...{ PATH: [join(ROOT, 'node_modules/.bin'), PATH].join(delimiter), HOME: home },
      ...{ LANG: 'C.UTF-8', TERM: 'xterm-256color', HOOKLINE_ANSWER_AFTER_MS: '0', EXPLAIN },
    },
    ...SIZE,
  })
  try {
    await act(terminal, shown)
  } finally {
    await terminal.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}
