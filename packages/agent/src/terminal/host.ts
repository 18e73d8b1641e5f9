import type { PermissionQuestion } from '../call/ask-user.ts'
import { formatBlockedPromptForUser } from '../hooks/words.ts'
import { ModelError } from '../models/model.ts'
import { AgentError } from '../output/agent-error.ts'
import type { AgentEvent } from '../output/events.ts'
import type { AgentResult } from '../output/result.ts'
import { type Agent, createAgent, type RewindPoint } from '../session/agent.ts'
import type { AgentOptions } from '../session/options.ts'
import type { EndReason } from '../session/session.ts'
import { runSlashCommand } from '../session/slash-command.ts'
import { EXIT_PLAN_MODE } from '../tools/exit-plan-mode.ts'
import { makeHistoryPath } from '../transcript/sessions.ts'
import { COMMAND_NAMES, findCommand } from './commands.ts'
import { askDialog, askForWords } from './dialogs/ask.ts'
import { decideTrust } from './dialogs/decide-trust.ts'
import { SessionInspector } from './inspector.ts'
import { EMPTY, makeEditor } from './keys/editor.ts'
import { NO_SCREEN, type Screen } from './screen.ts'
import { makeBanner } from './state/banner.ts'
import type { Dialog } from './state/dialog.ts'
import { chooseExchangeable, type ExchangeableModel, isPlayedByUser } from './state/exchangeable-model.ts'
import { addEarlier, removeEntry } from './state/history.ts'
import { keepEntry, readHistory } from './state/history-file.ts'
import { nameHookState } from './state/hook-text.ts'
import { IdleTimer } from './state/idle-timer.ts'
import type { Item } from './state/item.ts'
import { addItems, releaseObjections, showEvent } from './state/show-event.ts'
import { INITIAL, makeEmptyState, redrawState, type State } from './state/state.ts'
import { makeStatus } from './state/status.ts'
import { StatusLine } from './state/status-line.ts'
import { createStore, type Store } from './state/store.ts'
import { readStoredTheme } from './state/stored-theme.ts'
import { TypedAhead } from './state/typed-ahead.ts'
import { findWantedChange } from './text/hunks.ts'

/** Options of a terminal. */
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
  /** Prompt that is asked first; empty: nothing. */
  readonly prompt: string
  readonly version: string
  /** Milliseconds without a key before hooks hear that the user is waited for. */
  readonly idleAfterMs: number
  /** Milliseconds that the user has to pause before a key answers a dialog that appeared by itself. */
  readonly answerAfterMs: number
}

/** A second Ctrl+C within this time leaves. */
const TWICE_MS = 2000

/** A session in a terminal: what the views show, and what keys do. Views and keys know nothing of each other. */
export class TerminalHost {
  readonly store: Store<State> = createStore(INITIAL)
  readonly options: HostOptions
  /** Resolves when the session is over. */
  readonly ended: Promise<void>
  readonly started = new Date()
  /** Keys that answer the dialog on the screen, and keys for the prompt. */
  readonly typedAhead: TypedAhead
  /** The page that shows what hooks did, where it was asked for. */
  readonly inspector = new SessionInspector()
  /** The screen that it is drawn on; a terminal that goes line by line has none. */
  screen: Screen = NO_SCREEN
  /** Sends something to the terminal itself: a title, a notification or a bell, and nothing else. */
  onSequence: (sequence: string) => void = () => {}
  readonly #leaving = new AbortController()
  readonly #statusLine: StatusLine
  readonly #idle: IdleTimer
  #opening: Promise<void> = Promise.resolve()
  #agent: Agent | null = null
  #model: ExchangeableModel | null = null
  #turn: AbortController | null = null
  #interruptedAt = Number.NEGATIVE_INFINITY
  #escapedAt = Number.NEGATIVE_INFINITY
  /** Text that was typed for the turn under way, until it is part of the conversation. */
  #typed: string | null = null
  #settle: { resolve: () => void; reject: (error: unknown) => void } = { resolve: () => {}, reject: () => {} }

  constructor(options: HostOptions) {
    this.options = options
    this.typedAhead = new TypedAhead(options.answerAfterMs)
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.#statusLine = new StatusLine(
      (text) => this.#change({ statusLine: text }),
      (text) => this.print({ kind: 'note', text, tone: 'bad' }),
    )
    this.#idle = new IdleTimer(options.idleAfterMs, () => void this.#tellIdle())
  }

  /** The agent, once its session is open. */
  get agent(): Agent | null {
    return this.#agent
  }

  /** The model that answers now. */
  get modelName(): string {
    return this.#model?.model.name ?? ''
  }

  /** Tokens that fit into a request to it. */
  get contextWindow(): number {
    return this.#model?.model.contextWindow ?? 0
  }

  /** Milliseconds that models have taken to answer. */
  get answeringMs(): number {
    return this.#model?.answeringMs ?? 0
  }

  /** Opens the session; resolves when the user may type, or the session is over already. */
  open(): Promise<void> {
    this.#opening = this.#open().catch((error: unknown) => {
      if (!this.#leaving.signal.aborted) this.#settle.reject(error)
    })
    return this.#opening
  }

  /** Takes what was typed: a model's words, a command, or a prompt. */
  submit(text: string): void {
    const { playing, work, queued } = this.store.get()
    const [played] = playing
    const command = findCommand(text)
    if (command !== null) void keepEntry(this.#historyPath, text)
    if (command?.anytime) void this.#run(() => command.run(this, text))
    else if (played) played.answer(text)
    else if (text.trim() === '') return
    else if (work !== null) this.#change({ queued: [...queued, text] })
    else void this.#work(text)
  }

  /** Shows something of the terminal's own. */
  print(...items: readonly Item[]): void {
    this.store.set((state) => addItems(state, ...items))
  }

  /** A key was pressed: the user is there. */
  noteKeyPress(): void {
    this.#idle.restart()
    if (this.store.get().hint !== null) this.#change({ hint: null })
  }

  /** Interrupts the turn; whether there was one. */
  interrupt(): boolean {
    if (this.#turn === null) return false
    this.#turn.abort()
    const { queued, editor } = this.store.get()
    const typed = [...queued, editor.text].filter((text) => text !== '').join('\n')
    if (queued.length > 0) this.#change({ queued: [], editor: makeEditor(typed) }) // none of it is lost
    return true
  }

  /** Esc: interrupts; twice, it empties the input, or goes back to an earlier prompt. */
  escape(): void {
    if (this.interrupt()) return
    const now = performance.now()
    const isTwice = now - this.#escapedAt < TWICE_MS
    this.#escapedAt = isTwice ? Number.NEGATIVE_INFINITY : now
    const isEmpty = this.store.get().editor.text === ''
    if (isTwice && isEmpty) this.submit('/rewind')
    else if (isTwice) this.#change({ editor: EMPTY })
    else
      this.#change({ hint: isEmpty ? 'Press Esc again to go back to an earlier prompt' : 'Press Esc again to clear' })
  }

  /** Lets the user go back to before an earlier prompt, which can then be edited. */
  async rewind(): Promise<void> {
    const agent = this.#agent
    const points = agent?.points ?? []
    if (agent === null || points.length === 0)
      return this.print({ kind: 'note', text: 'There is no earlier prompt.', tone: 'plain' })
    const chosen = await this.ask<RewindChoice>((answer) => ({ kind: 'rewind', points, answer }))
    if (chosen === null) return
    const { restored, left } = await agent.rewind(chosen.point, chosen)
    const kept = points.length - points.indexOf(chosen.point)
    this.screen.clear()
    this.store.set((state) => ({
      ...redrawState({ ...state, items: listBeforeLast(state.items, kept), lastUsage: null }, this.screen),
      editor: makeEditor(chosen.point.text),
    }))
    this.print(...makeRewindNotes(restored, left))
  }

  /** Ctrl+C: interrupts, or empties the input; twice, it leaves. */
  cancel(): void {
    const now = performance.now()
    if (now - this.#interruptedAt < TWICE_MS) return void this.leave('prompt_input_exit')
    this.#interruptedAt = now
    const { dialogs } = this.store.get()
    const isInterrupted = this.interrupt()
    if (!isInterrupted && dialogs.length > 0) this.print(INTERRUPTED)
    for (const dialog of dialogs) if (!isInterrupted) dismiss(dialog)
    if (!isInterrupted) this.#change({ editor: EMPTY })
    this.#change({ search: null, hint: 'Press Ctrl+C again to quit' })
  }

  /** Ends the session; its hooks run, within their time. */
  async leave(reason: EndReason): Promise<void> {
    if (this.#leaving.signal.aborted) return
    this.#leaving.abort()
    this.#idle.close()
    this.#statusLine.close()
    this.inspector.close()
    this.#change({ work: 'Ending the session', since: null, dialogs: [], playing: [], queued: [], hint: null })
    try {
      await this.#opening
      await this.#agent?.close(reason)
      this.#settle.resolve()
    } catch (error) {
      this.#settle.reject(error)
    }
  }

  /** Exchanges the model, unless a hook objects: why, or null. Rejects with a ModelError that says what is wrong with the name. */
  async exchangeModel(name: string): Promise<string | null> {
    const found = await this.#model?.find(name)
    if (found === undefined || this.#agent === null) return null
    const change = { requested: name, source: 'command', apply: found.take } as const
    const refused = await this.#agent.switchModel(found.model, change)
    this.refreshStatus()
    return refused
  }

  /** Goes on with another session, or an empty one. */
  async change(begin: (agent: Agent, signal: AbortSignal) => Promise<void>): Promise<void> {
    const agent = this.#agent
    if (agent === null) return
    await this.askForTrust()
    this.screen.clear()
    this.store.set(makeEmptyState)
    await begin(agent, this.#turn?.signal ?? this.#leaving.signal)
  }

  /** Draws the screen anew. What has scrolled away stays there as it was. */
  redraw(): void {
    this.screen.clear()
    this.store.set((state) => redrawState(state, this.screen))
  }

  /** Shows everything that hooks did and whole results, from the first item that is kept; or no more of it. */
  switchView(): void {
    const verbose = !this.store.get().verbose
    const rows = verbose ? Number.POSITIVE_INFINITY : this.screen.rows
    this.screen.clear({ whole: verbose })
    this.store.set((state) => redrawState({ ...state, verbose }, { rows }))
  }

  /** Shows a dialog; rejects when the turn or the session ends before it is answered. */
  ask<Answer>(
    dialogOf: (answer: (value: Answer) => void) => Dialog,
    signal: AbortSignal = this.#turn?.signal ?? this.#leaving.signal,
  ): Promise<Answer> {
    return askDialog(this.store, dialogOf, AbortSignal.any([signal, this.#leaving.signal]))
  }

  /** Asks whether the folder's hooks may run, unless that is settled. */
  askForTrust(): Promise<void> {
    if (this.options.trusted) return Promise.resolve()
    return decideTrust(this.options.agent, (question) =>
      this.ask<boolean>((answer) => ({ kind: 'trust', question, answer })),
    )
  }

  /** Counts the hooks that are switched off, for the status line. */
  countHooks(): void {
    const off = (this.#agent?.engine.list() ?? []).filter((listed) => nameHookState(listed) === 'off')
    this.#change({ hooksOff: off.length })
  }

  /** The status line may have changed. */
  refreshStatus(): void {
    const agent = this.#agent
    if (agent === null || this.#leaving.signal.aborted) return
    this.#statusLine.refresh(agent.engine, () => makeStatus(this))
  }

  /** True if the folder is trusted is settled before anything of it runs. */
  async #open(): Promise<void> {
    const ask = (as: string, signal: AbortSignal): Promise<string> => askForWords(this.store, as, signal)
    const chosen = await chooseExchangeable(this.options.model, { ...this.options, ask })
    this.#model = chosen
    this.print(makeBanner({ ...this.options, played: isPlayedByUser(chosen.model), model: chosen.model.name }))
    const theme = this.options.env.HOOKLINE_THEME ? null : await readStoredTheme(this.options.home)
    if (theme !== null) this.#change({ theme })
    const earlier = await readHistory(this.#historyPath)
    this.store.set((state) => ({ ...state, history: addEarlier(state.history, earlier) }))
    await this.askForTrust()
    this.#agent = await createAgent(
      makeTerminalOptions(this, chosen, (event) => this.#show(event)),
      { signal: this.#leaving.signal },
    )
    this.#waitForUser()
    if (this.options.prompt !== '') this.submit(this.options.prompt)
  }

  #show(event: AgentEvent): void {
    if (event.type === 'terminal') this.onSequence(event.sequence)
    if (isPrompt(event)) this.#keepTyped()
    this.store.set((state) => showEvent(state, event, { model: this.modelName, now: new Date() }))
    if (event.type === 'message' || event.type === 'mode' || event.type === 'session') this.refreshStatus()
  }

  /** One prompt or command, from its reading to its end. */
  #work(text: string): Promise<void> {
    return this.#runInterruptible((signal) => this.#answer(text, signal))
  }

  /** A turn that the user may interrupt. */
  async #runInterruptible(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.#idle.close()
    this.#change({ work: 'Thinking', since: Date.now() })
    await this.#run(() => act(AbortSignal.any([turn.signal, this.#leaving.signal])))
    this.#turn = null
    this.#waitForUser()
  }

  async #answer(text: string, signal: AbortSignal): Promise<void> {
    const agent = this.#agent
    if (agent === null) return
    const command = findCommand(text)
    if (command) return command.run(this, text)
    if (text.startsWith('!')) return this.#runCommand(agent, text.slice(1).trim(), signal)
    this.#typed = text
    const typed = await runSlashCommand(agent, text, { signal, also: COMMAND_NAMES })
    if (typed === null) return this.#tell(await agent.run(text, { signal }), text)
    this.print({ kind: 'note', text: typed.text, tone: typed.failed === null ? 'plain' : 'bad' })
    if (typed.ends !== null) await this.leave(typed.ends)
  }

  /** Runs a command of the user's own, and shows what it prints. */
  async #runCommand(agent: Agent, command: string, signal: AbortSignal): Promise<void> {
    void keepEntry(this.#historyPath, `!${command}`)
    const call = { id: '!', name: 'Bash', input: { command }, agent: 'you', hunks: [], work: null }
    const open = { ...call, running: true, output: '', startedAt: Date.now() }
    this.store.set((state) => ({ ...state, calls: [open], work: 'Running' }))
    const onOutput = (text: string): void => this.#show({ type: 'tool_output', id: call.id, text })
    const { text: result, failed } = await agent.runCommand(command, { signal, onOutput })
    this.#change({ calls: [] })
    this.print({ kind: 'call', ...call, result, failed })
  }

  /** Keeps what hooks have let pass, so that it can be recalled in later sessions. */
  #keepTyped(): void {
    if (this.#typed !== null) void keepEntry(this.#historyPath, this.#typed)
    this.#typed = null
  }

  get #historyPath(): string {
    return makeHistoryPath(this.options.home, this.options.project)
  }

  /** Says how a prompt ended that had no answer; one that hooks dropped cannot be called back. */
  #tell(result: AgentResult, prompt: string): void {
    this.#typed = null // a prompt that was dropped leaves no trace
    if (isDropped(result)) this.store.set((state) => ({ ...state, history: removeEntry(state.history, prompt) }))
    this.print(...makeResultNotes(result, prompt))
  }

  /** Does something; mistakes are told, faults of ours end the terminal. */
  async #run(act: () => Promise<void> | void): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (this.#leaving.signal.aborted) return
      if (error instanceof Error && error.name === 'AbortError') return this.print(INTERRUPTED)
      if (isMistake(error)) return this.print({ kind: 'note', text: error.message, tone: 'bad' })
      this.#settle.reject(error)
    }
  }

  /** Begins what is queued, else waits for the user. */
  #waitForUser(): void {
    if (this.#leaving.signal.aborted) return
    const [next, ...queued] = this.store.get().queued
    this.store.set(releaseObjections)
    this.#change({ work: null, since: null, streaming: '', calls: [], hooks: [], queued })
    this.countHooks()
    this.refreshStatus()
    if (next !== undefined) return void this.#work(next)
    this.#idle.start()
    void this.#run(() => this.#heedWakes())
  }

  /** Lets the model go on when a background hook asks for it and nothing else goes on. */
  async #heedWakes(): Promise<void> {
    const agent = this.#agent
    const isAsked = await agent?.waitForWake()
    if (!isAsked || agent === null || this.#turn !== null || this.#leaving.signal.aborted) return
    await this.#runInterruptible(async (signal) => this.#tell(await agent.wake({ signal }), ''))
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

/** Makes the options of an agent that works in a terminal: who answers, who is asked, and who follows it. */
function makeTerminalOptions(
  host: TerminalHost,
  { model, modelOf }: ExchangeableModel,
  onEvent: NonNullable<AgentOptions['onEvent']>,
): AgentOptions {
  const { debug, agent, trusted } = host.options
  const write = (line: string): void => host.print({ kind: 'hook', text: line })
  return {
    ...agent,
    model,
    ...(modelOf === undefined ? {} : { modelOf }),
    ...(debug.length === 0 ? {} : { debug: { categories: debug, write } }),
    trust: trusted ? 'accepted' : 'stored',
    onEvent,
    dialog: async (question) => {
      const plan = readPlan(question)
      if (plan !== null) {
        host.print({ kind: 'model', text: plan, agent: 'plan' })
        return host.ask((answer) => ({ kind: 'plan', answer }), question.signal)
      }
      const change = await findWantedChange(question.tool, question.input, host.options.project)
      return host.ask((answer) => ({ kind: 'permission', question, change, answer }), question.signal)
    },
    elicit: (question) => host.ask((answer) => ({ kind: 'form', question, answer }), question.signal),
  }
}

/** Makes what there is to say when a prompt had no answer; a hook's halt was told when it came. */
function makeResultNotes(result: AgentResult, prompt: string): Item[] {
  if (result.success || result.subtype === 'error_stopped_by_hook') return []
  const tone = result.subtype === 'error_interrupted' ? 'plain' : 'bad'
  if (result.subtype !== 'error_prompt_blocked') return [{ kind: 'note', text: result.error, tone }]
  return [{ kind: 'note', text: formatBlockedPromptForUser(result, prompt), tone, afterwards: result.error }]
}

/** The plan that the user is asked to approve; null: something else is asked. */
function readPlan({ tool, input }: PermissionQuestion): string | null {
  const { plan }: { plan?: unknown } = Object(input)
  return tool === EXIT_PLAN_MODE && typeof plan === 'string' ? plan : null
}

/** Point that the user chose to go back to; null: nothing. */
type RewindChoice = { readonly point: RewindPoint; readonly files: boolean } | null

/** The items before the last so many prompts. */
function listBeforeLast(items: readonly Item[], prompts: number): readonly Item[] {
  const places = items.flatMap(({ kind }, at) => (kind === 'user' ? [at] : []))
  return items.slice(0, places.at(-prompts) ?? items.length)
}

function makeRewindNotes(restored: readonly string[], left: readonly string[]): Item[] {
  const formatFileCount = (count: number): string => (count === 1 ? '1 file' : `${count} files`)
  const undone = restored.length === 0 ? '' : ` ${formatFileCount(restored.length)} restored.`
  const text = `Back to before this prompt.${undone}`
  const kept = `Left as they are, since something else has changed them: ${left.join(', ')}`
  const note: Item = { kind: 'note', text, tone: 'plain' }
  return left.length === 0 ? [note] : [note, { kind: 'note', text: kept, tone: 'bad' }]
}

/** True if an event makes what the user typed part of the conversation. */
function isPrompt(event: AgentEvent): boolean {
  return event.type === 'message' && !event.injected && event.agent === null && event.message.role === 'user'
}

const INTERRUPTED: Item = { kind: 'note', text: 'Interrupted', tone: 'plain' }

/** Closes a dialog as Esc does, without an answer that changes something. */
function dismiss(dialog: Dialog): void {
  if (dialog.kind === 'trust') dialog.answer(false)
  else if (dialog.kind === 'permission' || dialog.kind === 'plan') dialog.answer({ behavior: 'deny', interrupt: true })
  else if (dialog.kind === 'form') dialog.answer({ action: 'cancel' })
  else dialog.answer(null)
}

/** True if hooks kept a prompt from the conversation. */
function isDropped({ subtype, turns }: AgentResult): boolean {
  return subtype === 'error_prompt_blocked' || (subtype === 'error_stopped_by_hook' && turns === 0)
}

/** True if something was asked for that cannot be: its message says what is wrong. All else is a fault of ours. */
function isMistake(error: unknown): error is Error {
  return (
    error instanceof AgentError ||
    error instanceof ModelError ||
    (error instanceof Error && error.name === 'HooklineError')
  )
}
