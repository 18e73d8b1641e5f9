import * as z from 'zod'
import { AgentError } from '../output/agent-error.ts'
import { GivenAgent } from '../subagents/definition.ts'

const GivenAgents = z.record(z.string(), GivenAgent)

const EXAMPLE = '{"reviewer": {"description": "Reviews code", "prompt": "You review code.", "tools": ["Read", "Grep"]}}'

/** Reads the value of `--agents`. Throws an AgentError that says what is wrong. */
export function agentsOf(given: string | undefined): z.input<typeof GivenAgents> | undefined {
  if (given === undefined) return undefined
  const written = parsed(given)
  const agents = GivenAgents.safeParse(written)
  if (!agents.success)
    throw new AgentError(`--agents is a JSON object such as ${EXAMPLE}:\n${z.prettifyError(agents.error)}`)
  return agents.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error) // says where
    throw new AgentError(`--agents is not JSON (${why}). It is an object such as ${EXAMPLE}.`)
  }
}
