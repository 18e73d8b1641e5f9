import { join } from 'node:path'
import { createAgent, makeScriptedModel } from '@hookline/agent'
import { layOut } from './layout.js'
import { PROMPTS, SCRIPT } from './script.js'
import { checkIsDone } from './set-up.js'
import { storyteller } from './storyteller.js'

/** Runs the session and tells its story; resolves with the exit code. */
export async function tell({ folder, project, home, env }) {
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const write = (block) => process.stdout.write(layOut(block, { colour }))
  const { onEvent } = storyteller({ project, write })

  const leaving = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => leaving.abort())
  process.stdout.on('error', () => leaving.abort()) // the reader left: npm start | head
  const { signal } = leaving

  write({ title: 'A session of a coding agent, as its hooks see it' })
  const agent = await createAgent(
    {
      model: makeScriptedModel(SCRIPT, { name: 'the script' }),
      // A home and a policy file of its own: hooks of the user who runs the story stay out of it.
      ...{ project, home, env, managed: join(folder, 'no-policy.json') },
      trust: 'accepted',
      permissionMode: 'bypassPermissions', // hooks decide here, not permission rules
      onEvent,
    },
    { signal },
  )
  try {
    for (const prompt of PROMPTS) {
      write({ speaker: 'Person', text: prompt })
      await agent.run(prompt, { signal })
      await checkIsDone(project, signal) // meanwhile the user reads the answer
    }
  } finally {
    await agent.close('prompt_input_exit')
  }
  return signal.aborted ? 1 : 0
}
