// Runs the agent on a copy of project/, with a model that is a list of answers: node examples/envoy/demo.js

import { rmSync } from 'node:fs'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEngine } from 'hookline'
import { runAgent } from './agent.js'

const project = await mkdtemp(join(tmpdir(), 'hookline-envoy-'))
process.on('exit', () => rmSync(project, { recursive: true, force: true }))
await cp(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true })

const writing = (content) => ({
  text: 'I write it.',
  calls: [{ name: 'filesystem_write_file', input: { path: 'lamp.mjs', content } }],
})
const answers = [
  writing('const lamp = true   \nexport { lamp }'),
  writing('const lamp = '),
  { text: 'Done.', calls: [] },
]

const tools = {
  filesystem_write_file: async ({ path, content }) => {
    await writeFile(join(project, path), content)
    return `Wrote ${path}`
  },
}

const engine = await openEngine({ project, preset: 'envoy', trust: 'accepted' }) // the folder is ours
const { success, text, error } = await runAgent('Write a lamp', {
  engine,
  tools,
  ask: async () => answers.shift(),
  onMessage: ({ role, content }) => console.log(`${role}: ${content}`),
  log: { debug: () => {}, info: () => {}, warn: (line) => console.log(`warning: ${line}`) },
})
console.log(success ? `success: ${text}` : `stopped: ${error}`)
await engine.close()
