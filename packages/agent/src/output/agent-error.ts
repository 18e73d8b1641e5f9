/** Error about a request to an agent that is not possible. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}
