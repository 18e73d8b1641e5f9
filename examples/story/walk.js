import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { showDelivered, showEvent, showTitle } from './show.js'

/** Fires the events of one session at the engine, in order, and writes what came of each. */
export async function walk(engine, { project, write, colour }) {
  const lamp = join(project, 'src', 'lamp.js')
  const change = 'export const colour = "white"\n'
  let number = 0

  async function fire(said, about, event) {
    number += 1
    const record = await engine.dispatch({ cwd: project, ...event })
    write(showEvent({ number, said, about, record }, { colour }))
    return record
  }

  write(showTitle('A session of a coding agent, as its hooks see it', { colour }))

  await fire('A session starts. What a hook prints becomes context.', 'startup', {
    hook_event_name: 'SessionStart',
    source: 'startup',
  })

  const prompt = 'Give the lamp a colour, clean up, and publish it.'
  await fire('The person sends a prompt. A hook adds what belongs to it.', prompt, {
    hook_event_name: 'UserPromptSubmit',
    prompt,
  })

  await fire('The model wants to clean up. A guard says no.', 'Bash: rm -rf dist old-builds', {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf dist old-builds' },
    tool_use_id: 'toolu_1',
  })

  await fire('The model wants to publish. A hook changes the command.', 'Bash: npm publish --access public', {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm publish --access public' },
    tool_use_id: 'toolu_2',
  })

  await appendFile(lamp, change)
  await fire('The model edited a file. A slow check goes on in the background.', 'Edit: src/lamp.js', {
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: lamp, old_string: '', new_string: change },
    tool_response: { success: true },
    tool_use_id: 'toolu_3',
  })

  await fire('The model thinks it is done. A hook sends it back to work.', 'stop_hook_active: false', {
    hook_event_name: 'Stop',
    stop_hook_active: false,
  })

  await appendFile(join(project, 'CHANGELOG.md'), '- 1.5.0: the lamp has a colour\n')
  await fire('Done again. The hook knows that it was heard, and lets go.', 'stop_hook_active: true', {
    hook_event_name: 'Stop',
    stop_hook_active: true,
  })

  write(showDelivered(await engine.drain(), { colour }))

  await fire('The person leaves.', 'prompt_input_exit', { hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' })
}
