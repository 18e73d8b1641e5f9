import type { EventName } from 'hookline/protocol'
import { commands } from '../../../hookline/test/support/project.ts'
import { bash, type OpenedAgent, openAgent, worldWithHooks } from './opened-agent.ts'

/** Events that a session with somebody to ask fires when everything in it happens once. */
export const EVERY_EVENT = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'Notification',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'PreCompact',
  'SessionEnd',
] as const satisfies readonly EventName[]

export type FiredEvent = (typeof EVERY_EVENT)[number]

/**
 * Plays prompts with a call that succeeds and one that fails, a compaction and the end, with a hook on one event. Its
 * shell text lies in a file, so that no name of the hook gives it away.
 */
export async function playEverything(event: FiredEvent, hook: string): Promise<OpenedAgent> {
  let asked = 0
  let notified = 0
  const opened = await openAgent(
    { turns: [{ tools: [bash('echo out', 'toolu_1'), bash('exit 7', 'toolu_2')] }] },
    {
      world: await worldWithHooks({ [event]: [commands('./hook.sh')] }, { 'project/hook.sh': `#!/bin/sh\n${hook}\n` }),
      notifyAfterMs: event === 'Notification' ? 1 : 60_000,
      dialog: async ({ signal }) => {
        asked++
        // The first dialog stays open until somebody was notified of it, or a hook has closed it.
        while (event === 'Notification' && notified < 1 && !signal.aborted) await new Promise(setImmediate)
        return { behavior: 'allow' }
      },
      onEvent: ({ type, ...told }) => {
        if (type === 'hook' && 'event' in told && told.event === 'Notification') notified++
      },
    },
  )
  await opened.agent.run('First')
  await opened.agent.run('Second')
  await opened.agent.compact()
  await opened.agent.run('Third')
  await opened.agent.close()
  if (event === 'Notification' && asked === 0) throw new Error('nobody was asked')
  return opened
}
