import { createInterface } from 'node:readline'
import { toPrintable, toVisibleLines } from 'hookline/internal'
import type { TerminalHost } from '../host.ts'
import { formatWork, isRefused, type WorkLine } from '../state/hook-work.ts'
import { type FinishedCall, type Item, isVerbose } from '../state/item.ts'
import { formatResumeHint } from '../state/resume-text.ts'
import type { State } from '../state/state.ts'
import { formatInput } from '../text/call-text.ts'
import type { Question } from './question.ts'
import { toQuestion } from './question-of.ts'

/** Says everything line by line until the session is over: nothing is drawn, and nothing that was said changes. */
export async function showTerminal(host: TerminalHost): Promise<void> {
  const terminal = new PlainTerminal(host)
  host.onSequence = (sequence) => process.stdout.write(sequence)
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', (line) => void terminal.hear(line))
  lines.on('close', () => void host.leave('prompt_input_exit'))
  const unsubscribe = host.store.subscribe(() => terminal.follow(host.store.get()))
  try {
    await Promise.all([host.open(), host.ended])
  } finally {
    unsubscribe()
    process.stdout.write(formatResumeHint(host.store.get()))
    lines.close()
    process.stdin.unref()
  }
}

/** Words and questions so far. */
class PlainTerminal {
  readonly #host: TerminalHost
  #said = 0
  #drawing = 0
  #dialog: State['dialogs'][number] | undefined
  #question: Question | null = null
  #asked = ''
  #hint: string | null = null
  readonly #messages = new Set<string>()

  constructor(host: TerminalHost) {
    this.#host = host
  }

  /** Takes a line that was typed. */
  async hear(line: string): Promise<void> {
    this.#asked = ''
    this.#host.noteKeyPress()
    if (this.#question !== null) {
      const reply = await this.#question.take(line)
      if (reply !== '') ask(reply)
    } else if (line.trim() === '/verbose') {
      this.#host.store.set((state) => ({ ...state, verbose: !state.verbose }))
      printLine(
        this.#host.store.get().verbose ? 'Everything is shown from now on.' : 'Only what matters is shown from now on.',
      )
    } else {
      this.#host.submit(line)
    }
    this.#tellPrompt(this.#host.store.get())
  }

  /** Says what is new. */
  follow(state: State): void {
    if (state.drawing !== this.#drawing) {
      this.#drawing = state.drawing
      this.#said = Math.min(this.#said, state.items.length)
    }
    const fresh = state.items.slice(this.#said)
    this.#said = state.items.length
    for (const item of fresh) {
      if (state.verbose || !isVerbose(item)) printLine(formatItem(item, { cwd: this.#host.options.project, ...state }))
    }
    for (const { statusMessage } of state.hooks) {
      if (statusMessage === null || this.#messages.has(statusMessage)) continue
      this.#messages.add(statusMessage)
      printLine(`Hook: ${statusMessage}`)
    }
    if (state.hooks.length === 0) this.#messages.clear()
    this.#ask(state)
    this.#tellPrompt(state)
  }

  #ask({ dialogs }: State): void {
    const [dialog] = dialogs
    if (dialog === this.#dialog) return
    this.#dialog = dialog
    this.#question = dialog === undefined ? null : toQuestion(dialog, this.#host)
    if (this.#question !== null) ask(this.#question.text)
  }

  /** Says whose turn it is, once. */
  #tellPrompt({ playing, work, dialogs, hint }: State): void {
    const [played] = playing
    const turn = formatTurnPrompt({ played: played?.as, works: work !== null, asks: dialogs.length > 0 })
    if (hint !== null && hint !== this.#hint) printLine(hint)
    this.#hint = hint
    if (turn === this.#asked || turn === '') return
    this.#asked = turn
    process.stdout.write(toPrintable(turn))
  }
}

function formatTurnPrompt({
  played,
  works,
  asks,
}: {
  played: string | undefined
  works: boolean
  asks: boolean
}): string {
  if (asks) return 'answer> '
  if (played !== undefined) return `${played}> `
  return works ? '' : 'you> '
}

/** Prints something; whatever its source, a terminal obeys nothing of it. */
function printLine(text: string): void {
  process.stdout.write(`${toPrintable(text)}\n`)
}

/** Prints what the user decides about: nothing of it is hidden. */
function ask(text: string): void {
  process.stdout.write(`${toVisibleLines(text)}\n`)
}

/** Lines of a result that are printed before the user asks for all of it. */
const MAX_FOLDED_LINES = 4

/** An item in words: who says it stands before it. */
function formatItem(item: Item, { cwd, verbose }: { readonly cwd: string; readonly verbose: boolean }): string {
  switch (item.kind) {
    case 'banner':
      return [item.title, ...item.lines.filter((line) => line !== '')].join('\n')
    case 'user':
      return `You said: ${item.text}`
    case 'model':
      return `${item.agent ?? 'Agent'}: ${item.text}`
    case 'call':
      return formatCall(item, { cwd, verbose })
    case 'told':
      return `Hook says: ${item.text}`
    case 'read':
      return `The model reads: ${item.text}`
    case 'work':
      return formatWork(item.work).map(formatWorkLine).join('\n')
    case 'hook':
      return `Hook: ${item.text}`
    case 'note':
      return item.tone === 'bad' ? `Problem: ${item.text}` : item.text
  }
}

function formatWorkLine({ text, below }: WorkLine): string {
  return [`Hooks: ${text}`, ...below.map((line) => line.text)].join('\n')
}

function formatCall(call: FinishedCall, { cwd, verbose }: { readonly cwd: string; readonly verbose: boolean }): string {
  const { name, input, failed, result, hunks, work } = call
  const changes = failed ? [] : hunks.flatMap(({ lines }) => lines)
  const lines = changes.length > 0 ? changes : result.split('\n')
  const shown = verbose || isRefused(work) ? lines : lines.slice(0, MAX_FOLDED_LINES)
  const more = lines.length - shown.length
  return [
    `Call: ${name} ${verbose ? JSON.stringify(input) : formatInput(input, cwd)}`.trimEnd(),
    `${failed ? 'It failed' : 'Result'}: ${shown.join('\n')}`,
    ...(more === 0 ? [] : [`${more} more lines; /verbose shows everything from now on.`]),
    ...(work === null ? [] : formatWork(work).map(formatWorkLine)),
  ].join('\n')
}
