import * as z from 'zod'
import { AgentError } from '../output/agent-error.ts'

/** A kind of subagent. */
export interface AgentDefinition {
  /** Name for `subagent_type` and the matchers of hooks; those of plugins are `plugin:name`. */
  readonly name: string
  /** Occasion to use it, for the model that does. */
  readonly description: string
  /** Names of the tools it has; null: all that the session has. */
  readonly tools: readonly string[] | null
  /** null: the model of the agent that starts it. */
  readonly model: string | null
  /** Place where it works; null: where the agent that starts it does. */
  readonly isolation: 'worktree' | null
  /** Prompt before anything else. */
  readonly prompt: string
  /** Hooks for its own loop: in the frontmatter of a file, or written as in a settings file. */
  readonly hooks: { readonly file: string } | { readonly written: object } | null
}

const ToolNames = z.union([
  z.string().transform((text) => text.split(',')),
  z.array(z.string()),
  z.null().transform(() => undefined),
])

/** Fields of a definition besides its prompt, in frontmatter and in JSON alike. */
export const AgentFields = z.object({
  description: z.string().default(''),
  tools: ToolNames.optional(),
  model: z.string().trim().min(1).optional(),
  isolation: z.enum(['worktree']).optional(),
})

/** A definition as a host or `--agents` writes it. */
export const GivenAgent = AgentFields.extend({
  prompt: z.string().min(1),
  hooks: z.record(z.string(), z.unknown()).optional(),
})

/** The same, as a type. */
export type GivenAgent = z.input<typeof GivenAgent>

/** The kind that is always there. */
export const GENERAL_PURPOSE: AgentDefinition = {
  name: 'general-purpose',
  description: 'Searches, and does tasks of several steps by itself. It has every tool.',
  tools: null,
  model: null,
  isolation: null,
  prompt:
    'Another agent has given you one task. Do it completely, and nothing else. Nobody can answer questions while you ' +
    'work. Your last answer is all that the other agent reads: say what you found or did, with the paths of files.',
  hooks: null,
}

/** The definitions that a host gave. Throws an AgentError that says what is wrong with which. */
export function readGivenAgents(given: Readonly<Record<string, unknown>>): AgentDefinition[] {
  return Object.entries(given).map(([name, written]) => {
    const read = GivenAgent.safeParse(written)
    if (!read.success) throw new AgentError(`The agent "${name}" is not defined well:\n${z.prettifyError(read.error)}`)
    const { prompt, hooks } = read.data
    return {
      name,
      prompt,
      ...settleFields(read.data),
      hooks: hooks === undefined ? null : { written: toAgentHooks(hooks) },
    }
  })
}

/** The fields in the form that the rest relies on. */
export function settleFields({ description, tools, model, isolation }: z.infer<typeof AgentFields>) {
  const names = tools?.map((name) => name.trim()).filter((name) => name !== '') ?? ['*']
  return {
    description,
    tools: names.includes('*') ? null : names,
    model: model === undefined || model === 'inherit' ? null : model,
    isolation: isolation ?? null,
  }
}

/** A `Stop` hook in an agent file runs when that agent stops, which is the event `SubagentStop` of the session. */
function toAgentHooks({ Stop, ...hooks }: Readonly<Record<string, unknown>>): object {
  return Stop === undefined ? hooks : { ...hooks, SubagentStop: Stop }
}
