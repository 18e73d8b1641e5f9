// Run it with `node --test`. No process is started and no agent is needed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runHook } from 'hookline/hook'
import { manners } from './manners.mjs'

/** @param {string} command */
async function answerTo(command) {
  const { stdout } = await runHook(manners, {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })
  return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput
}

test('refuses a forced push, however it is written', async () => {
  for (const command of ['git push --force', 'git add . && git push -fu origin main', 'git push origin main -f']) {
    assert.equal((await answerTo(command)).permissionDecision, 'deny', command)
  }
})

test('has nothing to say about other commands', async () => {
  for (const command of ['git pull --force', 'rm -f push', 'ls']) {
    assert.equal(await answerTo(command), undefined, command)
  }
})
