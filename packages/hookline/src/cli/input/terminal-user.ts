import { createInterface, type Interface } from 'node:readline'
import { canAsk } from '../start/calling-agent.ts'
import { tell, toPrintableText } from '../start/print.ts'
import { formatColumns } from '../view/layout.ts'
import { openTerminal } from '../view/terminal.ts'

/** Does something with a user to ask, if there is one. One reader takes all answers, so that none gets lost. */
export async function withUser<T>(
  flags: { readonly json?: boolean | undefined },
  act: (user: TerminalUser | null) => Promise<T>,
): Promise<T> {
  if (!canAsk(flags)) return act(null)
  const user = new TerminalUser()
  try {
    return await act(user)
  } finally {
    user.end()
  }
}

/** The user at the terminal, who is asked on stderr, so that stdout stays data. */
export class TerminalUser {
  readonly #lines: Interface
  readonly #answers: AsyncIterator<string>

  constructor() {
    this.#lines = createInterface({ input: process.stdin, output: process.stderr })
    this.#lines.on('SIGINT', () => this.#lines.close())
    this.#answers = this.#lines[Symbol.asyncIterator]()
  }

  /** Asks the user; null when they end the input. */
  async ask(question: string): Promise<string | null> {
    this.#lines.setPrompt(toPrintableText(question))
    this.#lines.prompt()
    const { value, done } = await this.#answers.next()
    return done ? null : value.trim()
  }

  /** Asks for a yes; everything else is a no. */
  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N] `)) ?? '')
  }

  /** One of several, by name or number; an empty answer means the usual one, if there is one. Null when the user gives up. */
  async choose(
    question: string,
    choices: readonly string[],
    { explained = () => '', usual }: { readonly explained?: (choice: string) => string; readonly usual?: string } = {},
  ): Promise<string | null> {
    const rows = choices.map((choice, at) => [`  ${String(at + 1).padStart(2)}`, choice, explained(choice)])
    tell(`${[question, ...formatColumns(rows, openTerminal(process.stderr, process.env).width)].join('\n')}\n`)
    for (;;) {
      const answer = await this.ask(usual === undefined ? 'Name or number: ' : `Name or number (empty: ${usual}): `)
      if (answer === null) return null
      if (answer === '' && usual !== undefined) return usual
      const chosen = choices.find((choice, at) => choice === answer || String(at + 1) === answer)
      if (chosen !== undefined) return chosen
    }
  }

  end(): void {
    this.#lines.close()
    process.stdin.pause() // a question after the user ended the input makes Node read on, and the process would stay
  }
}
