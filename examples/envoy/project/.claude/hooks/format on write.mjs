// PostToolUse: takes spaces off the ends of lines, and tells the model so. Its name shows how quotes work without a shell.

import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

const { path } = JSON.parse(await text(process.stdin)).tool_input
const written = await readFile(path, 'utf8')
const formatted = `${written.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`
if (formatted !== written) {
  await writeFile(path, formatted)
  const hookSpecificOutput = { hookEventName: 'PostToolUse', additionalContext: `Formatted ${path}` }
  console.log(JSON.stringify({ hookSpecificOutput, suppressOutput: true }))
}
