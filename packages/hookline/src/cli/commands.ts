/** A command of the command line, loaded when it is called. */
export interface Command {
  readonly summary: string
  readonly load: () => Promise<{ readonly usage: string; readonly run: (args: string[]) => Promise<number> }>
}

/** The commands, in the order in which they are shown. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  events: {
    summary: 'the events: their fields, what their hooks can decide, who sees what',
    load: () => import('./events.ts'),
  },
  list: {
    summary: 'every configured hook with its place, matcher and state',
    load: () => import('./list.ts'),
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
}
