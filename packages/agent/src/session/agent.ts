import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describeProjectAbove } from 'hookline/internal'
import { fire, fireIfKnown } from '../hooks/fire.ts'
import { waitForWake } from '../hooks/late-results.ts'
import type { McpPrompt } from '../mcp/servers.ts'
import type { Model } from '../models/model.ts'
import { AgentError } from '../output/agent-error.ts'
import type { Usage } from '../output/messages.ts'
import type { TurnEnd } from '../output/result.ts'
import { type AgentResult, type FailedResult, NO_FIGURES, toAgentResult, toFailedResult } from '../output/result.ts'
import type { Component } from '../skills/component.ts'
import { runPrompt } from '../skills/run-prompt.ts'
import { inject, listPrompts, type SaidPrompt } from '../transcript/conversation.ts'
import { compact } from '../turn/compaction.ts'
import { goOnConversing } from '../turn/loop.ts'
import { beginTurn } from '../turn/turn.ts'
import { readEarlierSession } from './earlier-session.ts'
import { FileChanges, type RestoredFiles } from './file-changes.ts'
import { type ModelSwitch, switchModel } from './model-switch.ts'
import { type AgentOptions, type SettledOptions, settleOptions } from './options.ts'
import {
  copyConversation,
  type EndReason,
  type OpenSession,
  openSession,
  type SessionEnding,
  type SessionOpening,
} from './session.ts'
import { type CommandResult, type CommandRun, runUserCommand } from './user-command.ts'

/** Interrupts what is under way. */
interface Abortable {
  readonly signal?: AbortSignal
}

/** Makes an agent and opens its session: SessionStart hooks have run when it resolves, or the signal has ended them. */
export async function createAgent(options: AgentOptions, { signal = NEVER }: Abortable = {}): Promise<Agent> {
  const given = settleOptions(options)
  const changes = new FileChanges()
  const emit: SettledOptions['emit'] = (event) => {
    changes.note(event)
    given.emit(event)
  }
  const settled = { ...given, emit }
  if (options.project === undefined) await tellProjectAbove(settled)
  const earlier = options.resume === undefined ? undefined : await readEarlierSession(settled, options.resume)
  const source = options.fork ? 'fork' : 'resume'
  const beginning: SessionOpening = earlier === undefined ? { source: 'startup' } : { source, earlier }
  const open = await openSession(settled, beginning, signal)
  const { forbidden } = open.session.permissions
  if (forbidden !== null) {
    await open.end('bypass_permissions_disabled')
    throw new AgentError(forbidden)
  }
  return new Agent(settled, open, changes)
}

/** Tells a user who started it below a project that the hooks there do not run. */
async function tellProjectAbove({ places, emit }: Pick<SettledOptions, 'places' | 'emit'>): Promise<void> {
  const above = await describeProjectAbove(places)
  if (above !== null) emit({ type: 'told', to: 'user', text: `${above.because} Fix: ${above.fix}` })
}

/** Switch of a model, where the host does not do it for itself. */
interface ModelSwitchOptions {
  /** Name that was typed; null: nothing was. */
  readonly requested?: string | null
  readonly source?: ModelSwitch['source']
  /** Makes the switch, for a host whose model is exchanged behind the same object. */
  readonly apply?: () => void
}

/** Party that adds a folder: the user with a command, or the host. */
interface DirectoryOptions {
  readonly source?: 'slash_command' | 'register_repo_root'
}

/** A prompt that the conversation can go back to. */
export interface RewindPoint extends SaidPrompt {
  /** Files that were changed since. */
  readonly files: readonly string[]
}

/** Interrupts teammates who still work when their lead's turn is over: no one would read their results. */
async function endTeamwork({ team, session: { turn } }: OpenSession): Promise<void> {
  if (team.working.length > 0) turn.interrupt()
  await team.waitUntilIdle()
}

const NEVER = new AbortController().signal

/** A coding agent in one session; close it. */
export class Agent {
  #options: SettledOptions
  /** Aborts when the agent is closed. */
  readonly #leaving = new AbortController()
  #open: OpenSession
  readonly #changes: FileChanges
  #work: Promise<unknown> | null = null
  #notice: Promise<void> | null = null
  #closed: Promise<void> | null = null

  /** Use `createAgent`. */
  constructor(settled: SettledOptions, open: OpenSession, changes: FileChanges) {
    this.#options = settled
    this.#open = open
    this.#changes = changes
    changes.follow(() => this.#open.loop.messages.length)
  }

  /** The id of the session under way; `clear` begins another. */
  get sessionId(): string {
    return this.#open.session.id
  }

  /** The session's transcript. */
  get transcriptPath(): string {
    return this.#open.session.transcriptPath
  }

  /** The session's hooks. */
  get engine() {
    return this.#open.session.engine
  }

  /** Permissions that the session's calls are held against. */
  get permissions() {
    return this.#open.session.permissions
  }

  /** Slash commands of the project, the user and plugins, by name; `run` knows them. */
  get commands(): ReadonlyMap<string, Component> {
    return this.#open.commands
  }

  /** Prompts of MCP servers, by the names that they are called by; `run` knows them too. */
  get prompts(): ReadonlyMap<string, McpPrompt> {
    return this.#open.servers.prompts
  }

  /** Tokens of the session so far. */
  get usage(): Usage {
    return this.#open.loop.spent
  }

  /** Prompt that a hook wants to be asked before anything else; null: nothing. */
  get firstPrompt(): string | null {
    return this.#open.firstPrompt
  }

  /** Does what the user asks; resolves with the answer, or with what went wrong. Aborting the signal interrupts it. */
  run(prompt: string, { signal }: Abortable = {}): Promise<AgentResult> {
    return this.#turn(signal, (until) => {
      const { loop, commands, servers } = this.#open
      return runPrompt(loop, prompt, { commands, prompts: servers.prompts, signal: until })
    })
  }

  /** Runs a command of the user's own: no hook and no rule is asked, and the model reads of it with the next prompt. */
  runCommand(command: string, { signal, onOutput }: Partial<CommandRun> = {}): Promise<CommandResult> {
    return this.#runAlone(() =>
      runUserCommand(this.#open.loop, command, { signal: this.#joinSignals(signal), onOutput }),
    )
  }

  /** Prompts of the user since the last compaction, with the files that were changed from then on. */
  get points(): readonly RewindPoint[] {
    const prompts = listPrompts(this.#open.loop.messages)
    return prompts.map(({ text, at }) => ({ text, at, files: this.#changes.listSince(at) }))
  }

  /** Goes back to before a prompt; `files`: those that Edit and Write have changed since get the content that they had. */
  rewind({ at }: RewindPoint, { files = false }: { readonly files?: boolean } = {}): Promise<RestoredFiles> {
    return this.#runAlone(async () => {
      const { loop, session } = this.#open
      const { seen } = session.toolContext(null, this.#leaving.signal)
      const restored = files ? await this.#changes.restore(at, seen) : { restored: [], left: [] }
      this.#changes.forget(at)
      loop.messages.splice(at)
      loop.open = []
      loop.transcript.append({ kind: 'rewound' })
      copyConversation(loop)
      await loop.transcript.flush()
      return restored
    })
  }

  /** Lets the model go on without a prompt: a background hook has something to say that cannot wait. */
  wake({ signal }: Abortable = {}): Promise<AgentResult> {
    return this.#turn(signal, (until) => goOnConversing(this.#open.loop, until))
  }

  /** Waits until a background hook asks for `wake`; false: none does, and none runs any more. */
  async waitForWake(): Promise<boolean> {
    const mayAsk = this.engine.list().some(({ hook }) => hook.rewake !== null)
    return mayAsk && waitForWake(this.#open.loop)
  }

  /** A turn, from its beginning to its result. */
  #turn(signal: AbortSignal | undefined, act: (until: AbortSignal) => Promise<TurnEnd>): Promise<AgentResult> {
    return this.#runAlone(async () => {
      const { session, loop, halted } = this.#open
      this.#open.halted = null
      const turn = beginTurn(this.#joinSignals(signal), { promptId: randomUUID() })
      session.turn = turn
      const started = performance.now()
      const { answers, toolCalls } = loop
      const end: TurnEnd = halted === null ? await act(turn.signal) : { ended: 'halted', reason: halted }
      await endTeamwork(this.#open)
      const durationMs = Math.round(performance.now() - started)
      const result = toAgentResult(end, {
        ...{ durationMs, turns: loop.answers - answers, usage: loop.spent },
        ...{ toolCalls: loop.toolCalls - toolCalls, messages: [...loop.messages], denials: turn.denials },
      })
      const { subtype, text } = result
      loop.transcript.append({
        kind: 'result',
        subtype,
        result: text,
        durationMs,
        turns: result.turns,
        usage: loop.spent,
        deferred: result.success ? result.deferred : undefined,
      })
      await loop.transcript.flush()
      return result
    })
  }

  /** Lets another model answer from now on, unless a hook objects; resolves with why it does not, or null. */
  switchModel(
    model: Model,
    { requested = null, source = 'sdk', apply }: ModelSwitchOptions = {},
  ): Promise<string | null> {
    return this.#runAlone(() => {
      const { loop } = this.#open
      const take = (): void => {
        loop.model = model
        this.#options = { ...this.#options, model }
      }
      const change = { to: model.name, requested, source, apply: apply ?? take }
      return switchModel(loop, change, this.#joinSignals())
    })
  }

  /** Adds a folder to those that count as the project does; resolves with why it cannot be, or null. */
  addDirectory(path: string, { source = 'register_repo_root' }: DirectoryOptions = {}): Promise<string | null> {
    return this.#runAlone(async () => {
      const { loop, session } = this.#open
      const directory = resolve(loop.cwd, path)
      const found = await stat(directory).catch(() => null) // the folder is not there
      if (!found?.isDirectory()) return `${directory} is not a folder.`
      const update = { type: 'addDirectories', directories: [directory], destination: 'session' } as const
      const [problem = null] = await session.permissions.update([update])
      if (problem !== null) return problem
      const fired = await fireIfKnown(loop, 'DirectoryAdded', { directory, source }, { signal: this.#joinSignals() })
      for (const { to, text } of fired?.decision.messages ?? []) if (to === 'model') inject(loop, text)
      return null
    })
  }

  /** Sums the conversation up; resolves with what kept it from that, or null. */
  compact(instructions = '', { signal }: Abortable = {}): Promise<FailedResult | null> {
    return this.#runAlone(async () => {
      const { loop } = this.#open
      const started = performance.now()
      const early = await compact(loop, { trigger: 'manual', instructions, signal: this.#joinSignals(signal) })
      const durationMs = Math.round(performance.now() - started)
      return early === null ? null : toFailedResult(early, { ...NO_FIGURES, durationMs, usage: loop.spent })
    })
  }

  /** Ends the session and begins an empty one. */
  clear({ signal }: Abortable = {}): Promise<void> {
    return this.#runAlone(() => this.#replaceSession({ source: 'clear' }, 'clear', signal))
  }

  /** Ends the session and goes on with an earlier one: its id, or `newest`. */
  resume(which: string, { signal }: Abortable = {}): Promise<void> {
    return this.#runAlone(async () => {
      const earlier = await readEarlierSession(this.#options, which)
      await this.#replaceSession({ source: 'resume', earlier }, 'resume', signal)
    })
  }

  /** Fires a Notification beside whatever is under way; what hooks add is for the model's next turn. */
  notify(notification: { readonly type: 'idle_prompt'; readonly message: string }): Promise<void> {
    const { loop } = this.#open
    const fields = { message: notification.message, notification_type: notification.type }
    this.#notice = fire(loop, 'Notification', fields, { signal: this.#leaving.signal }).then(({ contexts }) => {
      if (this.#closed !== null || this.#open.loop !== loop) return // there is no such conversation any more
      for (const text of contexts) inject(loop, text)
    })
    return this.#notice
  }

  /**
   * Interrupts what is under way and ends the session; SessionEnd hooks run, within their time. Hooks in the background
   * are ended, or may finish within `waitMs`. Safe to call twice.
   */
  close(reason: EndReason = 'other', ending: SessionEnding = {}): Promise<void> {
    this.#closed ??= this.#leave(reason, ending)
    return this.#closed
  }

  async #leave(reason: EndReason, ending: SessionEnding): Promise<void> {
    this.#leaving.abort()
    await this.#work?.catch(() => {}) // the caller is told
    await this.#notice?.catch(() => {}) // the same
    await this.#open.end(reason, ending)
  }

  async #replaceSession(beginning: SessionOpening, reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    await this.#open.end(reason)
    this.#open = await openSession(this.#options, beginning, this.#joinSignals(signal)).catch((error: unknown) => {
      this.#closed = Promise.resolve() // there is no session any more
      throw error
    })
    this.#changes.follow(() => this.#open.loop.messages.length)
  }

  /** One thing at a time: a conversation has one thread. */
  async #runAlone<T>(act: () => Promise<T>): Promise<T> {
    if (this.#closed !== null) throw new AgentError('The session has ended.')
    if (this.#work !== null)
      throw new AgentError('The agent is busy with an earlier prompt: wait for it, or interrupt it.')
    const work = act()
    this.#work = work
    try {
      return await work
    } finally {
      this.#work = null
    }
  }

  #joinSignals(signal = NEVER): AbortSignal {
    return AbortSignal.any([signal, this.#leaving.signal])
  }
}
