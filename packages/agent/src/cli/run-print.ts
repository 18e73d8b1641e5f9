import { once } from 'node:events'
import { chooseModel, isScript, isUnconfigured, NO_MODEL } from '../models/choose-model.ts'
import { AgentError } from '../output/agent-error.ts'
import { type AgentResult, NO_FIGURES } from '../output/result.ts'
import { type Agent, createAgent } from '../session/agent.ts'
import type { AgentOptions } from '../session/options.ts'
import type { EndReason } from '../session/session.ts'
import { runSlashCommand } from '../session/slash-command.ts'
import { makeAgentOptions } from './agent-options.ts'
import type { Arguments } from './arguments.ts'
import { printAnswer, printJson, tell } from './output.ts'
import { makePrinter } from './print.ts'
import { readPrompt } from './read-prompt.ts'

/** Hooks in the background may take so long when the run is over: there is no later turn that could hear of them. */
const MAX_WAKE_WAIT_MS = 10_000

/** One prompt, from its reading to the end of the session; resolves with the exit code, or with null when nothing was asked for. */
export async function runPrint(given: Arguments): Promise<number | null> {
  const prompt = await readPrompt(given.prompt, { input: process.stdin, tell })
  if (prompt === '' && !given.print) return null
  if (prompt === '') throw new AgentError('There is no prompt: give one after -p, or on standard input.')
  const printer = makePrinter(given.format, { answer: printAnswer, data: printJson, tell, prompt })
  const interruption = new Interruption()
  const { signal } = interruption
  try {
    const agent = await createAgent({ ...(await readOptions(given)), onEvent: printer.onEvent }, { signal })
    const asked = agent.firstPrompt === null ? null : await agent.run(agent.firstPrompt, { signal })
    const { result: own, ends } =
      asked?.success === false ? { result: asked, ends: 'other' as const } : await answerPrompt(agent, prompt, signal)
    const over = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAKE_WAIT_MS)])
    const result = await followWakes(agent, own, { signal, over })
    const { sessionId } = agent
    await agent.close(ends, { waitMs: MAX_WAKE_WAIT_MS, signal: over })
    printer.onResult(result, sessionId)
    return interruption.exitCode ?? chooseExitCode(result)
  } finally {
    interruption.release()
  }
}

/** Runs the hooks that prepare a project, and nothing else; resolves with the exit code. */
export async function runInitHooks(given: Arguments): Promise<number> {
  const printer = makePrinter(given.format, { answer: printAnswer, data: printJson, tell, prompt: '' })
  const interruption = new Interruption()
  const { signal } = interruption
  try {
    const model = await chooseModel(given.model, { env: process.env, cwd: process.cwd() }) // none is asked
    const options = { ...makeAgentOptions(given), model, trust: given.trust ? 'accepted' : 'stored' } as const
    const agent = await createAgent({ ...options, onEvent: printer.onEvent }, { signal })
    await agent.close('other', { waitMs: MAX_WAKE_WAIT_MS, signal })
    return interruption.exitCode ?? 0
  } finally {
    interruption.release()
  }
}

/** Lets the model go on as often as background hooks ask for it, as long as they may take. */
async function followWakes(
  agent: Agent,
  result: AgentResult,
  { signal, over }: { readonly signal: AbortSignal; readonly over: AbortSignal },
): Promise<AgentResult> {
  let last = result
  while (last.success && (await Promise.race([agent.waitForWake(), waitForAbort(over)])))
    last = await agent.wake({ signal })
  return last
}

async function waitForAbort(signal: AbortSignal): Promise<false> {
  if (!signal.aborted) await once(signal, 'abort')
  return false
}

async function readOptions(given: Arguments): Promise<AgentOptions> {
  const { debug, trust } = given
  const log = { categories: debug, write: tell }
  return {
    ...makeAgentOptions(given),
    ...(await chooseModels(given)),
    trust: trust ? 'accepted' : 'stored',
    ...(debug.length === 0 ? {} : { debug: log }),
  }
}

/** The session's model, and how subagents find theirs; a script speaks for all of them. */
async function chooseModels({ model: name }: Arguments): Promise<Pick<AgentOptions, 'model' | 'modelOf'>> {
  const choice = { env: process.env, cwd: process.cwd() }
  const model = await chooseModel(name, choice)
  if (isUnconfigured(model)) throw new AgentError(NO_MODEL)
  return isScript(model) ? { model } : { model, modelOf: (other) => chooseModel(other, { ...choice, asked: 'agent' }) }
}

interface PrintAnswer {
  readonly result: AgentResult
  readonly ends: EndReason
}

async function answerPrompt(agent: Agent, prompt: string, signal: AbortSignal): Promise<PrintAnswer> {
  const typed = await runSlashCommand(agent, prompt, { signal })
  if (typed === null) return { result: await agent.run(prompt, { signal }), ends: 'other' }
  const { text, failed, ends } = typed
  const done = { success: true, subtype: 'success', text, ...NO_FIGURES, usage: agent.usage } as const
  return { result: failed ?? done, ends: ends ?? 'other' }
}

function chooseExitCode({ subtype }: AgentResult): number {
  if (subtype === 'success') return 0
  return subtype === 'error_stopped_by_hook' || subtype === 'error_prompt_blocked' ? 2 : 1
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const NOBODY_READS = 141

/** Interruption that ends a run in order from outside: the turn is interrupted, SessionEnd hooks still run. */
class Interruption {
  readonly #controller = new AbortController()
  readonly #listeners = Object.entries(SIGNALS).map(([name, code]) => ({ name, listen: () => this.#interrupt(code) }))
  readonly #interruptUnread = (): void => this.#interrupt(NOBODY_READS)
  #code: number | null = null

  constructor() {
    // The second signal finds no listener, and ends the process at once.
    for (const { name, listen } of this.#listeners) process.once(name, listen)
    process.stdout.on('error', this.#interruptUnread) // as when the output goes to `head`
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Exit code of a process that was ended so; null: it was not. */
  get exitCode(): number | null {
    return this.#code
  }

  /** Gives the signals back to the system. */
  release(): void {
    for (const { name, listen } of this.#listeners) process.removeListener(name, listen)
  }

  #interrupt(code: number): void {
    this.#code ??= code
    this.#controller.abort()
  }
}
