import type { Callable } from './call.ts'

/** A command of the command line, loaded when it is called. */
export interface Command {
  readonly summary: string
  readonly load: () => Promise<Callable>
}

/** The commands, in the order in which they are shown. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  events: {
    summary: 'the events: their fields, what hooks can decide, who sees what',
    load: () => import('./events.ts'),
  },
  list: {
    summary: 'every configured hook with its place, matcher and state',
    load: () => import('./list.ts'),
  },
  validate: {
    summary: 'hold files with hooks against the rules, and mend what is safe',
    load: () => import('./validate.ts'),
  },
  match: {
    summary: 'how a matcher is understood, and what it hits',
    load: () => import('./match.ts'),
  },
  explain: {
    summary: 'what an event would do with every hook, without running any',
    load: () => import('./explain.ts'),
  },
  fire: {
    summary: 'dispatch one event and print what happened',
    load: () => import('./fire.ts'),
  },
  session: {
    summary: 'drive a session: events in, records out, one JSON line each',
    load: () => import('./session.ts'),
  },
  log: {
    summary: 'what was recorded: one line per event',
    load: () => import('./log.ts'),
  },
  stats: {
    summary: 'what each hook did and took, from what was recorded',
    load: () => import('./stats.ts'),
  },
  test: {
    summary: 'hold hooks against cases: events, and what is expected of them',
    load: () => import('./test.ts'),
  },
  replay: {
    summary: "run today's hooks on old sessions, and show what would differ",
    load: () => import('./replay.ts'),
  },
  'check-races': {
    summary: 'find hooks whose answers depend on which of them ends last',
    load: () => import('./check-races.ts'),
  },
  trust: {
    summary: "show, accept or revoke a project's hooks",
    load: () => import('./trust.ts'),
  },
  add: {
    summary: 'add a hook to a settings file',
    load: () => import('./add.ts'),
  },
  remove: {
    summary: 'remove a hook from a settings file',
    load: () => import('./remove.ts'),
  },
  init: {
    summary: 'make a new hook: a script and the entry that runs it',
    load: () => import('./init.ts'),
  },
  doctor: {
    summary: 'look at everything that hooks depend on',
    load: () => import('./doctor.ts'),
  },
  schema: {
    summary: 'print a JSON Schema: settings, record, or an event',
    load: () => import('./schema.ts'),
  },
  completion: {
    summary: 'print a script that completes commands in your shell',
    load: async () => {
      const { runWith, usage } = await import('./completion.ts')
      return { usage, run: (args) => runWith(COMMANDS, args) }
    },
  },
}
