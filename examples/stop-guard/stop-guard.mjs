#!/usr/bin/env node
// Stop: sends the agent back to work, once, while TASKS.md has open boxes ("- [ ] …").

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const openBox = /^\s*(?:[-*+]|\d+[.)])\s+\[ \]\s+(.*\S)/

try {
  const input = JSON.parse(await text(process.stdin))
  const tasks = openTasks(join(process.env.CLAUDE_PROJECT_DIR ?? input.cwd, 'TASKS.md'))
  if (tasks.length > 0) console.log(JSON.stringify(answerTo(input, tasks)))
} catch (error) {
  // Any code but 0 and 2 is a failure that stops nothing: the person reads the first line.
  console.error(`stop-guard: ${error.message}`)
  process.exitCode = 1
}

function openTasks(file) {
  return contentOf(file)
    .split('\n')
    .flatMap((line) => openBox.exec(line)?.[1] ?? [])
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

function answerTo(input, tasks) {
  const count = tasks.length === 1 ? '1 open task' : `${tasks.length} open tasks`
  // The agent already goes on because of a Stop hook: blocking again could keep it running for ever.
  if (input.stop_hook_active) return { systemMessage: `The agent stopped with ${count} in TASKS.md` }
  const list = tasks.map((task) => `- ${task}`).join('\n')
  return {
    decision: 'block',
    reason: `TASKS.md has ${count}. Finish each and tick its box, or say why it cannot be done:\n${list}`,
  }
}
