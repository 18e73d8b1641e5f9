import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { processesWith } from '../../../hookline/test/support/processes.ts'
import { BackgroundCommands } from '../../src/tools/background-commands.ts'
import type { Tool, ToolContext, ToolOutcome } from '../../src/tools/tool.ts'

/** A session in a temp folder, over and removed when the test is. */
export interface Place {
  readonly folder: string
  readonly context: ToolContext
  /** Interrupts what runs. */
  readonly interrupt: () => void
  /** Stands in the environment of every process of the session. */
  readonly token: string
  readonly path: (name: string) => string
  readonly put: (name: string, content: string | Buffer) => Promise<string>
  /** Calls a tool as the agent does: checks its input, makes paths absolute, runs it. */
  readonly call: (tool: Tool, input: object) => Promise<ToolOutcome>
  /** The message of a call that fails. */
  readonly failure: (tool: Tool, input: object) => Promise<string>
  /** Processes of the session that live. */
  readonly living: () => number[]
}

let count = 0

/** Makes a session with these files. */
export async function makePlace(
  files: Record<string, string> = {},
  { background = new BackgroundCommands() }: { background?: BackgroundCommands } = {},
): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hookline tools-')))
  const token = `hookline-tools-${process.pid}-${++count}`
  const interrupter = new AbortController()
  onTestFinished(async () => {
    await background.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const context: ToolContext = {
    cwd: folder,
    project: folder,
    agent: null,
    signal: interrupter.signal,
    environment: async () => ({ ...process.env, TOOLS_TOKEN: token, FROM_ENV_FILE: 'from the env file' }),
    moveTo: null,
    seen: new Map(),
    hidden: async () => null,
    background,
  }
  const path = (name: string): string => join(folder, name)
  const put = async (name: string, content: string | Buffer): Promise<string> => {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), content)
    return path(name)
  }
  for (const [name, content] of Object.entries(files)) await put(name, content)
  const call = async (tool: Tool, input: object): Promise<ToolOutcome> => {
    const parsed = tool.input.parse(input)
    return tool.run(tool.normalise?.(parsed, context) ?? parsed, context)
  }
  const failure = async (tool: Tool, input: object): Promise<string> => {
    const error: unknown = await call(tool, input).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error instanceof Error && error.name === 'ToolError') return error.message
    throw new Error(`no ToolError: ${String(error)}`)
  }
  const living = (): number[] => processesWith(token)
  return { folder, context, interrupt: () => interrupter.abort(), token, path, put, call, failure, living }
}
