// One session of a coding agent, as its hooks see it: `npm start`.
// The agent, its tools and the hooks are real, and work on a copy of project/; the model says what script.js tells it.
// In a terminal the session is shown as people use it; elsewhere its story is told.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showInTerminal } from './in-terminal.js'
import { setUp } from './set-up.js'
import { tell } from './tell.js'

const folder = await mkdtemp(join(tmpdir(), 'hookline-story-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const place = { folder, ...(await setUp(folder)) }
const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
process.exitCode = isTerminal ? await showInTerminal(place) : await tell(place)
