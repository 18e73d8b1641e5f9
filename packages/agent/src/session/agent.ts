import { randomUUID } from 'node:crypto'
import { fire } from '../hooks/fire.ts'
import { AgentError } from '../output/agent-error.ts'
import type { Usage } from '../output/messages.ts'
import type { TurnEnd } from '../output/result.ts'
import { type AgentResult, type FailedResult, failedResult, NO_FIGURES, resultOf } from '../output/result.ts'
import type { Component } from '../skills/component.ts'
import { runPrompt } from '../skills/run-prompt.ts'
import { inject } from '../transcript/conversation.ts'
import { compact } from '../turn/compaction.ts'
import { beginTurn } from '../turn/turn.ts'
import { earlierSession } from './earlier-session.ts'
import { type AgentOptions, type SettledOptions, settleOptions } from './options.ts'
import { type Beginning, type Ending, type EndReason, type OpenSession, openSession } from './session.ts'

/** Interrupts what is under way. */
interface Abortable {
  readonly signal?: AbortSignal
}

/** Makes an agent and opens its session: SessionStart hooks have run when it resolves, or the signal has ended them. */
export async function createAgent(options: AgentOptions, { signal = NEVER }: Abortable = {}): Promise<Agent> {
  const settled = settleOptions(options)
  const earlier = options.resume === undefined ? undefined : await earlierSession(settled, options.resume)
  const beginning = earlier === undefined ? ({ source: 'startup' } as const) : ({ source: 'resume', earlier } as const)
  const open = await openSession(settled, beginning, signal)
  const { forbidden } = open.session.permissions
  if (forbidden !== null) {
    await open.end('bypass_permissions_disabled')
    throw new AgentError(forbidden)
  }
  return new Agent(settled, open)
}

/** Interrupts teammates who still work when their lead's turn is over: no one would read their results. */
async function endTeamwork({ team, session: { turn } }: OpenSession): Promise<void> {
  if (team.working.length > 0) turn.interrupt()
  await team.idle()
}

const NEVER = new AbortController().signal

/** A coding agent in one session; close it. */
export class Agent {
  readonly #options: SettledOptions
  /** Aborts when the agent is closed. */
  readonly #leaving = new AbortController()
  #open: OpenSession
  #work: Promise<unknown> | null = null
  #notice: Promise<void> | null = null
  #closed: Promise<void> | null = null

  /** Use `createAgent`. */
  constructor(settled: SettledOptions, open: OpenSession) {
    this.#options = settled
    this.#open = open
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

  /** What the session's calls are held against. */
  get permissions() {
    return this.#open.session.permissions
  }

  /** Slash commands of the project, the user and plugins, by name; `run` knows them. */
  get commands(): ReadonlyMap<string, Component> {
    return this.#open.commands
  }

  /** Tokens of the session so far. */
  get usage(): Usage {
    return this.#open.loop.spent
  }

  /** Does what the user asks; resolves with the answer, or with what went wrong. Aborting the signal interrupts it. */
  run(prompt: string, { signal }: Abortable = {}): Promise<AgentResult> {
    return this.#alone(async () => {
      const { session, loop, commands, halted } = this.#open
      this.#open.halted = null
      const turn = beginTurn(this.#either(signal), { promptId: randomUUID() })
      session.turn = turn
      const started = performance.now()
      const { answers, toolCalls } = loop
      const end: TurnEnd =
        halted === null
          ? await runPrompt(loop, prompt, { commands, signal: turn.signal })
          : { ended: 'halted', reason: halted }
      await endTeamwork(this.#open)
      const durationMs = Math.round(performance.now() - started)
      const result = resultOf(end, {
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

  /** Sums the conversation up; resolves with what kept it from that, or null. */
  compact(instructions = '', { signal }: Abortable = {}): Promise<FailedResult | null> {
    return this.#alone(async () => {
      const { loop } = this.#open
      const started = performance.now()
      const early = await compact(loop, { trigger: 'manual', instructions, signal: this.#either(signal) })
      const durationMs = Math.round(performance.now() - started)
      return early === null ? null : failedResult(early, { ...NO_FIGURES, durationMs, usage: loop.spent })
    })
  }

  /** Ends the session and begins an empty one. */
  clear({ signal }: Abortable = {}): Promise<void> {
    return this.#alone(() => this.#replaceBy({ source: 'clear' }, 'clear', signal))
  }

  /** Ends the session and goes on with an earlier one: its id, or `newest`. */
  resume(which: string, { signal }: Abortable = {}): Promise<void> {
    return this.#alone(async () => {
      const earlier = await earlierSession(this.#options, which)
      await this.#replaceBy({ source: 'resume', earlier }, 'resume', signal)
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
  close(reason: EndReason = 'other', ending: Ending = {}): Promise<void> {
    this.#closed ??= this.#leave(reason, ending)
    return this.#closed
  }

  async #leave(reason: EndReason, ending: Ending): Promise<void> {
    this.#leaving.abort()
    await this.#work?.catch(() => {}) // its caller is told
    await this.#notice?.catch(() => {}) // the same
    await this.#open.end(reason, ending)
  }

  async #replaceBy(beginning: Beginning, reason: EndReason, signal: AbortSignal | undefined): Promise<void> {
    await this.#open.end(reason)
    this.#open = await openSession(this.#options, beginning, this.#either(signal)).catch((error: unknown) => {
      this.#closed = Promise.resolve() // there is no session any more
      throw error
    })
  }

  /** One thing at a time: a conversation has one thread. */
  async #alone<T>(act: () => Promise<T>): Promise<T> {
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

  #either(signal = NEVER): AbortSignal {
    return AbortSignal.any([signal, this.#leaving.signal])
  }
}
