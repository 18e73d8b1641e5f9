/** Asks a real client what the tables of the docs stand on, and says what changed for hooks since its answers were recorded. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { claude } from './clients/agents/claude.js'
import { install, programOf } from './clients/install.js'
import { ask } from './drift/ask.js'
import { changePage, findChanges } from './drift/page.js'
import { QUESTIONS } from './drift/questions.js'

/**
 * @import { Recorded } from './drift/page.js'
 * @import { Question } from './drift/questions.js'
 */

const USAGE = `npm run drift -- [--client PATH] [--only WORD] [--json] [--record] [--write]

Asks a real Claude Code ${QUESTIONS.length} short questions, as a black box: hooks that note what they were
given, a scripted model, folders of its own, and no network but loopback. Prints
what changed for hooks since the answers in scripts/drift/answers.json were
recorded. An answer counts as changed when it came twice.

  --client PATH   the program; default: the version that npm run clients installs
  --only WORD     the questions whose id has this word: matcher/, misfit, Stop
  --json          print JSON
  --record        write the answers anew, and docs/drift.md with what changed
  --write         write docs/drift.md
  --help          print this

Needs user namespaces (unshare -rn). Takes two to four minutes.
Exit codes: 0 nothing changed, or skipped; 1 something changed, or a mistake in
the call.
`

/** Runs what follows where there is loopback and no other network. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const INSIDE = 'HOOKLINE_DRIFT'
const ANSWERS = new URL('drift/answers.json', import.meta.url)
const PAGE = new URL('../docs/drift.md', import.meta.url)

process.exitCode = await main()

async function main() {
  const flags = readFlags()
  if (flags === null) return 1
  if (flags.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const questions = QUESTIONS.filter(({ id }) => flags.only === undefined || id.includes(flags.only))
  if (questions.length === 0) {
    console.error(`No question has "${flags.only}" in its id. Ids: ${[...new Set(QUESTIONS.map(kindOf))].join(', ')} …`)
    return 1
  }
  const path = flags.client === undefined ? programOf(claude) : resolve(flags.client)
  if (process.env[INSIDE] === '1') return report(questions, path, flags)
  return goInside(path, { isInstalled: flags.client === undefined })
}

/**
 * The first word of an id.
 * @param {Question} question
 */
function kindOf({ id }) {
  return id.split('/')[0]
}

function readFlags() {
  try {
    const options = /** @type {const} */ ({
      client: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'boolean' },
      record: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    })
    const { values } = parseArgs({ options })
    if (!values.only || !(values.record || values.write)) return values
    console.error('--only asks some questions, so it writes nothing: leave out --record and --write.')
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
  return null
}

/**
 * Starts this script again without a network, where the client can run at all.
 * @param {string} path
 * @param {{ isInstalled: boolean }} options
 */
function goInside(path, { isInstalled }) {
  if (spawnSync('unshare', [...ALONE, 'true']).status !== 0)
    return skip('no network namespace can be made here (unshare -rn)')
  const why = isInstalled ? install(claude) : faultOf(path)
  if (why !== null) return skip(why)
  const call = [...ALONE, process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  return spawnSync('unshare', call, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1
}

/** @param {string} path */
function faultOf(path) {
  try {
    accessSync(path, constants.X_OK)
    return null
  } catch {
    return `there is no program at ${path}`
  }
}

/** @param {string} why */
function skip(why) {
  console.log(`Skipped: ${why}.`)
  return 0
}

/**
 * Asks, compares, and prints the page.
 * @param {readonly Question[]} questions
 * @param {string} path
 * @param {{ json?: boolean | undefined, record?: boolean | undefined, write?: boolean | undefined }} flags
 */
async function report(questions, path, { json, record, write }) {
  const recorded = readRecorded()
  const started = Date.now()
  const { answers, unsteady } = await askTwiceWhereChanged(questions, path, { recorded, record })
  const changes = findChanges(recorded.answers, answers, questions)
  const now = versionOf(path)
  const date = new Date().toISOString().slice(0, 10)
  const page = changePage(changes, { date, before: recorded.client, now, count: questions.length })
  const seconds = Math.round((Date.now() - started) / 1000)
  if (json)
    console.log(
      JSON.stringify(
        { date, client: now, recorded: recorded.client, asked: questions.length, seconds, changes, unsteady },
        null,
        2,
      ),
    )
  else console.log(`${page}\n${questions.length} questions in ${seconds} s.${unsteadyWords(unsteady)}`)
  if (record) writeFileSync(ANSWERS, `${JSON.stringify({ client: now, answers }, null, 2)}\n`)
  if (record || write) writeFileSync(PAGE, page)
  return changes.length > 0 && !record ? 1 : 0
}

/** @param {readonly string[]} unsteady */
function unsteadyWords(unsteady) {
  return unsteady.length === 0 ? '' : ` Answered once this way and once that way: ${unsteady.join(', ')}.`
}

/**
 * Answers of the client. Where one differs from what is recorded, its session is run again: the answer counts as changed when
 * it comes twice. All are asked twice where they are to be recorded.
 * @param {readonly Question[]} questions
 * @param {string} path
 * @param {{ recorded: Recorded, record?: boolean | undefined }} options
 */
async function askTwiceWhereChanged(questions, path, { recorded, record = false }) {
  const answers = await ask(questions, path)
  const changed = findChanges(recorded.answers, answers, questions).map(({ id }) => id)
  const sessions = questions.filter(({ id }) => changed.includes(id)).map(({ session }) => session)
  const again = questions.filter(({ session }) => record || sessions.includes(session))
  const second = await ask(again, path)
  const unsteady = again.map(({ id }) => id).filter((id) => answers[id] !== second[id])
  for (const id of unsteady) answers[id] = recorded.answers[id] ?? String(second[id])
  return { answers, unsteady }
}

/** @returns {Recorded} */
function readRecorded() {
  try {
    return JSON.parse(readFileSync(ANSWERS, 'utf8'))
  } catch {
    return { client: 'nothing', answers: {} } // nothing was recorded yet
  }
}

/** @param {string} path */
function versionOf(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 60_000 })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? 'of an unknown version'
}
