import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { storeAcceptance } from '../../src/config/trust.ts'
import { reviewTrust } from '../../src/engine/trust-review.ts'
import { wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { findMeetingPlace } from '../../src/resident/place.ts'
import { findServing, readLastFigures } from '../../src/resident/serve.ts'
import { type CallEnd, endAll, prepareHome, readFigures, type ServedHome, startCall } from '../resident/resident.ts'
import { program } from './command.ts'
import { until } from './processes.ts'
import type { World } from './project.ts'

/**
 * Way by which tests ask hooks in place of an agent: in this process, or, as `npm run both-ways` has it, by the launcher, whose calls
 * are answered by processes of their own (`cold`) or by the resident engine.
 */
const WAY = process.env.TESTS_WAY ?? 'here'

/** File to which every test adds how its calls were answered. */
const TALLY = process.env.TESTS_WAY_TALLY

/** Home that a launcher was written into, with the number of calls that were made there. */
interface OpenHome {
  readonly served: ServedHome
  calls: number
}

/** Homes of the test that runs. */
const homes = new Map<string, Promise<OpenHome>>()

interface HookCall {
  readonly input: string
  readonly env: NodeJS.ProcessEnv
  readonly isTrusted: boolean
}

/** True if tests ask by the launcher. A policy of a test is a file that no process of a user looks into. */
export const isAskedByLauncher = ({ managed }: World): boolean => WAY !== 'here' && !existsSync(managed)

/** Answer to the words of a call, by the launcher. */
export async function askLauncher(world: World, args: readonly string[], call: HookCall): Promise<CallEnd> {
  return makeCall(world, call, { args })
}

/** Answer of a hook that stands wrapped in the settings of a world, as its agent starts it. */
export async function askWrapped(world: World, wrapped: Parameters<typeof wrapCommand>[0], call: HookCall) {
  const entry = wrapCommand(wrapped)
  const file = join(world.project, '.claude/settings.local.json')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null
  const before = JSON.parse(text ?? '{}')
  const hooks = {
    ...before.hooks,
    PreToolUse: [...(before.hooks?.PreToolUse ?? []), { hooks: [{ type: 'command', command: entry }] }],
  }
  const { accepted, request } = await reviewTrust(world)
  const isAccepted = accepted && request.digest !== null // its own entry asks for trust too
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...before, hooks }))
  try {
    return await makeCall(
      world,
      { ...call, isTrusted: call.isTrusted || isAccepted },
      { line: ['/bin/sh', '-c', entry] },
    )
  } finally {
    if (text === null) rmSync(file)
    else writeFileSync(file, text)
    if (isAccepted) await storeAcceptance(request, world.home)
  }
}

/** Homes that a resident serves for shells of a test. */
const shellHomes = new Map<string, Promise<void>>()

/**
 * Variables of a shell that a test has run a text in place of an agent. Where a resident is to answer it, that serves the home, and
 * the text stands in a settings file of the project: it starts nothing else.
 */
export async function chooseWayOfShell({ home, project }: World, text: string): Promise<NodeJS.ProcessEnv> {
  if (WAY !== 'resident') return { HOOKLINE_RESIDENT: 'off' }
  const serving = shellHomes.get(home) ?? serveHome(home)
  shellHomes.set(home, serving)
  await serving
  const file = join(project, '.claude/settings.local.json')
  mkdirSync(dirname(file), { recursive: true })
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: text }] }] }
  if (existsSync(file) && !ownFiles.has(file)) return {}
  ownFiles.add(file)
  writeFileSync(file, JSON.stringify({ hooks }))
  return {}
}

/** Settings files that were made for texts of shells. */
const ownFiles = new Set<string>()

async function serveHome(home: string): Promise<void> {
  const place = findMeetingPlace(home)
  onTestFinished(async () => {
    shellHomes.delete(home)
    const { served = 0, alone = 0, withdrawn = 0, declined = {} } = readLastFigures(place) ?? {}
    if (TALLY !== undefined) appendFileSync(TALLY, `${JSON.stringify({ served, alone, withdrawn, ...declined })}\n`)
    await until('all that was started for this home has ended', () => endAll(home) === 0)
  })
  const resident = spawn(process.execPath, [program, 'resident', 'serve'], {
    ...{ cwd: '/', env: { PATH: process.env.PATH, HOME: home }, stdio: 'ignore' },
  })
  await until('a process serves, or cannot', () => findServing(place) !== null || resident.exitCode !== null) // not in every home
}

async function makeCall(
  world: World,
  { input, env, isTrusted }: HookCall,
  by: Pick<Parameters<typeof startCall>[2] & object, 'args' | 'line'>,
): Promise<CallEnd> {
  const { project, home } = world
  const opening = homes.get(home) ?? openHome(world)
  homes.set(home, opening)
  const open = await opening
  if (isTrusted) await storeAcceptance((await reviewTrust({ project, home })).request, home)
  open.calls++
  return startCall(open.served, input, {
    ...by,
    env: { ...env, ...(WAY === 'cold' ? { HOOKLINE_RESIDENT: 'off' } : {}) },
  })
}

/** Writes a launcher into a home, and has the resident serve it where that is the way; a test that ends leaves neither. */
async function openHome(world: World): Promise<OpenHome> {
  const served = await prepareHome(world, { patience: 'long' })
  const open = { served, calls: 0 }
  onTestFinished(async () => {
    homes.delete(world.home)
    if (WAY === 'resident') await tally(open)
    await until('all that was started for this home has ended', () => endAll(world.home) === 0)
  })
  if (WAY === 'resident') {
    await startCall(served, '{"hookline_probe":"first"}')
    await until('a process serves', () => findServing(served.place) !== null)
  }
  return open
}

/** Adds the ways of the calls of a test, all of which the resident knows of. */
async function tally({ served, calls }: OpenHome): Promise<void> {
  const count = (): Record<string, number> => {
    const { served: answered = 0, alone = 0, withdrawn = 0, declined = {} } = readFigures(served) ?? {}
    return { served: answered, alone, withdrawn, ...declined }
  }
  const sum = (): number => Object.values(count()).reduce((all, one) => all + one, 0)
  await until(`the resident has seen all of ${calls} calls`, () => sum() === calls)
  if (TALLY !== undefined) appendFileSync(TALLY, `${JSON.stringify(count())}\n`)
}
