import { expect, it } from 'vitest'
import { formatRecord } from '../../src/cli/view/record-view.ts'
import { openTerminal } from '../../src/cli/view/terminal.ts'
import { answering, commands, makeWorld, openOn } from '../support/project.ts'

/** What a hook of an event may ask of the host, and how it is shown. */
const ASKED = [
  ['MessageDisplay', { displayContent: 'shorter' }, 'shown    shorter'],
  ['SessionStart', { sessionTitle: 'Tests', watchPaths: ['a'], reloadSkills: true }, 'title    Tests'],
  ['SessionStart', { watchPaths: [] }, 'watch    []'],
  ['SessionStart', { reloadSkills: true }, 'skills   yes'],
  ['PermissionDenied', { retry: true }, 'retry    yes'],
  ['Elicitation', { action: 'decline' }, 'answer   {"action":"decline","content":null}'],
] as const

it.each(ASKED)('shows what a hook of %s asked of the host: %o', async (event, asked, shown) => {
  const answer = answering({ hookSpecificOutput: { hookEventName: event, ...asked } })
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { [event]: [commands(answer)] } } })
  const engine = await openOn(world, { profile: 'current' })
  const { example } = engine.profile.events.get(event) ?? {}
  const record = await engine.dispatch({ hook_event_name: event, ...example } as never) // an event of its own
  const lines = formatRecord(record, openTerminal(process.stdout, { NO_COLOR: '1' }))
  expect(lines.join('\n')).toContain(shown)
})
