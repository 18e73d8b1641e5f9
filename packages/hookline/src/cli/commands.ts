import type { Command } from './start/call.ts'

/** The commands, in the order in which they are shown. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  events: {
    summary: 'the events: their fields, what hooks can decide, who sees what',
    load: () => import('./commands/events/events.ts'),
  },
  list: {
    summary: 'every configured hook with its place, matcher and state',
    load: () => import('./commands/list/list.ts'),
  },
  validate: {
    summary: 'check files with hooks against the rules, and fix what is safe',
    load: () => import('./commands/validate/validate.ts'),
  },
  match: {
    summary: 'how a matcher is understood, and what it matches',
    load: () => import('./commands/match/match.ts'),
  },
  explain: {
    summary: 'what an event would do with every hook, without running any',
    load: () => import('./commands/explain/explain.ts'),
  },
  fire: {
    summary: 'dispatch one event and print what happened',
    load: () => import('./commands/fire/fire.ts'),
  },
  session: {
    summary: 'drive a session: events in, records out, one JSON line each',
    load: () => import('./commands/session/session.ts'),
  },
  log: {
    summary: 'what was recorded: one line per event',
    load: () => import('./commands/log/log.ts'),
  },
  stats: {
    summary: 'what each hook did and took, from what was recorded',
    load: () => import('./commands/stats/stats.ts'),
  },
  test: {
    summary: 'run hooks on cases: events, and what is expected of them',
    load: () => import('./commands/test/test.ts'),
  },
  replay: {
    summary: "run today's hooks on old sessions, and show what would differ",
    load: () => import('./commands/replay/replay.ts'),
  },
  'check-races': {
    summary: 'find hooks whose answers depend on which of them ends last',
    load: () => import('./commands/check-races/check-races.ts'),
  },
  trust: {
    summary: "show, accept or revoke a project's hooks",
    load: () => import('./commands/trust/trust.ts'),
  },
  add: {
    summary: 'add a hook to a settings file',
    load: () => import('./commands/add/add.ts'),
  },
  remove: {
    summary: 'remove a hook from a settings file',
    load: () => import('./commands/remove/remove.ts'),
  },
  init: {
    summary: 'make a new hook: a script and the entry that runs it',
    load: () => import('./commands/init/init.ts'),
  },
  doctor: {
    summary: 'look at everything that hooks depend on',
    load: () => import('./commands/doctor/doctor.ts'),
  },
  schema: {
    summary: 'print a JSON Schema: settings, record, or an event',
    load: () => import('./commands/schema/schema.ts'),
  },
  completion: {
    summary: 'print a script that completes commands in your shell',
    load: async () => {
      const { runWith, usage } = await import('./commands/completion/completion.ts')
      return { usage, run: (args) => runWith(COMMANDS, args) }
    },
  },
}
