import { type Agent, createAgent } from '../agent.ts'
import type { AgentEvent } from '../agent-event.ts'
import { chooseModel, isScript, isUnconfigured } from '../models/choose-model.ts'
import { type Model, ModelError } from '../models/model.ts'
import { AgentError, type AgentOptions } from '../options.ts'
import type { AgentResult } from '../result.ts'
import type { EndReason } from '../session.ts'
import { runSlashCommand } from '../slash-command.ts'
import { ask, askForWords } from './ask.ts'
import { banner } from './banner.ts'
import { commandOf } from './commands.ts'
import { type CurrentModel, currentModel } from './current-model.ts'
import { decideTrust } from './decide-trust.ts'
import type { Dialog } from './dialog.ts'
import { EMPTY } from './editor.ts'
import { NO_HISTORY, recalled, remembered } from './history.ts'
import { IdleTimer } from './idle-timer.ts'
import type { Item } from './item.ts'
import { playedModel } from './play-model.ts'
import { shown, withItems } from './show-event.ts'
import { INITIAL, type State } from './state.ts'
import { statusOf } from './status.ts'
import { StatusLine } from './status-line.ts'
import { createStore, type Store } from './store.ts'

/** How a terminal is opened. */
export interface HostOptions {
  /** Without the model and what the terminal itself is asked. */
  readonly agent: Omit<AgentOptions, 'model' | 'trust'>
  /** The name of a model; null: the usual one. */
  readonly model: string | null
  /** The folder counts as accepted. */
  readonly trusted: boolean
  /** Absolute, as the home is. */
  readonly project: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Categories of the debug log, which is part of the verbose view. */
  readonly debug: readonly string[]
  /** What is asked first; empty: nothing. */
  readonly prompt: string
  readonly version: string
  /** Milliseconds without a key before hooks hear that the person is waited for. */
  readonly idleAfterMs: number
}

/** A second Ctrl+C within this time leaves. */
const TWICE_MS = 2000
/** Items that are kept when the screen is drawn anew. */
const MOST_ITEMS = 400

/** A session in a terminal: what the views show, and what keys do. Views and keys know nothing of each other. */
export class TerminalHost {
  readonly store: Store<State> = createStore(INITIAL)
  readonly options: HostOptions
  /** Resolves when the session is over. */
  readonly ended: Promise<void>
  readonly started = new Date()
  /** Called before everything is drawn anew. */
  onRedraw: () => void = () => {}
  readonly #leaving = new AbortController()
  readonly #statusLine: StatusLine
  readonly #idle: IdleTimer
  #agent: Agent | null = null
  #current: CurrentModel | null = null
  #turn: AbortController | null = null
  #history = NO_HISTORY
  #interruptedAt = Number.NEGATIVE_INFINITY
  #settle: { resolve: () => void; reject: (error: unknown) => void } = { resolve: () => {}, reject: () => {} }

  constructor(options: HostOptions) {
    this.options = options
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.#statusLine = new StatusLine((text) => this.#change({ statusLine: text }))
    this.#idle = new IdleTimer(options.idleAfterMs, () => void this.#tellIdle())
  }

  /** The agent, once its session is open. */
  get agent(): Agent | null {
    return this.#agent
  }

  /** The model that answers now. */
  get modelName(): string {
    return this.#current?.model.name ?? ''
  }

  /** Opens the session; whether the folder is trusted is settled before anything of it runs. */
  async open(): Promise<void> {
    try {
      this.#change({ work: 'Starting' })
      const chosen = await this.#modelOf(this.options.model)
      this.#current = currentModel(chosen)
      this.say(banner({ ...this.options, played: chosen.name === 'you', model: chosen.name }))
      await this.askForTrust()
      this.#agent = await createAgent(this.#agentOptions(this.#current.model), { signal: this.#leaving.signal })
      this.#rest()
      if (this.options.prompt !== '') this.submit(this.options.prompt)
    } catch (error) {
      if (!this.#leaving.signal.aborted) this.#settle.reject(error)
    }
  }

  /** Takes what was typed: a model's words, a command, or a prompt. */
  submit(text: string): void {
    const { playing, work, queued } = this.store.get()
    const [played] = playing
    const command = commandOf(text)
    if (command?.anytime) void this.#run(() => command.run(this, text))
    else if (played) played.answer(text)
    else if (text.trim() === '') return
    else if (work !== null) this.#change({ queued: [...queued, text] })
    else void this.#work(text)
  }

  /** Keeps what was typed, to be recalled. */
  remember(text: string): void {
    if (text.trim() !== '') this.#history = remembered(this.#history, text)
  }

  /** What was typed before, or after that; null: nothing further. */
  recall(by: -1 | 1): string | null {
    const found = recalled(this.#history, by, this.store.get().editor.text)
    if (found) this.#history = found.history
    return found?.text ?? null
  }

  /** Shows something of the terminal's own. */
  say(...items: readonly Item[]): void {
    this.store.set((state) => withItems(state, ...items))
  }

  /** A key was pressed: the person is there. */
  stir(): void {
    this.#idle.stir()
    if (this.store.get().hint !== null) this.#change({ hint: null })
  }

  /** Interrupts the turn; whether there was one. */
  interrupt(): boolean {
    if (this.#turn === null) return false
    this.#turn.abort()
    this.#change({ queued: [] })
    return true
  }

  /** Ctrl+C: interrupts, or empties the input; twice, it leaves. */
  cancel(): void {
    const now = performance.now()
    if (now - this.#interruptedAt < TWICE_MS) return void this.leave('prompt_input_exit')
    this.#interruptedAt = now
    this.interrupt()
    this.#change({ editor: EMPTY, hint: 'Ctrl+C again leaves' })
  }

  /** Ends the session; its hooks run, within their time. */
  async leave(reason: EndReason): Promise<void> {
    if (this.#leaving.signal.aborted) return
    this.#leaving.abort()
    this.#idle.close()
    this.#statusLine.close()
    this.#change({ work: 'Ending the session', dialogs: [], playing: [], queued: [], hint: null })
    try {
      await this.#agent?.close(reason)
      this.#settle.resolve()
    } catch (error) {
      this.#settle.reject(error)
    }
  }

  /** Exchanges the model; rejects with a ModelError that says what is wrong with the name. */
  async exchangeModel(name: string): Promise<void> {
    this.#current?.exchange(await this.#modelOf(name === 'you' ? null : name, name === 'you'))
    this.refreshStatus()
  }

  /** Goes on with another session, or an empty one. */
  async change(begin: (agent: Agent, signal: AbortSignal) => Promise<void>): Promise<void> {
    const agent = this.#agent
    if (agent === null) return
    await this.askForTrust()
    this.onRedraw()
    this.store.set((state) => ({
      ...state,
      ...{ items: [], calls: [], saying: '', hooks: [], usage: INITIAL.usage, cost: null, runs: new Map() },
      drawing: state.drawing + 1,
    }))
    await begin(agent, this.#turn?.signal ?? this.#leaving.signal)
  }

  /** Draws the screen anew, from the items that are kept. */
  redraw(change: Partial<State> = {}): void {
    this.onRedraw()
    this.store.set((state) => ({
      ...state,
      ...change,
      items: state.items.slice(-MOST_ITEMS),
      drawing: state.drawing + 1,
    }))
  }

  /** Shows a dialog; rejects when the turn or the session ends before it is answered. */
  ask<Answer>(
    dialogOf: (answer: (value: Answer) => void) => Dialog,
    signal: AbortSignal = this.#turn?.signal ?? this.#leaving.signal,
  ): Promise<Answer> {
    return ask(this.store, dialogOf, AbortSignal.any([signal, this.#leaving.signal]))
  }

  /** Asks whether the folder's hooks may run, unless that is settled. */
  askForTrust(): Promise<void> {
    if (this.options.trusted) return Promise.resolve()
    return decideTrust(this.options.agent, (question) =>
      this.ask<boolean>((answer) => ({ kind: 'trust', question, answer })),
    )
  }

  /** The status line may have changed. */
  refreshStatus(): void {
    const agent = this.#agent
    if (agent === null || this.#leaving.signal.aborted) return
    this.#statusLine.refresh(agent.engine, () => statusOf(this))
  }

  #agentOptions(model: Model): AgentOptions {
    const { env, project, debug, agent } = this.options
    const write = (line: string): void => this.say({ kind: 'hook', text: line })
    return {
      ...agent,
      model,
      ...(isScript(model) ? {} : { modelOf: (name) => chooseModel(name, { env, cwd: project }) }),
      ...(debug.length === 0 ? {} : { debug: { categories: debug, write } }),
      trust: this.options.trusted ? 'accepted' : 'stored',
      onEvent: (event) => this.#show(event),
      dialog: (question) => this.ask((answer) => ({ kind: 'permission', question, answer }), question.signal),
      elicit: (question) => this.ask((answer) => ({ kind: 'form', question, answer }), question.signal),
    }
  }

  async #modelOf(name: string | null, played = false): Promise<Model> {
    const { env, project } = this.options
    const chosen = played ? null : await chooseModel(name, { env, cwd: project })
    if (chosen !== null && !isUnconfigured(chosen)) return chosen
    return playedModel((as, signal) => askForWords(this.store, as, signal))
  }

  #show(event: AgentEvent): void {
    this.store.set((state) => shown(state, event, { model: this.modelName, now: new Date() }))
    if (event.type === 'message' || event.type === 'mode' || event.type === 'session') this.refreshStatus()
  }

  /** One prompt or command, from its reading to its end. */
  async #work(text: string): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.#idle.close()
    this.#change({ work: 'Thinking' })
    await this.#run(() => this.#answer(text, AbortSignal.any([turn.signal, this.#leaving.signal])))
    this.#turn = null
    this.#rest()
  }

  async #answer(text: string, signal: AbortSignal): Promise<void> {
    const agent = this.#agent
    if (agent === null) return
    const command = commandOf(text)
    if (command) return command.run(this, text)
    const typed = await runSlashCommand(agent, text, { signal })
    if (typed === null) return this.#tell(await agent.run(text, { signal }))
    this.say({ kind: 'note', text: typed.text, tone: typed.failed === null ? 'plain' : 'bad' })
    if (typed.ends !== null) await this.leave(typed.ends)
  }

  /** Says what kept a prompt from its answer. */
  #tell(result: AgentResult): void {
    if (result.success || result.subtype === 'error_stopped_by_hook') return // a halt was told when it came
    const tone = result.subtype === 'error_interrupted' ? 'plain' : 'bad'
    this.say({ kind: 'note', text: result.error, tone })
  }

  /** Does something; mistakes are told, faults of ours end the terminal. */
  async #run(act: () => Promise<void> | void): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (this.#leaving.signal.aborted || (error instanceof Error && error.name === 'AbortError')) return
      if (isMistake(error)) return this.say({ kind: 'note', text: error.message, tone: 'bad' })
      this.#settle.reject(error)
    }
  }

  /** The person's turn: what waits is done, else they are waited for. */
  #rest(): void {
    if (this.#leaving.signal.aborted) return
    const [next, ...queued] = this.store.get().queued
    this.#change({ work: null, saying: '', calls: [], hooks: [], queued })
    this.refreshStatus()
    if (next !== undefined) return void this.#work(next)
    this.#idle.start()
  }

  async #tellIdle(): Promise<void> {
    const agent = this.#agent
    if (agent === null || this.store.get().work !== null) return
    await this.#run(() => agent.notify({ type: 'idle_prompt', message: 'The agent is waiting for your input' }))
  }

  #change(change: Partial<State>): void {
    this.store.set((state) => ({ ...state, ...change }))
  }
}

function isMistake(error: unknown): error is Error {
  return (
    error instanceof AgentError ||
    error instanceof ModelError ||
    (error instanceof Error && error.name === 'HooklineError')
  )
}
