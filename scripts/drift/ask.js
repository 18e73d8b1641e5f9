/** Asks a client: runs sessions, and reads the answers to their questions. */
import { claude } from '../clients/agents/claude.js'
import { runClient } from '../clients/run-client.js'
import { PROMPT, SESSIONS } from './questions.js'
import { paths } from './reading.js'

/**
 * @import { Client } from '../clients/client.js'
 * @import { Script, Task } from '../clients/run-client.js'
 * @import { Question, Session } from './questions.js'
 */

/** Tools that a session allows unless it says otherwise. */
const ALLOWED = 'Bash,Write,Edit,Read,Agent,mcp__files'

/**
 * Asks the client at a path. Questions of one session are asked in one run.
 * @param {readonly Question[]} questions
 * @param {string} path
 * @returns {Promise<Record<string, string>>} answers by the ids of the questions
 */
export async function ask(questions, path) {
  /** @type {Record<string, string>} */
  const answers = {}
  for (const name of new Set(questions.map(({ session }) => session))) {
    const own = questions.filter(({ session }) => session === name)
    Object.assign(answers, await runSession(own, SESSIONS[name] ?? { files: {} }, path))
  }
  return Object.fromEntries(questions.map(({ id }) => [id, answers[id] ?? '']))
}

/**
 * @param {readonly Question[]} questions
 * @param {Session} session
 * @param {string} path
 */
function runSession(questions, session, path) {
  const { files, steps = [], prompt = PROMPT, args = [], allowed = ALLOWED, homeFiles } = session
  /** @type {Client} */
  const client = {
    ...claude,
    at: path,
    files: (place) => homeFiles?.(place) ?? {},
    args: () => ['-p', prompt, '--allowedTools', allowed, ...args],
  }
  /** @type {Task} */
  const task = {
    model: client.model,
    isResumed: false,
    files: () => Object.fromEntries(Object.entries(files).map(([name, content]) => [name, textOf(content)])),
    steps: () => steps,
    script: (stepped) => scriptOf(session, stepped),
  }
  return runClient(client, task, (seen) => {
    /** @param {Question} question */
    const answer = ({ look }) => (seen.isLate ? 'the run did not end' : paths(look(seen), seen.project))
    return Object.fromEntries(questions.map((question) => [question.id, answer(question)]))
  })
}

/** @param {unknown} content */
const textOf = (content) => (typeof content === 'string' ? content : JSON.stringify(content, null, 2))

/**
 * The steps are for the main conversation; a subagent, which does not know the prompt, is done at once.
 * @param {Session} session
 * @param {Script} stepped
 * @returns {Script}
 */
function scriptOf({ prompt = PROMPT }, stepped) {
  const [word = ''] = prompt.split(' ').slice(-1)
  return (request) => (JSON.stringify(request.body.messages).includes(word) ? stepped(request) : { text: 'Done.' })
}
