// Runs the loop with a model that is a list of answers: node examples/hand-written-loop/demo.js

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openEngine } from 'hookline'
import { runPrompt, startSession } from './loop.js'

const project = fileURLToPath(new URL('project', import.meta.url))

// Put the request to your provider here.
const answers = [
  { text: 'I look at the settings.', calls: [{ id: '1', name: 'read', input: { path: '.env' } }] },
  { text: 'Then the notes.', calls: [{ id: '2', name: 'read', input: { path: 'NOTES.md' } }] },
  { text: 'The lamp is in the hall.', calls: [] },
  { text: 'The lamp is in the hall. Source: NOTES.md', calls: [] },
]
const ask = async () => answers.shift()

const tools = { read: ({ path }) => readFile(new URL(`project/${path}`, import.meta.url), 'utf8') }

const engine = await openEngine({ project, trust: 'accepted' }) // an agent for others asks first: docs/embedding.md, "Trust"
const onNotice = (text) => console.error(text)
const onAsk = async () => false // the dialog of this agent says no
const { messages, end } = await startSession(engine, onNotice)
const { success, text } = await runPrompt('Where is the lamp?', { engine, ask, tools, messages, onAsk, onNotice })
await end()

for (const message of messages) console.log(`${message.role}: ${message.text}`)
console.log(success ? `\nThe answer: ${text}` : `\nStopped: ${text}`)
