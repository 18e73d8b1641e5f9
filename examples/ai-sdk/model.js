// The model of the example: a server on this machine that follows a script, so that no key is needed.

import { resolveModel } from 'hookline/models'
import { startModelServer } from 'hookline/testing'

const SCRIPT = [
  {
    tools: [
      { name: 'light', input: { room: 'cellar' } },
      { name: 'light', input: { room: 'hall' } },
    ],
  },
  { text: 'The hall is lit.' },
  { text: 'The hall is lit, the cellar stays dark.' },
]

export async function openModel() {
  const server = await startModelServer(SCRIPT)
  return { model: await resolveModel('openai/scripted', { env: server.env }), close: () => server.close() }
}
