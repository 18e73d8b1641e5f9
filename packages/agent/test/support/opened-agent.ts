import { readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { makeWorld, type World } from '../../../hookline/test/support/project.ts'
import type { Model, ModelRequest } from '../../src/models/model.ts'
import type { ScriptSource } from '../../src/models/script.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import type { AgentEvent } from '../../src/output/events.ts'
import type { Message } from '../../src/output/messages.ts'
import { type Agent, createAgent } from '../../src/session/agent.ts'
import type { AgentOptions } from '../../src/session/options.ts'
import { environment, linesIn } from './command.ts'

/** An agent in a temp project, and everything that can be seen of it. */
export interface OpenedAgent {
  readonly agent: Agent
  readonly world: World
  readonly events: readonly AgentEvent[]
  /** What the model was asked, in order. */
  readonly requests: readonly ModelRequest[]
  /** What the user was told always, and in the verbose view. */
  readonly told: () => { readonly user: string[]; readonly verbose: string[] }
  readonly transcript: () => Promise<Record<string, unknown>[]>
}

/** What an agent is opened with besides its script. */
export interface Opening extends Omit<AgentOptions, 'model'> {
  readonly world?: World
  /** In place of the scripted one. */
  readonly model?: Model
}

/** Opens an agent with a scripted model whose requests are kept; closed when the test is over. */
export async function openAgent(
  script: ScriptSource,
  { world: given, model: own, ...options }: Opening = {},
): Promise<OpenedAgent> {
  const world = given ?? (await makeWorld())
  const { model, requests } = recording(own ?? makeScriptedModel(script, { name: 'scripted' }))
  const events: AgentEvent[] = []
  const { project, home, managed } = world
  const agent = await createAgent({
    ...{ project, home, managed, model, trust: 'accepted', env: environment() },
    ...options,
    onEvent: (event) => {
      events.push(event)
      options.onEvent?.(event)
    },
  })
  onTestFinished(() => agent.close())
  const told = (to: string): string[] =>
    events.flatMap((event) => (event.type === 'told' && event.to === to ? [event.text] : []))
  return {
    ...{ agent, world, events, requests },
    told: () => ({ user: told('user'), verbose: told('verbose') }),
    transcript: async () => linesIn(await readFile(agent.transcriptPath, 'utf8')),
  }
}

/** A model that keeps what it is asked. */
export function recording(model: Model): { readonly model: Model; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  const stream: Model['stream'] = (request) => {
    requests.push(request)
    return model.stream(request)
  }
  return { model: { ...model, stream }, requests }
}

/** A world whose project has these hooks, written as in its settings. */
export function worldWithHooks(hooks: object, files: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
  return makeWorld({ 'project/.claude/settings.json': { hooks }, ...files })
}

/** Every text of a message, results of tools included, in order. */
export function textsOf(message: Message | undefined): string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'tool_result' ? [block.content] : []
  })
}

/** A call that a scripted model makes. */
export function bash(command: string, id = 'toolu_1'): { name: string; input: object; id: string } {
  return { name: 'Bash', input: { command }, id }
}

/** The result of the one call that a model makes, as it reads it. */
export async function resultOf(call: Calling, options: Opening): Promise<string | undefined> {
  const { agent, requests } = await openAgent({ turns: [{ tools: [call] }] }, options)
  await agent.run('Go')
  return textsOf(requests[1]?.messages.at(-1))[0]
}

interface Calling {
  readonly name: string
  readonly input: unknown
  readonly id?: string
}
