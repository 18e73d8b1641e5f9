import type { Command } from './start/call.ts'

/** The commands. `GROUPS` says which are shown first; `hookline help --all` shows all, in this order. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  events: {
    summary: 'the events: their fields, what hooks can decide, who sees what',
    when: 'When you write a hook and want to know what it gets, what it may answer, and who reads that.',
    load: () => import('./commands/events/events.ts'),
  },
  list: {
    summary: 'every configured hook with its place, matcher and state',
    when: 'When you want to see every hook there is, wherever it is written, and which of them can run at all.',
    load: () => import('./commands/list/list.ts'),
  },
  validate: {
    summary: 'check files with hooks against the rules, and fix what is safe',
    when: 'Before you rely on a configuration, and in CI: every fault with its place and what to do about it.',
    load: () => import('./commands/validate/validate.ts'),
  },
  match: {
    summary: 'how a matcher is understood, and what it matches',
    when: 'When a matcher does not match what you meant.',
    load: () => import('./commands/match/match.ts'),
  },
  why: {
    summary: 'why a hook does not run: the likely cause, and the fix',
    when: 'When a hook does not fire and you do not know where to look: the most likely cause in one sentence, and what to do about it.',
    load: () => import('./commands/why/why.ts'),
  },
  explain: {
    summary: 'what an event would do with every hook, without running any',
    when: 'When a hook does not fire: it says of every hook, without running one, what an event would do with it, and why.',
    load: () => import('./commands/explain/explain.ts'),
  },
  fire: {
    summary: 'dispatch one event and print what happened',
    when: 'When you want to see a hook at work, without an agent and without a token.',
    load: () => import('./commands/fire/fire.ts'),
  },
  session: {
    summary: 'drive a session: events in, records out, one JSON line each',
    when: 'When a host in another language drives the engine, or a test sends several events.',
    load: () => import('./commands/session/session.ts'),
  },
  bridge: {
    summary: 'run hooks of Claude Code in other coding agents',
    when: 'When your team uses several agents, and the same hooks should work in all of them.',
    load: () => import('./commands/bridge/bridge.ts'),
  },
  resident: {
    summary: 'the process that answers calls of agents sooner',
    when: 'When you want to know whether calls of agents are answered by the resident engine, or want it to end.',
    load: () => import('./commands/resident/resident.ts'),
  },
  ship: {
    summary: 'send records to the fleet that this machine is in',
    when: 'When your organisation keeps what hooks did on its machines, or you want to see exactly what would leave yours.',
    load: () => import('./commands/ship/ship.ts'),
  },
  wrap: {
    summary: 'run one hook for whichever agent calls it',
    when: 'When an agent loads `.claude/settings.json` by itself, and its hooks cannot read what that sends.',
    load: () => import('./commands/wrap/wrap.ts'),
  },
  tap: {
    summary: 'record what hooks do in Claude Code',
    when: 'When your host is Claude Code, and you want to know what its hooks did: did it fire, what did it say, how long did it take.',
    load: () => import('./commands/tap/tap.ts'),
  },
  guard: {
    summary: 'guards against harm: what would a call do, and may it',
    when: 'When an agent should not lose your files, secrets or history by mistake, in whichever agent you work.',
    load: () => import('./commands/guard/guard.ts'),
  },
  effects: {
    summary: 'what a call would read, write, delete, run, send and change',
    when: 'When you write a guard of your own, in any language: the effects of a call instead of its text.',
    load: () => import('./commands/effects/effects.ts'),
  },
  mcp: {
    summary: 'run an MCP server behind hooks, for clients that have none',
    when: 'When an MCP client has no hooks of its own, or a server is to be guarded whichever client uses it.',
    load: () => import('./commands/mcp/mcp.ts'),
  },
  log: {
    summary: 'what was recorded: one line per event',
    when: 'When you want to know what your hooks did yesterday: every event that was recorded, with what became of it.',
    load: () => import('./commands/log/log.ts'),
  },
  stats: {
    summary: 'what each hook did and took, from what was recorded',
    when: 'When hooks feel slow or noisy: per hook how often it ran, objected and failed, how long it took, and what it put into the context.',
    load: () => import('./commands/stats/stats.ts'),
  },
  inspect: {
    summary: 'a page that shows what hooks did, would do, and cost',
    when: 'When you would rather look than read lines: at a session as a picture, at the call that waited, at all hooks with their states and figures.',
    load: () => import('./commands/inspect/inspect.ts'),
  },
  test: {
    summary: 'run test cases against your hooks',
    when: 'When a hook must keep doing what it does: cases beside the hooks, run with the real configuration, in CI as well.',
    load: () => import('./commands/test/test.ts'),
  },
  replay: {
    summary: "run today's hooks on old sessions, and show what would differ",
    when: 'When you change a hook and want to know what it would have done with the sessions you had.',
    load: () => import('./commands/replay/replay.ts'),
  },
  'check-races': {
    summary: 'find hooks whose answers depend on which of them ends last',
    when: 'When several hooks speak about one call: which of them would decide otherwise if they finished in another order.',
    load: () => import('./commands/check-races/check-races.ts'),
  },
  trust: {
    summary: "show, trust or revoke a project's hooks",
    when: 'When hooks of a folder are `untrusted`: what would run, what changed since you trusted it, and how to trust or revoke it.',
    load: () => import('./commands/trust/trust.ts'),
  },
  profile: {
    summary: 'show or choose the version of the protocol',
    when: "When a project uses hooks of today's Claude Code, or you want to know which version of the protocol applies, and why.",
    load: () => import('./commands/profile/profile.ts'),
  },
  add: {
    summary: 'add a hook to a settings file',
    when: 'When you want a hook in a settings file without editing it by hand.',
    load: () => import('./commands/add/add.ts'),
  },
  remove: {
    summary: 'remove a hook from a settings file',
    when: 'When you want to take a hook out again; the rest of the file stays as it is, to the byte.',
    load: () => import('./commands/remove/remove.ts'),
  },
  init: {
    summary: 'make a new hook: a script and the entry that runs it',
    when: 'When you start a new hook: it writes a script that works and the entry that runs it.',
    load: () => import('./commands/init/init.ts'),
  },
  doctor: {
    summary: 'look at everything that hooks depend on',
    when: 'When nothing helps: what is read from where, what is missing, what is off and why.',
    load: () => import('./commands/doctor/doctor.ts'),
  },
  schema: {
    summary: 'print a JSON Schema: settings, record, or an event',
    when: 'When an editor or a program wants the JSON Schema of settings, records, inputs or answers.',
    load: () => import('./commands/schema/schema.ts'),
  },
  completion: {
    summary: 'print a script that completes commands in your shell',
    when: 'When you want your shell to complete commands, flags and event names.',
    load: async () => {
      const { runWith, usage } = await import('./commands/completion/completion.ts')
      return { usage, run: (args) => runWith(COMMANDS, args) }
    },
  },
}
