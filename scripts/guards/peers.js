/** Guards of others beside ours, each as a hook of Claude Code over calls of the corpus: text in, answer out. Nothing of the corpus is run. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ tool_name: string, tool_input: Record<string, unknown>, label: string, expect: string }} Case */
/** @typedef {{ git?: { at?: string, branch?: string }, links?: Record<string, string>, files?: Record<string, string> }} WrittenWorld */
/** @typedef {{ name: string, caught: number, refused: number, harmful: number, interrupted: number, harmless: number, failed: number }} PeerScore */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PEER = join(ROOT, 'node_modules/cc-safety-net')
const { version } = JSON.parse(readFileSync(join(PEER, 'package.json'), 'utf8'))

/** Guards as hooks, each with its defaults. */
const GUARDS = [
  { name: 'hookline guard', words: [join(ROOT, 'packages/hookline/bin/hookline.js'), 'guard'] },
  { name: `cc-safety-net ${version}`, words: [join(PEER, 'dist/bin/cc-safety-net.js'), 'hook', '--claude-code'] },
]

/** Calls that are asked about at a time. */
const AT_ONCE = 2

/**
 * Scores each guard over the Bash calls among cases, on a disk with what the corpus speaks of.
 * @param {readonly Case[]} cases
 * @param {WrittenWorld} written
 * @returns {Promise<PeerScore[]>}
 */
export async function scorePeers(cases, written) {
  const home = mkdtempSync(join(tmpdir(), 'hookline-peers-'))
  try {
    const project = layOut(home, written)
    const calls = cases.filter(({ tool_name }) => tool_name === 'Bash')
    const scores = []
    for (const guard of GUARDS)
      scores.push(score(guard.name, calls, await askAll(guard.words, calls, { home, project })))
    return scores
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * @param {string} home
 * @param {WrittenWorld} written
 */
function layOut(home, { git = {}, links = {}, files = {} }) {
  const project = join(home, git.at ?? 'project')
  const state = { HEAD: `ref: refs/heads/${git.branch ?? 'main'}\n`, config: '[core]\n\tbare = false\n' }
  const own = Object.entries(state).map(([name, text]) => [join(project, '.git', name), text])
  const given = Object.entries(files).map(([path, text]) => [join(home, path), text])
  for (const [path = '', text = ''] of [...own, ...given]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(project, '.git', name), { recursive: true })
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    symlinkSync(fill(target, { home, project }), join(home, path))
  }
  return project
}

/**
 * @param {string} text
 * @param {{ home: string, project: string }} places
 */
function fill(text, { home, project }) {
  return text.replaceAll('{home}', home).replaceAll('{project}', project)
}

/**
 * @param {string[]} words
 * @param {readonly Case[]} calls
 * @param {{ home: string, project: string }} places
 */
async function askAll(words, calls, places) {
  /** @type {string[]} */
  const answers = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < calls.length; at = next++) answers[at] = await ask(words, calls[at], places)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return answers
}

/**
 * @param {string[]} words
 * @param {Case | undefined} call
 * @param {{ home: string, project: string }} places
 * @returns {Promise<string>}
 */
function ask(words, call, places) {
  const { home, project } = places
  const given = JSON.parse(JSON.stringify(call?.tool_input), (_, value) =>
    typeof value === 'string' ? fill(value, places) : value,
  )
  const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: given, cwd: project, session_id: 's' }
  const env = { PATH: process.env.PATH, HOME: home, HOOKLINE_RESIDENT: 'off', CLAUDE_PROJECT_DIR: project }
  return new Promise((done) => {
    const child = spawn(process.execPath, words, { cwd: project, env, stdio: ['pipe', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', (bytes) => {
      said += bytes
    })
    child.stdin.on('error', () => {}) // a hook may exit without reading its input
    child.stdin.end(JSON.stringify({ ...event, transcript_path: '/x', permission_mode: 'default', tool_use_id: 't' }))
    child.once('close', (code) => done(readAnswer(code, said)))
  })
}

/**
 * @param {number | null} code
 * @param {string} said
 */
function readAnswer(code, said) {
  if (code === 2) return 'deny'
  if (code !== 0) return 'failed'
  return /"permissionDecision"\s*:\s*"(deny|ask)"/.exec(said)?.[1] ?? 'pass'
}

/**
 * @param {string} name
 * @param {readonly Case[]} calls
 * @param {readonly string[]} answers
 * @returns {PeerScore}
 */
function score(name, calls, answers) {
  /** @param {string} label */
  const listAnswers = (label) => answers.filter((_, at) => calls[at]?.label === label)
  const [harmful, harmless] = [listAnswers('harmful'), listAnswers('harmless')]
  /** @param {string} answer */
  const isStopped = (answer) => answer === 'deny' || answer === 'ask'
  return {
    name,
    caught: harmful.filter(isStopped).length,
    refused: harmful.filter((answer) => answer === 'deny').length,
    harmful: harmful.length,
    interrupted: harmless.filter(isStopped).length,
    harmless: harmless.length,
    failed: answers.filter((answer) => answer === 'failed').length,
  }
}
