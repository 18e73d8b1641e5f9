// One session of a coding agent, walked through by hand: `npm start`.
// This file plays the host. It opens the engine on a copy of project/, and walk.js fires the events at it.

import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEngine } from 'hookline'
import { walk } from './walk.js'

const folder = await mkdtemp(join(tmpdir(), 'hookline-story-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const project = join(folder, 'lighthouse')
const home = join(folder, 'home')
await cp(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true })
await mkdir(home)

// A home and a policy file of its own: hooks of the person who runs the story stay out of it.
const engine = await openEngine({ project, home, managed: join(folder, 'no-policy.json'), trust: 'accepted' })

async function leave(code) {
  await engine.close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => leave(1))
process.stdout.on('error', () => leave(0)) // the reader left: npm start | head

try {
  await walk(engine, {
    project,
    write: (text) => process.stdout.write(text),
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  })
} finally {
  await engine.close()
}
