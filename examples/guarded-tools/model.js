// The model of the example: a server on this machine that follows a script, so that no key is needed.
// In an agent of your own this is `const model = anthropic('…')`, and nothing is closed.

import { resolveModel } from 'hookline/models'
import { startModelServer } from 'hookline/testing'

const SCRIPT = [
  {
    tools: [
      { name: 'readFile', input: { path: '.env' } },
      { name: 'readFile', input: { path: 'STOCK.md' } },
    ],
  },
  { tools: [{ name: 'order', input: { lamps: 40 } }] },
  { tools: [{ name: 'order', input: { lamps: 400 } }] },
]

export async function openModel() {
  const server = await startModelServer(SCRIPT)
  return { model: await resolveModel('openai/scripted', { env: server.env }), close: () => server.close() }
}
