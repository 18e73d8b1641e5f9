import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { findHome } from '../../../files/home.ts'
import { isAlive } from '../../../files/process-alive.ts'
import { findMeetingPlace, type MeetingPlace } from '../../../resident/place.ts'
import { clearPlace, findServing, readFigures } from '../../../resident/serve.ts'
import { describeResident, listOtherWays } from '../../../resident/standing.ts'
import { withUser } from '../../input/terminal-user.ts'
import { MISTAKE } from '../../start/exit.ts'
import { makeUnknownWordError, readArguments, UsageError } from '../../start/flags.ts'
import { print, printJson, tell } from '../../start/print.ts'
import { serve } from './serve.ts'

export const usage = `hookline resident <status|stop|serve> [flags]

Agents that call Hookline as a hook start Node for every event. The resident
engine is one process of yours that answers these calls instead: the same
answers, sooner. The first call of an agent starts it, ten idle minutes end it.
Linux only; elsewhere, and whenever it cannot answer, a call takes the way that
it took before.

  hookline resident status    whether it runs, since when, and what it served;
                              else why it does not, and why calls were not
  hookline resident stop      ends it; the next call of an agent starts it again
  hookline resident serve     what the launcher starts

HOOKLINE_RESIDENT=off, or "hookline": { "resident": false } in your own settings
or those of your organisation, turns it off.

  --yes                       stop: without being asked; needed without a terminal
  --home DIR                  whose it is; default: your home (status, stop)
  --json                      print JSON

Exit codes: 0; 1 a mistake, or it could not be stopped.
`

const FLAGS = { yes: { type: 'boolean' }, json: { type: 'boolean' }, home: { type: 'string' } } as const
const ACTS = ['status', 'stop', 'serve'] as const

/** Runs `hookline resident`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [act, ...more] = positionals
  const known = ACTS.find((one) => one === act)
  if (act === undefined) throw new UsageError('It takes status, stop or serve.')
  if (known === undefined || more.length > 0) throw makeUnknownWordError(act, ACTS)
  if (known === 'serve') return serve()
  const home = values.home ?? findHome()
  return known === 'stop'
    ? stop(findMeetingPlace(home), { isMeant: values.yes === true })
    : showStatus(home, values.json === true)
}

function showStatus(home: string, isJson: boolean): number {
  const place = findMeetingPlace(home)
  const pid = findServing(place)
  const figures = readFigures(place)
  const standing = describeResident(home, process.env)
  if (isJson) {
    printJson({ serving: pid !== null, ...standing, pid, figures })
    return 0
  }
  if (pid === null || standing.state === 'off')
    print(`It ${pid === null ? 'does not run' : 'answers nobody'}: ${standing.text}.\n`)
  if (pid === null) return 0
  const { since, served = 0 } = figures ?? {}
  print(
    `It runs as process ${pid}${since === undefined ? '' : ` since ${since}`} and has answered ${served} ${served === 1 ? 'call' : 'calls'}.\n`,
  )
  if (standing.state === 'stopped') print('A signal holds it: every event starts Node until another lets it go on.\n')
  for (const line of listOtherWays(figures)) print(`${line}.\n`)
  return 0
}

const STOP_TIMEOUT_MS = 10_000
const STOP_POLL_MS = 20

async function stop(place: MeetingPlace, { isMeant }: { readonly isMeant: boolean }): Promise<number> {
  const pid = findServing(place)
  if (pid === null) {
    await clearPlace(place)
    print('It does not run.\n')
    return 0
  }
  const confirm = (): Promise<boolean> =>
    withUser({}, async (user) => (await user?.confirm('End it? The next call of an agent starts it again.')) ?? false)
  if (!isMeant && !(await confirm())) return MISTAKE
  rmSync(place.engine, { force: true }) // no further call is left for it
  process.kill(pid, 'SIGTERM')
  for (const end = performance.now() + STOP_TIMEOUT_MS; isAlive(pid); await pause(STOP_POLL_MS)) {
    if (performance.now() < end) continue
    tell(`hookline resident: process ${pid} still answers a call; it ends when that is over.\n`)
    return MISTAKE
  }
  await clearPlace(place) // also after those before it that were killed
  print('It has ended.\n')
  return 0
}
