/** A command of the command line, loaded when it is called. */
export interface Command {
  readonly summary: string
  readonly load: () => Promise<{ readonly usage: string; readonly run: (args: string[]) => Promise<number> }>
}

/** The commands, in the order in which they are shown. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  fire: {
    summary: 'dispatch one event and print what happened',
    load: () => import('./fire.ts'),
  },
  session: {
    summary: 'drive a session: events in, records out, one JSON line each',
    load: () => import('./session.ts'),
  },
}

/** A short map of the commands. */
export function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  return [
    'hookline: the hooks engine for coding agents',
    '',
    'Commands:',
    ...lines,
    '',
    'hookline <command> --help tells more.',
    '',
  ].join('\n')
}
