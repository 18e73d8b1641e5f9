import { fileURLToPath } from 'node:url'
import { type ProcessGroup, startGroup } from 'hookline/process'

/** Session that the page is opened at. */
export interface InspectedSession {
  readonly id: string
  /** The log of its hooks. */
  readonly log: string
  readonly project: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

const START_TIMEOUT_MS = 10_000

/** `hookline inspect` for a session of this terminal: started when it is asked for, and over when the agent is. */
export class SessionInspector {
  #running: { readonly session: string; readonly group: ProcessGroup } | null = null

  /** Opens the page at a session, or again. Resolves with what the inspector says. Never rejects. */
  async open(session: InspectedSession): Promise<string> {
    try {
      if (this.#running?.session === session.id && this.#running.group.child.stdin?.writable) {
        const answer = readNextOutput(this.#running.group)
        this.#running.group.child.stdin.write('\n')
        return await answer
      }
      this.close()
      const group = await start(session)
      this.#running = { session: session.id, group }
      return await readNextOutput(group)
    } catch (error) {
      return `The inspector was not started: ${error instanceof Error ? error.message : String(error)}` // no room, no program
    }
  }

  /** Ends it: without its stdin it does not go on. */
  close(): void {
    this.#running?.group.child.stdin?.end()
    this.#running = null
  }
}

async function start({ id, log, project, home, env }: InspectedSession): Promise<ProcessGroup> {
  const script = fileURLToPath(new URL('../bin/hookline.js', import.meta.resolve('hookline')))
  const place = ['--session', id, '--log', log, '--project', project, '--home', home]
  const program = { file: process.execPath, args: [script, 'inspect', '--stdin', ...place], cwd: project }
  const group = await startGroup({ ...program, env }, { stdio: 'pipe' })
  for (const stream of group.child.stdio) stream?.on('error', () => {}) // the inspector may end at any time
  group.child.unref()
  for (const stream of group.child.stdio) Object(stream).unref?.() // sockets, which would keep the agent alive
  await group.started
  return group
}

/** The next words that it prints, or why it ended. */
function readNextOutput({ child }: ProcessGroup): Promise<string> {
  return new Promise((done) => {
    const timer = setTimeout(() => finish('The inspector does not answer.'), START_TIMEOUT_MS)
    let stderr = ''
    const finish = (text: string): void => {
      clearTimeout(timer)
      child.stdout?.off('data', onOutput)
      child.stderr?.off('data', onError)
      child.off('close', onClose)
      done(text.trim())
    }
    const onOutput = (bytes: Buffer): void => finish(String(bytes))
    const onError = (bytes: Buffer): void => {
      stderr += bytes
    }
    const onClose = (): void => finish(stderr || 'The inspector ended.')
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onError)
    child.on('close', onClose)
  })
}
