// The hook of every session: it notes what it was given, and answers as the table of the session says.
import { appendFileSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const [name] = process.argv.slice(2)
const folder = process.env.CLAUDE_PROJECT_DIR
const input = JSON.parse(await text(process.stdin))
const env = Object.keys(process.env).filter((key) => key.startsWith('CLAUDE'))
const notes = `${folder}/hooks.jsonl`
appendFileSync(notes, `${JSON.stringify({ name, input, env })}\n`)

/** The word of a call, else how many times this hook has met the event. */
function findSubject() {
  const [word] = /row-[\w-]+/.exec(JSON.stringify(input.tool_input ?? input.task_subject ?? '')) ?? []
  if (word !== undefined) return word
  const lines = readFileSync(notes, 'utf8').trim().split('\n')
  const same = lines.map((line) => JSON.parse(line)).filter((line) => line.name === name)
  return same.filter((line) => line.input.hook_event_name === input.hook_event_name).length
}

const answers = JSON.parse(readFileSync(`${folder}/.claude/answers.json`, 'utf8'))
const {
  exit = 0,
  stdout = '',
  stderr = '',
  ms = 0,
  signal,
} = answers[`${input.hook_event_name} ${findSubject()} ${name}`] ?? {}
setTimeout(() => {
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = exit
  if (signal) process.kill(process.pid, signal)
}, ms)
