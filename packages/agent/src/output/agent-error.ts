/** What can be asked of an agent and is not possible. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}
