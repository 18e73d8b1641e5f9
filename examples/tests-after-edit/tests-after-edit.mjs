#!/usr/bin/env node
// PostToolUse on Edit and Write: runs the tests, and halts the agent when they fail.
// HOOKLINE_TEST_COMMAND names the command; without it, it is `npm test`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

const command = process.env.HOOKLINE_TEST_COMMAND || 'npm test'
/** How much of the end of the output the model gets to see, in characters and lines. */
const tailLength = 4000
const tailLines = 40

try {
  const input = JSON.parse(await text(process.stdin))
  console.log(JSON.stringify(answerTo(input, await runTests(process.env.CLAUDE_PROJECT_DIR ?? input.cwd))))
} catch (error) {
  // Any code but 0 and 2 is a failure that stops nothing: the person reads the first line.
  console.error(`tests-after-edit: ${error.message}`)
  process.exitCode = 1
}

async function runTests(project) {
  const started = performance.now()
  // Pipes, never 'inherit': our stdout belongs to the answer alone.
  const child = spawn('sh', ['-c', command], { cwd: project, stdio: 'pipe' })
  child.stdin.end()
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-4 * tailLength)
    })
  }
  const [code, signal] = await once(child, 'close')
  const tail = stripVTControlCharacters(output).trimEnd().split('\n').slice(-tailLines).join('\n').slice(-tailLength)
  // What a shell says when the program is missing or cannot be run: then no test has failed, none has run.
  if (code === 126 || code === 127) throw new Error(`"${command}" cannot be run: ${tail.split('\n').at(-1)}`)
  const seconds = (performance.now() - started) / 1000
  return { passed: code === 0, ended: signal ?? `exit code ${code}`, seconds, tail }
}

function answerTo(input, { passed, ended, seconds, tail }) {
  if (passed) return { suppressOutput: true, ...withContext(`Tests passed: ${command} (${seconds.toFixed(1)} s)`) }
  const file = input.tool_input?.file_path ?? 'a file'
  return {
    continue: false,
    stopReason: `Tests fail after ${input.tool_name} of ${file}: ${command}, ${ended}`,
    ...withContext(`Tests failed: ${command}, ${ended}. The end of the output:\n${tail}`),
  }
}

function withContext(additionalContext) {
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } }
}
