#!/usr/bin/env node
// PostToolUse on Write and Edit: formats the file that was just written, and tells the model when that changed it.
// HOOKLINE_FORMATTER names a formatter ("npx prettier --write"); the file is added as its last argument.
// Without it, white space at line ends goes and the file ends in one newline.

import { isUtf8 } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'

/** Files in which white space at a line's end means nothing. Markdown, patches and tables are not among them. */
const tidied =
  /\.(?:[cm]?[jt]sx?|json|css|scss|html|vue|xml|ya?ml|toml|py|rb|php|go|rs|java|kt|swift|c|cc|cpp|h|cs|sh|sql|txt)$/i

try {
  const answer = formatWrittenFile(JSON.parse(await text(process.stdin)))
  if (answer) console.log(JSON.stringify(answer))
} catch (error) {
  // Any code but 0 and 2 is a failure that stops nothing: the person reads the first line.
  console.error(`format-on-write: ${error.message}`)
  process.exitCode = 1
}

/** The answer to the event, or nothing when the file is as it was. */
function formatWrittenFile(input) {
  const project = realpathSync(process.env.CLAUDE_PROJECT_DIR ?? input.cwd)
  const file = realpathSync(resolve(input.cwd ?? project, input.tool_input.file_path))
  const name = relative(project, file)
  if (name.split(sep)[0] === '..' || isAbsolute(name)) return undefined

  const before = readFileSync(file)
  const formatter = process.env.HOOKLINE_FORMATTER
  if (formatter) runFormatter(formatter, file, project)
  else if (tidied.test(file)) tidy(file, before)
  if (readFileSync(file).equals(before)) return undefined

  const how = formatter ? `with ${formatter}` : 'white space at line ends and the final newline'
  return {
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      additionalContext: `Formatted ${name} (${how}). It differs from what you wrote: read it again before you edit it.`,
    },
  }
}

function runFormatter(formatter, file, project) {
  // The pipes keep the formatter's own words out of our stdout; as "$1" no file name can become shell text.
  const run = spawnSync('sh', ['-c', `${formatter} "$1"`, 'sh', file], {
    cwd: project,
    stdio: 'pipe',
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (run.error) throw run.error
  if (run.status !== 0) throw new Error(`${formatter} ended with ${run.status ?? run.signal}: ${run.stderr.trim()}`)
}

function tidy(file, bytes) {
  if (bytes.includes(0) || !isUtf8(bytes)) return
  const content = bytes.toString('utf8')
  const newline = content.includes('\r\n') ? '\r\n' : '\n'
  const lines = content.replace(/[ \t]+$/gm, '').replace(/[\r\n]+$/, '')
  writeFileSync(file, lines === '' ? '' : lines + newline)
}
