/**
 * A hook that quotes the prompt it reads, whole and as JSON, and ends as its argument says: `exit` (2), `fail` (1), `halt`,
 * `block`, `say`, `plain`, or `long` (more than a conversation takes).
 */
export const PARROT = `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
const input = readFileSync(0, 'utf8')
const { prompt } = JSON.parse(input)
const [, , how] = process.argv
if (how === 'exit') { process.stderr.write('no: ' + prompt + ' in ' + input); process.exit(2) }
if (how === 'fail') { process.stderr.write('broken: ' + prompt); process.exit(1) }
if (how === 'plain') { console.log(prompt); process.exit(0) }
const said = { systemMessage: prompt, [prompt]: input, hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: input } }
if (how === 'halt') Object.assign(said, { continue: false, stopReason: 'no: ' + prompt })
if (how === 'block') Object.assign(said, { decision: 'block', reason: 'no: ' + prompt })
if (how === 'long') said.hookSpecificOutput.additionalContext = prompt + 'x'.repeat(1.5e6)
console.log(JSON.stringify(said))
`

/** The command of a hook that runs it, from the project's folder. */
export function parrot(how: string): string {
  return `"$CLAUDE_PROJECT_DIR/parrot.js" ${how}`
}
